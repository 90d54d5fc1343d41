import { describe, expect, it } from 'vitest';
import { bestLanguage, fill, speech, t } from '../src/lib/i18n.svelte';
import { pairs } from '../src/lib/line';
import { routeOf } from '../src/lib/router.svelte';
import { firstSees, share, shortScore } from '../src/lib/score';
import { specText } from '../src/lib/spec';
import { phrase } from '../src/lib/telling';
import { valueMarks } from '../src/lib/values';

describe('texts', () => {
  it('fill holes in order and by number', () => {
    expect(fill('{} captures {}', ['a', 'b'])).toBe('a captures b');
    expect(fill('un pion de {1} occupe {0}', ['c3', 'Blanc'])).toBe('un pion de Blanc occupe c3');
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
  it('are seen by the first player', () => {
    expect(share({ score: 0 }, 'first')).toBe(0.5);
    expect(share({ score: 2 }, 'second')).toBeLessThan(0.5);
    expect(share({ win_in: 5 }, 'second')).toBe(0);
    expect(share({ loss_in: 4 }, 'second')).toBe(1);
    expect(firstSees({ score: 1.25 }, 'first')).toBe('+1.25');
    expect(firstSees({ score: 1.25 }, 'second')).toBe('-1.25');
    expect(firstSees({ score: 0 }, 'second')).toBe('+0.00');
    expect(firstSees({ win_in: 5 }, 'second')).toBe('loss in 5');
  });

  it('are written in the language of the page', () => {
    speech.put({ 'win in {}': 'gain en {}' });
    expect(firstSees({ win_in: 5 }, 'first')).toBe('gain en 5');
    speech.put({});
    expect(shortScore({ loss_in: 4 })).toBe('L4');
    expect(shortScore({ score: -0.5 })).toBe('-0.50');
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
    const steps = (to: string) => [
      { step: 'from' as const, square: 'a1' },
      { step: 'to' as const, square: to },
    ];
    const values = [
      { move: 'a', steps: steps('a2'), value: { value: 'loss' as const, loss_in: 4 } },
      { move: 'b', steps: steps('b2'), value: { value: 'win' as const, win_in: 3 } },
    ];
    expect(valueMarks(values, []).get('a1')).toEqual({ letter: 'W', number: 3, tone: 'win' });
    expect(valueMarks(values, steps('a2').slice(0, 1)).get('a2')?.letter).toBe('L');
  });
});
