// A position as the page keeps it: which glyph stands on which square. Effects change it as the engine says.

import type { Card, Effect, Scene, ScenePiece } from './types';

/** Only squares that hold a piece are in it. */
export type Stones = ReadonlyMap<string, string>;

/** Everything about a scene that is looked up by name. */
export class SceneIndex {
  readonly pieces = new Map<string, ScenePiece>();
  readonly at = new Map<string, { x: number; y: number; mark?: string }>();
  readonly names: string[][] = []; // [y][x]

  constructor(readonly scene: Scene) {
    for (const piece of scene.pieces) this.pieces.set(piece.glyph, piece);
    for (let y = 0; y < scene.rows; y++) this.names.push(new Array<string>(scene.cols).fill(''));
    for (const square of scene.squares) {
      this.at.set(square.name, square);
      const row = this.names[square.y];
      if (row) row[square.x] = square.name;
    }
  }

  /** What there is to know of the piece on a square, or else of the square; null if it says it all itself. */
  card(square: string, glyph: string | undefined): { name: string | null; notes: Card } | null {
    const piece = glyph ? this.pieces.get(glyph) : undefined;
    if (piece) return piece.card.length > 0 ? { name: piece.name, notes: piece.card } : null;
    const mark = this.at.get(square)?.mark;
    const sign = this.scene.signs.find((s) => s.mark === mark);
    return sign ? { name: null, notes: sign.card } : null;
  }

  name(x: number, y: number): string | undefined {
    return this.names[y]?.[x] || undefined;
  }

  /** The pieces of a grid; signs of special squares are no pieces. */
  stones(grid: readonly string[]): Map<string, string> {
    const stones = new Map<string, string>();
    grid.forEach((line, y) => {
      for (let x = 0; x < line.length; x++) {
        const glyph = line[x] ?? '';
        const name = this.name(x, y);
        if (name && this.pieces.has(glyph)) stones.set(name, glyph);
      }
    });
    return stones;
  }

  /** The rows that the engine reads as these pieces. */
  grid(stones: Stones): string[] {
    return this.names.map((names) => names.map((name) => stones.get(name) ?? '.').join(''));
  }
}

/** Effects of one stage happen at once: all squares are cleared before any is filled. */
export function stagesOf(effects: readonly Effect[]): Effect[][] {
  const stages: Effect[][] = [];
  for (const effect of effects) {
    const last = stages.at(-1);
    if (last?.[0] && last[0].stage === effect.stage) last.push(effect);
    else stages.push([effect]);
  }
  return stages;
}

export function afterStage(stones: Stones, stage: readonly Effect[]): Map<string, string> {
  const after = new Map(stones);
  for (const effect of stage) if (effect.from) after.delete(effect.from);
  for (const effect of stage) if (effect.to) after.set(effect.to, effect.piece);
  return after;
}

export function afterEffects(stones: Stones, effects: readonly Effect[]): Map<string, string> {
  let after = new Map(stones);
  for (const stage of stagesOf(effects)) after = afterStage(after, stage);
  return after;
}

export function sameStones(a: Stones, b: Stones): boolean {
  if (a.size !== b.size) return false;
  for (const [square, glyph] of a) if (b.get(square) !== glyph) return false;
  return true;
}

/** What each side has lost since `start`, as glyphs with their numbers. A disc that changed sides is no loss. */
export function losses(index: SceneIndex, start: Stones, now: Stones): Map<string, number> {
  const missing = new Map<string, number>();
  for (const glyph of start.values()) missing.set(glyph, (missing.get(glyph) ?? 0) + 1);
  for (const glyph of now.values()) missing.set(glyph, (missing.get(glyph) ?? 0) - 1);
  for (const [glyph, count] of missing) if (count <= 0 || !index.pieces.has(glyph)) missing.delete(glyph);
  return missing;
}
