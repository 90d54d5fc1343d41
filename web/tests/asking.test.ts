// Requests, and positions as they are written for the engine.
import { afterEach, describe, expect, it, vi } from 'vitest';
import { SceneIndex } from '../src/lib/board_state';
import { get, lines, query } from '../src/lib/http';
import { boardOf } from '../src/lib/markdown';
import { refusalOf } from '../src/lib/refusal';
import type { Scene } from '../src/lib/types';
import { judgedByEngine, valueMarks } from '../src/lib/values';

const answer = (status: number, body: unknown) =>
  new Response(typeof body === 'string' ? body : JSON.stringify(body), { status });

afterEach(() => vi.unstubAllGlobals());

describe('blocks of code', () => {
  it('are boards if they say so', () => {
    const of = (lang: string) => boardOf({ type: 'code', raw: '', text: '', lang });
    expect(of('board abalone')).toEqual({ spec: 'abalone', position: '' });
    expect(of('board abalone:4x4,freeze (b --b- bb--)')).toEqual({
      spec: 'abalone:4x4,freeze',
      position: '(b --b- bb--)',
    });
    for (const lang of ['', 'console', 'boarding house', 'board']) expect(of(lang)).toBeUndefined();
  });
});

describe('requests', () => {
  it('are made again when the server says that they come too often', async () => {
    const asked = vi
      .fn()
      .mockResolvedValueOnce(answer(429, { error: { code: 'too_often', message: 'x', retry_after_ms: 1 } }))
      .mockResolvedValueOnce(answer(200, { ok: true }));
    vi.stubGlobal('fetch', asked);
    expect(await get('/api/x')).toEqual({ ok: true });
    expect(asked).toHaveBeenCalledTimes(2);
  });

  it('do not wait for long', async () => {
    vi.stubGlobal(
      'fetch',
      vi.fn().mockResolvedValue(answer(429, { error: { code: 'too_often', message: 'x', retry_after_ms: 60_000 } })),
    );
    await expect(get('/api/x')).rejects.toMatchObject({ code: 'too_often' });
  });

  it('tell a refusal of the rules with its clause', async () => {
    const error = {
      code: 'illegal',
      message: 'a1 is occupied',
      clause: '2.1',
      rules: 'docs/rules/othello.md',
      squares: ['a1'],
    };
    vi.stubGlobal('fetch', vi.fn().mockResolvedValue(answer(422, { error })));
    const fault = await get('/api/x').catch((caught) => caught);
    expect(refusalOf(fault)).toEqual({
      message: 'a1 is occupied',
      clause: '2.1',
      rules: 'docs/rules/othello.md',
      squares: ['a1'],
    });
  });

  it('say when nobody answers, whatever a proxy sends', async () => {
    vi.stubGlobal('fetch', vi.fn().mockRejectedValue(new TypeError('network')));
    await expect(get('/api/x')).rejects.toMatchObject({ code: 'offline' });
    vi.stubGlobal('fetch', vi.fn().mockResolvedValue(answer(502, '<html>')));
    await expect(get('/api/x')).rejects.toMatchObject({ status: 502 });
  });

  it('read lines as they come, wherever they are cut', async () => {
    const parts = ['{"depth":1}\n{"de', 'pth":2}\n\n', '{"depth":3}'];
    const stream = new ReadableStream({
      start(controller) {
        for (const part of parts) controller.enqueue(new TextEncoder().encode(part));
        controller.close();
      },
    });
    vi.stubGlobal('fetch', vi.fn().mockResolvedValue(new Response(stream)));
    const seen: number[] = [];
    await lines<{ depth: number }>('POST', '/api/x', {}, (line) => seen.push(line.depth));
    expect(seen).toEqual([1, 2, 3]);
  });

  it('leave out of a query what is not given', () => {
    expect(query({ spec: 'a:b,c', position: undefined, flip: '' })).toBe('?spec=a%3Ab%2Cc');
    expect(query({})).toBe('');
  });
});

describe('edited boards', () => {
  it('are sent as rows from the top', () => {
    const index = new SceneIndex({
      cols: 2,
      rows: 2,
      squares: ['a2', 'b2', 'a1', 'b1'].map((name, i) => ({ name, x: i % 2, y: i >> 1 })),
      pieces: [
        { glyph: 'w', owner: 'first', kind: 'o', name: 'piece' },
        { glyph: 'b', owner: 'second', kind: 'o', name: 'piece' },
      ],
    } as unknown as Scene);
    const grid = index.grid(
      new Map([
        ['b2', 'w'],
        ['a1', 'b'],
      ]),
    );
    expect(grid).toEqual(['.w', 'b.']);
    expect(index.grid(index.stones(grid))).toEqual(grid);
  });
});

describe('thoughts', () => {
  it('stand where the turns of their lines end', () => {
    const turns = [
      {
        text: 'a1b1',
        steps: [
          { step: 'from' as const, square: 'a1' },
          { step: 'to' as const, square: 'b1' },
        ],
      },
    ];
    const judged = judgedByEngine(turns, [{ win_in: 5, exact: true, at_most: false, moves: ['a1b1', 'x'] }]);
    expect(valueMarks(judged, [], 'first').get('a1')).toEqual({ text: 'W5', tone: 'win', rank: 1, best: true });
  });
});
