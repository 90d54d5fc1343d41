// Writes the service worker of a built page: its files, and a version that changes with any of them.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = process.argv[2] ?? 'dist';
const left = /^sw\.js$|^engine\.wasm$|^embed\/|^\.|\.(br|gz|map)$/; // the engine comes when it is built; other sites are not offline

function* files(path) {
  for (const name of readdirSync(path).sort()) {
    const full = join(path, name);
    if (statSync(full).isDirectory()) yield* files(full);
    else if (!left.test(relative(folder, full))) yield full;
  }
}

const template = readFileSync(join(dirname(fileURLToPath(import.meta.url)), 'service_worker.js'), 'utf8');
const hash = createHash('sha256').update(template);
const kept = [];
for (const path of files(folder)) {
  const name = `/${relative(folder, path).split('\\').join('/')}`;
  hash.update(name).update(readFileSync(path));
  kept.push(name);
}
// The document is kept last: where it is, everything it needs is.
kept.sort((a, b) => Number(a === '/index.html') - Number(b === '/index.html'));
const version = hash.digest('hex').slice(0, 16);
const filled = template.replace("'%VERSION%'", `'${version}'`).replace("['%FILES%']", JSON.stringify(kept, null, 2));
writeFileSync(join(folder, 'sw.js'), filled);
console.log(`version ${version}: ${kept.length} files are kept offline`);
