import { describe, expect, it } from 'vitest';
import { graphOf } from '../src/lib/graph';
import { bestLanguage, fill, speech, t } from '../src/lib/i18n.svelte';
import { pairs } from '../src/lib/line';
import { routeOf } from '../src/lib/router.svelte';
import { type Score, scoreOf, scoreText, share, shortScore } from '../src/lib/score';
import { settings } from '../src/lib/settings.svelte';
import { specText } from '../src/lib/spec';
import { phrase } from '../src/lib/telling';
import { isBest, judgedByTable, valueMarks } from '../src/lib/values';

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
  it('are seen by the first player, or by who moves if one likes', () => {
    expect(share({ score: 0 }, 'first')).toBe(0.5);
    expect(share({ score: 2 }, 'second')).toBeLessThan(0.5);
    expect(share({ win_in: 5 }, 'second')).toBe(0);
    expect(share({ loss_in: 4 }, 'second')).toBe(1);
    expect(scoreText({ score: 1.25 }, 'first')).toBe('+1.25');
    expect(scoreText({ score: 1.25 }, 'second')).toBe('-1.25');
    expect(scoreText({ win_in: 5 }, 'second')).toBe('loss in 5');
    settings.view = 'mover';
    expect(scoreText({ score: 1.25 }, 'second')).toBe('+1.25');
    expect(scoreText({ win_in: 5 }, 'second')).toBe('win in 5');
    settings.view = 'first';
  });

  it('have the chances that the review gives them', () => {
    for (const [score, part] of [
      [0, 0.5],
      [1, 0.591],
      [3, 0.7513],
      [-1, 0.409],
    ] as const) {
      expect(share({ score }, 'first')).toBeCloseTo(part, 3);
      expect(share({ score }, 'second')).toBeCloseTo(1 - part, 3);
    }
    // What is proven is no estimate: the sign says who wins.
    expect(share({ score: 2, exact: true }, 'first')).toBe(1);
    expect(share({ score: 2, exact: true }, 'second')).toBe(0);
    expect(share({ score: 0, exact: true }, 'second')).toBe(0.5);
  });

  it('of an engine that are nearly the best are as good as it, those of a table are not', () => {
    const move = (text: string, score: Score) => ({ text, steps: [], score });
    const [best, near, far] = [move('a', { score: 1 }), move('b', { score: 0.6 }), move('c', { score: 0.4 })] as const;
    const all = [best, near, far];
    expect(all.map((one) => isBest(one, all, false))).toEqual([true, true, false]);
    expect(all.map((one) => isBest(one, all, true))).toEqual([true, false, false]);
    const wins = [move('a', { win_in: 3 }), move('b', { win_in: 9 }), move('c', { score: 5 })];
    expect(wins.map((one) => isBest(one, wins, false))).toEqual([true, true, false]);
    expect(wins.map((one) => isBest(one, wins, true))).toEqual([true, false, false]);
  });

  it('of a draw are 0 from every side', () => {
    for (const side of ['first', 'second'] as const) {
      expect(scoreText({ score: 0 }, side)).toBe('0');
      expect(scoreText({ score: -0.001 }, side)).toBe('0');
      expect(shortScore({ score: 0 }, side)).toBe('0');
      expect(shortScore(scoreOf({ value: 'draw' }), side)).toBe('0');
    }
  });

  it('say the same in the table as in the lines of the engine', () => {
    for (const view of ['first', 'mover'] as const) {
      settings.view = view;
      expect(shortScore(scoreOf({ value: 'loss', loss_in: 16 }), 'second')).toBe(shortScore({ loss_in: 16 }, 'second'));
    }
    settings.view = 'first';
    expect(shortScore({ loss_in: 16 }, 'second')).toBe('W16');
  });

  it('are bounds where a sooner end may exist', () => {
    expect(scoreText({ win_in: 23, at_most: true }, 'first')).toBe('win in at most 23');
    expect(scoreText({ win_in: 23, at_most: true }, 'second')).toBe('loss in at most 23');
    expect(shortScore({ win_in: 23, at_most: true }, 'first')).toBe('W≤23');
  });

  it('of a table without distances are wins and losses', () => {
    expect(scoreOf({ value: 'win' })).toEqual({ value: 'win' });
    expect(scoreText({ value: 'win' }, 'first')).toBe('win');
    expect(scoreText({ value: 'win' }, 'second')).toBe('loss');
    expect(shortScore({ value: 'loss' }, 'second')).toBe('W');
    expect(share({ value: 'loss' }, 'first')).toBe(0);
  });

  it('are short on squares and written in the language of the page', () => {
    speech.put({ 'win in {}': 'gain en {}' });
    expect(scoreText({ win_in: 5 }, 'first')).toBe('gain en 5');
    speech.put({});
    expect(shortScore({ loss_in: 4 }, 'first')).toBe('L4');
    expect(shortScore({ score: -0.52 }, 'first')).toBe('-0.5');
    expect(shortScore({ score: 32.21 }, 'first')).toBe('+32');
  });
});

describe('graphs', () => {
  it('begin and end with what is known', () => {
    expect(graphOf([0.5, 1, 0])).toEqual({ line: 'M0 50.0L1 0.0L2 100.0', area: 'M0 100L0 50.0L1 0.0L2 100.0L2 100Z' });
    expect(graphOf([null, null, 0.5, null, 1])?.area).toBe('M2 100L2 50.0L4 0.0L4 100Z');
    expect(graphOf([null, 0.5])).toBeNull();
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
    const values = judgedByTable([
      { move: 'a', steps: steps('a2'), value: { value: 'loss' as const, loss_in: 4 } },
      { move: 'b', steps: steps('b2'), value: { value: 'win' as const, win_in: 3 } },
      { move: 'c', steps: steps('c2'), value: { value: 'draw' as const } },
    ]);
    expect(valueMarks(values, [], 'first').get('a1')).toEqual({ text: 'W3', tone: 'win', rank: 1, best: true });
    const targets = valueMarks(values, steps('a2').slice(0, 1), 'first');
    expect([...targets].map(([square, mark]) => [square, mark.text, mark.best])).toEqual([
      ['a2', 'L4', false],
      ['b2', 'W3', true],
      ['c2', '0', false],
    ]);
    expect(targets.get('a2')!.rank).toBeLessThan(targets.get('c2')!.rank);
    expect(valueMarks(values, [], 'first', { colours: true }).get('a1')?.text).toBe('');
  });

  it('colour a proven win of two discs as a win, as the bar does', () => {
    const move = (square: string, score: Score) => ({
      text: square,
      steps: [{ step: 'place' as const, square }],
      score,
    });
    const scores: Score[] = [{ score: 2, exact: true }, { score: -4, exact: true }, { score: 2 }, { score: -4 }];
    const marks = valueMarks(
      scores.map((score, i) => move(`a${i}`, score)),
      [],
      'first',
    );
    const ranks = [...marks.values()].map(({ rank }) => rank);
    expect(ranks.slice(0, 2)).toEqual([1, 0]);
    expect(ranks[2]).toBeLessThan(0.8);
    expect(ranks[3]).toBeGreaterThan(0.1);
  });
});
