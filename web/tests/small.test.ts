import { describe, expect, it } from 'vitest';
import { bestLanguage, fill, speech, t } from '../src/lib/i18n.svelte';
import { pairs } from '../src/lib/line';
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
