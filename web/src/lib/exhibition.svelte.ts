// An exhibition: all its boards over one socket, and which of them waits for the exhibitor.

import { afterEffects, SceneIndex, type Stones } from './board_state';
import { engine } from './engine';
import { messageOf } from './http';
import { me } from './me.svelte';
import { fromSnapshot, type RoomState, withEvent } from './room_state';
import { browserDeps, LiveSocket, type SocketDeps } from './socket';
import type { Exhibition, Snapshot } from './types';

export interface ShownBoard {
  room: RoomState;
  stones: Stones;
}

export class ExhibitionController {
  index = $state.raw<SceneIndex | null>(null);
  boards = $state.raw<ReadonlyMap<string, ShownBoard>>(new Map());
  error = $state('');

  private readonly socket: LiveSocket;
  private readonly watched = new Set<string>();
  private readonly wake = () => this.socket.wake();

  constructor(deps: SocketDeps = browserDeps()) {
    this.socket = new LiveSocket(deps);
  }

  /** Watches all boards of the exhibition that are not watched yet. */
  async follow(exhibition: Exhibition): Promise<void> {
    try {
      await me.come();
      this.index ??= new SceneIndex(await engine().scene(exhibition.spec));
    } catch (fault) {
      this.error = messageOf(fault);
      return;
    }
    if (this.watched.size === 0) {
      addEventListener('online', this.wake);
      document.addEventListener('visibilitychange', this.wake);
    }
    for (const { room } of exhibition.boards) if (!this.watched.has(room)) this.watch(room);
  }

  leave(): void {
    removeEventListener('online', this.wake);
    document.removeEventListener('visibilitychange', this.wake);
    for (const room of this.watched) this.socket.leave(room);
    this.socket.close();
  }

  private watch(id: string): void {
    this.watched.add(id);
    this.socket.watch(id, {
      since: () => this.boards.get(id)?.room.number,
      snapshot: (snapshot) => this.set(id, this.first(snapshot)),
      event: (event) => {
        const known = this.boards.get(id);
        const room = known ? withEvent(known.room, event) : null;
        if (!known || !room) return;
        const stones =
          event.event === 'move' && room !== known.room ? afterEffects(known.stones, event.effects) : known.stones;
        this.set(id, { room, stones });
      },
      presence: () => {},
      refused: (fault) => (this.error = fault.message),
    });
  }

  private first(snapshot: Snapshot): ShownBoard {
    return { room: fromSnapshot(snapshot), stones: this.index?.stones(snapshot.grid) ?? new Map() };
  }

  private set(id: string, board: ShownBoard): void {
    this.boards = new Map(this.boards).set(id, board);
  }
}

/** The next board after this one, in the order of the list, that `waits`; null if none does. */
export function nextWaiting(rooms: readonly string[], after: string, waits: (room: string) => boolean): string | null {
  const at = rooms.indexOf(after);
  const round = [...rooms.slice(at + 1), ...rooms.slice(0, at + 1)];
  return round.find(waits) ?? null;
}
