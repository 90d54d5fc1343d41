// What a board shows beside its pieces. Every mark has a shape of its own, so that colour is never needed.

import type { Effect } from '../lib/types';

export interface Marks {
  selectable: ReadonlySet<string>; // pieces that can be chosen
  selected: string | null;
  targets: ReadonlyMap<string, 'go' | 'take' | 'fling'>;
  path: readonly string[]; // of the turn being entered
  letters: ReadonlyMap<string, string>; // A and W on what an approach or a withdrawal takes
  preview: readonly Effect[];
  refused: readonly string[];
}

/** The last turn: where it went, and what it did. */
export interface LastTurn {
  path: readonly string[];
  effects: readonly Effect[];
}

/** What a turn to a square is worth: by a table of perfect play, or by what the engine thinks. */
export interface ValueMark {
  letter: string; // W, D, L; or a score
  number?: number; // turns to the end
  tone: 'win' | 'draw' | 'loss' | 'thought';
}

export const noMarks: Marks = {
  selectable: new Set(),
  selected: null,
  targets: new Map(),
  path: [],
  letters: new Map(),
  preview: [],
  refused: [],
};

/** An arrow from one place to another, ending before the middle of its target. */
export function arrowPath(from: { x: number; y: number }, to: { x: number; y: number }): string {
  const dx = to.x - from.x;
  const dy = to.y - from.y;
  const length = Math.hypot(dx, dy) || 1;
  const at = (along: number, beside: number): string => {
    const x = to.x - (dx * along + dy * beside) / length;
    const y = to.y - (dy * along - dx * beside) / length;
    return `${x.toFixed(1)} ${y.toFixed(1)}`;
  };
  const tail = Math.max(length - 14, 30);
  return `M${at(tail, 5)}L${at(34, 5)}L${at(38, 17)}L${at(8, 0)}L${at(38, -17)}L${at(34, -5)}L${at(tail, -5)}Z`;
}
