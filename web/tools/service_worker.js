// The service worker: the page without the network. tools/offline.mjs fills in the version and the files.
//
// Every version of the page has a cache of its own with all its files. The document comes from the network where there
// is one, so a new version is seen at once; the other files have names that change with them, or change the version.
// The engine has a cache of its own: it may come, or change, when the page does not.

const version = '%VERSION%';
const files = new Set(['%FILES%']);
const cacheName = `paika-${version}`;
const engineCache = 'paika-engine';
const tablesCache = 'paika-tables'; // lib/table_source.ts fills it
const engine = '/engine.wasm';
const page = '/index.html';
const longestWait = 4000; // for the network, before what was kept is used

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
    if (name.startsWith('paika-') && name !== cacheName && name !== engineCache && name !== tablesCache)
      await caches.delete(name);
  }
  await self.clients.claim();
}

/** The server's answer; undefined if there is none, or only that of a proxy before a server that is down. */
async function fromNetwork(request, options) {
  const tooLong = new Promise((_, failed) => {
    setTimeout(failed, longestWait);
  });
  try {
    const answer = await Promise.race([fetch(request, options), tooLong]);
    return answer.status >= 502 ? undefined : answer;
  } catch {
    return undefined;
  }
}

async function pageFor(request) {
  return (await fromNetwork(request)) ?? (await (await caches.open(cacheName)).match(page)) ?? Response.error();
}

/** What is kept is what the server had last: a page that has no engine yet must not use that of the version before. */
async function engineFor() {
  const cache = await caches.open(engineCache);
  const kept = await cache.match(engine);
  const answer = await fromNetwork(engine, { cache: 'no-cache' });
  if (!answer) return kept ?? Response.error();
  if (answer.status === 404) await cache.delete(engine);
  else if (answer.ok && answer.headers.get('etag') !== kept?.headers.get('etag'))
    await cache.put(engine, answer.clone());
  return answer;
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
    if (!/\.[^/]*$|^\/(healthz|metrics|embed)$/.test(pathname)) event.respondWith(pageFor(request));
  } else if (pathname === engine) {
    event.respondWith(engineFor());
  } else if (files.has(pathname)) {
    event.respondWith(fileFor(request, pathname));
  }
});
