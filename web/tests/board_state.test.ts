import { describe, expect, it } from 'vitest';
import { afterEffects, losses, SceneIndex, sameStones } from '../src/lib/board_state';
import { fill } from '../src/lib/i18n.svelte';
import { effectPhrases, type Phrase } from '../src/lib/telling';
import { lookOf, maxMs, timelineOf } from '../src/lib/timeline';
import type { Effect, Scene } from '../src/lib/types';

const scene: Scene = {
  spec: 'toy:3x1',
  game: 'toy',
  title: 'Toy',
  cols: 3,
  rows: 1,
  shape: 'squares',
  look: { ground: 'hollows', pieces: 'marble', pieces_leave: true },
  squares: ['a1', 'b1', 'c1'].map((name, x) => ({ name, x, y: 0, ...(x === 2 ? { mark: '*' } : {}) })),
  lines: [],
  columns: ['a', 'b', 'c'],
  row_numbers: ['1'],
  players: [
    { id: 'first', name: 'White', tone: 'light' },
    { id: 'second', name: 'Black', tone: 'dark' },
  ],
  pieces: [
    { glyph: 'w', owner: 'first', kind: 'o', name: 'stone', card: [] },
    { glyph: 'b', owner: 'second', kind: 'o', name: 'stone', card: [] },
  ],
  signs: [],
  position: '',
  grid: ['wb*'],
};
const index = new SceneIndex(scene);
const effect = (
  kind: Effect['effect'],
  from: string | null,
  to: string | null,
  piece: string,
  stage = 0,
  cause: string | null = null,
): Effect => ({
  effect: kind,
  stage,
  piece,
  from,
  to,
  cause,
  clause: '1.1',
});

describe('sentences', () => {
  const wide = new SceneIndex({
    ...scene,
    cols: 4,
    squares: ['a1', 'b1', 'c1', 'd1'].map((name, x) => ({ name, x, y: 0 })),
  });
  const told = (grid: string, effects: Effect[]) =>
    effectPhrases(wide, wide.stones([grid]), 'first', effects).map((one) => fill(one.pattern, one.parts.map(said)));
  const said = (part: string | Phrase): string =>
    typeof part === 'string' ? part : fill(part.pattern, part.parts.map(said));

  it('tell a row that one stone captures at once, and one stone as before', () => {
    const taken = (...squares: string[]) => squares.map((square) => effect('captured', square, null, 'b', 0, 'a1'));
    expect(told('wbbb', taken('b1', 'c1', 'd1'))).toEqual(["White's stone on a1 captures 3 pieces: b1, c1, d1"]);
    expect(told('wb..', taken('b1'))).toEqual(["White's stone on a1 captures Black's stone on b1"]);
  });

  it('keep apart what different pieces do', () => {
    const by = (cause: string, square: string) => effect('captured', square, null, 'b', 0, cause);
    expect(told('wbbw', [by('a1', 'b1'), by('d1', 'c1')])).toHaveLength(2);
  });

  it('tell at once what changes hands', () => {
    const turned = ['b1', 'c1'].map((square) => effect('flipped', square, square, 'w', 0, 'a1'));
    expect(told('wbb.', turned)).toEqual(['White now owns 2 more pieces: b1, c1']);
  });
});

describe('positions', () => {
  it('hold pieces and no signs of squares', () => {
    expect(index.stones(scene.grid)).toEqual(
      new Map([
        ['a1', 'w'],
        ['b1', 'b'],
      ]),
    );
  });

  it('clear all squares of a stage before any is filled', () => {
    const swapped = afterEffects(index.stones(['wb*']), [
      effect('teleported', 'a1', 'b1', 'w'),
      effect('teleported', 'b1', 'a1', 'b'),
    ]);
    expect(swapped).toEqual(
      new Map([
        ['b1', 'w'],
        ['a1', 'b'],
      ]),
    );
  });

  it('tell what is lost', () => {
    const after = afterEffects(index.stones(['wb*']), [effect('captured', 'b1', null, 'b')]);
    expect(losses(index, index.stones(['wb*']), after)).toEqual(new Map([['b', 1]]));
    expect(sameStones(after, new Map([['a1', 'w']]))).toBe(true);
  });
});

describe('timelines', () => {
  const many = Array.from({ length: 40 }, (_, i) => effect('moved', i % 2 ? 'b1' : 'a1', i % 2 ? 'a1' : 'b1', 'w', i));

  it('go through the stages in order and end where the effects lead', () => {
    const stones = index.stones(['wb*']);
    const effects = [effect('moved', 'a1', 'c1', 'w', 0), effect('captured', 'b1', null, 'b', 1, 'c1')];
    const timeline = timelineOf(stones, effects);
    expect(timeline.scenes).toHaveLength(2);
    expect(timeline.scenes[0]!.base).toEqual(new Map([['b1', 'b']]));
    expect(timeline.scenes.at(-1)!.after).toEqual(afterEffects(stones, effects));
  });

  it('never last longer than allowed', () => {
    expect(timelineOf(new Map([['a1', 'w']]), many).ms).toBeLessThanOrEqual(maxMs + 0.001);
    expect(timelineOf(new Map(), []).ms).toBe(0);
    expect(timelineOf(new Map(), [effect('passed', null, null, '.')]).scenes).toEqual([]);
  });

  it('turn a disc over in the middle', () => {
    const place = () => ({ x: 0, y: 0 });
    const actor = { kind: 'flipped' as const, before: 'b', after: 'w', from: 'b1', to: 'b1' };
    expect(lookOf(actor, 0.1, place)?.glyph).toBe('b');
    expect(lookOf(actor, 0.9, place)?.glyph).toBe('w');
    expect(lookOf(actor, 0.5, place)?.turn).toBeCloseTo(0);
  });
});

describe('telling', () => {
  it('names pieces by where they stood when the stage began', () => {
    const phrases = effectPhrases(index, index.stones(['wb*']), 'first', [
      effect('moved', 'a1', 'c1', 'w', 0),
      effect('captured', 'b1', null, 'b', 1, 'c1'),
    ]);
    expect(phrases[0]).toEqual({
      pattern: '{} moves to {}',
      parts: [{ pattern: "{}'s stone on {}", parts: [{ pattern: 'White', parts: [] }, 'a1'] }, 'c1'],
    });
    expect(phrases[1]?.pattern).toBe('{} captures {}');
  });
});
