// Scores of the engine as parts of a bar and as words.

import { speech, t } from './i18n.svelte';
import type { Side, ThoughtLine } from './types';

/** For the side to move; it has one of the three. */
export type Score = Pick<ThoughtLine, 'win_in' | 'loss_in' | 'score'>;

/** The same for the first player, whoever is to move. */
function ofFirst({ win_in, loss_in, score }: Score, toMove: Side): Score {
  if (toMove === 'first') return { win_in, loss_in, score };
  return { win_in: loss_in, loss_in: win_in, score: 0 - (score ?? 0) };
}

/** How full the first player's part of the bar is, 0 to 1. A proven win fills it. */
export function share(line: Score, toMove: Side): number {
  const { win_in, loss_in, score = 0 } = ofFirst(line, toMove);
  if (win_in !== undefined) return 1;
  if (loss_in !== undefined) return 0;
  return 0.5 + 0.5 * Math.tanh(score / 5);
}

const pieces = (score: number): string =>
  new Intl.NumberFormat(speech.language, {
    minimumFractionDigits: 2,
    maximumFractionDigits: 2,
    signDisplay: 'always',
  }).format(score);

/** The score as the first player sees it: "+1.25", "win in 5". */
export function firstSees(line: Score, toMove: Side): string {
  const { win_in, loss_in, score = 0 } = ofFirst(line, toMove);
  if (win_in !== undefined) return t('win in {}', win_in);
  if (loss_in !== undefined) return t('loss in {}', loss_in);
  return pieces(score);
}

/** For a mark on a square, as the side to move sees it: "+1.25", "W5". */
export function shortScore({ win_in, loss_in, score = 0 }: Score): string {
  if (win_in !== undefined) return `W${win_in}`;
  if (loss_in !== undefined) return `L${loss_in}`;
  return pieces(score);
}
