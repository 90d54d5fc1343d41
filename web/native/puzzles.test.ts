// @vitest-environment node
// Puzzles beside the real rules: the page accepts the solution of each, answers a wrong move, and finds a hint.
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { ApiEngine } from '../src/lib/api_engine';
import { SceneIndex } from '../src/lib/board_state';
import { engine, useEngine } from '../src/lib/engine';
import { judge, type Verdict } from '../src/lib/goal';
import { type Puzzle, puzzleGames, puzzleHint, puzzlesOf, taskOf } from '../src/lib/puzzles';
import { ListSource } from '../src/lib/steps';
import { NativeServer } from './support/server';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const server = new NativeServer();
beforeAll(async () => {
  await server.start(process.env.PAIKA ?? '');
  useEngine(new ApiEngine(server.backend));
});
afterAll(() => server.stop());

const all: [string, Puzzle][] = [];
for (const game of puzzleGames()) for (const puzzle of await puzzlesOf(game)) all.push([puzzle.id, puzzle]);

async function verdict(puzzle: Puzzle, move: string): Promise<Verdict> {
  const { spec, position } = puzzle;
  const index = new SceneIndex(await engine().scene(spec));
  const { mover: side } = await engine().position({ spec, position });
  const played = await engine().play({ spec, position }, move);
  return judge(taskOf(puzzle).goal, { side, own: 1, played, where: { spec, position, moves: [move] }, index });
}

describe('puzzles', () => {
  it('are there', () => expect(all.length).toBeGreaterThanOrEqual(8));

  it.each(all)('%s is solved by its solution alone', async (_, puzzle) => {
    expect(['done', 'open']).toContain((await verdict(puzzle, puzzle.solution)).is);
    const source = await engine().steps({ spec: puzzle.spec, position: puzzle.position });
    const others = source instanceof ListSource ? source.turns.filter((turn) => turn.text !== puzzle.solution) : [];
    for (const other of others.slice(0, 2)) {
      const found = await verdict(puzzle, other.text);
      expect(found.is, other.text).toBe('missed');
      if (!other.outcome) expect('reply' in found && found.reply, other.text).toBeTruthy();
    }
  });

  it.each(all)('%s has a hint with its rule', async (_, puzzle) => {
    const { text, clause } = await puzzleHint(puzzle);
    expect(text).toMatch(/[a-z]\d/);
    expect(clause).toMatch(/^\d/);
  });
});
