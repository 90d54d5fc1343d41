// PositionEditor: a board that is set up by hand. The engine says whether it can be a position.

import type { SceneIndex, Stones } from './board_state';
import { engine } from './engine';
import { messageOf } from './http';
import type { PositionView, Side } from './types';

export class PositionEditor {
  stones = $state.raw<Stones | null>(null); // null: nothing is being set up
  mover = $state<Side>('first');
  brush = $state<string | null>(null); // a glyph; null takes pieces away
  fault = $state('');
  /** The text of the position, as soon as the engine has said it. */
  position = $state('');

  private index: SceneIndex | null = null;
  private checks = 0;

  begin(index: SceneIndex, stones: Stones, mover: Side): void {
    this.index = index;
    this.mover = mover;
    this.brush ??= index.scene.pieces[0]?.glyph ?? null;
    this.set(stones);
  }

  stop(): void {
    this.stones = null;
    this.fault = '';
    this.checks++;
  }

  set(stones: Stones): void {
    this.stones = stones;
    void this.check();
  }

  /** The pieces of the game's own start. */
  reset(): void {
    if (this.index) this.set(this.index.stones(this.index.scene.grid));
  }

  paint(square: string): void {
    const next = new Map(this.stones);
    if (this.brush === null || next.get(square) === this.brush) next.delete(square);
    else next.set(square, this.brush);
    this.set(next);
  }

  /** The position that is set up; null if there can be none, and `fault` says why. */
  async check(): Promise<PositionView | null> {
    if (!this.stones || !this.index) return null;
    const mine = ++this.checks;
    const board = { spec: this.index.scene.spec, grid: this.index.grid(this.stones), mover: this.mover };
    try {
      const found = await engine().edited(board);
      if (mine !== this.checks) return found;
      this.position = found.position;
      this.fault = '';
      return found;
    } catch (fault) {
      if (mine === this.checks) this.fault = messageOf(fault);
      return null;
    }
  }
}
