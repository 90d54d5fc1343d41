// The games with people that go on, and how many of them wait for a move of mine: the number in the menu.

import { get } from './http';
import { me } from './me.svelte';
import type { Answer } from './types';

export type MyGames = Answer<'/api/me/games'>;

const every = 20_000;

class Waiting {
  games = $state.raw<MyGames['games']>([]);
  count = $state(0);

  async look(): Promise<void> {
    if (!me.person) {
      this.games = [];
      this.count = 0;
      return;
    }
    const body = await get<MyGames>('/api/me/games');
    this.games = body.games;
    this.count = body.waiting;
  }

  /** Looks again and again as long as the page is seen, until the function it returns is called. */
  follow(): () => void {
    const look = () => {
      if (!document.hidden) void this.look().catch(() => {}); // without the server nobody waits
    };
    look();
    const timer = setInterval(look, every);
    document.addEventListener('visibilitychange', look);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', look);
    };
  }
}

export const waiting = new Waiting();
