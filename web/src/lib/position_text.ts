// A board that was edited, in the one-line text of its game, so that the engine can read and judge it.
//
// Only how positions are written is known here; whether one can be is for the engine to say.

import type { SceneIndex, Stones } from './board_state';
import type { Side } from './types';

export function positionText(index: SceneIndex, stones: Stones, toMove: Side): string {
  const { scene } = index;
  const glyphOf = (side: Side): string => scene.pieces.find((p) => p.owner === side)?.glyph ?? '';
  const rows = (empty: string): string[] =>
    index.names.map((names) =>
      names
        .map((name) => {
          const mark = index.at.get(name)?.mark;
          return stones.get(name) ?? (mark && mark !== 'strong' ? mark : empty);
        })
        .join(''),
    );
  switch (scene.game) {
    case 'othello':
      return `${rows('-').join('')} ${glyphOf(toMove)}`;
    case 'abalone':
      return `(${glyphOf(toMove)} ${rows('-').reverse().join(' ')})`;
    case 'wildebeest':
      return `${toMove === 'first' ? 'W' : 'B'} ${rows('.').join('/')} 0 60000 0`;
    default:
      return `${rows('.').join('/')} ${glyphOf(toMove)} 0`;
  }
}
