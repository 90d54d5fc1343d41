// Puzzles: positions with exactly one move that wins, wins in so many moves, or draws. Files data/puzzles/GAME.tsv have one per line; a game
// without a file has none (docs/lessons.md).

import { engine } from './engine';
import type { Task } from './exercise.svelte';
import { msg, t } from './i18n.svelte';

export interface Puzzle {
  id: string;
  game: string;
  spec: string;
  position: string;
  goal: 'win' | 'draw';
  solution: string; // its first move
  level: number; // 1 to 10
  themes: string[];
  /** The win is to be had in so many moves; another move may win too, but later (docs/study.md). */
  within?: number;
}

const maxLevel = 10;

const files = import.meta.glob<string>('#puzzles/*.tsv', { query: '?raw', import: 'default' });

const gameOf = (path: string): string => path.replace(/^.*\/|\.tsv$/g, '');

/** The games that have puzzles, in the order of the alphabet. */
export const puzzleGames = (): string[] => Object.keys(files).map(gameOf).sort();

/** Reads a file; columns are found by their names, and lines that lack something are left out. Easy ones come first. */
export function readPuzzles(game: string, text: string): Puzzle[] {
  const [head = '', ...lines] = text.split(/\r?\n/);
  const columns = head.split('\t');
  const puzzles = lines.flatMap((line): Puzzle[] => {
    const cells = line.split('\t');
    const cell = (name: string): string => cells[columns.indexOf(name)]?.trim() ?? '';
    const [id, spec, position, solution] = [cell('id'), cell('spec'), cell('position'), cell('solution')];
    const goal = cell('goal');
    const level = Number(cell('level'));
    if (!id || !spec || !position || !solution || (goal !== 'win' && goal !== 'draw')) return [];
    if (!Number.isInteger(level) || level < 1 || level > maxLevel) return [];
    const themes = cell('themes').split(',').filter(Boolean);
    const within = Number(cell('moves'));
    return [{ id, game, spec, position, goal, solution, level, themes, ...(within >= 1 ? { within } : {}) }];
  });
  return puzzles.sort((a, b) => a.level - b.level);
}

/** The puzzles of a game, easy ones first; none if it has no file. */
export async function puzzlesOf(game: string): Promise<Puzzle[]> {
  const load = Object.entries(files).find(([path]) => gameOf(path) === game)?.[1];
  return load ? readPuzzles(game, await load()) : [];
}

const dayMs = 24 * 60 * 60 * 1000;

/** Days by the clock of Greenwich, so that everybody has the same one: 2026-11-18 is 20775. */
export const dayOf = (time: number): number => Math.floor(time / dayMs);

/** The puzzle of a day: the games take turns, and the days go through each game's puzzles in a scattered order. */
export async function dailyPuzzle(day: number): Promise<Puzzle | null> {
  const games = puzzleGames();
  const game = games[day % games.length];
  if (!game) return null;
  const puzzles = await puzzlesOf(game);
  const turn = Math.floor(day / games.length);
  return puzzles[(Math.imul(turn, 2654435761) >>> 0) % puzzles.length] ?? null;
}

/** The puzzle after this one on its ladder that is not solved: the next, or from the bottom again. */
export function nextPuzzle(puzzles: readonly Puzzle[], after: string, solved: (id: string) => boolean): Puzzle | null {
  const at = puzzles.findIndex((one) => one.id === after);
  const round = [...puzzles.slice(at + 1), ...puzzles.slice(0, Math.max(at, 0))];
  return round.find((one) => !solved(one.id)) ?? null;
}

export const taskOf = ({ spec, position, goal, solution, within }: Puzzle): Task => ({
  spec,
  position,
  goal: { kind: 'solve', move: solution, aim: goal, ...(within ? { within } : {}) },
  demo: [solution],
});

/** Where the solution begins, and the rule by which it does most. */
export async function puzzleHint({ spec, position, solution }: Puzzle): Promise<{ text: string; clause: string }> {
  const { steps, effects } = await engine().play({ spec, position }, solution);
  const square = steps.find((step) => step.square)?.square;
  const telling = effects.findLast((e) => e.effect !== 'moved' && e.effect !== 'placed') ?? effects.at(-1);
  return {
    text: square ? t('The move begins on {}.', square) : t('There is only one way to go on.'),
    clause: telling?.clause ?? '',
  };
}

const themeNames: Record<string, string> = {
  capture: msg('Capture'),
  chain: msg('Chain'),
  corner: msg('Corner'),
  defence: msg('Defence'),
  edge: msg('Edge'),
  explosion: msg('Explosion'),
  fling: msg('Fling'),
  long: msg('Long win'),
  'one-move': msg('Win in one move'),
  parity: msg('Parity'),
  poison: msg('Poison'),
  push: msg('Push'),
  quiet: msg('Quiet move'),
  sacrifice: msg('Sacrifice'),
  sweep: msg('Sweep'),
  teleport: msg('Teleport'),
  'three-moves': msg('Win in three moves'),
  transformation: msg('Transformation'),
  'two-moves': msg('Win in two moves'),
};

/** All themes that a puzzle may have. */
export const themes = Object.keys(themeNames);

/** What a theme is called; one that is not known here is shown as the file has it. */
export const themeName = (theme: string): string => t(themeNames[theme] ?? theme.replaceAll(/[-_]/g, ' '));
