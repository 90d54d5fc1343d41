// RoomPlans: moves that a player enters while the opponent thinks. A premove waits in this page for the opponent's move
// and is played if it is legal then. Conditional moves are left on the server, for games that take days.

import { type BoardController, lastTurnOf } from './board_controller.svelte';
import type { Stones } from './board_state';
import { engine, type Where } from './engine';
import type { FinishedTurn } from './entry.svelte';
import { get } from './http';
import type { LiveRoom } from './room.svelte';
import type { RoomState } from './room_state';
import type { Side } from './types';

const hour = 3_600_000;

/** As the server decides it: at least an hour for every move, or no clock at all. */
export const isCorrespondence = ({ clock }: RoomState): boolean =>
  clock === null || ('move_ms' in clock && clock.move_ms >= hour);

/** What plans need of the game: where it stands now, and who asks. */
interface Standing {
  readonly room: LiveRoom;
  readonly table: BoardController;
  readonly game: RoomState | null;
  readonly seat: Side | null;
  readonly myTurn: boolean;
}

export class RoomPlans {
  premove = $state.raw<FinishedTurn | null>(null);
  /** Conditional moves as the server has them: the opponent's move, the answer, … */
  lines = $state.raw<string[][]>([]);
  /** A line that is being entered on the board; null: none. */
  draft = $state.raw<string[] | null>(null);

  private where: Where | null = null; // after the draft

  constructor(private readonly of: Standing) {}

  /** Conditional moves can be left now. */
  readonly mayLeave: boolean = $derived.by(() => {
    const { game, seat, myTurn } = this.of;
    if (!game || !seat || game.state !== 'running' || myTurn) return false;
    return isCorrespondence(game) && game.seats.every((s) => s?.who.engine === undefined); // the engine answers at once
  });
  /** The draft ends with an answer. */
  readonly draftIsWhole: boolean = $derived(Boolean(this.draft?.length && this.draft.length % 2 === 0));

  // ---- Premoves ----

  /** Lets the player enter a move as if the opponent had passed. Not every game has such a position: then it does not. */
  async allowPremove(stones: Stones): Promise<void> {
    const { table, game, seat } = this.of;
    if (!game || !seat || !table.index) return;
    const board = { spec: game.spec, grid: table.index.grid(stones), mover: seat };
    const { position } = await engine().edited(board);
    if (this.of.game !== game || this.of.myTurn || this.draft || this.premove) return;
    await table.allow({ spec: game.spec, position });
    if (table.entry) table.entry.movers = new Set(); // only the player to move is shown what can move
  }

  /** The board shows where it goes, and the pieces where they are. */
  setPremove(turn: FinishedTurn, stones: Stones): void {
    const { table, game } = this.of;
    if (!game) return;
    this.premove = turn;
    table.put(stones, game.to_move, lastTurnOf(turn.effects, turn.steps));
  }

  /** The premove that can be played now; null if there is none, or the opponent's move has made it impossible. */
  async takePremove(): Promise<{ text: string; legal: boolean } | null> {
    const { game } = this.of;
    const { premove } = this;
    this.premove = null;
    if (!premove || !game) return null;
    const where = { spec: game.spec, position: game.position };
    const legal = await engine()
      .play(where, premove.text)
      .then(() => true)
      .catch(() => false);
    return { text: premove.text, legal };
  }

  // ---- Conditional moves ----

  async read(): Promise<void> {
    const { room, seat, game } = this.of;
    if (!seat || !game || game.state !== 'running' || !isCorrespondence(game)) {
      this.lines = [];
      return;
    }
    this.lines = (await get<{ lines: string[][] }>(`/api/rooms/${room.id}/conditional`)).lines;
  }

  /** Begins a line: the next move entered on the board is the opponent's. */
  async begin(): Promise<void> {
    const { table, game } = this.of;
    if (!game) return;
    this.draft = [];
    this.where = { spec: game.spec, position: game.position };
    await table.allow(this.where);
  }

  /** A move of the draft was entered on the board. */
  async add(turn: FinishedTurn): Promise<void> {
    if (!this.draft || !this.where) return;
    this.draft = [...this.draft, turn.text];
    const played = await engine().play(this.where, turn.text);
    this.where = { spec: this.where.spec, position: played.position };
    if (this.draft && played.outcome.verdict === 'ongoing') await this.of.table.allow(this.where);
  }

  async save(): Promise<void> {
    if (!this.draft || !this.draftIsWhole) return;
    const begun = this.draft;
    // A line that this one goes on with is not needed any more.
    const others = this.lines.filter((line) => !line.every((move, i) => begun[i] === move));
    await this.leave([...others, begun]);
    this.draft = null;
  }

  async remove(at: number): Promise<void> {
    await this.leave(this.lines.filter((_, i) => i !== at));
  }

  private async leave(lines: string[][]): Promise<void> {
    await this.of.room.command('conditional', { lines });
    await this.read();
  }

  drop(): void {
    this.draft = null;
    this.premove = null;
  }
}
