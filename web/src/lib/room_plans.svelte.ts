// RoomPlans: conditional moves, which a player leaves on the server in games that take days: if the opponent plays this,
// then answer that.

import type { BoardController } from './board_controller.svelte';
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
  /** As the server has them: the opponent's move, the answer, … */
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
    table.awaitMove(null);
    await table.allow(this.where, false);
  }

  /** A move of the draft was entered on the board. */
  async add(turn: FinishedTurn): Promise<void> {
    if (!this.draft || !this.where) return;
    this.draft = [...this.draft, turn.text];
    const played = await engine().play(this.where, turn.text);
    this.where = { spec: this.where.spec, position: played.position };
    if (!this.draft || played.outcome.verdict !== 'ongoing') return;
    this.of.table.toMove = played.mover;
    await this.of.table.allow(this.where, false);
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
  }
}
