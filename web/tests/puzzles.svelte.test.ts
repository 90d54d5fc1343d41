import { readdirSync, readFileSync } from 'node:fs';
import { beforeEach, describe, expect, it } from 'vitest';
import { PuzzleProgress } from '../src/lib/progress.svelte';
import {
  dailyPuzzle,
  dayOf,
  nextPuzzle,
  puzzleGames,
  puzzlesOf,
  readPuzzles,
  taskOf,
  themeName,
} from '../src/lib/puzzles';

beforeEach(() => localStorage.clear());

const head = 'id\tspec\tposition\tgoal\tsolution\tlevel\tthemes\tproof';

describe('files of puzzles', () => {
  it('are read by the names of their columns, easy ones first', () => {
    const found = readPuzzles(
      'drop',
      `${head}\r\nb\tdrop:3\t...\tdraw\tc1\t7\t\ttable\r\na\tdrop:3\t..w\twin\ta1\t2\tpush,trap\tproof\r\n`,
    );
    expect(found.map((one) => one.id)).toEqual(['a', 'b']);
    expect(found[0]).toEqual({
      id: 'a',
      game: 'drop',
      spec: 'drop:3',
      position: '..w',
      goal: 'win',
      solution: 'a1',
      level: 2,
      themes: ['push', 'trap'],
    });
    expect(taskOf(found[1]!)).toEqual({
      spec: 'drop:3',
      position: '...',
      goal: { kind: 'solve', move: 'c1', aim: 'draw' },
      demo: ['c1'],
    });
    // Of wins that a search has proven, another may come later.
    const won = (moves: string) =>
      readPuzzles(
        'drop',
        `id\tspec\tposition\tgoal\tmoves\tsolution\tlevel\na\tdrop:3\t..w\twin\t${moves}\ta1\t2\n`,
      )[0]!;
    expect(won('2').within).toBe(2);
    expect(taskOf(won('2')).goal).toMatchObject({ move: 'a1', within: 2 });
    expect(won('').within).toBeUndefined();
    const other = readPuzzles('drop', 'level\tid\tgoal\tsolution\tposition\tspec\n1\tx\twin\ta1\t...\tdrop:3');
    expect(other).toMatchObject([{ id: 'x', level: 1, themes: [] }]);
  });

  it('lose the lines that lack something', () => {
    for (const line of [
      '',
      'a',
      'a\ts\tp\twin\t\t1\t\t',
      'a\ts\tp\tlose\tm\t1\t\t',
      'a\ts\tp\twin\tm\t11\t\t',
      'a\ts\tp\twin\tm\tx\t\t',
    ])
      expect(readPuzzles('drop', `${head}\n${line}`), line).toEqual([]);
    expect(readPuzzles('drop', '')).toEqual([]);
  });

  it('of a game that has none are empty', async () => {
    expect(await puzzlesOf('chess')).toEqual([]);
    for (const game of puzzleGames()) expect((await puzzlesOf(game)).length).toBeGreaterThan(1);
  });
});

describe('the puzzle of the day', () => {
  it('is one for everybody, and another the next day', async () => {
    expect(dayOf(Date.UTC(2026, 10, 18, 0, 0, 1))).toBe(dayOf(Date.UTC(2026, 10, 18, 23, 59)));
    expect(dayOf(Date.UTC(2026, 10, 18))).toBe(20775);
    const games = puzzleGames().length;
    const seen = [];
    for (let day = 20775; day < 20775 + games; day++) seen.push((await dailyPuzzle(day))?.game);
    expect(new Set(seen).size).toBe(games);
    expect(await dailyPuzzle(20775)).toEqual(await dailyPuzzle(20775));
  });

  it('goes through the puzzles of a game', async () => {
    const seen = new Set<string>();
    for (let day = 0; day < 200; day++) seen.add((await dailyPuzzle(day))!.id);
    let all = 0;
    for (const game of puzzleGames()) all += (await puzzlesOf(game)).length;
    expect(seen.size).toBe(all);
  });
});

describe('a ladder', () => {
  it('goes on with what is not solved, and begins again at the bottom', async () => {
    const lines = ['a', 'b', 'c'].map((id) => `${id}\tdrop:3\t...\twin\ta1\t1\t\tproof`);
    const puzzles = readPuzzles('drop', [head, ...lines].join('\n'));
    const after = (id: string, ...solved: string[]) => nextPuzzle(puzzles, id, (one) => solved.includes(one))?.id;
    expect(after('')).toBe('a');
    expect(after('a', 'a')).toBe('b');
    expect(after('a', 'a', 'b')).toBe('c');
    expect(after('c', 'c')).toBe('a');
    expect(after('b', 'a', 'b', 'c')).toBeUndefined();
  });
});

describe('progress with puzzles', () => {
  it('counts what is solved in a row without help', () => {
    const progress = new PuzzleProgress();
    progress.solve('drop', 'a', true);
    progress.solve('drop', 'b', true);
    progress.solve('drop', 'b', true); // again: it counts once
    expect([progress.streak, progress.best]).toEqual([2, 2]);
    progress.help('drop', 'b'); // was solved before
    expect(progress.streak).toBe(2);
    progress.help('drop', 'c');
    progress.solve('drop', 'c', false);
    expect([progress.streak, progress.best]).toEqual([0, 2]);
    expect(new PuzzleProgress().isSolved('drop', 'c')).toBe(true);
    expect(progress.isSolved('drop', 'd')).toBe(false);
  });

  it('counts days in a row', () => {
    const progress = new PuzzleProgress();
    progress.solve('drop', 'a', true, 100);
    progress.solve('drop', 'a', true, 100);
    expect(progress.daysInARow(100)).toBe(1);
    progress.solve('drop', 'b', true, 101);
    expect(progress.daysInARow(101)).toBe(2);
    expect(progress.daysInARow(102)).toBe(2); // today's is still open
    expect(progress.daysInARow(103)).toBe(0);
    progress.solve('drop', 'c', true, 105);
    expect(progress.daysInARow(105)).toBe(1);
  });
});

describe('themes', () => {
  it('have names, and show what is not known as it is', () => {
    expect(themeName('chain')).toBe('Chain');
    expect(themeName('chain-of-three')).toBe('chain of three');
  });

  it('are all known, in every file there is', () => {
    const folder = '../data/puzzles';
    const themes = readdirSync(folder).flatMap((name) =>
      readPuzzles(name, readFileSync(`${folder}/${name}`, 'utf8')).flatMap((one) => one.themes),
    );
    expect(themes.length).toBeGreaterThan(1000);
    expect([...new Set(themes)].filter((theme) => !/^[A-Z]/.test(themeName(theme)))).toEqual([]);
  });
});
