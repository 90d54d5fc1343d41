// What a turn did, in sentences of the message files that the terminal uses too.

import { afterStage, type SceneIndex, type Stones, stagesOf } from './board_state';
import type { Effect, Side } from './types';

/** A sentence to be said in some language: an English pattern, and what fills its holes. */
export interface Phrase {
  pattern: string;
  parts: (string | Phrase)[];
}

export const phrase = (pattern: string, ...parts: (string | Phrase)[]): Phrase => ({ pattern, parts });

export function playerPhrase(index: SceneIndex, side: Side): Phrase {
  return phrase(index.scene.players.find((p) => p.id === side)?.name ?? side);
}

/** "White's Rook on e1"; a piece of nobody: "the sacrificed stone on c3". */
export function piecePhrase(index: SceneIndex, glyph: string, square: string): Phrase {
  const piece = index.pieces.get(glyph);
  if (!piece) return phrase(square);
  if (piece.owner === 'nobody') return phrase(`the ${piece.name} on {}`, square);
  return phrase(`{}'s ${piece.name} on {}`, playerPhrase(index, piece.owner), square);
}

/** Whether both are said in one sentence: the same piece captures both, or both change hands. */
const alike = (a: Effect, b: Effect): boolean =>
  ((a.effect === 'captured' && a.cause !== null) || a.effect === 'flipped') &&
  a.effect === b.effect &&
  a.cause === b.cause &&
  a.piece === b.piece;

class Teller {
  private before: Stones;
  private after: Stones;

  constructor(
    private readonly index: SceneIndex,
    stones: Stones,
    private readonly mover: Side,
  ) {
    this.before = stones;
    this.after = stones;
  }

  begin(stage: readonly Effect[]): void {
    this.before = this.after;
    this.after = afterStage(this.before, stage);
  }

  private at(square: string): Phrase {
    const glyph = this.before.get(square) ?? this.after.get(square) ?? '';
    return piecePhrase(this.index, glyph, square);
  }

  private ownerOf(glyph: string): Phrase {
    const owner = this.index.pieces.get(glyph)?.owner ?? 'nobody';
    return owner === 'nobody' ? phrase('') : playerPhrase(this.index, owner);
  }

  /** The sentences of a stage. What happens alike to several pieces is one: a row is not told stone by stone. */
  sentences(stage: readonly Effect[]): Phrase[] {
    const told: Phrase[] = [];
    for (let i = 0; i < stage.length; ) {
      const first = stage[i]!;
      const after = stage.findIndex((e, at) => at > i && !alike(first, e));
      const group = stage.slice(i, after < 0 ? undefined : after);
      told.push(group.length > 1 ? this.ofMany(first, group) : this.sentence(first));
      i += group.length;
    }
    return told;
  }

  private ofMany({ effect, cause, piece }: Effect, group: readonly Effect[]): Phrase {
    const squares = group.map((e) => e.from ?? e.to).join(', ');
    const count = String(group.length);
    return effect === 'captured'
      ? phrase('{} captures {} pieces: {}', this.at(cause ?? ''), count, squares)
      : phrase('{} now owns {} more pieces: {}', this.ownerOf(piece), count, squares);
  }

  private sentence(e: Effect): Phrase {
    const piece = this.at(e.from ?? e.to ?? '');
    const cause = e.cause ? this.at(e.cause) : piece;
    const to = e.to ?? '';
    const owner = this.ownerOf(e.piece);
    switch (e.effect) {
      case 'placed':
        return phrase('{} plays on {}', owner, to);
      case 'moved':
        return phrase('{} moves to {}', piece, to);
      case 'captured':
        return e.cause ? phrase('{} captures {}', cause, piece) : phrase('{} leaves the board', piece);
      case 'pushed':
        return phrase('{} pushes {} to {}', cause, piece, to);
      case 'flung':
        return phrase('{} flings {} to {}', cause, piece, to);
      case 'poisoned':
        return phrase('{} poisons {}', cause, piece);
      case 'transformed':
        return phrase('{} becomes a {}', piece, phrase(this.index.pieces.get(e.piece)?.name ?? e.piece));
      case 'swept':
        return e.to
          ? phrase('{} sweeps its column and stops on {}', piece, to)
          : phrase('{} sweeps {} away', cause, piece);
      case 'teleported':
        return phrase('the pad sends {} to {}', piece, to);
      case 'exploded':
        return e.cause === e.from
          ? phrase('{} explodes: {} pieces in its row', piece, String(e.count ?? 0))
          : phrase('{} explodes and destroys {}', cause, piece);
      case 'flipped':
        return phrase('{} now belongs to {}', piece, owner);
      case 'sacrificed':
        return phrase('{} is sacrificed and blocks its point', piece);
      case 'removed':
        return e.cause ? phrase('{} destroys {}', cause, piece) : phrase('{} leaves the board', piece);
      case 'passed':
        return phrase('{} passes', playerPhrase(this.index, this.mover));
    }
  }
}

/** A list of sentences for each stage. */
export function stagePhrases(index: SceneIndex, stones: Stones, mover: Side, effects: readonly Effect[]): Phrase[][] {
  const teller = new Teller(index, stones, mover);
  return stagesOf(effects).map((stage) => {
    teller.begin(stage);
    return teller.sentences(stage);
  });
}

export const effectPhrases = (index: SceneIndex, stones: Stones, mover: Side, effects: readonly Effect[]): Phrase[] =>
  stagePhrases(index, stones, mover, effects).flat();
