import { flushSync } from 'svelte';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { AnalysisController } from '../src/lib/analysis_controller.svelte';
import { useEngine } from '../src/lib/engine';
import { movesTo } from '../src/lib/game_tree.svelte';
import { dropEngine } from './support/engine';

let engine: ReturnType<typeof dropEngine>;
let control: AnalysisController;
let end: () => void;

const tree = () => control.tree;
const line = () => movesTo(tree().doc, tree().at);

/** Lets promises and effects come to rest. */
async function rest(): Promise<void> {
  await vi.advanceTimersByTimeAsync(400);
  flushSync();
  await vi.advanceTimersByTimeAsync(0);
  flushSync();
}

beforeEach(() => {
  localStorage.clear();
  vi.useFakeTimers();
  engine = dropEngine();
  useEngine(engine);
  control = new AnalysisController();
  end = $effect.root(() => control.follow());
});
afterEach(() => {
  end();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe('an analysis', () => {
  it('shows a position, lets one move in it and asks what it is worth', async () => {
    await control.load('drop:3', 'w..');
    await rest();
    expect(control.table.stones).toEqual(new Map([['a1', 'w']]));
    expect(control.table.toMove).toBe('second');
    expect(control.table.entry).not.toBeNull();
    expect(control.thoughts?.lines[0]?.moves).toEqual(['b1']);
    expect(control.table.values.get('b1')).toEqual({ text: '-0.5', tone: 'thought', rank: 1, best: true });
  });

  it('prefers a table to the engine', async () => {
    const value = { value: 'win' as const, win_in: 3 };
    const moves = [{ move: 'c1', steps: [{ step: 'place' as const, square: 'c1' }], value }];
    engine.values.mockResolvedValue({ spec: 'drop:3', position: '...', table: 'x', value, moves });
    await control.load('drop:3');
    await rest();
    expect([...control.table.values]).toEqual([['c1', { text: 'W3', tone: 'win', rank: 1, best: true }]]);
  });

  it('hides values until the best move is guessed, and counts', async () => {
    control.marking = 'guess';
    await control.load('drop:3');
    await rest();
    expect(control.table.values.size).toBe(0);
    await control.table.entry!.press('b1');
    await rest();
    expect(control.guess).toEqual({ move: 'b1', right: true });
    expect(control.score).toEqual({ right: 1, all: 1 });
    expect(line()).toEqual([]); // a guess is not played
    expect(control.table.values.get('b1')?.text).toBe('+0.5');
    await control.table.entry!.press('a1'); // now it is
    await rest();
    expect(line()).toEqual(['a1']);
    await control.table.entry!.press('c1');
    await rest();
    expect(control.guess).toEqual({ move: 'c1', right: false });
    expect(control.score).toEqual({ right: 1, all: 2 });
  });

  it('values all moves where somebody explores, and shows none while a guess is open', async () => {
    const linesAsked = () => engine.analyse.mock.calls.at(-1)?.[1].lines;
    await control.load('drop:3');
    await rest();
    expect(linesAsked()).toBe(3);
    control.wide = true;
    await rest();
    expect(linesAsked()).toBeGreaterThan(100);
    expect(control.openValues.map(({ text }) => text)).toEqual(['b1']);
    // On the squares stand as many as were wanted before.
    const line = (move: string) => ({ score: 0.5, exact: false, at_most: false, moves: [move] });
    const all = { depth: 1, selective_depth: 1, nodes: 3, time_ms: 1, lines: ['a1', 'b1', 'c1'].map(line), done: true };
    engine.analyse.mockImplementation(async (_where, _wish, onInfo) => {
      onInfo(all);
      return all;
    });
    control.lineCount = 1;
    await control.play('a1');
    await rest();
    expect(control.openValues).toHaveLength(2);
    expect([...control.table.values.keys()]).toEqual(['b1']);
    control.openPanel('record');
    await rest();
    expect(control.openValues).toHaveLength(2);
    control.marking = 'guess';
    await rest();
    expect(control.openValues).toEqual([]);
  });

  it('waits for an engine that has looked deep enough before it decides on a guess', async () => {
    let report: Parameters<typeof engine.analyse>[2] = () => {};
    engine.analyse.mockImplementation((_where, _wish, onInfo) => {
      report = onInfo;
      return new Promise(() => {});
    });
    const lines = [
      { score: 0.5, exact: false, at_most: false, moves: ['b1'] },
      { score: 0.4, exact: false, at_most: false, moves: ['c1'] },
      { score: -2, exact: false, at_most: false, moves: ['a1'] },
    ];
    const depth = (deep: number) => ({ depth: deep, selective_depth: deep, nodes: 3, time_ms: 1, lines, done: false });
    control.marking = 'guess';
    await control.load('drop:3');
    await rest();
    await control.table.entry!.press('c1');
    report(depth(5));
    await rest();
    expect(control.guess?.right).toBeNull();
    report(depth(8));
    await rest();
    expect(control.guess).toEqual({ move: 'c1', right: true }); // as far as the engine sees
  });

  it('plays moves, goes back, and keeps what followed when another is played', async () => {
    await control.load('drop:3');
    await control.play('a1');
    await control.play('b1');
    expect(line()).toEqual(['a1', 'b1']);
    await control.go(tree().node.parent);
    expect(control.view?.position).toBe('w..');
    await control.play('c1');
    expect(line()).toEqual(['a1', 'c1']);
    expect(control.view?.position).toBe('w.b');
    expect(tree().doc.nodes.size).toBe(4);
    tree().undo();
    await rest();
    expect(control.view?.position).toBe('w..');
    tree().redo();
    await rest();
    expect(control.view?.position).toBe('w.b');
    await control.go(0);
    expect(control.view?.position).toBe('...');
  });

  it('shows a game that is jumped into with the move that led there', async () => {
    await control.import('a1 b1 c1');
    await rest();
    expect(control.table.last?.path).toEqual(['c1']);
    expect(control.table.canReplay).toBe(true);
    await control.go(2);
    await rest();
    expect(control.table.last?.path).toEqual(['b1']);
    expect(control.table.stones.size).toBe(2);
  });

  it('keeps what is drawn with its move', async () => {
    await control.load('drop:3');
    await control.play('a1');
    await rest();
    control.table.draw({ from: 'a1', to: 'b1' });
    await rest();
    control.table.press('b1', 'mouse');
    expect(control.table.drawings).toEqual([{ from: 'a1', to: 'b1', colour: 'green' }]);
    await control.go(0);
    await rest();
    expect(control.table.drawings).toEqual([]);
    await control.go(1);
    await rest();
    expect(control.table.drawings.length).toBe(1);
    control.table.draw({ from: 'a1', to: 'b1', colour: 'green' });
    expect(tree().node.shapes).toEqual([]);
    tree().undo();
    await rest();
    expect(control.table.drawings.length).toBe(1);
  });

  it('keeps only the last of several places that are gone to', async () => {
    await control.import('a1 b1 c1');
    await control.go(0);
    await control.load('drop:3', 'w..');
    await control.import('a1 b1 c1');
    let answer = () => {};
    const slow = new Promise<void>((done) => {
      answer = done;
    });
    const usual = engine.play.getMockImplementation()!;
    engine.play.mockImplementationOnce(async (where, move) => {
      await slow;
      return usual(where, move);
    });
    const first = control.go(1);
    await control.go(2);
    answer();
    await first;
    expect(control.view?.position).toBe('wb.');
  });

  it('comes back after a reload, from this browser or from its address', async () => {
    await control.load('drop:3');
    await control.play('b1');
    await control.play('a1');
    await control.go(1);
    await control.play('c1');
    tree().comment(tree().at, 'Why not?');
    await rest();
    const { address } = control;
    const [search = '', hash] = address.replace('/analysis', '').split('#');
    for (const keep of [true, false]) {
      if (!keep) localStorage.clear();
      const again = new AnalysisController();
      await again.open(new URLSearchParams(search), `#${hash}`);
      expect(again.error).toBe('');
      expect(again.tree.doc.nodes.size).toBe(4);
      expect(again.tree.node.comment).toBe('Why not?');
      expect(again.view?.position).toBe('.wb');
      expect(again.address).toBe(address);
    }
    const last = new AnalysisController();
    localStorage.clear();
    await last.open(new URLSearchParams(search), '#1/_b1_b1_c1(zz)/2');
    expect(last.error).toBe('b1 is taken');
    expect(last.tree.doc.nodes.size).toBe(2);
    expect(last.view?.position).toBe('.w.');
  });

  it('shows what was looked at last if nothing is asked for', async () => {
    await control.load('drop:3', 'w..');
    await control.play('b1');
    await rest();
    const again = new AnalysisController();
    await again.open(new URLSearchParams());
    expect(again.view?.position).toBe('wb.');
  });

  it('says what is wrong and stays where it is', async () => {
    await control.load('drop:3', 'w..');
    await control.play('a1');
    expect(control.error).toBe('a1 is taken');
    expect(control.view?.position).toBe('w..');
    await control.play('b1');
    expect(control.error).toBe('');
  });

  it('does not think of a game that is over, nor behind another panel', async () => {
    await control.import('a1 b1 c1');
    await rest();
    expect(control.over).toBe(true);
    expect(engine.analyse).not.toHaveBeenCalled();
    control.openPanel('record');
    await rest();
    await control.go(0);
    await rest();
    expect(engine.analyse).not.toHaveBeenCalled();
    expect(control.record).toBe('a1 b1 c1');
    control.openPanel('lines');
    await rest();
    expect(engine.analyse).toHaveBeenCalledTimes(1);
  });

  it('stops thinking when another position is looked at', async () => {
    const signals: AbortSignal[] = [];
    engine.analyse.mockImplementation((_where, _wish, _told, signal) => {
      signals.push(signal!);
      return new Promise(() => {});
    });
    await control.load('drop:3');
    await rest();
    await control.play('a1');
    await rest();
    expect(signals.map((signal) => signal.aborted)).toEqual([true, false]);
    end();
    expect(signals[1]?.aborted).toBe(true);
  });

  it('opens a game of a class, and refuses other paths', async () => {
    const asked = vi.fn(async () => new Response(JSON.stringify({ record: 'a1 b1' })));
    vi.stubGlobal('fetch', asked);
    await control.open(new URLSearchParams({ game: 'classes/x/games/7' }));
    expect(control.view?.position).toBe('wb.');
    await control.open(new URLSearchParams({ game: '../secrets', spec: 'drop:3' }));
    expect(asked).toHaveBeenCalledTimes(1);
    expect(control.error).toBe('../secrets');
    expect(control.view?.position).toBe('...');
  });
});

describe('a position that is set up', () => {
  it('is painted, checked by the engine and looked at', async () => {
    await control.load('drop:3');
    control.startEdit();
    const { editor } = control;
    expect(editor.brush).toBe('w');
    editor.paint('a1');
    editor.brush = 'b';
    editor.paint('b1');
    await rest();
    expect(editor.position).toBe('wb.');
    editor.paint('c1');
    await rest();
    expect(editor.fault).toBe('no square is free');
    editor.paint('c1'); // the same again takes it away
    await rest();
    expect(editor.fault).toBe('');
    await control.endEdit();
    expect(control.view?.position).toBe('wb.');
    expect(editor.stones).toBeNull();
    expect(control.panel).toBe('lines');
  });

  it('is cleared, reset to the start, and left alone', async () => {
    await control.load('drop:3', 'w..');
    control.startEdit();
    expect(control.editor.stones?.size).toBe(1);
    control.editor.reset();
    expect(control.editor.stones?.size).toBe(0);
    control.openPanel('lines');
    expect(control.editor.stones).toBeNull();
    expect(control.view?.position).toBe('w..');
  });
});
