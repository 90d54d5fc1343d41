// The board of a class: what the teacher shows, kept up to date by the socket, and what one may do on it.

import type { Drawing } from '../board/marks';
import { BoardController } from './board_controller.svelte';
import { engine } from './engine';
import type { FinishedTurn } from './entry.svelte';
import { messageOf, post } from './http';
import { me } from './me.svelte';
import type { Gesture } from './settings.svelte';
import { browserDeps, LiveSocket, type SocketDeps } from './socket';
import type { ClassBoard } from './types';

/** A board whose drawings belong to all: they change when the server says so. */
class SharedTable extends BoardController {
  constructor(
    played: (turn: FinishedTurn) => void,
    private readonly pointed: (drawing: Drawing) => void,
  ) {
    super(played);
  }

  override draw(drawing: Drawing): void {
    this.pointed(drawing);
  }

  /** Where nobody moves, a square that is pressed is pointed at. */
  override press(square: string, gesture: Gesture): void {
    if (!this.entry) {
      this.pointed({ from: square, to: square });
      return;
    }
    const kept = this.drawings;
    super.press(square, gesture);
    this.drawings = kept;
  }
}

const same = (a: Drawing, b: Drawing): boolean => a.from === b.from && a.to === b.to;

export class ClassBoardController {
  board = $state.raw<ClassBoard | null>(null);
  connected = $state(false);
  error = $state('');
  readonly table: BoardController = new SharedTable(
    (turn) => void this.do({ do: 'move', move: turn.text, version: this.board?.version ?? 0 }),
    (drawing) => this.drawn(drawing),
  );
  readonly mine: boolean = $derived(Boolean(this.board?.mover && this.board.mover.account === me.person?.name));
  readonly moves: boolean = $derived.by(() => this.teaches || this.mine);
  readonly points: boolean = $derived.by(() => this.teaches || Boolean(this.board?.may_point));

  private readonly socket: LiveSocket;
  private readonly wake = () => this.socket.wake();
  private shown = 0; // counts what was put on the board: an answer that comes later is of no use

  constructor(
    readonly id: string,
    readonly teaches: boolean,
    deps: SocketDeps = browserDeps(),
  ) {
    this.socket = new LiveSocket(deps, (up) => (this.connected = up));
  }

  enter(): void {
    this.socket.listen({
      opened: () => {
        this.connected = true;
        void this.socket
          .command({ do: 'watch_board', class: this.id })
          .catch((fault) => (this.error = messageOf(fault)));
      },
      message: (message) => {
        if (message.class === this.id && message.board) void this.show(message.board as ClassBoard);
      },
    });
    addEventListener('online', this.wake);
    document.addEventListener('visibilitychange', this.wake);
  }

  leave(): void {
    removeEventListener('online', this.wake);
    document.removeEventListener('visibilitychange', this.wake);
    this.shown++;
    this.table.stopEntry();
    this.socket.listen(null);
    this.socket.close();
  }

  async do(command: Record<string, unknown>): Promise<void> {
    this.error = '';
    try {
      await this.show(await post<ClassBoard>(`/api/classes/${this.id}/board`, command));
    } catch (fault) {
      this.error = messageOf(fault);
      if (this.board) await this.put(this.board); // what was entered is taken back
    }
  }

  /** What is told twice, or comes late, changes nothing. */
  private async show(board: ClassBoard): Promise<void> {
    if (this.board && board.version <= this.board.version && this.board.open === board.open) return;
    this.board = board;
    await this.put(board);
  }

  private async put(board: ClassBoard): Promise<void> {
    const mine = ++this.shown;
    this.table.stopEntry();
    const { spec, start, moves = [], at = 0 } = board;
    if (!board.open || !spec) return;
    try {
      const index = await this.table.open(spec);
      const where = (count: number) => ({ spec, ...(start ? { position: start } : {}), moves: moves.slice(0, count) });
      const move = at > 0 ? moves[at - 1] : undefined;
      const played = move ? await engine().play(where(at - 1), move) : null;
      const view = played ?? (await engine().position(where(0)));
      if (mine !== this.shown) return;
      const last = played ? { path: played.steps.flatMap((s) => s.square ?? []), effects: played.effects } : null;
      this.table.put(index.stones(view.grid), view.mover, last, played?.effects);
      this.table.badges = view.badges;
      this.table.drawings = [...(board.marks ?? []), ...(board.pointers ?? [])];
      if (this.moves && view.outcome.verdict === 'ongoing') await this.table.allow(where(at), false);
      if (mine === this.shown) this.table.drawings = [...(board.marks ?? []), ...(board.pointers ?? [])];
    } catch (fault) {
      this.error = messageOf(fault);
    }
  }

  private drawn(drawing: Drawing): void {
    if (!this.points || !this.board) return;
    if (!this.teaches) return void this.do({ do: 'point', from: drawing.from, to: drawing.to });
    const marks = this.board.marks ?? [];
    const others = marks.filter((mark) => !same(mark, drawing));
    void this.do({ do: 'mark', marks: others.length < marks.length ? others : [...others, drawing] });
  }
}
