// @vitest-environment node
// The engine as WebAssembly beside the native one: the same counts, the same moves, the same answers.
// PAIKA=../build/release/bin/paika npm run native
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { BadQuestion, startModule, type WasmEngine } from '../src/lib/wasm_module';

vi.setConfig({ testTimeout: 60_000 });

const paika = process.env.PAIKA ?? '';
const native = (...words: string[]) => execFileSync(paika, words, { encoding: 'utf8' });

const counted: [string, number][] = [
  ['fanorona', 4],
  ['fanorona:5x5', 5],
  ['fanorona:3x3', 6],
  ['fanorona:13x13,limit=24', 2],
  ['abalone', 4],
  ['abalone:3x3,captures=1', 6],
  ['abalone:5x5,captures=2,freeze', 4],
  ['othello', 7],
  ['othello:6x6', 7],
  ['othello:26x26', 4],
  ['wildebeest', 3],
];

let engine: WasmEngine;
beforeAll(async () => {
  const module = await WebAssembly.compile(
    readFileSync(join(import.meta.dirname, '..', '..', 'build', 'wasm', 'engine.wasm')),
  );
  engine = await startModule(module);
});

const post = (path: string, body: unknown) => {
  const lines: string[] = [];
  const answer = engine.answer('POST', path, JSON.stringify(body), (line) => lines.push(line));
  return { ...answer, lines: lines.map((line) => JSON.parse(line)) };
};

/** What the search says with a fixed number of nodes, which depends on nothing else. */
const nodes = 20_000;
const best = (spec: string, moves: string[]) => {
  const thought = post('/api/position/analysis', { spec, moves, nodes, time_ms: 30_000 });
  expect(thought.status).toBe(200);
  return thought.lines.at(-1);
};

describe('the engine as WebAssembly', () => {
  it.each(counted)('counts the lines of %s as the native one, to depth %i', (spec, depth) => {
    const wanted = native('perft', spec, String(depth), '--threads', '1').trim().split('\n').at(-1);
    expect(`${depth} ${engine.perft(spec, '', depth)}`).toBe(wanted);
  });

  it.each(counted)('chooses the same turns of %s', (spec) => {
    const moves: string[] = [];
    for (let turn = 0; turn < 6; turn++) {
      const { position, outcome } = JSON.parse(post('/api/position', { spec, moves }).body);
      if (outcome.verdict !== 'ongoing') break;
      const here = best(spec, moves);
      const there = JSON.parse(
        native(
          'best',
          spec,
          '--position',
          position,
          '--nodes',
          String(nodes),
          '--hash',
          '16',
          '--threads',
          '1',
          '--json',
        ),
      );
      expect({ turn, best: here.best, nodes: here.nodes, depth: here.depth }).toEqual({
        turn,
        best: there.move ?? there.best,
        nodes: there.nodes,
        depth: there.depth,
      });
      moves.push(here.best);
    }
  });

  it('says what is wrong as the server does', () => {
    expect(post('/api/position', { spec: 'chess' })).toMatchObject({ status: 400 });
    expect(JSON.parse(post('/api/position', { spec: 'chess' }).body).error.code).toBe('bad_spec');
    expect(JSON.parse(post('/api/position/play', { spec: 'othello', move: 'a1' }).body).error).toMatchObject({
      code: 'illegal',
      clause: expect.stringMatching(/\d/),
    });
    expect(post('/api/rooms', {}).status).toBe(404);
    expect(() => engine.perft('chess', '', 1)).toThrow(BadQuestion);
  });

  it('has the rules, the demonstrations and the languages', () => {
    const get = (path: string) => engine.answer('GET', path, '', () => {});
    expect(get('/api/games/fanorona/rules').body).toMatch(/^# /);
    expect(JSON.parse(get('/api/demos?lang=fr').body).demos.length).toBeGreaterThan(10);
    expect(Object.keys(JSON.parse(get('/api/messages/mg').body)).length).toBeGreaterThan(300);
  });

  it('thinks no longer than it may', () => {
    const begin = performance.now();
    const thought = post('/api/position/analysis', { spec: 'wildebeest', time_ms: 300, lines: 3 });
    expect(performance.now() - begin).toBeLessThan(600);
    expect(thought.lines.at(-1).done).toBe(true);
    expect(thought.lines.length).toBeGreaterThan(2);
  });

  it('reads and writes trees as the native one', () => {
    const text = '[Game "fanorona:5x5"]\n[Result "*"]\n\n1. c2c3A! {[%arrow c2 c3] Forward.} *\n';
    const read = JSON.parse(post('/api/trees/read', { text }).body);
    expect(JSON.parse(post('/api/trees/write', { tree: read.trees[0] }).body).text).toBe(
      execFileSync(paika, ['convert', '-'], { encoding: 'utf8', input: text }),
    );
    expect(post('/api/trees/read', { text: 'f5d6c3' }).status).toBe(200);
    expect(post('/api/trees/read', { text: '[Game "othello"]\n\n1. a1 *\n' }).status).toBe(422);
  });

  it('reviews a game, and its ending as the native one does', () => {
    const file = join(import.meta.dirname, 'support', 'othello_game.txt');
    const [tree] = JSON.parse(post('/api/trees/read', { text: readFileSync(file, 'utf8') }).body).trees;
    const moves: string[] = tree.nodes.flatMap(({ move }: { move?: string }) => move ?? []);
    const { lines } = post('/api/review', { spec: 'othello', moves, time_ms: 600, max_empty: 10 });
    const review = lines.at(-1);
    const positions = moves.length + 1; // each is looked up first and then searched
    expect(lines.length).toBe(2 * positions + 1);
    const told = JSON.parse(native('review', file, '--max-empty', '10', '--exact', '--json'));
    const certain = (one: { moves: { did?: unknown; could?: unknown; move: string }[] }) =>
      one.moves.slice(-8).map(({ move, could, did }) => ({ move, could, did }));
    expect(certain(review)).toEqual(certain(told));
  });
});
