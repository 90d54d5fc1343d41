import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Lobby } from '../src/lib/lobby.svelte';
import { me } from '../src/lib/me.svelte';
import { FakeDeps } from './support/socket';

let deps: FakeDeps;
let rooms: string[];
let lobby: Lobby;
const rest = () => new Promise((done) => setTimeout(done));
const sent = (word: string) => deps.last.sent.filter((m) => m.do === word);
const answer = (word: string, said: object) => deps.last.tell({ ref: sent(word).at(-1)?.ref, ...said });

beforeEach(() => {
  me.person = { name: 'ann', member: false, since_ms: 0 };
  deps = new FakeDeps();
  rooms = [];
  lobby = new Lobby((room) => rooms.push(room), deps);
});
afterEach(() => {
  lobby.leave();
  me.person = null;
});

const wish = { spec: 'othello', rated: false, clock_ms: 180_000, increment_ms: 2000 };

describe('the lobby', () => {
  it('looks for an opponent and goes where both play', async () => {
    void lobby.seek(wish);
    await rest();
    deps.last.open();
    await rest();
    expect(sent('seek')[0]).toMatchObject(wish);
    answer('seek', { seeking: 7 });
    await rest();
    expect(lobby.seeking).toBe(7);
    deps.last.tell({ paired: { room: 'r1' } });
    expect(rooms).toEqual(['r1']);
    expect(lobby.wish).toBeNull();
  });

  it('asks again after a lost connection, and not after it was cancelled', async () => {
    void lobby.seek(wish);
    await rest();
    deps.last.open();
    await rest();
    answer('seek', { seeking: 7 });
    await rest();
    deps.last.close();
    expect(lobby.seeking).toBeNull();
    deps.fire();
    deps.last.open();
    await rest();
    expect(sent('seek')).toHaveLength(1);
    answer('seek', { seeking: 8 });
    await rest();
    expect(lobby.seeking).toBe(8);
    const done = lobby.cancel();
    await rest();
    expect(sent('cancel')).toHaveLength(1);
    answer('cancel', { cancelled: true });
    await done;
    expect(deps.timers).toEqual([]); // nothing is waited for any more
    void lobby.seek(wish); // and once more
    await rest();
    deps.last.open();
    await rest();
    deps.last.tell({ paired: { room: 'r9' } });
    expect(rooms).toEqual(['r9']);
  });

  it('says why nobody can be found', async () => {
    void lobby.seek(wish);
    await rest();
    deps.last.open();
    await rest();
    answer('seek', { error: { code: 'too_many_rooms', message: 'end some first' } });
    await rest();
    expect(lobby.error).toBe('end some first');
    expect(lobby.wish).toBeNull();
  });

  it('shows who waits, and plays one of them', async () => {
    await lobby.enter();
    deps.last.open();
    await rest();
    expect(sent('lobby')).toHaveLength(1);
    const seek = { seek: 3, name: 'bob', member: true, rating: 1500, spec: 'othello', clock: null, rated: false };
    deps.last.tell({ lobby: { seeks: [seek], rooms: [] } });
    expect(lobby.seeks).toEqual([seek]);
    void lobby.accept(3);
    await rest();
    answer('accept', { paired: { room: 'r2' } });
    await rest();
    expect(rooms).toEqual(['r2']);
  });

  it('opens another connection for whoever has just become a guest', async () => {
    me.person = null;
    vi.stubGlobal(
      'fetch',
      vi.fn(async () => new Response('{"person":{"name":"guest-1","member":false,"since_ms":0}}')),
    );
    await lobby.enter();
    deps.last.open();
    await rest();
    void lobby.accept(3);
    for (let i = 0; i < 5; i++) await rest();
    expect(deps.sockets).toHaveLength(2);
    deps.last.open();
    await rest();
    expect(sent('accept')).toHaveLength(1);
    vi.unstubAllGlobals();
  });
});
