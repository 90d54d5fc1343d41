import { describe, expect, it } from 'vitest';
import { clockText, ServerClock } from '../src/lib/clock';
import { fromSnapshot, graceNow, leftNow, mySeat, type RoomState, withEvent } from '../src/lib/room_state';
import type { RoomEvent, Side, Snapshot } from '../src/lib/types';

const who = (name: string) => ({ who: { name, member: false, seat: null }, rating: null });
const snapshot: Snapshot = {
  room: 'r1',
  number: 3,
  server_time_us: 1_000_000,
  state: 'running',
  spec: 'othello:8x8',
  title: 'Othello',
  players: ['Black', 'White'],
  rated: false,
  listed: false,
  takebacks: true,
  clock: { base_ms: 60_000, increment_ms: 0 },
  seats: [who('ann'), who('bob')],
  start: null,
  position: 'p0',
  grid: [],
  to_move: 'first',
  clock_from_us: null,
  moves: [],
  last_move: null,
  offers: [],
  running: true,
  left: { first: { move_ms: null, game_ms: 60_000 }, second: { move_ms: null, game_ms: 60_000 } },
  result: null,
  rematch: null,
  chat: [],
};
const move = (number: number, seat: Side, text: string): RoomEvent => ({
  number,
  at_us: 2_000_000,
  event: 'move',
  move: number - 3,
  id: null,
  seat,
  text,
  steps: [],
  effects: [],
  position: `after ${text}`,
  to_move: seat === 'first' ? 'second' : 'first',
  clock_from_us: 2_000_000,
  time_us: 5,
  left: { first: { move_ms: null, game_ms: 59_000 }, second: { move_ms: null, game_ms: 60_000 } },
  over: false,
});
const fold = (state: RoomState, ...events: RoomEvent[]): RoomState =>
  events.reduce<RoomState>((s, e) => withEvent(s, e)!, state);

describe('a room', () => {
  const begun = fromSnapshot(snapshot);

  it('plays turns and takes them back', () => {
    const two = fold(begun, move(4, 'first', 'e6'), move(5, 'second', 'f4'));
    expect(two.moves.map((t) => t.text)).toEqual(['e6', 'f4']);
    expect(two.to_move).toBe('first');
    const back = fold(two, {
      number: 6,
      at_us: 3,
      event: 'taken_back',
      moves: 2,
      seat: 'first',
      position: 'p0',
      to_move: 'first',
      clock_from_us: 3,
      left: snapshot.left,
    });
    expect(back.moves).toEqual([]);
    expect(back.position).toBe('p0');
  });

  it('takes an event once, and refuses one after a gap', () => {
    const one = fold(begun, move(4, 'first', 'e6'));
    expect(withEvent(one, move(4, 'first', 'e6'))).toBe(one);
    expect(withEvent(one, move(6, 'first', 'e6'))).toBeNull();
  });

  it('keeps offers until they are answered', () => {
    const offered = fold(begun, { number: 4, at_us: 3, event: 'offered', what: 'draw', seat: 'first' });
    expect(offered.offers).toEqual([{ what: 'draw', seat: 'first' }]);
    expect(fold(offered, { number: 5, at_us: 3, event: 'declined', what: 'draw', seat: 'second' }).offers).toEqual([]);
    expect(fold(offered, { number: 5, at_us: 3, event: 'withdrawn', what: 'draw', seat: 'first' }).offers).toEqual([]);
  });

  it('ends, is rated and goes on elsewhere', () => {
    const ended = fold(
      begun,
      {
        number: 4,
        at_us: 9,
        event: 'ended',
        verdict: 'draw',
        reason: 'agreed',
        sentence: 'a draw',
        clause: null,
        rules: null,
        left: snapshot.left,
      },
      {
        number: 5,
        at_us: 9,
        event: 'rated',
        seats: [
          { before: 1500, after: 1510 },
          { before: 1500, after: 1490 },
        ],
      },
      { number: 6, at_us: 9, event: 'rematch', room: 'r2' },
    );
    expect(ended.state).toBe('ended');
    expect(ended.running).toBe(false);
    expect(ended.seats[0]?.rating?.after).toBe(1510);
    expect(ended.rematch).toBe('r2');
  });

  it('lets somebody join', () => {
    const open = fromSnapshot({ ...snapshot, state: 'open', seats: [who('ann'), null] });
    const joined = fold(open, {
      number: 4,
      at_us: 3,
      event: 'joined',
      seat: 'second',
      who: { name: 'cy', member: true, seat: 'second' },
    });
    expect(mySeat(joined, 'cy')).toBe('second');
    expect(mySeat(joined, 'dan')).toBeNull();
  });

  it('knows of the last move of a snapshot what it did', () => {
    const last = move(4, 'first', 'e6');
    if (last.event !== 'move') throw new Error();
    const told = { seat: 'second' as const, text: 'd6', time_us: 1 };
    const state = fromSnapshot({
      ...snapshot,
      moves: [told, { seat: 'first', text: 'e6', time_us: 5 }],
      last_move: last,
    });
    expect(state.moves[0]).toEqual(told);
    expect(state.moves[1]).toMatchObject({ text: 'e6', position: 'after e6', effects: [] });
  });

  it('lets only the clock of the side to move run', () => {
    expect(leftNow(begun, 'first', 6_000_000)).toBe(55_000);
    expect(leftNow(begun, 'second', 6_000_000)).toBe(60_000);
    expect(leftNow(begun, 'first', 999_000_000)).toBe(0);
    expect(leftNow({ ...begun, running: false }, 'first', 6_000_000)).toBe(60_000);
  });

  it('lets no clock run before the first move, as long as the server waits for it', () => {
    const early = { ...begun, clock_from_us: 21_000_000 };
    expect(leftNow(early, 'first', 11_000_000)).toBe(60_000);
    expect(graceNow(early, 11_000_000)).toBe(10_000);
    expect(leftNow(early, 'first', 23_000_000)).toBe(58_000);
    expect(graceNow(early, 23_000_000)).toBe(0);
    expect(graceNow({ ...early, running: false }, 11_000_000)).toBe(0);
  });
});

describe('clocks', () => {
  it('are written for people', () => {
    expect([0, 9_940, 10_000, 65_000, 3_723_000].map(clockText)).toEqual(['0.0', '9.9', '0:10', '1:05', '1:02:03']);
    expect([172_799_000, 172_800_000, 1_209_600_000].map(clockText)).toEqual(['47:59:59', '2 d 0 h', '14 d 0 h']);
  });

  it('believe the message that was quickest', () => {
    const clock = new ServerClock();
    clock.told(10_000_000, 1000); // took long
    clock.told(11_000_000, 1500);
    expect(clock.nowUs(2000)).toBe(11_500_000);
  });
});
