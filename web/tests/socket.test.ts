import { describe, expect, it } from 'vitest';
import { LiveSocket, type RoomListener } from '../src/lib/socket';
import { FakeDeps } from './support/socket';

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
    const deps = new FakeDeps();
    const socket = new LiveSocket(deps);
    let known: number | undefined;
    const room = { ...listener(), since: () => known };
    socket.watch('r', room);
    deps.last.open();
    expect(deps.last.sent[0]).toMatchObject({ do: 'watch', room: 'r' });
    expect(deps.last.sent[0]).not.toHaveProperty('since');
    known = 7;
    deps.last.close();
    deps.fire();
    deps.last.open();
    expect(deps.last.sent[0]).toMatchObject({ do: 'watch', room: 'r', since: 7 });
  });

  it('asks for each room once on every connection', () => {
    const deps = new FakeDeps();
    const socket = new LiveSocket(deps);
    socket.watch('r', listener());
    socket.watch('s', listener());
    const watched = () => deps.last.sent.filter((m) => m.do === 'watch').map((m) => m.room);
    deps.last.open();
    expect(watched()).toEqual(['r', 's']);
    deps.last.close();
    deps.fire();
    deps.last.open();
    expect(watched()).toEqual(['r', 's']);
  });

  it('hands over what was missed page by page, and says when it cannot be had', () => {
    const deps = new FakeDeps();
    const socket = new LiveSocket(deps);
    const room = listener(0);
    socket.watch('r', room);
    deps.last.open();
    deps.last.tell({ watching: 'r', ref: deps.last.sent[0]!.ref });
    for (let number = 1; number <= 3000; number++) {
      deps.last.tell({ room: 'r', event: { number } });
      if (number % 500 === 0) deps.last.tell({ pong: true }); // answers may come in between
    }
    const numbers = room.heard.map((event) => (event as { number: number }).number);
    expect(numbers).toEqual(Array.from({ length: 3000 }, (_, i) => i + 1));
    deps.last.tell({ room: 'r', error: { code: 'damaged', message: 'what is stored is damaged' } });
    expect(room.heard.at(-1)).toBe('damaged');
  });

  it('settles everything when it is closed', async () => {
    const deps = new FakeDeps();
    const socket = new LiveSocket(deps);
    const early = socket.command({ do: 'ping' }); // before there is a connection
    socket.close();
    await expect(early).rejects.toMatchObject({ code: 'offline' });
    const room = listener();
    socket.watch('r', room);
    deps.last.open();
    const play = socket.command({ do: 'play', room: 'r', move: 'e6', id: 'x' }, true);
    const resign = socket.command({ do: 'resign', room: 'r' });
    socket.close();
    await expect(play).rejects.toMatchObject({ code: 'offline' });
    await expect(resign).rejects.toMatchObject({ code: 'offline' });
    expect(room.heard).toEqual([]); // the room itself was not refused
  });

  it('sends a move again until it is answered, with the same id', async () => {
    const deps = new FakeDeps();
    const socket = new LiveSocket(deps);
    socket.watch('r', listener());
    deps.last.open();
    const answer = socket.command({ do: 'play', room: 'r', move: 'e6', id: 'x' }, true);
    deps.last.close();
    deps.fire();
    deps.last.open();
    const again = deps.last.sent.find((m) => m.do === 'play');
    expect(again).toMatchObject({ move: 'e6', id: 'x' });
    deps.last.tell({ accepted: { number: 5 }, ref: again!.ref });
    await expect(answer).resolves.toMatchObject({ accepted: { number: 5 } });
  });

  it('does not send again what could be done twice', async () => {
    const deps = new FakeDeps();
    const socket = new LiveSocket(deps);
    socket.watch('r', listener());
    deps.last.open();
    const answer = socket.command({ do: 'resign', room: 'r' });
    deps.last.close();
    await expect(answer).rejects.toMatchObject({ code: 'offline' });
    deps.fire();
    deps.last.open();
    expect(deps.last.sent.some((m) => m.do === 'resign')).toBe(false);
  });

  it('waits longer after every failure', () => {
    const deps = new FakeDeps();
    const socket = new LiveSocket(deps);
    socket.watch('r', listener());
    const waits: number[] = [];
    for (let i = 0; i < 8; i++) {
      deps.last.close();
      waits.push(deps.fire());
    }
    expect(waits.slice(0, 3)).toEqual([250, 500, 1000]);
    expect(waits.at(-1)).toBe(8000);
  });

  it('tells of a refusal, with its details', async () => {
    const deps = new FakeDeps();
    const socket = new LiveSocket(deps);
    socket.watch('r', listener());
    deps.last.open();
    const answer = socket.command({ do: 'play', room: 'r', move: 'a1', id: 'y' }, true);
    const sent = deps.last.sent.find((m) => m.do === 'play')!;
    deps.last.tell({ error: { code: 'illegal', message: 'no', clause: '2.1', squares: ['a1'] }, ref: sent.ref });
    await expect(answer).rejects.toMatchObject({ code: 'illegal', details: { clause: '2.1', squares: ['a1'] } });
  });

  it('finds a connection that is silently dead', () => {
    const deps = new FakeDeps();
    const socket = new LiveSocket(deps);
    socket.watch('r', listener());
    deps.last.open();
    deps.fire(); // sends a ping
    expect(deps.last.sent.at(-1)).toMatchObject({ do: 'ping' });
    deps.fire(); // nobody answers
    deps.fire(); // tries again
    expect(deps.sockets).toHaveLength(2);
  });

  it('notices within two seconds of play that the connection is silent, and that it is back', () => {
    const deps = new FakeDeps();
    const told: boolean[] = [];
    const socket = new LiveSocket(deps, (up) => told.push(up));
    socket.watch('r', listener(0));
    deps.last.open();
    socket.setPlaying(true);
    const silence = deps.fire() + deps.fire(); // the ping, then no answer to it
    expect(deps.last.sent.at(-1)).toEqual({ do: 'ping' });
    expect(silence).toBeLessThan(2000);
    expect(told).toEqual([true, false]);
    deps.last.tell({ pong: true });
    expect(told).toEqual([true, false, true]);
    socket.offline();
    expect(told.at(-1)).toBe(false);
  });

  it('gives a silent connection up and opens another one, telling of the loss once', () => {
    const deps = new FakeDeps();
    const told: boolean[] = [];
    const socket = new LiveSocket(deps, (up) => told.push(up));
    socket.watch('r', listener(0));
    deps.last.open();
    socket.setPlaying(true);
    for (let i = 0; i < 4; i++) deps.fire(); // ping, silent, dropped, retried
    expect(deps.sockets).toHaveLength(2);
    deps.last.open();
    expect(told).toEqual([true, false, true]);
  });
});
