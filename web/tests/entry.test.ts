import { describe, expect, it } from 'vitest';
import { beyond, Entry, type FinishedTurn } from '../src/lib/entry.svelte';
import { ListSource } from '../src/lib/steps';
import type { Effect, LegalTurn, Step } from '../src/lib/types';

const from = (square: string): Step => ({ step: 'from', square });
const to = (square: string): Step => ({ step: 'to', square });
const word = (step: 'approach' | 'withdraw' | 'sacrifice' | 'fling'): Step => ({ step });
const moved = (a: string, b: string, stage = 0): Effect => ({
  effect: 'moved',
  stage,
  piece: 'w',
  from: a,
  to: b,
  cause: null,
  clause: '2.1',
});
const gone = (square: string, stage = 1): Effect => ({
  effect: 'captured',
  stage,
  piece: 'b',
  from: square,
  to: null,
  cause: null,
  clause: '2.1',
});

const turns: LegalTurn[] = [
  { text: 'c3d3A', steps: [from('c3'), to('d3'), word('approach')], effects: [moved('c3', 'd3'), gone('e3')] },
  { text: 'c3d3W', steps: [from('c3'), to('d3'), word('withdraw')], effects: [moved('c3', 'd3'), gone('b3')] },
  { text: 'c3c4A', steps: [from('c3'), to('c4'), word('approach')], effects: [moved('c3', 'c4'), gone('c5')] },
  {
    text: 'c3c4A,d4W',
    steps: [from('c3'), to('c4'), word('approach'), to('d4'), word('withdraw')],
    effects: [moved('c3', 'c4'), gone('c5'), moved('c4', 'd4', 2), gone('b4', 3)],
  },
  { text: 'a1a2', steps: [from('a1'), to('a2')], effects: [moved('a1', 'a2')] },
  { text: 'Sa1', steps: [from('a1'), word('sacrifice')], effects: [] },
];

async function begin() {
  const played: FinishedTurn[] = [];
  const refused: Step[][] = [];
  const entry = new Entry(new ListSource(turns), {
    finished: (turn) => played.push(turn),
    refused: (steps) => refused.push(steps),
  });
  await entry.begin();
  return { entry, played, refused };
}

describe('Entry', () => {
  it('plays a turn by two gestures', async () => {
    const { entry, played } = await begin();
    await entry.press('a1');
    expect(entry.selected).toBe('a1');
    await entry.press('a2');
    expect(played.map((p) => p.text)).toEqual(['a1a2']);
  });

  it('offers approach and withdrawal, each by its victim', async () => {
    for (const [victim, text] of [
      ['e3', 'c3d3A'],
      ['b3', 'c3d3W'],
    ] as const) {
      const { entry, played } = await begin();
      await entry.press('c3');
      await entry.press('d3');
      expect(played).toEqual([]);
      await entry.press(victim);
      expect(played[0]?.text).toBe(text);
    }
  });

  it('and each by its word', async () => {
    const { entry, played } = await begin();
    await entry.press('c3');
    await entry.press('d3');
    expect(entry.word('withdraw')).toBe(true);
    await entry.press('zz');
    expect(played[0]?.text).toBe('c3d3W');
  });

  it('shows a chain as it grows, and sends nothing when it is cancelled', async () => {
    const { entry, played } = await begin();
    await entry.press('c3');
    await entry.press('c4');
    expect(entry.canEnd).toBe(true);
    expect(entry.effects).toHaveLength(2);
    entry.undo();
    expect(entry.effects).toHaveLength(0);
    entry.undo();
    expect(entry.begun).toBe(false);
    expect(played).toEqual([]);
  });

  it('ends a chain by a word or by the stone itself', async () => {
    const { entry, played } = await begin();
    await entry.press('c3');
    await entry.press('c4');
    await entry.press('c4');
    expect(played[0]?.text).toBe('c3c4A');
  });

  it('finishes a chain that cannot go on', async () => {
    const { entry, played } = await begin();
    await entry.press('c3');
    await entry.press('c4');
    await entry.press('d4');
    expect(played[0]?.text).toBe('c3c4A,d4W');
  });

  it('asks before a sacrifice', async () => {
    const { entry, played } = await begin();
    await entry.press('a1');
    entry.word('sacrifice');
    await entry.press('a1');
    expect(entry.confirming?.text).toBe('Sa1');
    expect(played).toEqual([]);
    entry.confirm();
    expect(played[0]?.text).toBe('Sa1');
  });

  it('chooses another piece, and lets one go', async () => {
    const { entry } = await begin();
    await entry.press('a1');
    await entry.press('c3');
    expect(entry.selected).toBe('c3');
    await entry.press('c3');
    expect(entry.begun).toBe(false);
  });

  it('tells of an attempt that no turn has', async () => {
    const { entry, refused } = await begin();
    await entry.press('e5');
    await entry.press('a1');
    await entry.press('e5');
    expect(refused).toEqual([[from('e5')], [from('a1'), to('e5')]]);
  });

  it('does nothing once it is closed', async () => {
    const { entry, played } = await begin();
    entry.close();
    await entry.press('a1');
    await entry.press('a2');
    expect(played).toEqual([]);
  });
});

describe('beyond', () => {
  it('gives what is new, or all where the beginnings differ', () => {
    const a = moved('a1', 'a2');
    const b = gone('a3');
    expect(beyond([a], [a, b])).toEqual([b]);
    expect(beyond([b], [a, b])).toEqual([a, b]);
  });
});
