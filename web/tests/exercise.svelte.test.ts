import { flushSync } from 'svelte';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { useEngine } from '../src/lib/engine';
import { Exercise, type Task } from '../src/lib/exercise.svelte';
import type { Goal } from '../src/lib/goal';
import { inLanguage, languageOf, lessonGames, lessonsOf } from '../src/lib/lessons';
import { finishLesson, Kept, lessonDone } from '../src/lib/progress.svelte';
import { dropEngine } from './support/engine';

let engine: ReturnType<typeof dropEngine>;
beforeEach(() => {
  localStorage.clear();
  engine = dropEngine();
  useEngine(engine);
});

const quick = () => ({ reply: 0, demo: 0 });
const task = (goal: Goal, demo = ['b1']): Task => ({ spec: 'drop:3', goal, demo });

async function opened(goal: Goal, finished = () => {}): Promise<Exercise> {
  const exercise = new Exercise(task(goal), finished, quick);
  await exercise.begin();
  await vi.waitFor(() => expect(exercise.table.entry).not.toBeNull());
  return exercise;
}

async function drop(exercise: Exercise, square: string): Promise<void> {
  const before = exercise.moves.length;
  exercise.table.press(square, 'mouse');
  await vi.waitFor(() => expect(exercise.moves.length).toBeGreaterThan(before));
  flushSync();
}

describe('an exercise', () => {
  it('is done by the move that it asks for', async () => {
    const finished = vi.fn();
    const exercise = await opened({ kind: 'play', moves: ['b1'] }, finished);
    await drop(exercise, 'b1');
    await vi.waitFor(() => expect(exercise.state).toBe('done'));
    expect(finished).toHaveBeenCalledOnce();
  });

  it('is missed by another move, and can be tried again', async () => {
    const finished = vi.fn();
    const exercise = await opened({ kind: 'effect', effect: 'placed', squares: ['c1'] }, finished);
    await drop(exercise, 'a1');
    await vi.waitFor(() => expect(exercise.state).toBe('missed'));
    expect(exercise.table.entry).toBeNull();
    await exercise.retry();
    expect(exercise.state).toBe('yours');
    expect(exercise.moves).toEqual([]);
    expect(exercise.table.stones.size).toBe(0);
    await drop(exercise, 'c1');
    await vi.waitFor(() => expect(exercise.state).toBe('done'));
    expect(finished).toHaveBeenCalledOnce();
  });

  it('counts effects', async () => {
    const exercise = await opened({ kind: 'effect', effect: 'placed', count: 2 });
    await drop(exercise, 'a1');
    await vi.waitFor(() => expect(exercise.state).toBe('missed'));
  });

  it('plays the best reply where the goal is still open', async () => {
    const exercise = await opened({ kind: 'reach', square: 'c1', moves: 2 });
    await drop(exercise, 'a1');
    await vi.waitFor(() => expect(exercise.state).toBe('yours'));
    expect(exercise.moves.map((move) => move.text)).toEqual(['a1', 'b1']);
    await drop(exercise, 'c1');
    await vi.waitFor(() => expect(exercise.state).toBe('done'));
  });

  it('answers a move that does not win', async () => {
    const exercise = await opened({ kind: 'win', moves: 2 });
    await drop(exercise, 'a1');
    await vi.waitFor(() => expect(exercise.state).toBe('missed'));
    expect(exercise.moves.map((move) => move.text)).toEqual(['a1', 'b1']);
  });

  it('goes on where the reply loses in time, and not where that takes too long', async () => {
    for (const [loss_in, state] of [
      [2, 'yours'],
      [4, 'missed'],
    ] as const) {
      engine.analyse.mockResolvedValueOnce({
        depth: 2,
        selective_depth: 2,
        nodes: 1,
        time_ms: 1,
        lines: [{ loss_in, exact: true, at_most: false, moves: ['b1', 'c1'] }],
        done: true,
      });
      const exercise = await opened({ kind: 'win', moves: 2 });
      await drop(exercise, 'a1');
      await vi.waitFor(() => expect(exercise.state).toBe(state));
    }
  });

  it('shows the reply that a move should have denied', async () => {
    const exercise = await opened({ kind: 'deny', squares: ['c1'] });
    await drop(exercise, 'a1');
    await vi.waitFor(() => expect(exercise.state).toBe('missed'));
    expect(exercise.moves.map((move) => move.text)).toEqual(['a1', 'c1']);
    await exercise.retry();
    await drop(exercise, 'c1');
    await vi.waitFor(() => expect(exercise.state).toBe('done'));
  });

  it('is solved by its only move', async () => {
    const exercise = await opened({ kind: 'solve', move: 'a1', aim: 'draw' });
    await drop(exercise, 'c1');
    await vi.waitFor(() => expect(exercise.state).toBe('missed'));
    expect(exercise.moves).toHaveLength(2); // with the answer
    await exercise.retry();
    await drop(exercise, 'a1');
    await vi.waitFor(() => expect(exercise.state).toBe('done'));
  });

  it('asks for a win in so many moves, and does not call one that comes later wrong', async () => {
    const loses = (loss_in: number) =>
      engine.analyse.mockResolvedValueOnce({
        depth: 2,
        selective_depth: 2,
        nodes: 1,
        time_ms: 1,
        lines: [{ loss_in, exact: true, at_most: false, moves: ['b1', 'c1'] }],
        done: true,
      });
    const exercise = await opened({ kind: 'solve', move: 'a1', aim: 'win', within: 2 });
    loses(6);
    await drop(exercise, 'c1');
    await vi.waitFor(() => expect(exercise.state).toBe('missed'));
    expect(exercise.late).toBe(true);
    await exercise.retry();
    expect(exercise.late).toBe(false);
    await drop(exercise, 'c1'); // the engine knows no win
    await vi.waitFor(() => expect(exercise.state).toBe('missed'));
    expect(exercise.late).toBe(false);
    await exercise.retry();
    loses(2);
    await drop(exercise, 'a1');
    await vi.waitFor(() => expect(exercise.state).toBe('yours'));
    await drop(exercise, 'c1'); // a draw
    await vi.waitFor(() => expect(exercise.state).toBe('missed'));
  });

  it('plays its solution by itself, which proves nothing', async () => {
    const finished = vi.fn();
    const exercise = await opened({ kind: 'play', moves: ['b1'] }, finished);
    await exercise.demo();
    expect(exercise.state).toBe('shown');
    expect(exercise.moves.map((move) => move.text)).toEqual(['b1']);
    expect(finished).not.toHaveBeenCalled();
    await exercise.retry();
    expect(exercise.state).toBe('yours');
  });

  it('forgets what is under way when it is left or begun again', async () => {
    const exercise = await opened({ kind: 'play', moves: ['b1'] });
    const shown = exercise.demo();
    await exercise.retry();
    await shown;
    expect(exercise.state).toBe('yours');
    expect(exercise.moves).toEqual([]);
  });

  it('says what went wrong', async () => {
    engine.position.mockRejectedValueOnce(new Error('no such position'));
    const exercise = new Exercise(task({ kind: 'hold' }), () => {}, quick);
    await exercise.begin();
    expect(exercise.error).toBe('no such position');
  });
});

describe('progress', () => {
  it('of lessons is kept in the browser', () => {
    expect(lessonDone('drop', 'first')).toBe(false);
    finishLesson('drop', 'first');
    expect(lessonDone('drop', 'first')).toBe(true);
    expect(JSON.parse(localStorage.getItem('paika.lessons') ?? '')).toEqual({ 'drop/first': true });
  });

  it('that cannot be read begins anew', () => {
    localStorage.setItem('x', '[1]');
    expect(new Kept('x', { a: 1 }).value).toEqual({ a: 1 });
    localStorage.setItem('x', '{"a":');
    expect(new Kept('x', { a: 1 }).value).toEqual({ a: 1 });
    localStorage.setItem('x', '{"a":2}');
    expect(new Kept('x', { a: 1, b: 3 }).value).toEqual({ a: 2, b: 3 });
  });
});

describe('lessons', () => {
  it('are found by the name of their game', async () => {
    for (const game of lessonGames()) expect(await lessonsOf(game)).toHaveLength(10);
    expect(await lessonsOf('chess')).toEqual([]);
  });

  it('are in English where a language has no text', () => {
    expect(inLanguage({ en: 'Stone', fr: 'Pion' }, 'fr')).toBe('Pion');
    expect(inLanguage({ en: 'Stone', fr: 'Pion' }, 'mg')).toBe('Pion');
    expect(inLanguage({ en: 'Stone' }, 'mg')).toBe('Stone');
    expect(inLanguage({ en: 'Stone', mg: 'Vato' }, 'fr')).toBe('Stone');
    expect(languageOf({ en: 'Stone', fr: 'Pion', mg: 'Vato' }, 'mg')).toBe('mg');
  });
});
