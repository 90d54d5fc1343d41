// Goals of lessons and puzzles, and whether a move reaches them. The engine decides: by what the move did, by the
// replies that it allows, or by a search for the best of them.

import type { SceneIndex } from './board_state';
import { engine, type Where } from './engine';
import { ListSource } from './steps';
import { type EffectKind, isLossOf, type LegalTurn, otherSide, type Played, type SearchInfo, type Side } from './types';

export type Goal =
  /** Play one of these moves. */
  | { kind: 'play'; moves: string[] }
  /** A move with this effect on each of the squares, and at least so many times. */
  | { kind: 'effect'; effect: EffectKind; squares?: string[]; count?: number }
  /** A piece of one's own stands there after so many moves at the most. */
  | { kind: 'reach'; square: string; moves: number }
  /** The game is won after so many moves at the most, against the best defence. */
  | { kind: 'win'; moves: number }
  /** A move after which the opponent cannot win at once. */
  | { kind: 'hold' }
  /** A move after which the opponent can come to none of these squares at once. */
  | { kind: 'deny'; squares: string[] }
  /** A move that somebody else judges: true if it is right. */
  | { kind: 'ask'; ask: (move: string) => Promise<boolean> }
  /** The only move that wins, or draws; with `within`, that wins in so many moves. A win that is near is played to its end. */
  | { kind: 'solve'; move: string; aim: 'win' | 'draw'; within?: number };

/** What somebody has played so far. */
export interface Attempt {
  side: Side;
  own: number; // moves of that side
  played: Played; // the last of them
  where: Where; // the position after it
  index: SceneIndex;
}

/** `reply`: how the opponent goes on, or punishes a move that misses the goal; `late`: the move wins all the same. */
export type Verdict = { is: 'done' } | { is: 'missed'; reply?: string; late?: boolean } | { is: 'open'; reply: string };

const thinkMs = 800;
/** Wins this near are played to the end; the side to move loses within so many moves of both. */
const nearPlies = 6;
/** No puzzle asks for more moves than this. */
const maxMoves = 4;

const done: Verdict = { is: 'done' };

const think = (where: Where): Promise<SearchInfo> => engine().analyse(where, { time_ms: thinkMs }, () => {});

const replyOf = (thought: SearchInfo): string => thought.best ?? thought.lines[0]?.moves[0] ?? '';

/** True if it is proven that the side to move loses, and soon enough. */
function losesWithin({ lines: [line] }: SearchInfo, plies: number): boolean {
  if (!line) return false;
  if (line.loss_in !== undefined) return line.loss_in <= plies;
  return line.value === 'loss' || (line.exact && (line.score ?? 0) < 0);
}

/** True if the only reply does not end the game: the engine plays it without thinking, so its score proves nothing. */
async function isForced(where: Where): Promise<boolean> {
  const replies = await engine().steps(where);
  return replies instanceof ListSource && replies.turns.length === 1 && !replies.turns[0]?.outcome;
}

const isOver = ({ outcome }: Played): boolean => outcome.verdict !== 'ongoing';
const isWon = ({ side, played }: Attempt): boolean => isLossOf(otherSide(side), played.outcome);

/** The answer to a move that misses the goal; none if the game is over. */
async function missed({ played, where }: Attempt): Promise<Verdict> {
  return isOver(played) ? { is: 'missed' } : { is: 'missed', reply: replyOf(await think(where)) };
}

function hasEffect({ effects }: Played, goal: Extract<Goal, { kind: 'effect' }>): boolean {
  const found = effects.filter((e) => e.effect === goal.effect);
  const on = (square: string) => found.some((e) => e.from === square || e.to === square);
  return found.length >= (goal.count ?? 1) && (goal.squares ?? []).every(on);
}

async function judgeReach(goal: Extract<Goal, { kind: 'reach' }>, attempt: Attempt): Promise<Verdict> {
  const { index, played, side, own } = attempt;
  const glyph = index.stones(played.grid).get(goal.square);
  if (glyph !== undefined && index.pieces.get(glyph)?.owner === side) return done;
  if (isOver(played) || own >= goal.moves) return { is: 'missed' };
  return { is: 'open', reply: replyOf(await think(attempt.where)) };
}

async function judgeWin(attempt: Attempt, movesLeft: number): Promise<Verdict> {
  if (isWon(attempt)) return done;
  if (isOver(attempt.played)) return { is: 'missed' };
  const thought = await think(attempt.where);
  const open = movesLeft > 0 && (losesWithin(thought, 2 * movesLeft) || (await isForced(attempt.where)));
  return open ? { is: 'open', reply: replyOf(thought) } : tooLate(thought);
}

/** A move that does not win in time: the answer to it, and whether it wins at all as far as the engine can tell. */
const tooLate = (thought: SearchInfo): Verdict => ({
  is: 'missed',
  reply: replyOf(thought),
  ...(losesWithin(thought, Number.POSITIVE_INFINITY) ? { late: true } : {}),
});

/** Missed if the opponent has a reply that does what may not be done. Positions of lessons have few replies. */
async function judgeReplies({ side, played, where }: Attempt, bad: (reply: LegalTurn) => boolean): Promise<Verdict> {
  if (isOver(played)) return isLossOf(side, played.outcome) ? { is: 'missed' } : done;
  const replies = await engine().steps(where);
  const found = replies instanceof ListSource ? replies.turns.find(bad) : undefined;
  return found ? { is: 'missed', reply: found.text } : done;
}

async function judgeSolve(goal: Extract<Goal, { kind: 'solve' }>, attempt: Attempt): Promise<Verdict> {
  const { own, played, where } = attempt;
  if (goal.within) return judgeWithin(goal.move, goal.within, attempt);
  if (own === 1 && played.move !== goal.move) return missed(attempt);
  if (isWon(attempt) || goal.aim === 'draw') return done;
  if (isOver(played)) return { is: 'missed' };
  const thought = await think(where);
  if (losesWithin(thought, nearPlies) || (await isForced(where)))
    return own < maxMoves ? { is: 'open', reply: replyOf(thought) } : done;
  return own === 1 ? done : { is: 'missed', reply: replyOf(thought) };
}

/** A win in so many moves, which the first one is known to reach. */
async function judgeWithin(move: string, within: number, attempt: Attempt): Promise<Verdict> {
  const { own, played, where } = attempt;
  if (own > 1) return judgeWin(attempt, within - own);
  if (isWon(attempt)) return done;
  if (isOver(played)) return { is: 'missed' };
  const thought = await think(where);
  return played.move === move ? { is: 'open', reply: replyOf(thought) } : tooLate(thought);
}

/** Whether the last move of an attempt reaches the goal, misses it, or leaves it open. */
export async function judge(goal: Goal, attempt: Attempt): Promise<Verdict> {
  switch (goal.kind) {
    case 'play':
      return goal.moves.includes(attempt.played.move) ? done : { is: 'missed' };
    case 'ask':
      return (await goal.ask(attempt.played.move)) ? done : { is: 'missed' };
    case 'effect':
      return hasEffect(attempt.played, goal) ? done : { is: 'missed' };
    case 'reach':
      return judgeReach(goal, attempt);
    case 'win':
      return judgeWin(attempt, goal.moves - attempt.own);
    case 'hold':
      return judgeReplies(attempt, (reply) => isLossOf(attempt.side, reply.outcome));
    case 'deny':
      return judgeReplies(attempt, (reply) => reply.effects?.some((e) => goal.squares.includes(e.to ?? '')) ?? false);
    case 'solve':
      return judgeSolve(goal, attempt);
  }
}
