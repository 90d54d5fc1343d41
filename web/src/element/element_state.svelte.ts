// What a <paika-board> tells its view beside the game.

import type { BoardGame } from './board_game.svelte';

export class ElementState {
  interactive = $state(false);
  fault = $state('');

  /** The view's properties, which follow this state. */
  props(game: BoardGame): { game: BoardGame; readonly interactive: boolean; readonly fault: string } {
    const state = this;
    return {
      game,
      get interactive() {
        return state.interactive;
      },
      get fault() {
        return state.fault;
      },
    };
  }
}
