// What moves are worth, as marks on the squares that lead to them: by a table of perfect play, or by the engine.

import type { ValueMark } from '../board/marks';
import { chances, type Score, scoreOf, seen, shortScore } from './score';
import { sameStep } from './steps';
import type { LegalTurn, MoveValue, Side, Step, ThoughtLine } from './types';

/** Higher is better for who moves: a quick win, a slow loss, and between them those whose length nobody knows. */
export function worth({ win_in, loss_in, value, score = 0 }: Score): number {
  if (win_in !== undefined) return 1e6 - win_in;
  if (loss_in !== undefined) return -1e6 + loss_in;
  if (value) return value === 'win' ? 9.5e5 : -9.5e5;
  return score;
}

/** A move with what it is worth for who plays it. */
export interface JudgedMove {
  text: string;
  steps: readonly Step[];
  score: Score;
}

export const judgedByTable = (moves: readonly MoveValue[]): JudgedMove[] =>
  moves.map(({ move, steps, value }) => ({ text: move, steps, score: scoreOf(value) }));

/** The first moves of the engine's lines. */
export function judgedByEngine(turns: readonly LegalTurn[], lines: readonly ThoughtLine[]): JudgedMove[] {
  const byText = new Map(turns.map((turn) => [turn.text, turn]));
  return lines.flatMap((line) => {
    const turn = byText.get(line.moves[0] ?? '');
    return turn ? [{ text: turn.text, steps: turn.steps, score: line }] : [];
  });
}

/** An engine's scores are no nearer to the truth than this: chances of winning that the review does not count either. */
const tolerance = 0.05;

/** True if no move is better: by a table for certain, by the engine as far as it can tell. */
export function isBest(move: JudgedMove, all: readonly JudgedMove[], certain: boolean): boolean {
  const best = Math.max(...all.map(({ score }) => worth(score)));
  if (worth(move.score) === best) return true;
  return !certain && Math.max(...all.map(({ score }) => chances(score))) - chances(move.score) < tolerance;
}

function toneOf(score: Score): ValueMark['tone'] {
  if (score.win_in !== undefined || score.value === 'win') return 'win';
  if (score.loss_in !== undefined || score.value === 'loss') return 'loss';
  return (score.score ?? 0) === 0 ? 'draw' : 'thought';
}

/** The chances, as the bar shows them, with a gap between what is proven and what is not. */
function spread(score: Score): number {
  const proven = score.exact || Math.abs(worth(score)) > 9e5;
  return proven ? chances(score) : 0.05 + 0.9 * chances(score);
}

/** Where a value is on the way from the worst to the best, 0 to 1; where all chances are the same, by how soon or how much. */
function rank(score: Score, all: readonly Score[]): number {
  for (const number of [spread, worth]) {
    const numbers = all.map(number);
    const [low, high] = [Math.min(...numbers), Math.max(...numbers)];
    if (high > low) return (number(score) - low) / (high - low);
  }
  return 1;
}

/** The best that can be reached by each next square after `prefix`. */
export function valueMarks(
  moves: readonly JudgedMove[],
  prefix: readonly Step[],
  toMove: Side,
  { colours = false } = {},
): Map<string, ValueMark> {
  const best = new Map<string, Score>();
  for (const { steps, score } of moves) {
    if (!prefix.every((step, i) => steps[i] !== undefined && sameStep(step, steps[i]!))) continue;
    const square = steps.slice(prefix.length).find((s) => s.square)?.square;
    if (!square) continue;
    const known = best.get(square);
    if (!known || worth(score) > worth(known)) best.set(square, score);
  }
  const all = [...best.values()];
  const top = Math.max(...all.map(worth));
  return new Map(
    [...best].map(([square, score]) => [
      square,
      {
        text: colours ? '' : shortScore(score, toMove),
        tone: toneOf(seen(score, toMove)),
        rank: rank(score, all),
        best: worth(score) === top,
      },
    ]),
  );
}
