// Exercise: a task on a board, tried until its goal is reached. It plays the opponent's replies, shows what a wrong
// move leads to, and can play the solution by itself.

import { announcer } from './announce.svelte';
import { BoardController } from './board_controller.svelte';
import type { Stones } from './board_state';
import { engine, type Where } from './engine';
import type { FinishedTurn } from './entry.svelte';
import { type Goal, judge } from './goal';
import { messageOf } from './http';
import { boardsOf, type LineTurn, lineTurn } from './line';
import { still } from './settings.svelte';
import { soundOfEnd } from './sound';
import type { Played, PositionView, Side } from './types';

export interface Task {
  spec: string;
  position?: string; // the game's own start without one
  goal: Goal;
  /** A line that reaches the goal, the opponent's moves between. */
  demo: string[];
}

/** Whose move it is to try, or how the attempt ended; `shown`: the solution was played to its end. */
export type ExerciseState = 'loading' | 'yours' | 'theirs' | 'done' | 'missed' | 'demo' | 'shown';

/** Pauses in which a reader can follow, in milliseconds. */
export interface Pace {
  reply: number;
  demo: number;
}

const defaultPace = (): Pace => (still() ? { reply: 200, demo: 1200 } : { reply: 700, demo: 1600 });

const sleep = (ms: number): Promise<void> => new Promise((woken) => setTimeout(woken, ms));

export class Exercise {
  readonly table = new BoardController((turn) => void this.guard((run) => this.tried(turn, run)));
  state = $state<ExerciseState>('loading');
  side = $state<Side>('first');
  moves = $state.raw<LineTurn[]>([]);
  /** What stands on the board now. */
  view = $state.raw<PositionView | null>(null);
  error = $state('');
  /** What missed the goal wins all the same, but later. */
  late = $state(false);

  private first: PositionView | null = null;
  private start: Stones = new Map();
  /** Counts what was begun: an answer that comes after something else was begun is of no use. */
  private run = 0;

  constructor(
    readonly task: Task,
    private readonly finished: () => void = () => {},
    private readonly pace: () => Pace = defaultPace,
  ) {}

  begin(): Promise<void> {
    return this.guard(async (run) => {
      const { spec } = this.task;
      const index = await this.table.open(spec);
      const first = await engine().position(this.where(0));
      if (run !== this.run) return;
      this.first = first;
      this.side = first.mover;
      this.start = index.stones(first.grid);
      await this.reset();
    });
  }

  /** Back to the beginning, for another attempt. */
  retry(): Promise<void> {
    return this.guard(() => this.reset());
  }

  /** Plays the solution, move by move. */
  demo(): Promise<void> {
    return this.guard(async (run) => {
      this.clear();
      this.state = 'demo';
      for (const move of this.task.demo) {
        await sleep(this.pace().demo);
        if (run !== this.run) return;
        await this.play(move, run);
        if (run !== this.run) return;
      }
      this.state = 'shown';
    });
  }

  /** Nothing that is still on its way counts any more. */
  leave(): void {
    this.run++;
    this.table.stopEntry();
  }

  private where(count: number): Where {
    const { spec, position } = this.task;
    const moves = this.moves.slice(0, count).map((move) => move.text);
    return { spec, ...(position ? { position } : {}), moves };
  }

  private async guard(work: (run: number) => Promise<void>): Promise<void> {
    this.error = '';
    try {
      await work(++this.run);
    } catch (fault) {
      this.error = messageOf(fault);
    }
  }

  private clear(): void {
    const { first } = this;
    if (!first) return;
    this.moves = [];
    this.view = first;
    this.late = false;
    this.table.put(this.start, first.mover, null);
    this.table.badges = first.badges;
  }

  private async reset(): Promise<void> {
    this.clear();
    await this.allow();
  }

  private async allow(): Promise<void> {
    this.state = 'yours';
    await this.table.allow(this.where(this.moves.length));
  }

  /** Plays a move of either side and puts it on the board. */
  private async play(text: string, run: number): Promise<Played | null> {
    const mover = this.view?.mover ?? 'first';
    const played = await engine().play(this.where(this.moves.length), text);
    if (run !== this.run) return null;
    const before = boardsOf(this.start, this.moves).at(-1) ?? this.start;
    this.moves = [...this.moves, lineTurn(played, mover)];
    this.view = played;
    const after = boardsOf(this.start, this.moves).at(-1) ?? before;
    this.table.putAfter(this.moves.at(-1), after, played.mover, before);
    this.table.badges = played.badges;
    const told = this.table.tell(before, mover, played.effects);
    announcer.say([played.move, ...told, played.outcome.sentence ?? []].flat().join('. '));
    return played;
  }

  private async tried(turn: FinishedTurn, run: number): Promise<void> {
    this.state = 'theirs';
    const played = await this.play(turn.text, run);
    const { index } = this.table;
    if (!played || !index) return;
    const own = this.moves.filter((move) => move.seat === this.side).length;
    const where = this.where(this.moves.length);
    const verdict = await judge(this.task.goal, { side: this.side, own, played, where, index });
    if (run !== this.run) return;
    if (verdict.is === 'done') return this.end('done');
    if (verdict.reply) {
      await sleep(this.pace().reply);
      if (run !== this.run || !(await this.play(verdict.reply, run))) return;
    }
    this.late = verdict.is === 'missed' && Boolean(verdict.late);
    if (verdict.is === 'missed' || this.view?.outcome.verdict !== 'ongoing') this.end('missed');
    else await this.allow();
  }

  private end(state: 'done' | 'missed'): void {
    this.state = state;
    if (state === 'done') {
      soundOfEnd();
      this.finished();
    }
  }
}
