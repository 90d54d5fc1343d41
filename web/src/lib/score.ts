// Scores of the engine and values of tables, as parts of a bar and as words, from one point of view everywhere: the
// first player's, or by a setting that of the side to move.

import { speech, t } from './i18n.svelte';
import { settings } from './settings.svelte';
import type { Side, ThoughtLine, Value } from './types';

/** For the side to move; it has one of the four. `at_most`: the win or loss may come sooner; `exact`: it is proven. */
export type Score = Pick<ThoughtLine, 'win_in' | 'loss_in' | 'value' | 'score'> & {
  at_most?: boolean;
  exact?: boolean;
};

/** The same for the other side. */
const turned = ({ win_in, loss_in, value, score, at_most, exact }: Score): Score => ({
  ...(loss_in === undefined ? {} : { win_in: loss_in }),
  ...(win_in === undefined ? {} : { loss_in: win_in }),
  ...(value === undefined ? {} : { value: value === 'win' ? 'loss' : 'win' }),
  ...(score === undefined ? {} : { score: 0 - score }),
  ...(at_most === undefined ? {} : { at_most }),
  ...(exact === undefined ? {} : { exact }),
});

const ofFirst = (score: Score, toMove: Side): Score => (toMove === 'first' ? score : turned(score));

/** As the reader wants to see it. */
export const seen = (score: Score, toMove: Side): Score => (settings.view === 'mover' ? score : ofFirst(score, toMove));

/** The chances of an estimate, 0 to 1; a piece ahead is 0.59. The review has the same scale (docs/study.md). */
export const chancesOfPieces = (pieces: number): number => 1 / (1 + Math.exp(-0.368 * pieces));

/** The chances of the side to move, 0 to 1. What is proven is certain; of exact scores the sign counts. */
export function chances({ win_in, loss_in, value, score = 0, exact }: Score): number {
  if (win_in !== undefined || value === 'win') return 1;
  if (loss_in !== undefined || value === 'loss') return 0;
  return exact ? 0.5 + 0.5 * Math.sign(score) : chancesOfPieces(score);
}

/** How full the first player's part of the bar is, 0 to 1. A proven win fills it. */
export const share = (line: Score, toMove: Side): number => chances(ofFirst(line, toMove));

/** A number of pieces with its sign: "+1.25"; nothing ahead is "0", never "-0.00". */
function pieces(score: number, digits: number): string {
  const rounded = Number(score.toFixed(digits));
  if (rounded === 0) return '0';
  return new Intl.NumberFormat(speech.language, {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
    signDisplay: 'always',
  }).format(rounded);
}

/** The score in words: "+1.25", "win in 5", "win in at most 23". */
export function scoreText(line: Score, toMove: Side): string {
  const { win_in, loss_in, value, score = 0, at_most } = seen(line, toMove);
  if (value) return value === 'win' ? t('win') : t('loss');
  if (win_in !== undefined) return at_most ? t('win in at most {}', win_in) : t('win in {}', win_in);
  if (loss_in !== undefined) return at_most ? t('loss in at most {}', loss_in) : t('loss in {}', loss_in);
  return pieces(score, 2);
}

/** For a mark on a square, four or five characters: "+1.2", "+32", "W16", "0". */
export function shortScore(line: Score, toMove: Side): string {
  const { win_in, loss_in, value, score = 0, at_most } = seen(line, toMove);
  if (value) return value === 'win' ? 'W' : 'L';
  const most = at_most ? '≤' : '';
  if (win_in !== undefined) return `W${most}${win_in}`;
  if (loss_in !== undefined) return `L${most}${loss_in}`;
  return pieces(score, Math.abs(score) < 9.95 ? 1 : 0);
}

/** A value of perfect play as a score; a draw is 0. */
export const scoreOf = ({ win_in, loss_in, value, ...rest }: Value & { discs?: number }): Score => {
  if (win_in !== undefined) return { win_in };
  if (loss_in !== undefined) return { loss_in };
  if (value !== 'draw' && rest.discs === undefined) return { value };
  return { score: value === 'draw' ? 0 : (rest.discs ?? 0) };
};
