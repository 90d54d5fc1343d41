// One web socket that comes back after every loss: with what was missed, and with what was not yet answered.

import { ApiError } from './http';
import type { Presence, RoomEvent, Snapshot } from './types';

export interface RoomListener {
  snapshot(snapshot: Snapshot): void;
  event(event: RoomEvent): void;
  presence(presence: Presence): void;
  /** The number of the last event that is known; undefined asks for a snapshot. */
  since(): number | undefined;
  refused(error: ApiError): void;
}

interface Waiting {
  message: Record<string, unknown>;
  again: boolean; // may be sent again after a loss, because doing it twice is doing it once
  resolve: (value: Record<string, unknown>) => void;
  reject: (error: ApiError) => void;
}

/** Who looks for opponents: told of everything that belongs to no room. */
export interface LobbyListener {
  opened(): void;
  message(message: Record<string, unknown>): void;
}

export interface SocketLike {
  readyState: number;
  send(data: string): void;
  close(): void;
  onopen: ((event: unknown) => void) | null;
  onmessage: ((event: { data: unknown }) => void) | null;
  onclose: ((event: unknown) => void) | null;
  onerror: ((event: unknown) => void) | null;
}

export interface SocketDeps {
  open(): SocketLike;
  later(ms: number, call: () => void): () => void; // returns how to cancel it
  random(): number;
}

const firstWait = 250;
const maxWait = 8000;
const pingMs = 15000;
const pongMs = 6000;
// Where somebody plays, a silent connection is noticed within two seconds.
const playPingMs = 800;
const playPongMs = 1000;

export function browserDeps(): SocketDeps {
  return {
    open: () =>
      new WebSocket(`${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/api/socket`) as SocketLike,
    later: (ms, call) => {
      const timer = setTimeout(call, ms);
      return () => clearTimeout(timer);
    },
    random: Math.random,
  };
}

function toError({ code, message, ...details }: Record<string, unknown>): ApiError {
  return new ApiError(400, String(code), String(message), details);
}

export class LiveSocket {
  private socket: SocketLike | null = null;
  private up = false;
  private tries = 0;
  private ref = 0;
  private readonly waiting = new Map<number, Waiting>();
  private readonly rooms = new Map<string, RoomListener>();
  private lobby: LobbyListener | null = null;
  private cancelRetry: (() => void) | null = null;
  private cancelPing: (() => void) | null = null;
  private alive = true; // the last ping was answered in time
  private playing = false;

  constructor(
    private readonly deps: SocketDeps = browserDeps(),
    private readonly connected: (up: boolean) => void = () => {},
  ) {}

  watch(room: string, listener: RoomListener): void {
    this.rooms.set(room, listener);
    if (this.up) this.subscribe(room, listener);
    else this.connect();
  }

  leave(room: string): void {
    this.rooms.delete(room);
    if (this.up) this.post({ do: 'leave', room });
    if (!this.wanted) this.close();
  }

  /** Keeps the connection for the lobby; null: it is left. */
  listen(lobby: LobbyListener | null): void {
    this.lobby = lobby;
    if (lobby && this.up) lobby.opened();
    else if (lobby) this.connect();
    else if (!this.wanted) this.close();
  }

  private get wanted(): boolean {
    return this.rooms.size > 0 || this.lobby !== null;
  }

  /** Sends a command; the answer is what the server accepted. `again`: it is sent again if the connection is lost. */
  command(message: Record<string, unknown>, again = false): Promise<Record<string, unknown>> {
    return new Promise((resolve, reject) => {
      const ref = ++this.ref;
      this.waiting.set(ref, { message: { ...message, ref }, again, resolve, reject });
      if (this.up) this.post({ ...message, ref });
      else this.connect();
    });
  }

  /** While somebody plays here, the server is asked every second whether it is there. */
  setPlaying(playing: boolean): void {
    if (this.playing === playing) return;
    this.playing = playing;
    if (this.up) this.schedulePing();
  }

  /** The browser knows that there is no network: no need to wait for a ping. */
  offline(): void {
    if (this.up) this.setAlive(false);
  }

  private setAlive(alive: boolean): void {
    if (this.alive === alive) return;
    this.alive = alive;
    this.connected(alive);
  }

  /** Tries at once instead of waiting: the network is back, or somebody looks again. */
  wake(): void {
    if (this.up || !this.wanted) return;
    this.tries = 0;
    this.cancelRetry?.();
    this.cancelRetry = null;
    this.connect();
  }

  /** Ends the connection; whatever is still unanswered fails as `offline`. */
  close(): void {
    this.cancelRetry?.();
    this.cancelPing?.();
    this.cancelRetry = this.cancelPing = null;
    const socket = this.socket;
    this.socket = null;
    this.up = false;
    if (socket) {
      socket.onclose = socket.onmessage = socket.onopen = socket.onerror = null;
      socket.close();
    }
    this.fail(() => true);
  }

  private fail(which: (waiting: Waiting) => boolean): void {
    for (const [ref, waiting] of this.waiting) {
      if (!which(waiting)) continue;
      this.waiting.delete(ref);
      waiting.reject(new ApiError(0, 'offline', 'The connection was lost.'));
    }
  }

  private post(message: Record<string, unknown>): void {
    this.socket?.send(JSON.stringify(message));
  }

  private connect(): void {
    if (this.socket || this.cancelRetry) return;
    const socket = this.deps.open();
    this.socket = socket;
    socket.onopen = () => this.opened();
    socket.onmessage = (event) => this.received(String(event.data));
    socket.onerror = () => {};
    socket.onclose = () => this.lost();
  }

  private opened(): void {
    this.up = true;
    this.alive = true;
    this.tries = 0;
    this.connected(true);
    for (const waiting of this.waiting.values()) this.post(waiting.message);
    for (const [room, listener] of this.rooms) this.subscribe(room, listener); // sends what it adds to `waiting`
    this.lobby?.opened();
    this.schedulePing();
  }

  private subscribe(room: string, listener: RoomListener): void {
    const since = listener.since();
    const message: Record<string, unknown> = { do: 'watch', room };
    if (since !== undefined) message.since = since;
    const ref = ++this.ref;
    this.waiting.set(ref, {
      message: { ...message, ref },
      again: false,
      resolve: () => {},
      reject: (error) => {
        if (error.code !== 'offline') listener.refused(error);
      },
    });
    this.post({ ...message, ref });
  }

  private lost(): void {
    this.socket = null;
    if (this.up && this.alive) this.connected(false);
    this.up = false;
    this.cancelPing?.();
    this.cancelPing = null;
    this.fail((waiting) => !waiting.again);
    if (!this.wanted && this.waiting.size === 0) return;
    const wait = Math.min(maxWait, firstWait * 2 ** this.tries++);
    this.cancelRetry = this.deps.later(wait * (0.75 + 0.5 * this.deps.random()), () => {
      this.cancelRetry = null;
      this.connect();
    });
  }

  private schedulePing(): void {
    this.cancelPing?.();
    this.cancelPing = this.deps.later(this.playing ? playPingMs : pingMs, () => {
      this.post({ do: 'ping' });
      if (!this.playing) {
        this.cancelPing = this.deps.later(pongMs, () => this.drop());
        return;
      }
      this.cancelPing = this.deps.later(playPongMs, () => {
        this.setAlive(false);
        this.cancelPing = this.deps.later(pongMs - playPongMs, () => this.drop());
      });
    });
  }

  /** A connection that is silently dead does not close by itself. */
  private drop(): void {
    const socket = this.socket;
    if (!socket) return;
    socket.onclose = null;
    socket.close();
    this.lost();
  }

  private received(text: string): void {
    this.setAlive(true);
    this.schedulePing();
    const message = JSON.parse(text) as Record<string, unknown>;
    if (typeof message.ref === 'number') this.answered(message.ref, message);
    if (typeof message.room !== 'string') {
      this.lobby?.message(message);
      return;
    }
    const listener = this.rooms.get(message.room);
    if (!listener) return;
    if (message.snapshot) listener.snapshot(message.snapshot as Snapshot);
    if (message.event) listener.event(message.event as RoomEvent);
    if (message.presence) listener.presence(message.presence as Presence);
    if (message.error && message.ref === undefined) listener.refused(toError(message.error as Record<string, unknown>));
  }

  private answered(ref: number, message: Record<string, unknown>): void {
    const waiting = this.waiting.get(ref);
    if (!waiting) return;
    const error = message.error as Record<string, unknown> | undefined;
    if (error?.code === 'too_often' && waiting.again) {
      this.deps.later(Number(error.retry_after_ms ?? 1000), () => {
        if (this.up && this.waiting.has(ref)) this.post(waiting.message);
      });
      return;
    }
    this.waiting.delete(ref);
    if (!error) {
      waiting.resolve(message);
      return;
    }
    waiting.reject(toError(error));
  }
}
