// @vitest-environment node
// Every lesson beside the real rules: its solution reaches its goal, wrong moves do not, a forced win is one, and the
// rules refuse what it says they refuse. PAIKA=../build/release/bin/paika npm run native
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { ApiEngine } from '../src/lib/api_engine';
import { SceneIndex } from '../src/lib/board_state';
import { engine, useEngine, type Where } from '../src/lib/engine';
import { judge, type Verdict } from '../src/lib/goal';
import { type Lesson, type LocalText, lessonGames, lessonsOf } from '../src/lib/lessons';
import { boardOf, readMarkdown, type Tokens } from '../src/lib/markdown';
import { refusalOf } from '../src/lib/refusal';
import { ListSource } from '../src/lib/steps';
import { isLossOf, type LegalTurn, otherSide, type Side } from '../src/lib/types';
import { NativeServer } from './support/server';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

const server = new NativeServer();
beforeAll(async () => {
  await server.start(process.env.PAIKA ?? '');
  useEngine(new ApiEngine(server.backend));
});
afterAll(() => server.stop());

const all: [string, Lesson][] = [];
for (const game of lessonGames())
  for (const lesson of await lessonsOf(game)) all.push([`${game}/${lesson.id}`, lesson]);

const startOf = ({ spec, position }: Lesson): Where => ({ spec, ...(position ? { position } : {}), moves: [] });

/** Plays a line from the lesson's position; the verdict on each move of the learner. */
async function verdicts(lesson: Lesson, line: string[]): Promise<Verdict[]> {
  const index = new SceneIndex(await engine().scene(lesson.spec));
  const { mover: side } = await engine().position(startOf(lesson));
  const found: Verdict[] = [];
  let mover: Side = side;
  const where = { ...startOf(lesson), moves: [] as string[] };
  for (const move of line) {
    const played = await engine().play(where, move);
    expect(played.move, 'moves are written as the game writes them').toBe(move);
    where.moves = [...where.moves, move];
    if (mover === side)
      found.push(await judge(lesson.goal, { side, own: found.length + 1, played, where: { ...where }, index }));
    mover = played.mover;
  }
  return found;
}

async function turnsOf(spec: string, position: string): Promise<readonly LegalTurn[]> {
  const source = await engine().steps({ spec, position });
  if (!(source instanceof ListSource)) throw new Error('too many moves for a lesson');
  return source.turns;
}

/** True if `side`, to move, wins within so many moves of its own whatever the other side does. */
async function forces(spec: string, position: string, side: Side, moves: number): Promise<boolean> {
  if (moves < 1) return false;
  const turns = await turnsOf(spec, position);
  if (turns.some((turn) => isLossOf(otherSide(side), turn.outcome))) return true;
  if (moves <= 1) return false;
  for (const turn of turns) {
    if (turn.outcome || !(await holds(spec, turn.position!, side, moves - 1))) continue;
    return true;
  }
  return false;
}

/** True if every reply still loses. */
async function holds(spec: string, position: string, side: Side, moves: number): Promise<boolean> {
  const replies = await turnsOf(spec, position);
  if (replies.some((reply) => reply.outcome && !isLossOf(otherSide(side), reply.outcome))) return false;
  for (const reply of replies) if (!reply.outcome && !(await forces(spec, reply.position!, side, moves))) return false;
  return true;
}

/** The rows of a drawn board: with their numbers and blanks between cells, or bare; not always to the right edge. */
const drawnRows = (text: string, most: number): string[] =>
  text.split('\n').flatMap((line) => {
    const cells = /^ *\d+ {2}((?:\S ?)+)/.exec(line)?.[1]?.replaceAll(' ', '') ?? line;
    return cells.length >= 4 && cells.length <= most && /^[-.a-zA-Z*#]+$/.test(cells)
      ? [cells.replaceAll('.', '-')]
      : [];
  });

describe('boards in the rules', () => {
  it('show what their texts show', async () => {
    let boards = 0;
    for (const { name } of await engine().games()) {
      const blocks = readMarkdown(await engine().rules(name)).filter((block) => block.type === 'code') as Tokens.Code[];
      for (const block of blocks) {
        const board = boardOf(block);
        if (!board) continue;
        boards++;
        const rows = (await engine().position(board)).grid.map((row) => row.replaceAll('.', '-'));
        const drawn = drawnRows(block.text, rows[0]!.length);
        expect(drawn.length, block.text).toBeGreaterThanOrEqual(3);
        expect(drawn.filter((row) => !rows.some((whole) => whole.startsWith(row)))).toEqual([]);
      }
    }
    expect(boards).toBeGreaterThanOrEqual(8);
  });
});

describe('lessons', () => {
  it('are ten for every game', async () => {
    const games = (await engine().games()).map((game) => game.name);
    expect([...lessonGames()].sort()).toEqual([...games].sort());
    for (const game of games) {
      const ids = (await lessonsOf(game)).map((lesson) => lesson.id);
      expect(new Set(ids).size, game).toBe(10);
    }
  });

  it.each(all)('%s speaks English and French', (_, { title, text, hint }) => {
    for (const said of [title, text, hint] as LocalText[]) {
      expect(said.en?.trim()).toBeTruthy();
      expect(said.fr?.trim()).toBeTruthy();
      expect(said.fr).not.toBe(said.en);
      expect(Object.keys(said).every((code) => ['en', 'fr', 'mg'].includes(code))).toBe(true);
      expect(said.mg !== undefined, 'a lesson is in one language').toBe(title.mg !== undefined);
    }
  });

  it.each(all)('%s cites a clause of the rules', async (name, { clause }) => {
    const rules = await engine().rules(name.split('/')[0]!);
    expect(rules).toMatch(new RegExp(`^(\\*\\*|#+ )${clause.replace('.', '\\.')}[ *]`, 'm'));
  });

  it.each(all)('%s is solved by its demo', async (_, lesson) => {
    const found = (await verdicts(lesson, lesson.demo)).map((verdict) => verdict.is);
    expect(found).toEqual([...new Array(found.length - 1).fill('open'), 'done']);
  });

  it.each(all)('%s is not solved by wrong moves', async (_, lesson) => {
    expect(lesson.wrong.length).toBeGreaterThan(0);
    for (const move of lesson.wrong) {
      const verdict = (await verdicts(lesson, move.split(' '))).at(-1);
      expect(verdict?.is, move).toBe('missed');
    }
  });

  it.each(all.filter(([, lesson]) => lesson.refused))('%s teaches by refusals', async (_, lesson) => {
    for (const { move, clause } of lesson.refused ?? []) {
      const refusal = await engine()
        .play(startOf(lesson), move)
        .then(() => null, refusalOf);
      expect(refusal?.clause, move).toBe(clause);
    }
  });

  it.each(all.filter(([, lesson]) => lesson.goal.kind === 'win'))('%s is a forced win', async (_, lesson) => {
    if (lesson.goal.kind !== 'win') return;
    const { spec, goal } = lesson;
    const before = await engine().position(startOf(lesson));
    const played = await engine().play(startOf(lesson), lesson.demo[0]!);
    expect(await forces(spec, before.position, before.mover, goal.moves - 1), 'it is not won sooner').toBe(false);
    if (isLossOf(otherSide(before.mover), played.outcome)) return;
    expect(await holds(spec, played.position, before.mover, goal.moves - 1)).toBe(true);
  });
});
