// Values of perfect play as marks on the squares that lead to them.

import type { ValueMark } from '../board/marks';
import { shortScore } from './score';
import { sameStep } from './steps';
import type { LegalTurn, MoveValue, Step, ThoughtLine, Value } from './types';

export const valueLetters: Record<Value['value'], string> = { win: 'W', draw: 'D', loss: 'L' };

/** Moves until the end; a draw has no number. */
export const lengthOf = (value: Value): number | undefined => value.win_in ?? value.loss_in;

/** Higher is better for who moves: a quick win, a slow loss. */
export function worth(value: Value): number {
  if (value.value === 'win') return 2000 - (value.win_in ?? 0);
  if (value.value === 'loss') return -2000 + (value.loss_in ?? 0);
  return 0;
}

export function markOf(value: Value): ValueMark {
  const number = lengthOf(value);
  return { letter: valueLetters[value.value], tone: value.value, ...(number === undefined ? {} : { number }) };
}

/** The best that can be reached by each next square after `prefix`. */
export function valueMarks(moves: readonly MoveValue[], prefix: readonly Step[]): Map<string, ValueMark> {
  const best = new Map<string, Value>();
  for (const { steps, value } of moves) {
    if (!prefix.every((step, i) => steps[i] !== undefined && sameStep(step, steps[i]!))) continue;
    const square = steps.slice(prefix.length).find((s) => s.square)?.square;
    if (!square) continue;
    const known = best.get(square);
    if (!known || worth(value) > worth(known)) best.set(square, value);
  }
  return new Map([...best].map(([square, value]) => [square, markOf(value)]));
}

/** The scores of the engine's lines where their first moves end. */
export function infoMarks(turns: readonly LegalTurn[], lines: readonly ThoughtLine[]): Map<string, ValueMark> {
  const marks = new Map<string, ValueMark>();
  for (const line of lines) {
    const steps = turns.find((turn) => turn.text === line.moves[0])?.steps ?? [];
    const square = steps.findLast((step) => step.square)?.square;
    if (square && !marks.has(square)) marks.set(square, { letter: shortScore(line), tone: 'thought' });
  }
  return marks;
}
