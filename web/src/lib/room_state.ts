// A room as a fold of what the server tells: a snapshot, then events by their numbers, each once and in order.

import type { LineTurn } from './line';
import { type MoveEvent, type Offer, otherSide, type RoomEvent, type Side, type Snapshot } from './types';

export interface RoomMove extends LineTurn {
  time_us: number;
}

type Seats = [Snapshot['seats'][number], Snapshot['seats'][number]];

/** A snapshot that goes on: all moves, and when the clocks stood as `left` says. */
export interface RoomState extends Omit<Snapshot, 'moves' | 'last_move' | 'server_time_us' | 'seats' | 'grid'> {
  seats: Seats;
  moves: RoomMove[];
  left_at_us: number; // server time
}

export const seatIndex = (side: Side): 0 | 1 => (side === 'first' ? 0 : 1);
const sideAt = (i: number): Side => (i === 0 ? 'first' : 'second');

const moveOf = ({ text, seat, time_us, position, effects, steps }: MoveEvent): RoomMove => ({
  text,
  seat,
  time_us,
  position,
  effects,
  steps,
});

export function fromSnapshot(snapshot: Snapshot): RoomState {
  const { moves, last_move, server_time_us, seats, ...rest } = snapshot;
  return {
    ...rest,
    seats: [seats[0] ?? null, seats[1] ?? null],
    moves: last_move ? [...moves.slice(0, -1), moveOf(last_move)] : moves,
    left_at_us: server_time_us,
  };
}

const without = (offers: Offer[], what: string, seat?: Side): Offer[] =>
  offers.filter((o) => o.what !== what || (seat !== undefined && o.seat !== seat));

type Moved = Pick<MoveEvent, 'position' | 'to_move' | 'left' | 'at_us' | 'clock_from_us'>;
const moved = (room: RoomState, { position, to_move, left, at_us, clock_from_us }: Moved): RoomState => ({
  ...room,
  position,
  to_move,
  left,
  left_at_us: at_us,
  clock_from_us,
});

/** The room after an event. One that is known already changes nothing; one that leaves a gap is refused by null. */
export function withEvent(room: RoomState, event: RoomEvent): RoomState | null {
  if (event.number <= room.number) return room;
  if (event.number !== room.number + 1) return null;
  return { ...applied(room, event), number: event.number };
}

function applied(room: RoomState, event: RoomEvent): RoomState {
  switch (event.event) {
    case 'joined': {
      const seats: Seats = [...room.seats];
      seats[seatIndex(event.seat)] = { who: event.who, rating: null };
      return { ...room, seats };
    }
    case 'begun':
      return { ...moved(room, event), state: 'running', rated: event.rated, running: room.clock !== null };
    case 'move':
      return {
        ...moved(room, event),
        moves: [...room.moves, moveOf(event)],
        running: room.running && !event.over,
      };
    case 'offered':
      return {
        ...room,
        offers: [...without(room.offers, event.what, event.seat), { what: event.what, seat: event.seat }],
      };
    case 'withdrawn':
      return { ...room, offers: without(room.offers, event.what, event.seat) };
    case 'declined':
      return { ...room, offers: without(room.offers, event.what, otherSide(event.seat)) };
    case 'taken_back':
      return {
        ...moved(room, event),
        moves: room.moves.slice(0, room.moves.length - event.moves),
        offers: without(room.offers, 'takeback'),
      };
    case 'chat':
      return { ...room, chat: [...room.chat, event] };
    case 'ended':
      return {
        ...room,
        state: 'ended',
        running: false,
        result: event,
        left: event.left,
        left_at_us: event.at_us,
        offers: room.offers.filter((o) => o.what === 'rematch'),
      };
    case 'rated':
      return { ...room, seats: room.seats.map((s, i) => s && { ...s, rating: event.seats[i] ?? null }) as Seats };
    case 'rematch':
      return { ...room, rematch: event.room };
    default:
      return room; // a newer server may tell more
  }
}

/** Which seat is mine; a name is one person's alone. */
export function mySeat(room: RoomState, name: string | null): Side | null {
  if (!name) return null;
  const found = room.seats.findIndex((s) => s !== null && s.who.engine === undefined && s.who.name === name);
  return found < 0 ? null : sideAt(found);
}

/** What a side has left now, in milliseconds; null without a clock. */
export function leftNow(room: RoomState, side: Side, serverNowUs: number): number | null {
  const left = room.left[side];
  const own = left.move_ms ?? left.game_ms;
  if (own === null) return null;
  if (!room.running || room.to_move !== side) return own;
  const from = Math.max(room.left_at_us, room.clock_from_us ?? 0);
  return Math.max(0, own - Math.max(0, serverNowUs - from) / 1000);
}

/** How long the clock of the side to move still waits for the first move, in milliseconds; 0 if it runs. */
export function graceNow(room: RoomState, serverNowUs: number): number {
  return room.running ? Math.max(0, (room.clock_from_us ?? 0) - serverNowUs) / 1000 : 0;
}
