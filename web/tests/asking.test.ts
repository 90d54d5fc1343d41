// Requests, and positions as they are written for the engine.
import { afterEach, describe, expect, it, vi } from 'vitest';
import { SceneIndex } from '../src/lib/board_state';
import { get, lines, query } from '../src/lib/http';
import { positionText } from '../src/lib/position_text';
import { refusalOf } from '../src/lib/server_engine';
import type { Scene } from '../src/lib/types';
import { thoughtMarks } from '../src/lib/values';

const answer = (status: number, body: unknown) =>
  new Response(typeof body === 'string' ? body : JSON.stringify(body), { status });

afterEach(() => vi.unstubAllGlobals());

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

describe('edited positions', () => {
  const board = (game: string, glyphs: [string, string], mark?: string): SceneIndex =>
    new SceneIndex({
      game,
      cols: 2,
      rows: 2,
      squares: ['a2', 'b2', 'a1', 'b1'].map((name, i) => ({
        name,
        x: i % 2,
        y: i >> 1,
        ...(mark && i === 1 ? { mark } : {}),
      })),
      pieces: [
        { glyph: glyphs[0], owner: 'first', kind: 'o', name: 'piece' },
        { glyph: glyphs[1], owner: 'second', kind: 'o', name: 'piece' },
      ],
    } as unknown as Scene);

  it('are written as each game writes them', () => {
    expect(positionText(board('fanorona', ['w', 'b']), new Map([['a2', 'b']]), 'first')).toBe('b./.. w 0');
    expect(positionText(board('abalone', ['b', 'w']), new Map([['a2', 'b']]), 'second')).toBe('(w -- b-)');
    expect(positionText(board('othello', ['X', 'O']), new Map([['b1', 'O']]), 'first')).toBe('---O X');
    expect(positionText(board('wildebeest', ['K', 'k'], '*'), new Map([['a1', 'k']]), 'second')).toBe(
      'B .*/k. 0 60000 0',
    );
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
    const marks = thoughtMarks(turns, [{ score: 1, score_text: 'win in 5', exact: true, turns: ['a1b1', 'x'] }]);
    expect(marks.get('b1')).toEqual({ letter: 'W5', tone: 'thought' });
  });
});
