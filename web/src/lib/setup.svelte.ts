// GameSetup: what is to be played, on which board, against whom. It is kept in this browser, so that one tap plays again.

import { type ClockChoice, clockNamed } from './clocks';
import { readSpec, specText } from './spec';
import type { GameInfo } from './types';

export type Opponent = 'computer' | 'anyone' | 'friend' | 'self';

interface Stored {
  version: number;
  game: string;
  specs: Record<string, string>; // by game: what was played last
  opponent: Opponent;
  level: number;
  side: 'first' | 'second' | 'random';
  clock: string;
  pairClock: string;
  rated: boolean;
  listed: boolean;
}

const key = 'paika.setup';
const version = 2;
const easyLevel = 2;

/** In version 1 there were ten levels: those of today that play like them. */
const levelsOfTen: Record<number, number> = { 6: 7, 7: 9, 8: 10, 9: 13, 10: 14 };

function read(): Stored {
  const standard: Stored = {
    version,
    game: '',
    specs: {},
    opponent: 'computer',
    level: easyLevel,
    side: 'first',
    clock: 'none',
    pairClock: '5+3',
    rated: true,
    listed: false,
  };
  try {
    const found = JSON.parse(localStorage.getItem(key) ?? '{}') as Partial<Stored>;
    if (found.level && !found.version) found.level = levelsOfTen[found.level] ?? found.level;
    return { ...standard, ...found, version };
  } catch {
    return standard; // storage may be forbidden, or hold something else
  }
}

export class GameSetup {
  private readonly stored = read();
  games = $state.raw<GameInfo[]>([]);
  chosen = $state('');
  size = $state('');
  options = $state<Record<string, string>>({});
  opponent = $state<Opponent>(this.stored.opponent);
  level = $state(this.stored.level);
  side = $state(this.stored.side);
  clock = $state(this.stored.clock);
  pairClock = $state(this.stored.pairClock);
  rated = $state(this.stored.rated);
  listed = $state(this.stored.listed);

  readonly game = $derived(this.games.find((g) => g.name === this.chosen));
  readonly spec = $derived(
    this.game ? specText({ game: this.game.name, size: this.size, options: this.options }) : this.chosen,
  );
  /** The clock that counts: nobody is paired with a stranger for ever. */
  readonly timing: ClockChoice = $derived(clockNamed(this.opponent === 'anyone' ? this.pairClock : this.clock));

  /** The games of the server have come: the one that was played last is chosen, else the first. */
  setGames(games: GameInfo[]): void {
    this.games = games;
    const last = games.find((g) => g.name === this.stored.game) ?? games[0];
    if (last) this.choose(last.name);
  }

  /** Chooses a game as it was played last, else as it is recommended. */
  choose(name: string): void {
    const game = this.games.find((g) => g.name === name);
    if (!game) return;
    this.chosen = name;
    const { size, options } = readSpec(this.stored.specs[name] ?? game.recommended);
    this.size = size;
    this.options = options;
  }

  keep(): void {
    const { stored } = this;
    stored.specs[this.chosen] = this.spec;
    const { opponent, level, side, clock, pairClock, rated, listed } = this;
    const kept: Stored = {
      version,
      game: this.chosen,
      specs: stored.specs,
      opponent,
      level,
      side,
      clock,
      pairClock,
      rated,
      listed,
    };
    try {
      localStorage.setItem(key, JSON.stringify(kept));
    } catch {
      // Without storage the next visit begins with the standard again.
    }
  }
}
