// How boards are drawn: measures, and lines. What a board looks like, its scene says.

import type { Scene, ScenePiece, Side } from '../lib/types';
import { screen } from './screen.svelte';

export type Ground = Scene['look']['ground'];
export type Tone = 'light' | 'dark' | 'block';

export const unit = 100; // of a square

/** Around the board, for letters and numbers, which keep their size on the screen when squares get small. */
export const marginOf = (scene: Scene): number =>
  Math.max(24, Math.max(scene.cols, scene.rows) * (screen.small ? 5.6 : 3.1));

export function toneOf(scene: Scene, piece: ScenePiece | undefined): Tone {
  return scene.players.find((p) => p.id === piece?.owner)?.tone ?? 'block';
}

/** Lines drawn whole, from where they begin to where they end, in the board's units. */
export function linePaths(scene: Scene): string {
  const at = new Map(scene.squares.map((s) => [s.name, s]));
  return scene.lines
    .map(([a, b]) => {
      const from = at.get(a);
      const to = at.get(b);
      if (!from || !to) return '';
      return `M${from.x * unit + 50} ${from.y * unit + 50}L${to.x * unit + 50} ${to.y * unit + 50}`;
    })
    .join('');
}

/** True if the board has to be turned so that the pieces of `side` begin at the bottom. */
export function turnedFor(scene: Scene, side: Side): boolean {
  const owners = new Map(scene.pieces.map((piece) => [piece.glyph, piece.owner]));
  // Rows from the middle, downwards, of all pieces of the side together.
  let below = 0;
  scene.grid.forEach((line, y) => {
    for (const glyph of line) if (owners.get(glyph) === side) below += y - (scene.rows - 1) / 2;
  });
  return below < 0;
}

/** True if the first player's pieces are the light ones. */
export const firstIsLight = (scene: Scene | undefined): boolean => scene?.players[0]?.tone !== 'dark';
