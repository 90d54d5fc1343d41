// The npm packages as their users meet them: installed from the tarballs into a fresh folder without the network, used by
// Node, by the type checker and by a page in a browser. node e2e/packages.mjs TARBALL-FOLDER PROGRAM
import { strict as assert } from 'node:assert';
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { serveFolder } from './static_server.mjs';
import { noFaults, openBrowser, openPage, Server } from './world.mjs';

const maxBytes = 2_000_000; // of paika-engine, packed

const solvedSpec = 'abalone:3x3,captures=1';
const solvedFile = 'abalone-3x3-captures-1.table';

const inNode = `
import { strict as assert } from 'node:assert';
import { fileTables, folderTables, openEngine, PaikaError, serverTables } from 'paika-engine';
import othello from 'paika-engine-othello';
import wildebeest from 'paika-engine-wildebeest';
const engine = openEngine();
assert.equal(await engine.perft('fanorona:9x5,sacrifice=off', 4), 18026);
assert.equal(await engine.perft({ spec: 'othello', moves: ['d3'] }, 2), 14);
const moves = await engine.moves('othello');
assert.deepEqual(moves.map((m) => m.move).sort(), ['c4', 'd3', 'e6', 'f5']);
const { position } = await engine.play('blackwhite', 'd3'); // another name of Othello
assert.equal((await engine.moves({ spec: 'othello', position })).length, 3);
assert.equal(await engine.why('othello', 'd3'), null);
const refusal = await engine.why('othello', 'a1');
assert.match(refusal.clause, /^\\d/);
await assert.rejects(engine.play('othello', 'a1'), (fault) => fault instanceof PaikaError && fault.code === 'illegal');
await assert.rejects(engine.moves('chess'), /there is no game 'chess' here; the games are/);
await assert.rejects(engine.perft('othello', -1), /depth must be a whole number/);
const seen = [];
const found = await engine.best('abalone', { nodes: 20000, onInfo: (info) => seen.push(info.depth) });
assert.ok(found.done && seen.length > 1, JSON.stringify(found));
assert.equal(await engine.why('abalone', found.best ?? found.lines[0].moves[0]), null);
const stop = new AbortController();
const long = engine.best('wildebeest', { time_ms: 20000, signal: stop.signal });
setTimeout(() => stop.abort(), 200);
await assert.rejects(long, { name: 'AbortError' });
assert.ok((await engine.best('wildebeest', { nodes: 2000 })).done); // a new worker took its place
assert.deepEqual((await engine.games()).map((g) => g.name).sort(), ['abalone', 'fanorona', 'othello', 'wildebeest']);
engine.close();
const one = openEngine({ games: ['othello'] });
await assert.rejects(one.moves('abalone'), /the games are othello/);
assert.throws(() => openEngine({ games: ['chess'] }), /not 'chess'/);
one.close();
const never = () => Promise.reject(new Error('the module with all games was asked for'));
const strong = openEngine({ games: ['othello', 'wildebeest'], module: never, modules: { othello, wildebeest } });
assert.deepEqual((await strong.games()).map((g) => g.name), ['othello', 'wildebeest']);
const scores = await Promise.all([openEngine, () => strong].map(async (open) => {
  const asked = open();
  const { lines } = await asked.best('othello', { nodes: 2000 });
  asked.close();
  return JSON.stringify(lines[0]);
}));
assert.notEqual(scores[0], scores[1]); // the patterns are in one of them alone
assert.throws(() => openEngine({ modules: { chess: othello } }), /not 'chess'/);
for (const tables of [await folderTables(process.argv[2]), serverTables(process.argv[3])]) {
  const solved = openEngine({ games: ['abalone', 'othello'], tables });
  assert.deepEqual((await solved.tables()).map(({ table, file }) => [table, file]), [['${solvedSpec}', '${solvedFile}']]);
  const start = await solved.values('${solvedSpec}', { line: true });
  assert.equal(start.table, '${solvedFile}');
  assert.deepEqual(start.line, ['b1b2', 'c3c2', 'a2b2']);
  assert.equal(start.moves.length, (await solved.moves('${solvedSpec}')).length);
  assert.equal((await solved.best('${solvedSpec}')).best, start.moves[0].move);
  assert.equal((await solved.values('abalone:4x4')).table, null);
  assert.equal((await solved.values('othello')).table, null);
  solved.close();
}
await assert.rejects(fileTables([Object.assign(new Blob(['rubbish']), { name: 'a.table' })]).list(), /a.table is not a table/);
await assert.rejects(folderTables('nowhere'), { code: 'ENOENT' });
const none = openEngine();
assert.deepEqual(await none.tables(), []);
assert.equal((await none.values('${solvedSpec}')).table, null);
none.close();
console.log('done');
`;

const typed = `
import { folderTables, openEngine, type SearchInfo, type TableSource } from 'paika-engine';
import type { PaikaBoard } from 'paika-board';
import othello from 'paika-engine-othello';
const info: SearchInfo = await openEngine().best('othello', { level: 3 });
const depth: number = info.depth;
declare const board: PaikaBoard;
board.addEventListener('paika-move', (event) => event.detail.moves.at(depth));
openEngine({ modules: { othello } });
const tables: TableSource = await folderTables('tables');
const moves: string[] = (await openEngine({ tables }).values('othello')).moves.map((listed) => listed.move);
// @ts-expect-error: a spec is a text
await openEngine().moves(5);
`;

const page = `<!doctype html><title>Boards</title>
<script type="importmap">{"imports": {"paika-engine": "/node_modules/paika-engine/browser.js",
  "paika-engine-othello": "/node_modules/paika-engine-othello/browser.js", "paika-board": "/node_modules/paika-board/board.js"}}</script>
<script type="module">
  import 'paika-board';
  import { fileTables, openEngine } from 'paika-engine';
  import othello from 'paika-engine-othello';
  window.heard = [];
  for (const type of ['paika-ready', 'paika-move', 'paika-refused', 'paika-error'])
    addEventListener(type, (event) => heard.push({ type, id: event.target.id, ...event.detail }));
  window.perft = openEngine({ games: ['othello'], modules: { othello } }).perft('othello', 5);
  const table = await (await fetch('/tables/${solvedFile}')).blob();
  const tables = fileTables([new File([table], '${solvedFile}')]);
  window.values = openEngine({ games: ['abalone'], tables }).values('${solvedSpec}', { line: true });
</script>
<paika-board id="play" spec="othello" interactive computer="second" level="1" style="width: 420px"></paika-board>
<paika-board id="shown" spec="fanorona:5x5" style="width: 300px"></paika-board>`;

const folder = mkdtempSync(join(tmpdir(), 'paika-npm-'));
const tarballs = resolve(process.argv[2] ?? '');
const server = new Server(resolve(process.argv[3] ?? ''));
const web = resolve(import.meta.dirname, '..');
let browser = null;
let site = null;
try {
  const names = readdirSync(tarballs).filter((name) => name.endsWith('.tgz'));
  assert.equal(names.length, 6, `the engine, four games and the board in ${tarballs}`);
  for (const name of names) {
    const bytes = statSync(join(tarballs, name)).size;
    console.log(`${name}: ${bytes} bytes`);
    if (/^paika-engine-\d/.test(name)) assert.ok(bytes <= maxBytes, `${name} is too large`);
  }
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  const install = ['install', '--offline', '--no-audit', '--no-fund', '--silent'];
  execFileSync('npm', [...install, ...names.map((name) => join(tarballs, name))], { cwd: folder, stdio: 'inherit' });
  writeFileSync(join(folder, 'try.js'), inNode);
  server.solve(solvedSpec);
  cpSync(server.tables, join(folder, 'tables'), { recursive: true });
  await server.start();
  const tried = execFileSync('node', ['try.js', 'tables', server.url], { cwd: folder, encoding: 'utf8' });
  assert.equal(tried, 'done\n');
  console.log('ok      in Node');

  writeFileSync(join(folder, 'try.ts'), typed);
  symlinkSync(join(web, 'node_modules', 'svelte'), join(folder, 'node_modules', 'svelte'));
  const options = ['--noEmit', '--strict', '--target', 'es2022', '--module', 'nodenext', '--skipLibCheck', 'try.ts'];
  execFileSync(join(web, 'node_modules/.bin/tsc'), options, { cwd: folder, stdio: 'inherit' });
  console.log('ok      types');

  site = await serveFolder(folder, { '/': page });
  browser = await openBrowser();
  const shown = await openPage(browser);
  await shown.goto(site.url);
  await shown.locator('#play [data-steps="0"]').waitFor();
  await shown.locator('#play [data-square="d3"]').click();
  const twice = () => window.heard.filter((said) => said.type === 'paika-move').length >= 2;
  await shown.waitForFunction(twice, null, { timeout: 60_000 });
  assert.equal(await shown.evaluate(() => window.perft), 1396);
  await shown.waitForFunction(() => window.values);
  assert.deepEqual((await shown.evaluate(() => window.values)).line, ['b1b2', 'c3c2', 'a2b2']);
  const line = await shown.evaluate(() => document.querySelector('#play').moves);
  assert.equal(line[0], 'd3');
  assert.equal(line.length, 2);
  await shown.locator('#play [data-steps="0"]').waitFor(); // it is the person's move again
  await shown.locator('#play [data-square="a1"]').click();
  await shown.waitForFunction(() => window.heard.some((said) => said.type === 'paika-refused'));
  await shown.evaluate(() => document.querySelector('#shown').setAttribute('moves', 'no move'));
  await shown.waitForFunction(() => window.heard.some((said) => said.type === 'paika-error' && said.id === 'shown'));
  noFaults(shown);
  console.log('ok      in a browser');
} finally {
  await browser?.close();
  site?.close();
  await server.end();
  rmSync(folder, { recursive: true, force: true });
}
