// Puts a .gz and a .br beside every text file of the built page, so that the server sends them as they are.
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

const worth = /\.(js|css|html|svg|json|webmanifest|wasm|txt)$/;
const least = 512; // bytes; below that a header costs more than it saves

function* files(folder) {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    if (statSync(path).isDirectory()) yield* files(path);
    else yield path;
  }
}

let plain = 0;
let small = 0;
for (const path of files(process.argv[2] ?? 'dist')) {
  if (!worth.test(path)) continue;
  const bytes = readFileSync(path);
  plain += bytes.length;
  if (bytes.length < least) continue;
  const brotli = brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } });
  writeFileSync(`${path}.gz`, gzipSync(bytes, { level: 9 }));
  writeFileSync(`${path}.br`, brotli);
  small += brotli.length;
}
console.log(`${(plain / 1024).toFixed(1)} KB, compressed ${(small / 1024).toFixed(1)} KB`);
