// Keys that lead along a tree of moves.

import { type GameTree, root } from './game_tree.svelte';

/** Where a key leads in a tree; null if it is none of these. */
export function treePlace(tree: GameTree, key: string): number | null {
  switch (key) {
    case ',':
    case 'ArrowLeft':
      return tree.node.parent;
    case '.':
    case 'ArrowRight':
      return tree.following ?? tree.at;
    case 'ArrowUp':
      return tree.sibling(-1);
    case 'ArrowDown':
      return tree.sibling(1);
    case 'Home':
      return root;
    case 'End':
      return tree.end;
    default:
      return null;
  }
}
