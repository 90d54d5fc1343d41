// A plain web server for pages of tests: the files of a folder, and pages that are given as texts.
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';

const types = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.wasm': 'application/wasm',
  '.json': 'application/json',
};

export async function serveFolder(folder, pages = {}) {
  const server = createServer(async (request, response) => {
    const path = new URL(request.url, 'http://localhost').pathname;
    const page = pages[path];
    try {
      if (page === undefined && !folder) throw new Error(path);
      const body = page ?? (await readFile(join(folder, normalize(path))));
      response.setHeader('Content-Type', page === undefined ? (types[extname(path)] ?? 'text/plain') : 'text/html');
      response.end(body);
    } catch {
      response.statusCode = 404;
      response.end();
    }
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  return { url: `http://127.0.0.1:${server.address().port}`, close: () => server.close() };
}
