import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { me } from '../src/lib/me.svelte';
import { PuzzleRating } from '../src/lib/puzzle_rating.svelte';

const score = (rating: number) => ({ game: 'othello', rating, deviation: 350, puzzles: 0, solved: 0 });
const answers = new Map<string, unknown>();
const asked = vi.fn(async (path: string, options?: RequestInit) => {
  const found = answers.get(`${options?.method ?? 'GET'} ${path}`);
  const status = found ? 200 : 403;
  return new Response(JSON.stringify(found ?? { error: { code: 'members_only', message: 'no' } }), { status });
});

beforeEach(() => {
  vi.stubGlobal('fetch', asked);
  me.person = { name: 'Ann', member: true, since_ms: 0 };
  answers.set('GET /api/puzzles/othello', { rating: score(1500), next: 'a' });
  answers.set('POST /api/puzzles/othello/a', {
    right: true,
    counted: true,
    before: 1500,
    rating: score(1620),
    next: 'b',
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
  asked.mockClear();
  answers.clear();
  me.person = null;
});

describe('a rating against puzzles', () => {
  it('counts the first move at a puzzle and goes on to the next', async () => {
    const rating = new PuzzleRating('othello');
    await rating.load();
    expect(rating.rating?.rating).toBe(1500);
    expect(rating.next).toBe('a');
    await rating.try('a', 'd3');
    expect(rating.change).toBe(120);
    expect(rating.next).toBe('b');
    await rating.try('a', 'c4');
    expect(asked).toHaveBeenCalledTimes(2);
    rating.begin();
    expect(rating.change).toBeNull();
  });

  it('says nothing of a try that did not count', async () => {
    answers.set('POST /api/puzzles/othello/a', { counted: false, before: 1500, rating: score(1500), next: 'b' });
    const rating = new PuzzleRating('othello');
    await rating.load();
    await rating.try('a', '');
    expect(rating.change).toBeNull();
    expect(rating.next).toBe('b');
  });

  it('is for members: guests and strangers send nothing', async () => {
    me.person = { name: 'Guest', member: false, since_ms: 0 };
    const rating = new PuzzleRating('othello');
    await rating.load();
    await rating.try('a', 'd3');
    expect(asked).not.toHaveBeenCalled();
    expect(rating.rating).toBeNull();
  });

  it('is left out where the server has none', async () => {
    answers.delete('GET /api/puzzles/othello');
    const rating = new PuzzleRating('othello');
    await rating.load();
    expect(rating.rating).toBeNull();
  });
});
