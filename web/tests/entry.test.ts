import { describe, expect, it, vi } from 'vitest';
import { beyond, Entry, type FinishedTurn } from '../src/lib/entry.svelte';
import { ListSource } from '../src/lib/steps';
import type { Effect, LegalTurn, Outcome, Step } from '../src/lib/types';

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

async function begin(list = turns) {
  const played: FinishedTurn[] = [];
  const refused: Step[][] = [];
  const idle: string[] = [];
  const entry = new Entry(new ListSource(list), {
    finished: (turn) => played.push(turn),
    refused: (steps) => refused.push(steps),
    idle: (square) => idle.push(square),
  });
  await entry.begin();
  return { entry, played, refused, idle };
}

/** The first player loses by a1a2; a1b1 is a draw at once, which is no danger. */
const loss: Outcome = { verdict: 'second_wins', reason: 'king_lost', cause: ['the King is gone (6.1)'] };
const losing: LegalTurn[] = [
  { text: 'a1a2', steps: [from('a1'), to('a2')], effects: [moved('a1', 'a2')], outcome: loss },
  { text: 'a1b1', steps: [from('a1'), to('b1')], effects: [], outcome: { verdict: 'draw', reason: 'kings_lost' } },
  { text: 'c1c2', steps: [from('c1'), to('c2')], effects: [], outcome: loss },
];

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
    await vi.waitFor(() => expect(entry.confirming?.turn.text).toBe('Sa1'));
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
    const { entry, refused, idle } = await begin();
    await entry.press('e5');
    expect(refused).toEqual([]); // no rule is broken by it
    await entry.press('a1');
    await entry.press('e5');
    expect(idle).toEqual(['e5']);
    expect(refused).toEqual([[from('a1'), to('e5')]]);
  });

  it('refuses nothing while a capture is to be chosen, but says what is open', async () => {
    const { entry, refused, played } = await begin();
    await entry.press('c3');
    await entry.press('d3');
    expect(entry.needsWord).toBe(true);
    await entry.press('e5');
    expect(entry.nudged).toBe(true);
    expect(refused).toEqual([]);
    await entry.press('a1'); // another piece begins another move
    expect(entry.selected).toBe('a1');
    expect(entry.nudged).toBe(false);
    expect(played).toEqual([]);
  });

  it('marks the squares by which the game is lost', async () => {
    const { entry } = await begin(losing);
    expect([...entry.dangers]).toEqual(['c1']); // a1 has another way
    await entry.press('a1');
    expect([...entry.dangers]).toEqual(['a2']);
    entry.hover('a2');
    await vi.waitFor(() => expect(entry.previewEnd).toEqual(loss));
  });

  it('never plays a losing turn by the same gesture again', async () => {
    const { entry, played } = await begin(losing);
    await entry.press('a1');
    for (let i = 0; i < 3; i++) await entry.press('a2', i === 1);
    expect(played).toEqual([]);
    expect(entry.confirming?.why).toBe('loss');
    entry.cancel();
    expect(entry.begun).toBe(false);
    await entry.press('a1');
    await entry.press('a2');
    entry.confirm();
    expect(played.map((p) => p.text)).toEqual(['a1a2']);
  });

  it('shows first what a button or the moved stone itself completes', async () => {
    const { entry, played } = await begin();
    await entry.press('c3', true);
    await entry.press('d3', true);
    entry.word('withdraw', true);
    await vi.waitFor(() => expect(entry.confirming?.why).toBe('tap'));
    expect(played).toEqual([]);
    entry.confirm();
    expect(played.map((p) => p.text)).toEqual(['c3d3W']);
    const again = await begin();
    await again.entry.press('c3', true);
    await again.entry.press('c4', true);
    again.entry.end(true);
    await vi.waitFor(() => expect(again.entry.confirming?.turn.text).toBe('c3c4A'));
    again.entry.undo();
    await again.entry.press('c4', true); // the stone where it stands
    expect(again.entry.confirming?.turn.text).toBe('c3c4A');
    expect(again.played).toEqual([]);
    await again.entry.press('c4', true);
    expect(again.played.map((p) => p.text)).toEqual(['c3c4A']);
  });

  it('shows a turn first where that is wanted, and plays it by the same gesture again', async () => {
    const { entry, played } = await begin();
    await entry.press('a1', true);
    await entry.press('a2', true);
    expect(played).toEqual([]);
    expect(entry.preview).toEqual([moved('a1', 'a2')]);
    await entry.press('c3', true); // something else: the turn is dropped
    expect(entry.confirming).toBeNull();
    await entry.press('a1', true);
    await entry.press('a2', true);
    await entry.press('a2', true);
    expect(played.map((p) => p.text)).toEqual(['a1a2']);
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
