// Values of perfect play as marks on the squares that lead to them.

import type { ValueMark } from '../board/marks';
import { sameStep } from './steps';
import type { LegalTurn, Step, TableWord, ThoughtLine, TurnValue } from './types';

const letters: Record<TableWord, string> = { win: 'W', draw: 'D', loss: 'L' };

/** Higher is better for who moves: a quick win, a slow loss. */
export function worth(value: TurnValue): number {
  if (value.value === 'win') return 2000 - (value.turns ?? 0);
  if (value.value === 'loss') return -2000 + (value.turns ?? 0);
  return 0;
}

export const markOf = (value: TurnValue): ValueMark => ({
  letter: letters[value.value],
  tone: value.value,
  ...(value.turns === undefined ? {} : { number: value.turns }),
});

/** The best that can be reached by each next square after `prefix`. */
export function valueMarks(
  turns: readonly LegalTurn[],
  values: readonly TurnValue[],
  prefix: readonly Step[],
): Map<string, ValueMark> {
  const byText = new Map(values.map((v) => [v.turn, v]));
  const best = new Map<string, TurnValue>();
  for (const turn of turns) {
    const value = byText.get(turn.text);
    if (!value || !prefix.every((step, i) => turn.steps[i] !== undefined && sameStep(step, turn.steps[i]!))) continue;
    const square = turn.steps.slice(prefix.length).find((s) => s.square)?.square;
    if (!square) continue;
    const known = best.get(square);
    if (!known || worth(value) > worth(known)) best.set(square, value);
  }
  return new Map([...best].map(([square, value]) => [square, markOf(value)]));
}

/** The scores of the engine's lines where their first turns end. */
export function infoMarks(turns: readonly LegalTurn[], lines: readonly ThoughtLine[]): Map<string, ValueMark> {
  const marks = new Map<string, ValueMark>();
  for (const line of lines) {
    const steps = turns.find((turn) => turn.text === line.turns[0])?.steps ?? [];
    const square = steps.findLast((step) => step.square)?.square;
    const score = line.score_text.replace(/^win in /, 'W').replace(/^loss in /, 'L');
    if (square && !marks.has(square)) marks.set(square, { letter: score, tone: 'thought' });
  }
  return marks;
}
