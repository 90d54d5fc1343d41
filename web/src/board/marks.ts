// What a board shows beside its pieces. Every mark has a shape of its own, so that colour is never needed.

import type { Effect } from '../lib/types';

export interface Marks {
  selectable: ReadonlySet<string>; // pieces that can be chosen
  selected: string | null;
  targets: ReadonlyMap<string, 'go' | 'take' | 'fling'>;
  path: readonly string[]; // of the turn being entered
  letters: ReadonlyMap<string, string>; // A and W on what an approach or a withdrawal takes
  preview: readonly Effect[];
  previewLoses: boolean;
  dangers: ReadonlySet<string>; // squares by which the game is lost at once
  premove: readonly string[]; // squares that wait for the other side's move
  refused: readonly string[];
}

/** The last turn: where it went, and what it did. */
export interface LastTurn {
  path: readonly string[];
  effects: readonly Effect[];
}

/** What a turn to a square is worth: by a table of perfect play, or by what the engine thinks. */
export interface ValueMark {
  text: string; // short; none: only its colour and size are shown
  tone: 'win' | 'draw' | 'loss' | 'thought';
  rank: number; // among the marks beside it, from the worst, 0, to the best, 1
  best: boolean;
}

/** What a person has drawn on the board: an arrow, or a circle if it ends where it begins. */
export interface Drawing {
  from: string;
  to: string;
  colour?: DrawingColour; // none: the usual one
}

export const drawingColours = ['green', 'red', 'blue', 'yellow'] as const;
export type DrawingColour = (typeof drawingColours)[number];

export const noMarks: Marks = {
  selectable: new Set(),
  selected: null,
  targets: new Map(),
  path: [],
  letters: new Map(),
  preview: [],
  previewLoses: false,
  dangers: new Set(),
  premove: [],
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
