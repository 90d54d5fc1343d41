import { describe, expect, it } from 'vitest';
import { LiveSocket, type RoomListener, type SocketLike, type SocketWorld } from '../src/lib/socket';

class FakeSocket implements SocketLike {
  readyState = 0;
  sent: Record<string, unknown>[] = [];
  onopen: ((event: unknown) => void) | null = null;
  onmessage: ((event: { data: unknown }) => void) | null = null;
  onclose: ((event: unknown) => void) | null = null;
  onerror: ((event: unknown) => void) | null = null;
  send(data: string): void {
    this.sent.push(JSON.parse(data) as Record<string, unknown>);
  }
  close(): void {
    this.onclose?.({});
  }
  open(): void {
    this.onopen?.({});
  }
  tell(message: object): void {
    this.onmessage?.({ data: JSON.stringify(message) });
  }
}

class FakeWorld implements SocketWorld {
  sockets: FakeSocket[] = [];
  timers: { ms: number; call: () => void }[] = [];
  open(): SocketLike {
    const socket = new FakeSocket();
    this.sockets.push(socket);
    return socket;
  }
  later(ms: number, call: () => void): () => void {
    const timer = { ms, call };
    this.timers.push(timer);
    return () => {
      this.timers = this.timers.filter((t) => t !== timer);
    };
  }
  random(): number {
    return 0.5;
  }
  get last(): FakeSocket {
    return this.sockets.at(-1)!;
  }
  fire(): number {
    const timer = this.timers.shift()!;
    timer.call();
    return timer.ms;
  }
}

function listener(number?: number): RoomListener & { heard: unknown[] } {
  const heard: unknown[] = [];
  return {
    heard,
    snapshot: (s) => heard.push(s),
    event: (e) => heard.push(e),
    presence: () => {},
    since: () => number,
    refused: (error) => heard.push(error.code),
  };
}

describe('LiveSocket', () => {
  it('asks for a snapshot first, and for what was missed after a loss', () => {
    const world = new FakeWorld();
    const socket = new LiveSocket(world);
    let known: number | undefined;
    const room = { ...listener(), since: () => known };
    socket.watch('r', room);
    world.last.open();
    expect(world.last.sent[0]).toMatchObject({ do: 'watch', room: 'r' });
    expect(world.last.sent[0]).not.toHaveProperty('since');
    known = 7;
    world.last.close();
    world.fire();
    world.last.open();
    expect(world.last.sent[0]).toMatchObject({ do: 'watch', room: 'r', since: 7 });
  });

  it('sends a turn again until it is answered, with the same id', async () => {
    const world = new FakeWorld();
    const socket = new LiveSocket(world);
    socket.watch('r', listener());
    world.last.open();
    const answer = socket.command({ do: 'play', room: 'r', turn: 'e6', id: 'x' }, true);
    world.last.close();
    world.fire();
    world.last.open();
    const again = world.last.sent.find((m) => m.do === 'play');
    expect(again).toMatchObject({ turn: 'e6', id: 'x' });
    world.last.tell({ accepted: { number: 5 }, ref: again!.ref });
    await expect(answer).resolves.toMatchObject({ accepted: { number: 5 } });
  });

  it('does not send again what could be done twice', async () => {
    const world = new FakeWorld();
    const socket = new LiveSocket(world);
    socket.watch('r', listener());
    world.last.open();
    const answer = socket.command({ do: 'resign', room: 'r' });
    world.last.close();
    await expect(answer).rejects.toMatchObject({ code: 'offline' });
    world.fire();
    world.last.open();
    expect(world.last.sent.some((m) => m.do === 'resign')).toBe(false);
  });

  it('waits longer after every failure', () => {
    const world = new FakeWorld();
    const socket = new LiveSocket(world);
    socket.watch('r', listener());
    const waits: number[] = [];
    for (let i = 0; i < 8; i++) {
      world.last.close();
      waits.push(world.fire());
    }
    expect(waits.slice(0, 3)).toEqual([250, 500, 1000]);
    expect(waits.at(-1)).toBe(8000);
  });

  it('tells of a refusal, with its details', async () => {
    const world = new FakeWorld();
    const socket = new LiveSocket(world);
    socket.watch('r', listener());
    world.last.open();
    const answer = socket.command({ do: 'play', room: 'r', turn: 'a1', id: 'y' }, true);
    const sent = world.last.sent.find((m) => m.do === 'play')!;
    world.last.tell({ error: { code: 'illegal', message: 'no', clause: '2.1', squares: ['a1'] }, ref: sent.ref });
    await expect(answer).rejects.toMatchObject({ code: 'illegal', details: { clause: '2.1', squares: ['a1'] } });
  });

  it('finds a connection that is silently dead', () => {
    const world = new FakeWorld();
    const socket = new LiveSocket(world);
    socket.watch('r', listener());
    world.last.open();
    world.fire(); // sends a ping
    expect(world.last.sent.at(-1)).toMatchObject({ do: 'ping' });
    world.fire(); // nobody answers
    world.fire(); // tries again
    expect(world.sockets).toHaveLength(2);
  });
});
