// A line of play: a start and what each turn did. The board after any number of turns follows from the effects.

import { afterEffects, type Stones } from './board_state';
import type { Effect, Played, Side, Step } from './types';

export interface LineTurn {
  text: string;
  seat: Side;
  effects?: Effect[];
  steps?: Step[];
  position?: string;
}

/** A move that the engine has played. */
export const lineTurn = ({ move, effects, steps, position }: Played, seat: Side): LineTurn => ({
  text: move,
  seat,
  effects,
  steps,
  position,
});

/** The boards before the first turn and after each; it ends where effects are not known. */
export function boardsOf(start: Stones, turns: readonly LineTurn[]): Stones[] {
  const boards: Stones[] = [start];
  for (const turn of turns) {
    if (!turn.effects) break;
    boards.push(afterEffects(boards.at(-1)!, turn.effects));
  }
  return boards;
}

/** Turns by pairs, as lists of moves are written; a list may begin with the second side's. */
export interface MovePair {
  number: number;
  first: { turn: LineTurn; index: number } | null;
  second: { turn: LineTurn; index: number } | null;
}

export function pairs(turns: readonly LineTurn[]): MovePair[] {
  const out: MovePair[] = [];
  turns.forEach((turn, index) => {
    const last = out.at(-1);
    const cell = { turn, index };
    if (turn.seat === 'second' && last && !last.second) last.second = cell;
    else if (turn.seat === 'first') out.push({ number: out.length + 1, first: cell, second: null });
    else out.push({ number: out.length + 1, first: null, second: cell });
  });
  return out;
}
