// Lobby: who waits for an opponent, and looking for one. The wish lasts as long as the connection, and comes back with it.

import { messageOf } from './http';
import { me } from './me.svelte';
import { browserDeps, LiveSocket, type SocketDeps } from './socket';
import type { RoomRow, SeekRow } from './types';

/** What somebody looks for: a spec, a clock, rated or not. */
export interface Wish {
  spec: string;
  rated?: boolean;
  clock_ms?: number;
  increment_ms?: number;
  move_ms?: number;
}

export class Lobby {
  seeks = $state.raw<SeekRow[]>([]);
  rooms = $state.raw<RoomRow[] | null>(null);
  connected = $state(false);
  wish = $state.raw<Wish | null>(null);
  /** The number of one's own wish, as soon as the server has taken it. */
  seeking = $state<number | null>(null);
  error = $state('');

  private readonly socket: LiveSocket;
  private readonly wake = () => this.socket.wake();
  private shown = false;

  constructor(
    private readonly paired: (room: string) => void,
    deps: SocketDeps = browserDeps(),
  ) {
    this.socket = new LiveSocket(deps, (up) => {
      this.connected = up;
      if (!up) this.seeking = null;
    });
  }

  /** Shows who waits, live, until leave(). */
  async enter(): Promise<void> {
    this.shown = true;
    this.connect();
    addEventListener('online', this.wake);
    document.addEventListener('visibilitychange', this.wake);
  }

  leave(): void {
    removeEventListener('online', this.wake);
    document.removeEventListener('visibilitychange', this.wake);
    this.shown = false;
    this.wish = this.seeking = null;
    this.socket.listen(null);
    this.socket.close();
    this.connected = false;
  }

  async seek(wish: Wish): Promise<void> {
    this.error = '';
    this.wish = wish;
    try {
      await this.come();
      if (this.wish !== wish) return;
      if (this.connected) await this.send();
      else this.connect();
    } catch (fault) {
      this.fail(fault);
    }
  }

  async cancel(): Promise<void> {
    this.wish = this.seeking = null;
    if (this.connected) await this.socket.command({ do: 'cancel' }).catch(() => {});
    if (!this.shown) this.leave();
  }

  /** Plays who waits there. */
  async accept(seek: number): Promise<void> {
    this.error = '';
    try {
      await this.come();
      const { paired } = (await this.socket.command({ do: 'accept', seek })) as { paired: { room: string } };
      this.go(paired.room);
    } catch (fault) {
      this.fail(fault);
    }
  }

  /** The server knows who uses a socket from its beginning: who has just become somebody needs another one. */
  private async come(): Promise<void> {
    const known = me.person !== null;
    await me.come();
    if (known || !this.shown) return;
    this.socket.close();
    this.connected = false;
    this.connect();
  }

  private connect(): void {
    this.socket.listen({ opened: () => void this.opened(), message: (message) => this.told(message) });
  }

  private async opened(): Promise<void> {
    this.connected = true;
    if (this.shown) void this.socket.command({ do: 'lobby' }).catch(() => {});
    if (this.wish) await this.send().catch((fault) => this.fail(fault));
  }

  private async send(): Promise<void> {
    const { seeking } = (await this.socket.command({ do: 'seek', ...this.wish })) as { seeking: number };
    if (this.wish) this.seeking = seeking;
  }

  private told(message: Record<string, unknown>): void {
    if (message.lobby) {
      const { seeks, rooms } = message.lobby as { seeks: SeekRow[]; rooms: RoomRow[] };
      this.seeks = seeks;
      this.rooms = rooms;
    }
    if (message.paired && message.ref === undefined) this.go((message.paired as { room: string }).room);
    if (message.unpaired) this.fail(new Error((message.unpaired as { message: string }).message));
  }

  private go(room: string): void {
    this.wish = this.seeking = null;
    this.paired(room);
  }

  private fail(fault: unknown): void {
    this.wish = this.seeking = null;
    this.error = messageOf(fault);
  }
}
