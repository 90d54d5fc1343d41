// A room that is looked at: kept up to date by the socket, with commands for those who play in it.

import { ServerClock } from './clock';
import { engine } from './engine';
import { type ApiError, get, getText } from './http';
import { me } from './me.svelte';
import { fromSnapshot, mySeat, type RoomState, withEvent } from './room_state';
import { browserDeps, LiveSocket, type SocketDeps } from './socket';
import type { Presence, RoomEvent, Side, Snapshot } from './types';

/** A name for a move that nobody else gives. */
function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return Array.from(bytes, (b) => b.toString(16).padStart(2, '0')).join('');
}

export class LiveRoom {
  state = $state.raw<RoomState | null>(null);
  presence = $state.raw<Presence>({ first: false, second: false, watchers: 0 });
  connected = $state(false);
  /** A move was sent and is not answered yet. */
  sending = $state(false);
  lost = $state.raw<ApiError | null>(null);
  readonly seat = $derived<Side | null>(this.state ? mySeat(this.state, me.person?.name ?? null) : null);

  private readonly clock = new ServerClock();
  private readonly socket: LiveSocket;
  private readonly wake = () => this.socket.wake();
  private readonly offline = () => this.socket.offline();
  private seenOnce = false;
  private missed = false; // watchers have said something that players see after the game

  constructor(
    readonly id: string,
    world: SocketDeps = browserDeps(),
  ) {
    this.socket = new LiveSocket(world, (up) => {
      this.connected = up;
      if (up && this.seenOnce) void this.askTime();
    });
  }

  async enter(): Promise<void> {
    await me.come();
    this.watch();
    addEventListener('online', this.wake);
    addEventListener('offline', this.offline);
    document.addEventListener('visibilitychange', this.wake);
  }

  leave(): void {
    removeEventListener('online', this.wake);
    removeEventListener('offline', this.offline);
    document.removeEventListener('visibilitychange', this.wake);
    this.socket.leave(this.id);
    this.socket.close();
  }

  /** In a game that goes on, those who play learn at once that the connection is lost. */
  setPlaying(playing: boolean): void {
    this.socket.setPlaying(playing);
  }

  private watch(): void {
    this.socket.watch(this.id, {
      since: () => this.state?.number,
      snapshot: (snapshot) => {
        this.clock.forget();
        const state = fromSnapshot(snapshot);
        this.clock.told(state.left_at_us, performance.now());
        this.state = state;
        this.seenOnce = true;
      },
      event: (event) => this.take(event),
      presence: (presence) => {
        this.presence = presence;
      },
      refused: (error) => {
        this.lost = error;
      },
    });
  }

  private take(event: RoomEvent): void {
    if (!this.state) return;
    this.clock.told(event.at_us, performance.now());
    if (event.event === 'hidden') this.missed = true;
    if (event.event === 'ended' && this.missed) void this.readChat();
    if (event.event === 'joined') this.presence = { ...this.presence, [event.seat]: true }; // who sits down is here
    const next = withEvent(this.state, event);
    if (next) {
      this.state = next;
    } else {
      this.state = null; // something was missed: begin again from a snapshot
      this.watch();
    }
  }

  /** The server's time stands still while it is down: after a loss it has to be asked again. */
  private async askTime(): Promise<void> {
    try {
      const snapshot = await get<Snapshot>(`/api/rooms/${this.id}`);
      this.clock.forget();
      this.clock.told(snapshot.server_time_us, performance.now());
    } catch {
      // The next event tells the time as well.
    }
  }

  /** What watchers have said during the game. */
  private async readChat(): Promise<void> {
    const { chat } = await get<Snapshot>(`/api/rooms/${this.id}`).catch(() => ({ chat: null }));
    if (!chat || !this.state) return;
    const later = this.state.chat.filter((line) => line.number > (chat.at(-1)?.number ?? 0));
    this.state = { ...this.state, chat: [...chat, ...later] };
    this.missed = false;
  }

  nowUs(): number {
    return this.clock.nowUs(performance.now());
  }

  async command(word: string, fields: Record<string, unknown> = {}): Promise<void> {
    await this.socket.command({ do: word, room: this.id, ...fields });
  }

  /** Sent until it is answered, and played once: it carries a name of its own and the number it is meant to have. */
  async play(move: string): Promise<void> {
    this.sending = true;
    try {
      const number = (this.state?.moves.length ?? 0) + 1;
      await this.socket.command({ do: 'play', room: this.id, move, id: newId(), number }, true);
    } finally {
      this.sending = false;
    }
  }

  /** What a snapshot leaves out of earlier moves, from the game's record. */
  async fillMoves(): Promise<void> {
    const state = this.state;
    if (!state || state.moves.every((t) => t.effects)) return;
    const [record] = await engine().readRecords(await getText(`/api/rooms/${this.id}/record`));
    const now = this.state;
    if (!record || !now) return;
    const moves = now.moves.map((move, i) => {
      const known = record.moves[i];
      if (move.effects || !known || known.move !== move.text) return move;
      return { ...move, seat: known.mover, effects: known.effects, steps: known.steps, position: known.position };
    });
    this.state = { ...now, moves };
  }
}
