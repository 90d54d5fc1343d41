// ReviewController: what every move of a game was worth, how far the review is, and another try at a turning point.

import { engine } from './engine';
import { mainLine, movesTo, nodeOf, root, type TreeDoc } from './game_tree.svelte';
import { messageOf } from './http';
import { t } from './i18n.svelte';
import type { Review, ReviewedMove } from './types';

type ReviewedValue = NonNullable<ReviewedMove['could']>;

/** "a win in 9", "a win by 6", "a win", "a draw", "a loss in 4". */
export function valueWords({ value, win_in, loss_in, discs }: ReviewedValue): string {
  if (value === 'draw') return t('a draw');
  if (win_in !== undefined) return t('a win in {}', win_in);
  if (loss_in !== undefined) return t('a loss in {}', loss_in);
  if (discs !== undefined) return value === 'win' ? t('a win by {}', discs) : t('a loss by {}', discs);
  return value === 'win' ? t('a win') : t('a loss');
}

/** What a move did, in a few words. */
export function reviewWords({ chances, grade, could, did }: ReviewedMove): string {
  if (!chances) return t('not judged');
  const [before = 0, after = 0] = chances.map(Math.round);
  if (!could || !did)
    return grade === 'best' ? t('good: chances {} %', after) : t('chances fell from {} % to {} %', before, after);
  if (grade === 'best') return t('best: {}', valueWords(did));
  if (grade === 'weaker') return t('{} instead of {}', valueWords(did), valueWords(could));
  return t('threw away {}: now {}', valueWords(could), valueWords(did));
}

/** Another try: from `from`, instead of the move that was played there. */
export interface Retry {
  from: number;
  instead: string;
  state: 'waiting' | 'thinking' | 'holds' | 'fails';
  tried?: ReviewedMove;
}

const retryMs = 3000;

export class ReviewController {
  review = $state.raw<Review | null>(null);
  /** From 0 to 1 while a review is under way. */
  progress = $state<number | null>(null);
  error = $state('');
  retry = $state.raw<Retry | null>(null);
  /** The nodes of the game that was reviewed. */
  line = $state.raw<number[]>([]);
  private doc: TreeDoc | null = null;
  private stop = new AbortController();

  /** Reviews the main line. */
  async start(doc: TreeDoc): Promise<void> {
    this.cancel();
    const line = mainLine(doc);
    const stop = new AbortController();
    this.stop = stop;
    [this.review, this.retry, this.error, this.progress] = [null, null, '', 0];
    [this.doc, this.line] = [doc, line];
    const game = {
      spec: doc.spec,
      ...(doc.start ? { start: doc.start } : {}),
      moves: movesTo(doc, line.at(-1) ?? root),
    };
    try {
      const review = await engine().review(
        game,
        (part) => {
          if (!stop.signal.aborted) this.progress = part;
        },
        stop.signal,
      );
      if (!stop.signal.aborted) this.review = review;
    } catch (fault) {
      if (!stop.signal.aborted) this.error = messageOf(fault);
    } finally {
      if (!stop.signal.aborted) this.progress = null;
    }
  }

  cancel(): void {
    this.stop.abort();
    this.progress = null;
  }

  /** What was said of the move that leads to a node. */
  of(id: number): ReviewedMove | undefined {
    return this.review?.moves[this.line.indexOf(id)];
  }

  /** True if the review is of the game that a tree has now. */
  isOf(doc: TreeDoc): boolean {
    const before = this.doc;
    if (!before || before.spec !== doc.spec || before.start !== doc.start) return false;
    const now = mainLine(doc);
    return this.line.every((id, i) => now[i] === id && nodeOf(before, id).move === nodeOf(doc, id).move);
  }

  /** Sets a move of the game, counted from 1, up to be tried again; the node where it is played. */
  tryAgain(number: number): number {
    const from = this.line[number - 2] ?? root;
    this.retry = { from, instead: this.review?.moves[number - 1]?.move ?? '', state: 'waiting' };
    return from;
  }

  endRetry(): void {
    this.retry = null;
  }

  /** Says whether a move that was played at the place of the other try holds what there was to hold. */
  async judge(doc: TreeDoc, from: number, move: string, position: string): Promise<void> {
    const { retry } = this;
    if (!retry || retry.from !== from || retry.state === 'thinking') return;
    const thinking: Retry = { from, instead: retry.instead, state: 'thinking' };
    this.retry = thinking;
    try {
      const game = { spec: doc.spec, start: position, moves: [move], time_ms: retryMs };
      const [tried] = (await engine().review(game, () => {})).moves;
      if (this.retry !== thinking || !tried) return;
      this.retry = { ...thinking, state: tried.grade === 'mistake' ? 'fails' : 'holds', tried };
    } catch (fault) {
      if (this.retry !== thinking) return;
      this.error = messageOf(fault);
      this.retry = { ...thinking, state: 'waiting' };
    }
  }
}
