import { describe, expect, it } from 'vitest';
import { advance, CachedSource, choicesAt, ListSource } from '../src/lib/steps';
import type { Effect, LegalTurn, Step } from '../src/lib/types';

const from = (square: string): Step => ({ step: 'from', square });
const to = (square: string): Step => ({ step: 'to', square });
const word = (step: 'approach' | 'withdraw' | 'sacrifice' | 'fling' | 'pass'): Step => ({ step });
const gone = (square: string): Effect => ({
  effect: 'captured',
  stage: 1,
  piece: 'b',
  from: square,
  to: null,
  cause: null,
  clause: '2.1',
});
const turn = (text: string, steps: Step[], effects: Effect[] = []): LegalTurn => ({ text, steps, effects });

const both = [
  turn('c3d3A', [from('c3'), to('d3'), word('approach')], [gone('e3')]),
  turn('c3d3W', [from('c3'), to('d3'), word('withdraw')], [gone('b3')]),
  turn('c3c4A', [from('c3'), to('c4'), word('approach')], [gone('c5')]),
  turn('c3c4A,d4W', [from('c3'), to('c4'), word('approach'), to('d4'), word('withdraw')], [gone('c5'), gone('b4')]),
  turn('Sc3', [from('c3'), word('sacrifice')]),
];

describe('ListSource', () => {
  const source = new ListSource(both);

  it('shares the first steps of turns', () => {
    expect(source.look([]).next).toEqual([from('c3')]);
    expect(source.look([from('c3')]).next).toEqual([to('d3'), to('c4'), word('sacrifice')]);
  });

  it('knows a turn that could go on', () => {
    const node = source.look([from('c3'), to('c4'), word('approach')]);
    expect(node.complete).toBe(true);
    expect(node.text).toBe('c3c4A');
    expect(node.next).toEqual([to('d4')]);
  });

  it('has nothing after steps that no turn has', () => {
    expect(source.look([from('a1')])).toEqual({ complete: false, next: [] });
  });
});

describe('choices', () => {
  const source = new ListSource(both);

  it('lets a piece that only one capture takes stand for it', async () => {
    const prefix = [from('c3'), to('d3')];
    const choices = await choicesAt(source, prefix, source.look(prefix));
    expect(choices.squares.get('e3')).toEqual([{ steps: [word('approach')] }]);
    expect(choices.squares.get('b3')).toEqual([{ steps: [word('withdraw')] }]);
    expect(choices.words).toHaveLength(2);
  });

  it('offers a sacrifice as a word beside the squares', async () => {
    const choices = await choicesAt(source, [from('c3')], source.look([from('c3')]));
    expect([...choices.squares.keys()]).toEqual(['d3', 'c4']);
    expect(choices.words).toEqual([{ steps: [word('sacrifice')] }]);
  });

  it('reaches squares through a fling, and keeps both ways where two lead to one square', async () => {
    const flings = new ListSource([
      turn('h1h2', [from('h1'), to('h2')]),
      turn('Fh1h2', [from('h1'), word('fling'), to('h2')]),
      turn('Fh1j3', [from('h1'), word('fling'), to('j3')]),
    ]);
    const choices = await choicesAt(flings, [from('h1')], flings.look([from('h1')]));
    expect(choices.squares.get('j3')).toEqual([{ steps: [word('fling'), to('j3')] }]);
    expect(choices.squares.get('h2')).toHaveLength(2);
    expect(choices.words).toEqual([]);
  });
});

describe('advance', () => {
  const source = new ListSource(both);

  it('takes the only capture by itself', async () => {
    const { prefix, node } = await advance(source, [from('c3'), to('c4')]);
    expect(prefix.at(-1)).toEqual(word('approach'));
    expect(node.text).toBe('c3c4A');
  });

  it('stops where there is a choice, and never goes on by itself beyond a legal turn', async () => {
    expect((await advance(source, [from('c3'), to('d3')])).prefix).toHaveLength(2);
    expect((await advance(source, [from('c3'), to('c4'), word('approach')])).prefix).toHaveLength(3);
  });

  it('does not sacrifice or pass by itself', async () => {
    const only = new ListSource([turn('Sa1', [from('a1'), word('sacrifice')])]);
    expect((await advance(only, [from('a1')])).prefix).toHaveLength(1);
  });
});

describe('CachedSource', () => {
  it('asks once for a node, and again after a failure', async () => {
    let asked = 0;
    const source = new CachedSource(async () => {
      asked++;
      if (asked === 1) throw new Error('offline');
      return { complete: false, next: [] };
    });
    await expect(source.node([])).rejects.toThrow('offline');
    await source.node([]);
    await source.node([]);
    expect(asked).toBe(2);
  });
});
