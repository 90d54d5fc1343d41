import { beforeEach, describe, expect, it } from 'vitest';
import { clockName, leftText } from '../src/lib/clocks';
import { GameSetup } from '../src/lib/setup.svelte';
import { readSpec, specText } from '../src/lib/spec';
import type { GameInfo } from '../src/lib/types';

const game = (name: string, recommended = name): GameInfo => ({
  name,
  aliases: [],
  title: name,
  summary: '',
  sizes: null,
  standard_size: '',
  suggested_sizes: [],
  recommended,
  options: [],
  presets: [],
  examples: [],
  spec: name,
});
const games = [game('drop'), game('push', 'push:5x5,captures=3')];

function newSetup(): GameSetup {
  const setup = new GameSetup();
  setup.setGames(games);
  return setup;
}

beforeEach(() => localStorage.clear());

describe('what one tap plays', () => {
  it('is an easy game against the computer at first', () => {
    const setup = newSetup();
    expect([setup.spec, setup.opponent, setup.level, setup.timing.kind]).toEqual(['drop', 'computer', 2, 'none']);
    setup.choose('push');
    expect(setup.spec).toBe('push:5x5,captures=3');
  });

  it('is what was played last, for each game', () => {
    const setup = newSetup();
    setup.choose('push');
    setup.size = '7x7';
    setup.opponent = 'anyone';
    setup.keep();
    const again = newSetup();
    expect([again.spec, again.opponent]).toEqual(['push:7x7,captures=3', 'anyone']);
    expect(again.timing.key).toBe('5+3');
    again.choose('drop');
    expect(again.spec).toBe('drop');
  });

  it('has the strength that was kept when there were ten levels', () => {
    const levels = [2, 5, 6, 7, 8, 9, 10].map((level) => {
      localStorage.setItem('paika.setup', JSON.stringify({ game: 'drop', level }));
      return newSetup().level;
    });
    expect(levels).toEqual([2, 5, 7, 9, 10, 13, 14]);
  });

  it('keeps the level as it is now', () => {
    const setup = newSetup();
    setup.level = 9;
    setup.keep();
    expect(newSetup().level).toBe(9);
    newSetup().keep();
    expect(newSetup().level).toBe(9);
  });

  it('does not trip over what somebody else has stored', () => {
    localStorage.setItem('paika.setup', 'rubbish');
    expect(newSetup().spec).toBe('drop');
    localStorage.setItem('paika.setup', '{"game":"gone"}');
    expect(newSetup().spec).toBe('drop');
  });
});

describe('specs and clocks', () => {
  it('are read as they are written', () => {
    for (const spec of ['drop', 'push:5x5', 'push:captures=3', 'push:5x5,captures=3,freeze=on'])
      expect(specText(readSpec(spec))).toBe(spec);
  });

  it('are written for people', () => {
    expect(clockName(null)).toBe('No clock');
    expect(clockName({ base_ms: 300_000, increment_ms: 3000 })).toBe('5 min + 3 s');
    expect(clockName({ move_ms: 30_000 })).toBe('30 s per move');
    expect(clockName({ move_ms: 3 * 86_400_000 })).toBe('3 d per move');
    expect([200_000_000, 7_200_000, 60_000].map(leftText)).toEqual(['2 d', '2 h', '1 min']);
  });
});
