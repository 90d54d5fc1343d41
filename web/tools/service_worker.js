// The service worker: the page without the network. tools/offline.mjs fills in the version and the files.
//
// Every version of the page has a cache of its own with all its files. The document comes from the network where there
// is one, so a new version is seen at once; the other files have names that change with them, or change the version.

const version = '%VERSION%';
const files = new Set(['%FILES%']);
const cacheName = `paika-${version}`;
const page = '/index.html';
const longestWait = 4000; // for the network, before the kept page is shown

async function keep() {
  const cache = await caches.open(cacheName);
  for (const file of files) {
    // What has a hash in its name is the same as in the version before.
    const known = file.startsWith('/assets/') ? await caches.match(file) : undefined;
    if (known) {
      await cache.put(file, known);
      continue;
    }
    const answer = await fetch(file, { cache: 'no-cache' });
    if (!answer.ok) throw new Error(`${file}: ${answer.status}`);
    await cache.put(file, answer);
  }
}

async function forgetOthers() {
  for (const name of await caches.keys()) {
    if (name.startsWith('paika-') && name !== cacheName) await caches.delete(name);
  }
  await self.clients.claim();
}

async function pageFor(request) {
  const kept = async () => (await (await caches.open(cacheName)).match(page)) ?? Response.error();
  const tooLong = new Promise((_, failed) => {
    setTimeout(failed, longestWait);
  });
  try {
    const answer = await Promise.race([fetch(request), tooLong]);
    // A proxy answers for a server that is down.
    return answer.status >= 502 ? kept() : answer;
  } catch {
    return kept();
  }
}

async function fileFor(request, path) {
  const cache = await caches.open(cacheName);
  return (await cache.match(path)) ?? fetch(request);
}

self.addEventListener('install', (event) => event.waitUntil(keep()));
self.addEventListener('activate', (event) => event.waitUntil(forgetOthers()));

// A page of this version is open: the version before is not needed any more.
self.addEventListener('message', (event) => {
  if (files.has(event.data?.page)) self.skipWaiting();
});

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== 'GET' || origin !== self.location.origin || pathname.startsWith('/api/')) return;
  if (request.mode === 'navigate') {
    // Only addresses of the page: what has a dot in its name, and what programs ask for, is a file of the server.
    if (!/\.[^/]*$|^\/(healthz|metrics)$/.test(pathname)) event.respondWith(pageFor(request));
  } else if (files.has(pathname)) {
    event.respondWith(fileFor(request, pathname));
  }
});
