// A room as a fold of what the server tells: a snapshot, then events by their numbers, each once and in order.

import type { Effect, Side, Step, Verdict } from './types';

export interface Identity {
  name: string;
  member: boolean;
  seat?: Side | null;
  engine?: number;
}

export interface Seat {
  who: Identity;
  rating: { before: number; after: number } | null;
}

export interface TimeLeft {
  turn_ms: number | null;
  game_ms: number | null;
}

export interface RoomTurn {
  text: string;
  seat: Side;
  time_us: number;
  position?: string; // after it, where it is known
  effects?: Effect[];
  steps?: Step[];
}

export interface Offer {
  what: 'draw' | 'takeback' | 'rematch';
  seat: Side;
}

export interface Chat {
  number: number;
  who: Identity;
  text?: string;
  preset?: string;
}

export interface Result {
  verdict: Verdict;
  reason: string;
  sentence: string;
  clause: string | null;
}

export interface RoomState {
  room: string;
  number: number; // of the last event
  state: 'open' | 'running' | 'ended';
  spec: string;
  title: string;
  rated: boolean;
  clock: { turn_ms?: number; base_ms?: number; increment_ms?: number } | null;
  seats: [Seat | null, Seat | null];
  start: string | null;
  position: string;
  to_move: Side;
  turns: RoomTurn[];
  offers: Offer[];
  left: Record<Side, TimeLeft>;
  left_at_us: number; // server time when `left` was true
  running: boolean;
  result: Result | null;
  rematch: string | null;
  chat: Chat[];
}

interface RawTurn {
  text: string;
  time_us: number;
  seat?: Side;
}

type Raw = Record<string, unknown>;

export const seatIndex = (side: Side): 0 | 1 => (side === 'first' ? 0 : 1);
const sideAt = (i: number): Side => (i === 0 ? 'first' : 'second');

/** Who played which turn: the last turn and the side to move tell where turns alternate (a pass is a turn too). */
function readTurns(raw: Raw): RoomTurn[] {
  const list = (raw.turns as RawTurn[] | undefined) ?? [];
  const toMove = raw.to_move as Side;
  const last = raw.last_turn as (Raw & { seat: Side }) | null | undefined;
  const lastSeat: Side = last?.seat ?? (toMove === 'first' ? 'second' : 'first');
  const turns: RoomTurn[] = list.map((turn, i) => ({
    text: turn.text,
    time_us: turn.time_us,
    seat: turn.seat ?? ((list.length - 1 - i) % 2 === 0 ? lastSeat : lastSeat === 'first' ? 'second' : 'first'),
  }));
  const end = turns.at(-1);
  if (end && last) {
    end.position = last.position as string;
    end.effects = last.effects as Effect[];
    end.steps = last.steps as Step[];
  }
  return turns;
}

export function fromSnapshot(snapshot: unknown): RoomState {
  const raw = snapshot as Raw;
  return {
    room: raw.room as string,
    number: raw.number as number,
    state: raw.state as RoomState['state'],
    spec: raw.spec as string,
    title: raw.title as string,
    rated: Boolean(raw.rated),
    clock: (raw.clock as RoomState['clock']) ?? null,
    seats: raw.seats as RoomState['seats'],
    start: (raw.start as string | null) ?? null,
    position: raw.position as string,
    to_move: raw.to_move as Side,
    turns: readTurns(raw),
    offers: (raw.offers as Offer[]) ?? [],
    left: raw.left as RoomState['left'],
    left_at_us: raw.server_time_us as number,
    running: Boolean(raw.running),
    result: (raw.result as Result | null) ?? null,
    rematch: (raw.rematch as string | null) ?? null,
    chat: (raw.chat as Chat[]) ?? [],
  };
}

const without = (offers: Offer[], what: string, seat?: string): Offer[] =>
  offers.filter((o) => o.what !== what || (seat !== undefined && o.seat !== seat));

function moved(room: RoomState, raw: Raw): RoomState {
  return {
    ...room,
    position: raw.position as string,
    to_move: raw.to_move as Side,
    left: (raw.left as RoomState['left']) ?? room.left,
    left_at_us: raw.at_us as number,
  };
}

/** The room after an event. One that is known already changes nothing; one that leaves a gap is refused by null. */
export function withEvent(room: RoomState, event: unknown): RoomState | null {
  const raw = event as Raw;
  const number = raw.number as number;
  if (number <= room.number) return room;
  if (number !== room.number + 1) return null;
  return { ...applied(room, raw), number };
}

function applied(room: RoomState, raw: Raw): RoomState {
  const seat = raw.seat as Side;
  switch (raw.event as string) {
    case 'joined': {
      const seats: RoomState['seats'] = [...room.seats];
      seats[seatIndex(seat)] = { who: raw.who as Identity, rating: null };
      return { ...room, seats };
    }
    case 'begun':
      return { ...moved(room, raw), state: 'running', rated: Boolean(raw.rated), running: room.clock !== null };
    case 'turn': {
      const turn: RoomTurn = {
        text: raw.text as string,
        seat,
        time_us: raw.time_us as number,
        position: raw.position as string,
        effects: raw.effects as Effect[],
        steps: raw.steps as Step[],
      };
      return { ...moved(room, raw), turns: [...room.turns, turn], running: room.running && !raw.over };
    }
    case 'offered':
      return {
        ...room,
        offers: [...without(room.offers, raw.what as string, seat), { what: raw.what as Offer['what'], seat }],
      };
    case 'withdrawn':
      return { ...room, offers: without(room.offers, raw.what as string, seat) };
    case 'declined':
      return { ...room, offers: without(room.offers, raw.what as string, seat === 'first' ? 'second' : 'first') };
    case 'taken_back':
      return {
        ...moved(room, raw),
        turns: room.turns.slice(0, room.turns.length - (raw.turns as number)),
        offers: without(room.offers, 'takeback'),
      };
    case 'chat':
      return { ...room, chat: [...room.chat, raw as unknown as Chat] };
    case 'ended':
      return {
        ...room,
        state: 'ended',
        running: false,
        result: raw as unknown as Result,
        left: (raw.left as RoomState['left']) ?? room.left,
        left_at_us: raw.at_us as number,
        offers: room.offers.filter((o) => o.what === 'rematch'),
      };
    case 'rated': {
      const ratings = raw.seats as { before: number; after: number }[];
      const seats = room.seats.map((s, i) => (s ? { ...s, rating: ratings[i] ?? null } : s)) as RoomState['seats'];
      return { ...room, seats };
    }
    case 'rematch':
      return { ...room, rematch: raw.room as string };
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
  const own = left.turn_ms ?? left.game_ms;
  if (own === null || own === undefined) return null;
  if (!room.running || room.to_move !== side) return own;
  return Math.max(0, own - Math.max(0, serverNowUs - room.left_at_us) / 1000);
}
