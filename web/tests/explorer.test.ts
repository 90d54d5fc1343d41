import { flushSync, mount, unmount } from 'svelte';
import { afterEach, describe, expect, it, vi } from 'vitest';
import Explorer from '../src/parts/Explorer.svelte';

const results = { first_wins: 1, draws: 0, second_wins: 1 };
const answer = {
  spec: 'othello',
  position: 'p',
  source: 'server',
  sources: ['server', 'mine', 'games'],
  complete: true,
  games: 3,
  results,
  moves: [
    { move: 'c4', same: ['c4', 'd3', 'e6', 'f5'], games: 2, results },
    { move: 'c5', same: ['c5'], games: 1, results },
  ],
  recent: [],
};

let shown: object | null = null;
afterEach(async () => {
  if (shown) await unmount(shown);
  shown = null;
  document.body.innerHTML = '';
  vi.unstubAllGlobals();
});

async function explorer(props: Record<string, unknown> = {}) {
  const asked: URL[] = [];
  const ask = vi.fn(async (path: string) => {
    asked.push(new URL(path, 'http://x'));
    return Response.json(answer);
  });
  vi.stubGlobal('fetch', ask);
  const players = [
    { pattern: 'Black', parts: [] },
    { pattern: 'White', parts: [] },
  ];
  shown = mount(Explorer, {
    target: document.body,
    props: { spec: 'othello', position: 'p', players, firstLight: false, play: () => {}, ...props } as never,
  });
  flushSync();
  await vi.waitFor(() => expect(document.querySelector('tbody tr')).not.toBeNull());
  return asked;
}

const cells = () =>
  [...document.querySelectorAll('tbody tr')].map((row) => row.querySelector('.value')?.textContent ?? null);

describe('the explorer', () => {
  it('shows what the moves are worth, by whichever of the same moves the engine has named', async () => {
    const judged = [
      { text: 'f5', steps: [], score: { score: 0.5 } },
      { text: 'a1', steps: [], score: { win_in: 3 } },
    ];
    await explorer({ judged, mover: 'second' });
    expect(cells()).toEqual(['-0.5', '']);
  });

  it('has no column for values that nobody knows', async () => {
    await explorer();
    expect(cells()).toEqual([null, null]);
  });

  it('asks for the games of a player and of some days', async () => {
    const asked = await explorer();
    expect([...asked[0]!.searchParams.keys()]).toEqual(['spec', 'position', 'source']);
    const [player, since, until] = [...document.querySelectorAll<HTMLInputElement>('.filters input')];
    const fill = (field: HTMLInputElement, value: string) => {
      field.value = value;
      field.dispatchEvent(new Event('input', { bubbles: true }));
      field.dispatchEvent(new Event('change', { bubbles: true }));
      flushSync();
    };
    fill(since!, '2026-01-02');
    fill(until!, '2026-03-04');
    fill(player!, ' Ann ');
    await vi.waitFor(() => expect(asked.at(-1)!.searchParams.get('player')).toBe('Ann'));
    expect(asked.at(-1)!.searchParams.get('since')).toBe('2026-01-02');
    expect(asked.at(-1)!.searchParams.get('until')).toBe('2026-03-04');
    // Of a player, a colour can be chosen.
    expect(document.querySelector('select[aria-label="Colour"]')).not.toBeNull();
  });
});
