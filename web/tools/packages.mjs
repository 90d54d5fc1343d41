// Builds the npm packages from the page's own sources and packs them.
// node tools/packages.mjs VERSION WASM-FOLDER OUT-FOLDER: the modules are in WASM-FOLDER (ninja modules); OUT-FOLDER gets
// paika-engine-VERSION.tgz, paika-engine-GAME-VERSION.tgz of each game and paika-board-VERSION.tgz, and what is in them
// unpacked.
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { build } from 'vite';
import { boardStyles } from './board_styles.mjs';

const [version, wasm, out] = process.argv.slice(2);
if (!version || !wasm || !out) {
  console.error('usage: node tools/packages.mjs VERSION WASM-FOLDER OUT-FOLDER');
  process.exit(2);
}
const web = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const common = { configFile: false, root: web, logLevel: 'warn', publicDir: false };
const output = { format: 'es', entryFileNames: '[name].js', codeSplitting: false };

const bundle = (input, outDir, more = {}, plugins = []) =>
  build({
    ...common,
    plugins,
    ...more,
    build: {
      outDir,
      emptyOutDir: false,
      target: 'es2022',
      modulePreload: false,
      cssCodeSplit: false,
      rollupOptions: { input, external: [/^node:/, 'paika-engine'], preserveEntrySignatures: 'strict', output },
      ...more.build,
    },
  });

/** What a module calls its games, and what else they are called. */
async function namesIn(module) {
  const built = await bundle({ wasm_module: join(web, 'src/lib/wasm_module.ts') }, out, { build: { write: false } });
  const code = built.output[0].code;
  const { startModule } = await import(`data:text/javascript,${encodeURIComponent(code)}`);
  const engine = await startModule(await WebAssembly.compile(readFileSync(module)));
  const { games } = JSON.parse(engine.answer('GET', '/api/games', '', () => {}).body);
  return Object.fromEntries(games.map(({ name, aliases }) => [name, aliases]));
}

/** Says which file each import of the types means, as Node's own resolution wants it. */
function nameFiles(folder) {
  for (const name of readdirSync(folder, { recursive: true }).map(String)) {
    if (!name.endsWith('.d.ts')) continue;
    const path = join(folder, name);
    const named = (all, before, spec) =>
      existsSync(join(dirname(path), `${spec}.d.ts`)) ? `${before}${spec}.js'` : all;
    writeFileSync(path, readFileSync(path, 'utf8').replace(/((?:from |import\()')(\.{1,2}\/[^']+)'/g, named));
  }
}

/** npm packs permissions as they are, and those depend on who builds. */
function pack(folder) {
  for (const name of readdirSync(folder, { recursive: true }).map(String)) {
    if (statSync(join(folder, name)).isFile()) chmodSync(join(folder, name), 0o644);
  }
  execFileSync('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', out], { cwd: folder });
}

/** package.json with the version, the texts and the types. */
function finish(name, folder) {
  const text = readFileSync(join(web, 'packages', name, 'package.json'), 'utf8');
  writeFileSync(join(folder, 'package.json'), text.replaceAll('"0.0.0"', JSON.stringify(version)));
  copyFileSync(join(web, 'packages', name, 'README.md'), join(folder, 'README.md'));
  copyFileSync(join(web, '..', 'LICENSE'), join(folder, 'LICENSE'));
  const types = join(folder, 'types');
  execFileSync(join(web, 'node_modules/.bin/tsc'), [
    ...[
      '--project',
      join(web, 'packages', 'tsconfig.json'),
      '--declaration',
      '--emitDeclarationOnly',
      '--noEmit',
      'false',
    ],
    ...['--outDir', types, '--rootDir', web],
  ]);
  // One program has both packages; each keeps its own, and what it uses of the page.
  for (const other of readdirSync(join(types, 'packages'))) {
    if (other !== name) rmSync(join(types, 'packages', other), { recursive: true });
  }
  if (name === 'engine') rmSync(join(types, 'src', 'element'), { recursive: true, force: true });
  copyFileSync(join(web, 'src/lib/openapi.d.ts'), join(types, 'src/lib/openapi.d.ts'));
  nameFiles(types);
  pack(folder);
}

async function buildEngine() {
  const folder = join(out, 'paika-engine');
  mkdirSync(folder, { recursive: true });
  const source = (name) => join(web, 'packages/engine/src', name);
  const define = { __PAIKA_GAMES__: JSON.stringify(games) };
  // Each is whole in itself, so that bundlers can copy a worker as it is.
  const worker = join(web, 'src/lib/device_worker.ts');
  const inputs = { browser: source('browser.ts'), node: source('node.ts'), thread: source('thread.ts'), worker };
  for (const [name, input] of Object.entries(inputs)) await bundle({ [name]: input }, folder, { define });
  copyFileSync(join(wasm, 'compact.wasm'), join(folder, 'engine.wasm'));
  finish('engine', folder);
}

/** A game's module with all that it knows, in a package of its own. */
async function buildGame(name, title) {
  const folder = join(out, `paika-engine-${name}`);
  mkdirSync(folder, { recursive: true });
  const source = join(web, 'packages/game');
  for (const input of ['browser', 'node']) await bundle({ [input]: join(source, 'src', `${input}.ts`) }, folder);
  copyFileSync(join(wasm, `${name}.wasm`), join(folder, 'game.wasm'));
  copyFileSync(join(source, 'index.d.ts'), join(folder, 'index.d.ts'));
  copyFileSync(join(web, '..', 'LICENSE'), join(folder, 'LICENSE'));
  for (const file of ['package.json', 'README.md']) {
    const text = readFileSync(join(source, file), 'utf8').replaceAll('"0.0.0"', JSON.stringify(version));
    writeFileSync(join(folder, file), text.replaceAll('GAME', name).replaceAll('TITLE', title));
  }
  pack(folder);
}

async function buildBoard() {
  const folder = join(out, 'paika-board');
  mkdirSync(folder, { recursive: true });
  await bundle({ board: join(web, 'packages/board/src/board.ts') }, folder, {}, [svelte(), boardStyles()]);
  finish('board', folder);
}

rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });
if (!existsSync(join(wasm, 'compact.wasm')))
  throw new Error(`${wasm} has no modules; ninja -C ${wasm} modules makes them`);
const games = await namesIn(join(wasm, 'compact.wasm'));
await buildEngine();
for (const name of Object.keys(games)) await buildGame(name, name[0].toUpperCase() + name.slice(1));
await buildBoard();
