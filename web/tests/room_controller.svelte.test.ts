import { flushSync } from 'svelte';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { announcer } from '../src/lib/announce.svelte';
import { useEngine } from '../src/lib/engine';
import { me } from '../src/lib/me.svelte';
import { LiveRoom } from '../src/lib/room.svelte';
import { RoomController } from '../src/lib/room_controller.svelte';
import { settings } from '../src/lib/settings.svelte';
import type { Side, Snapshot } from '../src/lib/types';
import { dropEngine } from './support/engine';
import { FakeDeps } from './support/socket';

const none = { move_ms: null, game_ms: null };
const seat = (name: string, engine?: number) => ({
  who: { name, member: false, seat: null, ...(engine ? { engine } : {}) },
  rating: null,
});
const timesLeft = { first: none, second: none };
const snapshot: Snapshot = {
  room: 'r',
  number: 3,
  server_time_us: 1,
  state: 'running',
  spec: 'drop:3',
  title: 'Drop',
  players: ['White', 'Black'],
  rated: false,
  listed: false,
  takebacks: true,
  clock: null,
  seats: [seat('ann'), seat('bob')],
  start: null,
  position: '...',
  grid: ['...'],
  to_move: 'first',
  clock_from_us: null,
  moves: [],
  last_move: null,
  offers: [],
  running: false,
  left: timesLeft,
  result: null,
  rematch: null,
  chat: [],
};

let world: FakeDeps;
let engine: ReturnType<typeof dropEngine>;
let control: RoomController;
let end: () => void;
const left: string[][] = []; // conditional moves on the server

async function rest(): Promise<void> {
  for (let i = 0; i < 5; i++) {
    await new Promise((done) => setTimeout(done));
    flushSync();
  }
}

async function enter(told: Partial<Snapshot> = {}): Promise<void> {
  end = $effect.root(() => control.follow());
  await rest();
  world.last.open();
  world.last.tell({ room: 'r', snapshot: { ...snapshot, ...told } });
  await rest();
}

function moved(number: number, by: Side, text: string, position: string): void {
  const to_move = by === 'first' ? 'second' : 'first';
  const placed = { effect: 'placed', stage: 0, piece: by === 'first' ? 'w' : 'b', from: null, to: text };
  const effects = [{ ...placed, cause: null, clause: '1.1' }];
  const steps = [{ step: 'place', square: text }];
  const move = { event: 'move', move: number - 3, seat: by, id: null, text, steps, effects, position, to_move };
  world.last.tell({
    room: 'r',
    event: { number, at_us: number, time_us: 1, left: timesLeft, clock_from_us: null, over: false, ...move },
  });
}

const sent = (word: string) => world.last.sent.filter((m) => m.do === word);
const answer = (word: string, said: object) => world.last.tell({ ref: sent(word).at(-1)?.ref, ...said });

beforeEach(() => {
  engine = dropEngine();
  useEngine(engine);
  settings.premoves = true;
  vi.stubGlobal(
    'fetch',
    vi.fn(async () => new Response(JSON.stringify({ lines: left }))),
  );
  left.length = 0;
  me.person = { name: 'ann', member: false, since_ms: 0 };
  world = new FakeDeps();
  control = new RoomController(new LiveRoom('r', world));
});
afterEach(() => {
  end();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  me.person = null;
});

describe('a room', () => {
  it('lets the one who is to move play, and shows the answer', async () => {
    const said = vi.spyOn(announcer, 'say');
    await enter();
    expect(control.myTurn).toBe(true);
    await control.table.entry!.press('b1');
    await rest();
    expect(sent('play')[0]).toMatchObject({ move: 'b1', number: 1 });
    answer('play', { accepted: { number: 4, repeated: false } });
    moved(4, 'first', 'b1', '.w.');
    await rest();
    expect(control.myTurn).toBe(false);
    expect(control.table.entry).toBeNull();
    moved(5, 'second', 'a1', 'bw.');
    await rest();
    expect(control.table.stones).toEqual(
      new Map([
        ['b1', 'w'],
        ['a1', 'b'],
      ]),
    );
    expect(control.log).toEqual(['b1: White plays on b1', 'a1: Black plays on a1']);
    expect(said.mock.calls.map(([text]) => text)).toEqual(['b1. White plays on b1', 'a1. Black plays on a1']);
    expect(control.side('second')).toMatchObject({ count: 1, lost: [], mine: false, toMove: false });
  });

  it('takes a refused move back and shows the rule', async () => {
    await enter();
    await control.table.entry!.press('b1');
    await rest();
    answer('play', { error: { code: 'illegal', message: 'no', clause: '1.1', rules: 'r', squares: ['b1'] } });
    await rest();
    expect(control.table.stones.size).toBe(0);
    expect(control.table.refusal).toMatchObject({ clause: '1.1', squares: ['b1'] });
    expect(control.table.entry).not.toBeNull();
  });

  it('leafs without letting anybody move in the past', async () => {
    await enter();
    moved(4, 'first', 'b1', '.w.');
    moved(5, 'second', 'a1', 'bw.');
    await rest();
    control.shown.go(0);
    await rest();
    expect(control.table.stones.size).toBe(0);
    expect(control.table.entry).toBeNull();
    control.shown.go(2);
    await rest();
    expect(control.table.entry).not.toBeNull();
  });

  it('does not help those who play against each other, but against the computer', async () => {
    await enter();
    expect(control.mayJudge).toBe(false);
    expect(control.againstEngine).toBe(false);
    world.last.tell({ room: 'r', snapshot: { ...snapshot, number: 9, seats: [seat('ann'), seat('engine', 3)] } });
    await rest();
    expect(control.mayJudge).toBe(true);
    await control.hint();
    expect(control.hintText).toBe('Hint: b1');
    expect(control.table.entry?.preview).toHaveLength(1);
  });

  it('tells offers of both sides apart, and what the server refuses', async () => {
    await enter({
      offers: [
        { what: 'draw', seat: 'second' },
        { what: 'takeback', seat: 'first' },
      ],
    });
    expect(control.theirOffers.map((o) => o.what)).toEqual(['draw']);
    expect(control.myOffers.map((o) => o.what)).toEqual(['takeback']);
    const done = control.command('agree', { what: 'draw' });
    answer('agree', { error: { code: 'gone', message: 'There is no such offer.' } });
    await done;
    expect(control.notice).toBe('There is no such offer.');
  });

  it('forgets a hint as soon as a move is played', async () => {
    await enter({ seats: [seat('ann'), seat('engine', 3)] });
    await control.hint();
    expect(control.hintText).toBe('Hint: b1');
    moved(4, 'first', 'a1', 'w..');
    moved(5, 'second', 'c1', 'w.b');
    await rest();
    expect(control.hintText).toBe('');
  });

  it('says what ended the game', async () => {
    const played = engine.play.getMockImplementation()!;
    engine.play.mockImplementation(async (where, move) => {
      const found = await played(where, move);
      return { ...found, outcome: { verdict: 'draw', reason: 'board_full', cause: [`${move} fills it`] } };
    });
    await enter();
    moved(4, 'first', 'b1', '.w.');
    const ended = {
      event: 'ended',
      verdict: 'draw',
      reason: 'board_full',
      sentence: 'Full',
      clause: '1.2',
      rules: 'x',
    };
    world.last.tell({ room: 'r', event: { number: 5, at_us: 5, time_us: 1, left, ...ended } });
    await rest();
    expect(control.cause).toEqual(['b1 fills it']);
  });

  it('has the own side at the bottom', async () => {
    me.person = { name: 'bob', member: false, since_ms: 0 };
    await enter();
    expect(control.bottom).toBe('second');
    control.turned = true;
    expect(control.bottom).toBe('first');
  });

  it('plays what was chosen while the other side was to move, if it can be', async () => {
    await enter();
    moved(4, 'first', 'b1', '.w.');
    await rest();
    control.table.press('c1', 'mouse');
    expect(control.table.premove?.squares).toEqual(['c1']);
    moved(5, 'second', 'a1', 'bw.');
    await rest();
    expect(world.last.sent.some((message) => message.do === 'play' && message.move === 'c1')).toBe(true);
  });

  it('judges the position that is shown, once', async () => {
    me.person = { name: 'eve', member: false, since_ms: 0 };
    await enter();
    control.judging = true;
    await rest();
    control.judging = false;
    await rest();
    control.judging = true;
    await rest();
    expect(engine.analyse).toHaveBeenCalledTimes(1);
    expect(control.evaluator.known.get('start')?.part).toBeGreaterThan(0.5);
  });

  it('drops a premove that the opponent has made impossible', async () => {
    await enter({ to_move: 'second' });
    control.table.press('a1', 'mouse');
    expect(control.table.stones.size).toBe(0); // nothing has moved yet
    moved(4, 'second', 'a1', 'w..');
    await rest();
    expect(sent('play')).toEqual([]);
    expect(control.table.premove).toBeNull();
    expect(control.table.entry?.begun).toBe(false);
  });

  it('takes premoves only if the player wants them, and not in games of days', async () => {
    settings.premoves = false;
    await enter({ to_move: 'second' });
    expect(control.table.premove).toBeNull();
    settings.premoves = true;
    control.table.awaitMove('first');
    expect(control.table.premove).not.toBeNull();
    world.last.tell({
      room: 'r',
      snapshot: { ...snapshot, number: 9, to_move: 'second', clock: { move_ms: 86_400_000 } },
    });
    await rest();
    expect(control.table.premove).toBeNull();
  });

  it('leaves conditional moves on the server, entered on the board', async () => {
    const left: string[][] = [];
    vi.stubGlobal(
      'fetch',
      vi.fn(async () => new Response(JSON.stringify({ lines: left }))),
    );
    me.person = { name: 'bob', member: false, since_ms: 0 };
    await enter({ clock: { move_ms: 86_400_000 } });
    expect(control.plans.mayLeave).toBe(true);
    await control.beginPlan();
    control.table.press('a1', 'touch'); // nothing is played, so nothing is asked
    await rest();
    expect(control.table.toMove).toBe('second');
    expect(control.plans.draft).toEqual(['a1']);
    expect(control.plans.draftIsWhole).toBe(false);
    await control.table.entry!.press('b1');
    await rest();
    expect(control.plans.draft).toEqual(['a1', 'b1']);
    const saved = control.savePlan();
    await rest();
    expect(sent('conditional')[0]).toMatchObject({ lines: [['a1', 'b1']] });
    left.push(['a1', 'b1']);
    answer('conditional', { accepted: { number: 3, repeated: true } });
    await saved;
    expect(control.plans.lines).toEqual([['a1', 'b1']]);
    expect(control.plans.draft).toBeNull();
    expect(sent('play')).toEqual([]);
  });

  it('shows no engine lines of a running rated game to anybody', async () => {
    me.person = { name: 'eve', member: true, since_ms: 0 };
    await enter({ rated: true });
    expect(control.seat).toBeNull();
    expect(control.mayJudge).toBe(false);
    world.last.tell({ room: 'r', snapshot: { ...snapshot, number: 9 } });
    await rest();
    expect(control.mayJudge).toBe(true);
  });

  it('lets nobody lose a half-entered move by a message', async () => {
    await enter();
    const entry = control.table.entry;
    expect(entry).not.toBeNull();
    const who = { name: 'bob', member: false, seat: 'second' };
    world.last.tell({ room: 'r', event: { number: 4, at_us: 4, event: 'chat', who, text: 'hello' } });
    await rest();
    expect(control.game?.chat).toHaveLength(1);
    expect(control.table.entry).toBe(entry);
  });
});
