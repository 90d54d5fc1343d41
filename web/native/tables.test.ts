// @vitest-environment node
// Tables of perfect play in the engine as WebAssembly: it reads the native program's files piece by piece, believes no byte
// that it has not checked, and says what the native program says.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type ListedTable, startModule, type WasmEngine } from '../src/lib/wasm_module';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 300_000 });

const paika = process.env.PAIKA ?? '';
const folder = mkdtempSync(join(tmpdir(), 'paika-tables-'));
const native = (...words: string[]) => execFileSync(paika, words, { encoding: 'utf8' });

const solved: [string, string[]][] = [
  ['abalone:3x3,captures=1', []],
  ['fanorona:5x3', []],
  ['fanorona:7x3,classic', ['--stones', '4']],
];

let engine: WasmEngine;
let tables: ListedTable[] = [];
let brought = 0;
/** Changes bytes on their way. */
let damage: (bytes: Uint8Array) => void = () => {};

async function start(): Promise<WasmEngine> {
  const file = join(import.meta.dirname, '..', '..', 'build', 'wasm', 'engine.wasm');
  return startModule(await WebAssembly.compile(readFileSync(file)));
}

beforeAll(async () => {
  for (const [spec, more] of solved) native('solve', spec, '--tables', folder, '--no-count', ...more);
  tables = readdirSync(folder).map((file) => {
    const path = join(folder, file);
    const { table, checksum } = JSON.parse(native('table', 'info', path, '--json'));
    return { table, file, bytes: statSync(path).size, checksum };
  });
  engine = await start();
  engine.tables(tables);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Asks until nothing is missing. */
function post(path: string, body: unknown) {
  const lines: string[] = [];
  for (let asked = 1; ; asked++) {
    const answer = engine.answer('POST', path, JSON.stringify(body), (line) => lines.push(line));
    if (!answer.missing) return { ...answer, asked, json: JSON.parse(answer.body || 'null'), lines };
    // A review says how far it is, and begins anew when the bytes are there.
    for (const line of lines.splice(0)) expect(Object.keys(JSON.parse(line))).toEqual(['progress']);
    for (const { file, offset, size } of answer.missing) {
      const bytes = Uint8Array.from(readFileSync(join(folder, file)).subarray(offset, offset + size));
      expect(bytes.length).toBe(size);
      brought += size;
      damage(bytes);
      engine.supply(file, offset, bytes);
    }
  }
}

/** "win 3" and the like. */
const words = ({ value, win_in, loss_in }: { value: string; win_in?: number; loss_in?: number }) =>
  [value, win_in ?? loss_in].filter((word) => word !== undefined).join(' ');
/** The native program's values of all moves, by name. */
const valuesOf = (spec: string, position: string) =>
  Object.fromEntries(
    native('moves', spec, '--values', '--tables', folder, '--position', position)
      .trim()
      .split('\n')
      .map((line) => line.split('\t'))
      .map(([move, , value]) => [move, value]),
  );

describe('tables in the engine as WebAssembly', () => {
  it.each(['abalone:3x3,captures=1', 'fanorona:5x3'])('values of %s', (spec) => {
    let position = JSON.parse(engine.answer('POST', '/api/position', JSON.stringify({ spec }), () => {}).body).position;
    for (let ply = 0; ply < 12; ply++) {
      const { json } = post('/api/position/values', { spec, position });
      if (!json.value || json.moves.length === 0) break;
      const told = Object.fromEntries(json.moves.map((m: { move: string; value: never }) => [m.move, words(m.value)]));
      expect(told).toEqual(valuesOf(spec, position));
      const next = json.moves[Math.min(ply % 3, json.moves.length - 1)].move;
      position = post('/api/position/play', { spec, position, move: next }).json.position;
    }
  });

  it('plays perfectly to the end, without a server', () => {
    const { json } = post('/api/position/values', { spec: 'abalone:3x3,captures=1', line: true });
    expect(json.value).toMatchObject({ value: 'win', win_in: 3 });
    expect(json.line).toHaveLength(3);
    const thought = post('/api/position/analysis', { spec: 'abalone:3x3,captures=1', time_ms: 500 });
    const last = JSON.parse(thought.lines.at(-1) ?? '');
    expect(last).toMatchObject({ done: true, table: 'abalone-3x3-captures-1.table' });
    expect(last.lines[0]).toMatchObject({ win_in: 3, exact: true });
  });

  it('reads a packed table of few stones', () => {
    const position = 'w...b../......./.w....b w 0';
    const { json } = post('/api/position/values', { spec: 'fanorona:7x3,classic', position });
    const told = Object.fromEntries(json.moves.map((m: { move: string; value: never }) => [m.move, words(m.value)]));
    expect(told).toEqual({ a3a2: 'loss', a3b2: 'draw', a3b3: 'loss', b1a1: 'loss', b1b2: 'draw', b1c1: 'loss' });
    expect(post('/api/position/values', { spec: 'fanorona:7x3,classic' }).json.table).toBeNull();
  });

  it('asks for what it needs, once', async () => {
    engine = await start();
    engine.tables(tables);
    brought = 0;
    const first = post('/api/position/values', { spec: 'fanorona:5x3' });
    const size = tables.find(({ table }) => table.startsWith('fanorona:5x3'))?.bytes ?? 0;
    expect(first.asked).toBeGreaterThan(1);
    expect(brought).toBeLessThan(size / 2);
    const before = brought;
    expect(post('/api/position/values', { spec: 'fanorona:5x3' }).asked).toBe(1);
    expect(brought).toBe(before);
  });

  it('believes no damaged byte', async () => {
    engine = await start();
    engine.tables(tables);
    damage = (bytes) => {
      bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1;
    };
    const wrong = post('/api/position/values', { spec: 'fanorona:5x3' });
    expect(wrong.status).toBe(500);
    expect(wrong.json.error.code).toBe('bad_table');
    damage = () => {};
    expect(post('/api/position/values', { spec: 'fanorona:5x3' }).status).toBe(200); // it asks for everything again
  });

  it('reviews a game by a table', () => {
    const spec = 'abalone:3x3,captures=1';
    const moves = ['b1b2', 'c3c2', 'a2b2'];
    const { lines } = post('/api/review', { spec, moves, time_ms: 300 });
    const review = JSON.parse(lines.at(-1) ?? '');
    expect(review.moves.map((m: { did: never }) => words(m.did))).toEqual(['win 3', 'loss 2', 'win 1']);
  });

  it('refuses a list that is none', () => {
    expect(() => engine.tables([{ table: 'x' }] as never)).toThrow(/fields/);
  });
});
