import { describe, expect, it } from 'vitest';
import { bestLanguage, fill, speech, t } from '../src/lib/i18n.svelte';
import { pairs } from '../src/lib/line';
import { readInline, readMarkdown } from '../src/lib/markdown';
import { correction, qrCode } from '../src/lib/qr';
import { routeOf } from '../src/lib/router.svelte';
import { firstSees, share } from '../src/lib/score';
import { specText } from '../src/lib/spec';
import { phrase } from '../src/lib/telling';
import { valueMarks } from '../src/lib/values';

describe('texts', () => {
  it('fill holes in order and by number', () => {
    expect(fill('{} captures {}', ['a', 'b'])).toBe('a captures b');
    expect(fill('un pion de {2} occupe {1}', ['c3', 'Blanc'])).toBe('un pion de Blanc occupe c3');
  });

  it('are said in a language, phrases in phrases, with English where it lacks one', () => {
    speech.put({ '{} captures {}': '{} prend {}', "{}'s Rook on {}": 'la Tour de {} en {}', White: 'Blanc' });
    expect(t('{} captures {}', phrase("{}'s Rook on {}", phrase('White'), 'e1'), 'd4')).toBe(
      'la Tour de Blanc en e1 prend d4',
    );
    expect(t('Resign')).toBe('Resign');
    speech.put({});
  });

  it('choose a language that is there', () => {
    expect(bestLanguage(['de-DE', 'fr-CA', 'en'])).toBe('fr');
    expect(bestLanguage(['xx'])).toBe('en');
  });
});

describe('routes', () => {
  it('find pages and their parameters', () => {
    expect(routeOf('/')).toEqual({ page: 'home', params: {} });
    expect(routeOf('/room/x7Kp')).toEqual({ page: 'room', params: { id: 'x7Kp' } });
    expect(routeOf('/players/a%20b')).toEqual({ page: 'player', params: { name: 'a b' } });
    expect(routeOf('/nowhere/at/all').page).toBe('lost');
    expect(routeOf('/players/%E0%A4%A').page).toBe('lost');
  });
});

describe('markdown', () => {
  it('reads what the rules are written in', () => {
    const blocks = readMarkdown(
      '# T\n\n1.1 First **clause** with `code`.\n**1.2** Second.\n\n| a | b |\n| --- | --- |\n| 1 | 2 |\n\n- x\n- y\n\n```\nraw <b>\n```',
    );
    expect(blocks.map((b) => b.kind)).toEqual(['heading', 'paragraph', 'paragraph', 'table', 'list', 'code']);
    expect(blocks[1]).toMatchObject({ clause: '1.1' });
    expect(blocks[2]).toMatchObject({ clause: '1.2', children: [{ kind: 'text', text: 'Second.' }] });
    expect(blocks[3]).toMatchObject({ rows: [[[{ kind: 'text', text: '1' }], [{ kind: 'text', text: '2' }]]] });
  });

  it('makes no markup of texts and no link that runs something', () => {
    expect(readInline('<script>alert(1)</script>')).toEqual([{ kind: 'text', text: '<script>alert(1)</script>' }]);
    expect(readInline('[x](javascript:alert(1))').some((i) => i.kind === 'link')).toBe(false);
    expect(readInline('[x](data:text/html,1)').some((i) => i.kind === 'link')).toBe(false);
    expect(readInline('[x](//evil.example)').some((i) => i.kind === 'link')).toBe(false);
    expect(readInline('[x](https://example.org)')[0]).toMatchObject({ kind: 'link', href: 'https://example.org' });
  });
});

describe('QR codes', () => {
  it('have the correction words of the example in the standard', () => {
    const data = [32, 91, 11, 120, 209, 114, 220, 77, 67, 64, 236, 17, 236, 17, 236, 17];
    expect(correction(data, 10)).toEqual([196, 35, 39, 119, 235, 215, 231, 226, 93, 23]);
  });

  it('have the size of their version and the patterns that scanners look for', () => {
    const code = qrCode('http://127.0.0.1:7420/room/x7Kp2mQa9w');
    expect(code).toHaveLength(29);
    const finder = code.slice(0, 7).map((row) => row.slice(0, 7).map(Number).join(''));
    expect(finder).toEqual(['1111111', '1000001', '1011101', '1011101', '1011101', '1000001', '1111111']);
    expect(code[6]!.slice(8, 21).map(Number).join('')).toBe('1010101010101');
  });

  it('grow with the text, and refuse what does not fit', () => {
    expect(qrCode('a')).toHaveLength(21);
    expect(qrCode('a'.repeat(213))).toHaveLength(57);
    expect(() => qrCode('a'.repeat(214))).toThrow();
  });
});

describe('scores', () => {
  const line = (score: number, score_text: string) => ({ score, score_text, exact: false, turns: [] });
  it('are seen by the first player', () => {
    expect(share(line(0, '+0.00'), 'first')).toBe(0.5);
    expect(share(line(200, '+2.00'), 'second')).toBeLessThan(0.5);
    expect(share(line(9999, 'win in 5'), 'second')).toBe(0);
    expect(firstSees(line(125, '+1.25'), 'second')).toBe('-1.25');
    expect(firstSees(line(1, 'win in 5'), 'second')).toBe('loss in 5');
  });
});

describe('lists', () => {
  it('pair turns, also where one side plays twice or the second begins', () => {
    const seats = ['second', 'first', 'second', 'first', 'first'] as const;
    const list = pairs(seats.map((seat, i) => ({ text: `t${i}`, seat })));
    expect(list.map((p) => [p.first?.turn.text, p.second?.turn.text])).toEqual([
      [undefined, 't0'],
      ['t1', 't2'],
      ['t3', undefined],
      ['t4', undefined],
    ]);
  });

  it('write specs', () => {
    expect(specText({ game: 'othello', size: '', options: {} })).toBe('othello');
    expect(specText({ game: 'fanorona', size: '5x5', options: { sacrifice: 'off', limit: '' } })).toBe(
      'fanorona:5x5,sacrifice=off',
    );
  });

  it('mark squares with the best that they lead to', () => {
    const turns = [
      {
        text: 'a',
        steps: [
          { step: 'from' as const, square: 'a1' },
          { step: 'to' as const, square: 'a2' },
        ],
      },
      {
        text: 'b',
        steps: [
          { step: 'from' as const, square: 'a1' },
          { step: 'to' as const, square: 'b2' },
        ],
      },
    ];
    const values = [
      { turn: 'a', value: 'loss' as const, turns: 4 },
      { turn: 'b', value: 'win' as const, turns: 3 },
    ];
    expect(valueMarks(turns, values, []).get('a1')).toEqual({ letter: 'W', number: 3, tone: 'win' });
    expect(valueMarks(turns, values, [turns[0]!.steps[0]!]).get('a2')?.letter).toBe('L');
  });
});
