// PuzzleRating: how well a member solves the puzzles of a game. The server judges the first try at each and names the
// next one; guests, and everybody without the server, have the ladder alone.

import { ApiError, get, post } from './http';
import { me } from './me.svelte';
import type { Answer, PuzzleScore } from './types';

type Told = Answer<'/api/puzzles/{game}'>;

export class PuzzleRating {
  rating = $state.raw<PuzzleScore | null>(null);
  /** The puzzle that the server would have next; null: it knows none. */
  next = $state.raw<string | null>(null);
  /** What the last try did to the rating; null: nothing. */
  change = $state<number | null>(null);
  private tried = '';

  constructor(readonly game: string) {}

  private get path(): string {
    return `/api/puzzles/${encodeURIComponent(this.game)}`;
  }

  /** Asks for the rating of who is logged in; guests have none. */
  async load(): Promise<void> {
    try {
      if (!me.person) await me.look();
      if (!me.person?.member) return;
      const told = await get<Told>(this.path);
      this.rating = told.rating;
      this.next = told.next;
    } catch (fault) {
      if (!(fault instanceof ApiError)) throw fault; // without the server nothing is rated
    }
  }

  /** The first move at a puzzle, or '' if the solution was looked at instead. */
  async try(id: string, move: string): Promise<void> {
    if (!this.rating || this.tried === id) return;
    this.tried = id;
    this.change = null;
    try {
      const told = await post<Told & { before: number; counted: boolean }>(`${this.path}/${encodeURIComponent(id)}`, {
        move,
      });
      if (this.tried !== id) return;
      this.rating = told.rating;
      this.next = told.next;
      this.change = told.counted ? told.rating.rating - told.before : null;
    } catch (fault) {
      if (!(fault instanceof ApiError)) throw fault;
    }
  }

  /** Another puzzle is shown. */
  begin(): void {
    this.change = null;
    this.tried = '';
  }
}
