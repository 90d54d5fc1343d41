// Scores of the engine as parts of a bar and words.

import type { Side, ThoughtLine } from './types';

/** How full the first player's part of the bar is, 0 to 1. A proven win fills it. */
export function share(line: ThoughtLine, toMove: Side): number {
  const sign = toMove === 'first' ? 1 : -1;
  if (/win/.test(line.score_text)) return sign > 0 ? 1 : 0;
  if (/loss/.test(line.score_text)) return sign > 0 ? 0 : 1;
  return 0.5 + 0.5 * Math.tanh((sign * line.score) / 500);
}

/** The score as the first player sees it: "+1.25", "win in 5". */
export function firstSees(line: ThoughtLine, toMove: Side): string {
  if (toMove === 'first') return line.score_text;
  if (/^win/.test(line.score_text)) return line.score_text.replace(/^win/, 'loss');
  if (/^loss/.test(line.score_text)) return line.score_text.replace(/^loss/, 'win');
  if (line.score_text.startsWith('+')) return `-${line.score_text.slice(1)}`;
  if (line.score_text.startsWith('-')) return `+${line.score_text.slice(1)}`;
  return line.score_text;
}
