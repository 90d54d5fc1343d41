// The game on a <paika-board>: a position, moves from there, and who may move.

import { turnedFor } from '../board/look';
import { BoardController, lastTurnOf } from '../lib/board_controller.svelte';
import { engine, type Where } from '../lib/engine';
import type { FinishedTurn } from '../lib/entry.svelte';
import { messageOf } from '../lib/http';
import { refusalOf } from '../lib/refusal';
import type { Outcome, Played, Refusal, Side } from '../lib/types';

export interface BoardWish {
  spec: string;
  position: string;
  moves: readonly string[];
  orientation: Side;
  interactive: boolean;
  computer: Side | null;
  level: number;
}

/** What those outside hear of. */
export interface BoardNews {
  ready(): void;
  moved(move: string, by: 'person' | 'computer', outcome: Outcome, position: string): void;
  refused(message: string, clause: string): void;
  failed(message: string): void;
}

const thinkMs = 1000;

export class BoardGame {
  readonly table = new BoardController((turn) => void this.finished(turn));
  moves = $state.raw<readonly string[]>([]);
  outcome = $state.raw<Outcome | null>(null);
  thinking = $state(false);
  flipped = $state(false);
  private wish: BoardWish | null = null;
  private asked = 0; // what was asked before the newest wish counts no more
  private stop = new AbortController();

  constructor(private readonly news: BoardNews) {}

  /** Shows what is wished for, from the beginning. */
  async show(wish: BoardWish): Promise<void> {
    this.wish = wish;
    this.moves = wish.moves;
    const asked = this.begin();
    await this.guarded(asked, async () => {
      const index = await this.table.open(wish.spec);
      if (asked !== this.asked) return;
      this.flipped = turnedFor(index.scene, wish.orientation);
      const last = this.moves.at(-1);
      const played = last === undefined ? null : await engine().play(this.where(this.moves.slice(0, -1)), last);
      await this.put(asked, played, false);
      if (asked === this.asked) this.news.ready();
      await this.goOn(asked);
    });
  }

  /** Turns the board; the game stays as it is. */
  turn(orientation: Side): void {
    const { index } = this.table;
    if (index) this.flipped = turnedFor(index.scene, orientation);
  }

  /** Plays a move as text; false if the rules forbid it. */
  async play(text: string): Promise<boolean> {
    const asked = this.begin();
    try {
      const played = await engine().play(this.where(this.moves), text);
      if (asked !== this.asked) return false;
      void this.guarded(asked, () => this.moved(asked, played, 'person', true));
      return true;
    } catch (fault) {
      this.news.refused(messageOf(fault), refusalOf(fault)?.clause ?? '');
      await this.guarded(asked, () => this.goOn(asked));
      return false;
    }
  }

  /** The board refused what was tried on it. */
  refused({ message, clause }: Refusal): void {
    this.news.refused(message, clause);
  }

  close(): void {
    this.begin();
  }

  private begin(): number {
    this.stop.abort();
    this.stop = new AbortController();
    this.thinking = false;
    this.table.stopEntry();
    return ++this.asked;
  }

  private where(moves: readonly string[]): Where {
    const { spec, position } = this.wish!;
    return { spec, ...(position ? { position } : {}), moves: [...moves] };
  }

  private async guarded(asked: number, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (fault) {
      if (asked === this.asked) this.news.failed(messageOf(fault));
    }
  }

  /** Puts the position after all moves on the board. */
  private async put(asked: number, played: Played | null, moving: boolean): Promise<void> {
    const view = await engine().position(this.where(this.moves));
    const { index } = this.table;
    if (asked !== this.asked || !index) return;
    const last = played ? lastTurnOf(played.effects, played.steps) : null;
    this.table.put(index.stones(view.grid), view.mover, last, moving ? played?.effects : undefined);
    this.table.badges = view.badges;
    this.outcome = view.outcome;
  }

  /** A move was played: it is shown, told to those outside, and whoever is next goes on. */
  private async moved(asked: number, played: Played, by: 'person' | 'computer', moving: boolean): Promise<void> {
    this.moves = [...this.moves, played.move];
    await this.put(asked, played, moving);
    this.news.moved(played.move, by, played.outcome, played.position);
    await this.goOn(asked);
  }

  /** Lets whoever is to move do so. */
  private async goOn(asked: number): Promise<void> {
    const wish = this.wish!;
    if (asked !== this.asked || !wish.interactive || this.outcome?.verdict !== 'ongoing') return;
    if (wish.computer === this.table.toMove) await this.think(asked, wish.level);
    else await this.table.allow(this.where(this.moves), false);
  }

  private async think(asked: number, level: number): Promise<void> {
    this.thinking = true;
    const { signal } = this.stop;
    const found = await engine().analyse(this.where(this.moves), { time_ms: thinkMs, level }, () => {}, signal);
    if (asked !== this.asked) return;
    this.thinking = false;
    const move = found.best ?? found.lines[0]?.moves[0];
    if (move === undefined) return;
    const played = await engine().play(this.where(this.moves), move);
    if (asked === this.asked) await this.moved(asked, played, 'computer', true);
  }

  /** A person has entered a move on the board. */
  private async finished(turn: FinishedTurn): Promise<void> {
    const asked = this.begin();
    await this.guarded(asked, async () => {
      const played = await engine().play(this.where(this.moves), turn.text);
      if (asked === this.asked) await this.moved(asked, played, 'person', false);
    });
  }
}
