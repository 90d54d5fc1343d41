// Premove: squares that a player chooses while the other side is to move. What can be played is not known yet, so only
// the first square is checked: it must hold a piece of the player's, or be where one could be placed.

import type { SceneIndex, Stones } from './board_state';
import type { Side } from './types';

const maxSquares = 12; // of a chain

export class Premove {
  squares = $state.raw<readonly string[]>([]);

  constructor(
    private readonly index: SceneIndex,
    readonly side: Side,
    private readonly stones: () => Stones,
  ) {}

  get selected(): string | null {
    return this.squares.length === 1 && this.isOwn(this.squares[0]!) ? this.squares[0]! : null;
  }

  private isOwn(square: string): boolean {
    return this.index.pieces.get(this.stones().get(square) ?? '')?.owner === this.side;
  }

  /** The next square; the first or last one again gives everything up. */
  press(square: string): void {
    const { squares } = this;
    if (squares.length > 0 && (square === squares[0] || square === squares.at(-1))) this.squares = [];
    else if (squares.length === 0 || squares.length >= maxSquares) this.squares = this.canBegin(square) ? [square] : [];
    else if (this.isOwn(square) && this.index.scene.look.pieces !== 'marble') this.squares = [square];
    else this.squares = this.isOwn(squares[0]!) ? [...squares, square] : [square];
  }

  /** In games where pieces are placed, every empty square can be the whole move. */
  private canBegin(square: string): boolean {
    return this.isOwn(square) || (!this.index.scene.look.pieces_leave && !this.stones().has(square));
  }

  clear(): void {
    this.squares = [];
  }
}
