import { beforeEach, describe, expect, it } from 'vitest';
import { useEngine } from '../src/lib/engine';
import { GameTree, nodeOf, root } from '../src/lib/game_tree.svelte';
import { ReviewController, reviewWords, valueWords } from '../src/lib/review_controller.svelte';
import { docOf } from '../src/lib/tree_json';
import { dropEngine } from './support/engine';

let engine: ReturnType<typeof dropEngine>;
let reviewer: ReviewController;
let tree: GameTree;

beforeEach(async () => {
  engine = dropEngine();
  useEngine(engine);
  reviewer = new ReviewController();
  tree = new GameTree();
  tree.load(docOf((await engine.readTrees('b1 a1 c1'))[0]!));
});

describe('a review', () => {
  it('is of the main line, tells how far it is and what each move was worth', async () => {
    let seen: number | null = null;
    const usual = engine.review.getMockImplementation()!;
    engine.review.mockImplementation(async (game, told) => {
      const review = await usual(game, told);
      seen = reviewer.progress;
      return review;
    });
    await reviewer.start(tree.doc);
    expect(engine.review.mock.calls[0]?.[0]).toEqual({ spec: 'drop:3', moves: ['b1', 'a1', 'c1'] });
    expect(seen).toBe(1);
    expect(reviewer.progress).toBeNull();
    expect(reviewer.review?.turning_points).toEqual([2, 3]);
    expect(reviewer.of(2)?.grade).toBe('mistake');
    expect(reviewer.of(root)).toBeUndefined();
  });

  it('stays that of its game while variations are added, and no other', async () => {
    await reviewer.start(tree.doc);
    tree.go(1);
    tree.play('c1', 'second');
    expect(reviewer.isOf(tree.doc)).toBe(true);
    tree.promote(tree.at);
    expect(reviewer.isOf(tree.doc)).toBe(false);
  });

  it('is cancelled, and another one counts instead', async () => {
    let signal: AbortSignal | undefined;
    engine.review.mockImplementationOnce((_game, _told, given) => {
      signal = given;
      return new Promise((_, fail) => given?.addEventListener('abort', () => fail(given.reason)));
    });
    const first = reviewer.start(tree.doc);
    expect(reviewer.progress).toBe(0);
    reviewer.cancel();
    await first;
    expect(signal?.aborted).toBe(true);
    expect(reviewer.progress).toBeNull();
    expect(reviewer.error).toBe('');
    await reviewer.start(tree.doc);
    expect(reviewer.review).not.toBeNull();
  });

  it('says what went wrong', async () => {
    engine.review.mockRejectedValueOnce(new Error('no memory'));
    await reviewer.start(tree.doc);
    expect(reviewer.error).toBe('no memory');
    expect(reviewer.progress).toBeNull();
  });
});

describe('another try', () => {
  it('holds or does not, and is only of its place', async () => {
    await reviewer.start(tree.doc);
    const from = reviewer.tryAgain(2);
    expect(from).toBe(1);
    expect(reviewer.retry).toEqual({ from: 1, instead: 'a1', state: 'waiting' });
    await reviewer.judge(tree.doc, root, 'c1', '...');
    expect(reviewer.retry?.state).toBe('waiting');
    await reviewer.judge(tree.doc, from, 'c1', '.w.');
    expect(reviewer.retry?.state).toBe('fails');
    expect(engine.review.mock.lastCall?.[0]).toMatchObject({ start: '.w.', moves: ['c1'] });
    await reviewer.judge(tree.doc, from, 'b1', '.w.');
    expect(reviewer.retry?.state).toBe('holds');
    expect(reviewer.retry?.tried?.move).toBe('b1');
    reviewer.endRetry();
    expect(reviewer.retry).toBeNull();
    expect(reviewer.tryAgain(1)).toBe(root);
    expect(nodeOf(tree.doc, 1).move).toBe('b1');
  });
});

describe('the words of a review', () => {
  const move = { move: 'a1', seat: 'first' as const, opening: false, better: [] };
  it.each([
    [{ ...move }, 'not judged'],
    [{ ...move, chances: [60.4, 60.4], grade: 'best' as const }, 'good: chances 60 %'],
    [{ ...move, chances: [71, 40], grade: 'mistake' as const }, 'chances fell from 71 % to 40 %'],
    [
      {
        ...move,
        chances: [100, 0],
        grade: 'mistake' as const,
        could: { value: 'win' as const, win_in: 23 },
        did: { value: 'loss' as const, loss_in: 4 },
      },
      'threw away a win in 23: now a loss in 4',
    ],
    [
      {
        ...move,
        chances: [100, 100],
        grade: 'weaker' as const,
        could: { value: 'win' as const, discs: 9 },
        did: { value: 'win' as const, discs: 3 },
      },
      'a win by 3 instead of a win by 9',
    ],
    [
      {
        ...move,
        chances: [50, 50],
        grade: 'best' as const,
        could: { value: 'draw' as const },
        did: { value: 'draw' as const },
      },
      'best: a draw',
    ],
  ])('%#', (reviewed, words) => expect(reviewWords(reviewed)).toBe(words));

  it('name every value', () => {
    expect(valueWords({ value: 'loss' })).toBe('a loss');
    expect(valueWords({ value: 'win' })).toBe('a win');
    expect(valueWords({ value: 'loss', discs: 2 })).toBe('a loss by 2');
  });
});
