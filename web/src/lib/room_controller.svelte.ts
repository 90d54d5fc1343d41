// RoomController: a game in a room as its page shows it, and everything its players can do.

import { untrack } from 'svelte';
import { toneOf, turnedFor } from '../board/look';
import { announcer } from './announce.svelte';
import { BoardController } from './board_controller.svelte';
import { losses, type Stones } from './board_state';
import { engine } from './engine';
import type { FinishedTurn } from './entry.svelte';
import { Evaluator } from './evaluator.svelte';
import { messageOf } from './http';
import { t } from './i18n.svelte';
import { boardsOf } from './line';
import { refusalOf } from './refusal';
import type { LiveRoom } from './room.svelte';
import { isCorrespondence, RoomPlans } from './room_plans.svelte';
import { graceNow, leftNow, type RoomMove, type RoomState, seatIndex } from './room_state';
import { Shown } from './shown.svelte';
import { soundOfEnd } from './sound';
import { type Offer, otherSide, type Side } from './types';

export class RoomController {
  readonly table: BoardController = new BoardController((turn) => void this.send(turn));
  readonly evaluator = new Evaluator();
  readonly shown: Shown = new Shown(() => this.moves.length);

  turned = $state(false);
  notice = $state('');
  judging = $state(false);
  hinting = $state(false);
  private hinted = $state.raw<{ at: number; move: string } | null>(null);
  /** What ended the game, in sentences. */
  cause = $state.raw<readonly string[]>([]);
  private start = $state.raw<Stones | null>(null); // where the pieces stood when the game began

  readonly game: RoomState | null = $derived.by(() => this.room.state);
  readonly seat: Side | null = $derived.by(() => this.room.seat);
  readonly moves: RoomMove[] = $derived(this.game?.moves ?? []);
  readonly boards: Stones[] = $derived(this.start ? boardsOf(this.start, this.moves) : []);
  /** Whose pieces are at the bottom: one's own, and the first player's for who watches. */
  readonly bottom: Side = $derived.by(() => {
    const own = this.seat ?? 'first';
    return this.turned ? otherSide(own) : own;
  });
  readonly flipped: boolean = $derived.by(() => {
    const scene = this.table.index?.scene;
    const turned = scene ? turnedFor(scene, this.seat ?? 'first') : false;
    return turned !== this.turned;
  });
  readonly myTurn: boolean = $derived(this.game?.state === 'running' && this.seat === this.game.to_move);
  readonly againstEngine: boolean = $derived(Boolean(this.game?.seats.some((s) => s?.who.engine !== undefined)));
  /** Those who play against each other are not helped, and nobody looks over the shoulders of a rated game. */
  readonly mayJudge: boolean = $derived(
    this.game?.state === 'ended' ||
      (this.againstEngine && this.game?.takebacks) ||
      (this.seat === null && !this.game?.rated),
  );
  readonly myOffers: Offer[] = $derived(this.offersBy((seat) => seat === this.seat));
  readonly theirOffers: Offer[] = $derived(this.offersBy((seat) => seat !== this.seat));
  readonly log: string[] = $derived(this.table.log(this.boards, this.moves));
  readonly plans: RoomPlans = new RoomPlans(this);
  /** What plans are about; empty for those who only watch. */
  private readonly planning: string = $derived(
    this.seat && this.game ? `${this.seat} ${this.game.state} ${this.moves.length}` : '',
  );

  /** What the evaluator is asked about the positions of the game. */
  readonly positions = $derived.by(() => {
    const { game } = this;
    if (!game) return [];
    return [undefined, ...this.moves].map((move, i) => ({
      where: {
        spec: game.spec,
        ...(move ? { position: move.position ?? '' } : game.start ? { position: game.start } : {}),
      },
      position: move ? (move.position ?? '') : 'start',
      toMove: this.sideAfter(i),
    }));
  });

  /** A hint is about the position that it was asked for. */
  readonly hintText: string = $derived(
    this.hinted?.at === this.moves.length && this.myTurn ? t('Hint: {}', this.hinted.move) : '',
  );

  private spoken = 0; // moves that were told
  private shownKey = ''; // what the board shows
  private ended = false;

  constructor(readonly room: LiveRoom) {}

  private offersBy(by: (seat: Side) => boolean): Offer[] {
    return this.seat ? (this.game?.offers ?? []).filter((o) => by(o.seat)) : [];
  }

  private sideAfter(count: number): Side {
    return this.moves[count]?.seat ?? this.game?.to_move ?? 'first';
  }

  /** Enters the room and follows it as long as the component or effect that calls this lives. */
  follow(): void {
    $effect(() => {
      this.room.enter().catch((fault) => (this.room.lost = fault));
      return () => {
        this.room.leave();
        this.evaluator.end();
        this.table.stopEntry();
      };
    });
    $effect(() => {
      const { game } = this;
      if (game && !this.start) untrack(() => void this.open(game).catch(this.complain));
    });
    // What a takeback or a snapshot leaves without effects is asked for again.
    $effect(() => {
      if (this.start && this.moves.some((move) => !move.effects)) void this.room.fillMoves().catch(() => {});
    });
    $effect(() => this.room.setPlaying(this.game?.state === 'running' && this.seat !== null));
    // Conditional moves are used up by moves, and a draft is about a position that is gone.
    $effect(() => {
      if (!this.planning) return;
      untrack(() => {
        this.plans.draft = null;
        void this.plans.read().catch(() => {});
      });
    });
    $effect(() => this.show());
    $effect(() => {
      if (this.boards.length > this.moves.length) untrack(() => this.announce());
    });
    $effect(() => {
      const result = this.game?.result;
      if (!result || this.ended) return;
      this.ended = true;
      soundOfEnd();
      untrack(() => announcer.say(result.sentence));
    });
    $effect(() => {
      const over = this.game?.result?.clause && this.boards.length > this.moves.length;
      this.cause = [];
      if (over) untrack(() => void this.findCause().catch(() => {}));
    });
    $effect(() => {
      const here = this.positions[this.shown.at];
      if (!this.judging || !this.mayJudge || !here || (this.shown.live && this.game?.result)) return;
      untrack(() => void this.evaluator.look(here.where, here.position, here.toMove, 400));
    });
  }

  /** The last move is played once more, elsewhere, to hear what it did to end the game. */
  private async findCause(): Promise<void> {
    const { game, moves } = this;
    const last = moves.at(-1);
    if (!game || !last) return;
    const position = moves.at(-2)?.position ?? game.start ?? undefined;
    const played = await engine().play({ spec: game.spec, ...(position ? { position } : {}) }, last.text);
    if (this.moves === moves) this.cause = played.outcome.cause ?? [];
  }

  private complain = (fault: unknown): void => {
    this.notice = messageOf(fault);
  };

  /** The board's description comes once, with the pieces where the game began. */
  private async open({ spec, start }: RoomState): Promise<void> {
    const index = await this.table.open(spec);
    const grid = start ? (await engine().position({ spec, position: start })).grid : index.scene.grid;
    await this.room.fillMoves();
    this.start = index.stones(grid);
  }

  /** Puts the position that is to be seen on the board, and lets the player move if it is the one of now. */
  private show(again = false): void {
    const { game, shown } = this;
    const { at, live } = shown;
    const stones = this.boards[at];
    // A move that is on its way is on the board already.
    if (!stones || !game || (this.room.sending && live)) return;
    if (this.plans.draft && live) return; // the board shows what is being planned
    if (this.plans.draft) untrack(() => this.plans.drop()); // who leafs has left the plan
    const mayMove = this.myTurn && live;
    const quick = game.clock === null || !isCorrespondence(game); // nobody waits days before a board
    const mayPremove = live && quick && this.seat !== null && game.state === 'running';
    const toMove = this.sideAfter(at);
    const move = this.moves[at - 1];
    // Chat and offers change nothing on the board, and take no half-entered move away.
    const key = [at, live, this.moves.length, game.position, game.state, mayMove, mayPremove, Boolean(move?.effects)];
    if (!again && key.join() === this.shownKey) return;
    this.shownKey = key.join();
    untrack(() => {
      this.table.putAfter(move, stones, toMove, this.boards[at - 1]);
      if (!mayMove) this.table.awaitMove(mayPremove ? this.seat : null);
      if (mayMove) void this.table.allow({ spec: game.spec, position: game.position }).catch(this.complain);
      void this.badges(game.spec, at).catch(() => {});
    });
  }

  /** Signs on pieces follow from the rules: the engine tells them. */
  private async badges(spec: string, count: number): Promise<void> {
    const position = count === 0 ? (this.game?.start ?? undefined) : this.moves[count - 1]?.position;
    if (count > 0 && !position) return;
    const view = await engine().position(position ? { spec, position } : { spec });
    if (this.shown.at === count) this.table.badges = view.badges;
  }

  /** Moves are told once, as they come; a game that has begun before is not read out. */
  private announce(): void {
    const first = this.spoken === 0 && this.moves.length > 1;
    for (const [i, move] of this.moves.entries()) {
      if (i < this.spoken || first) continue;
      announcer.say(`${move.text}. ${this.table.tell(this.boards[i]!, move.seat, move.effects).join('. ')}`);
    }
    this.spoken = this.moves.length;
  }

  /** A whole move was entered on the board: to be played, or part of a plan. */
  private async send(turn: FinishedTurn): Promise<void> {
    return this.plans.draft ? this.plans.add(turn).catch(this.complain) : this.play(turn.text);
  }

  /** Conditional moves begin where the game stands now, whatever is shown. */
  async beginPlan(): Promise<void> {
    this.shown.go(this.moves.length);
    this.show(true);
    await this.plans.begin();
  }

  cancelPlan(): void {
    this.plans.drop();
    this.show(true);
  }

  async savePlan(): Promise<void> {
    await this.plans.save();
    this.show(true);
  }

  /** Does something, and shows the fault if it fails. */
  async attempt(work: () => Promise<void>): Promise<void> {
    this.notice = '';
    await work().catch(this.complain);
  }

  private async play(text: string): Promise<void> {
    try {
      await this.room.play(text);
    } catch (fault) {
      // Back to what the server has.
      const stones = this.boards[this.moves.length];
      if (stones && this.game) {
        this.table.put(stones, this.game.to_move, null);
        if (this.myTurn) await this.table.allow({ spec: this.game.spec, position: this.game.position });
      }
      const refusal = refusalOf(fault);
      if (refusal) this.table.refusal = refusal;
      else this.complain(fault);
    }
  }

  async command(word: string, fields: Record<string, unknown> = {}): Promise<void> {
    this.notice = '';
    await this.room.command(word, fields).catch(this.complain);
  }

  async hint(): Promise<void> {
    if (!this.game) return;
    this.hinting = true;
    this.notice = '';
    const where = { spec: this.game.spec, position: this.game.position };
    try {
      const thoughts = await engine().analyse(where, { time_ms: 1000 }, () => {});
      const move = thoughts.lines[0]?.moves[0];
      if (!move) return;
      const played = await engine().play(where, move);
      if (where.position !== this.game?.position) return; // another move was played meanwhile
      if (this.table.entry) this.table.entry.preview = played.effects;
      this.hinted = { at: this.moves.length, move };
      announcer.say(this.hintText);
    } catch (fault) {
      this.complain(fault);
    } finally {
      this.hinting = false;
    }
  }

  /** What is shown of a side above or below the board. */
  side(side: Side) {
    const { game, room } = this;
    const { index } = this.table;
    const scene = index?.scene;
    const stones = this.boards[this.shown.at];
    const isOwn = (glyph: string) => index?.pieces.get(glyph)?.owner === side;
    const gone = index?.scene.look.pieces_leave && this.start && stones ? losses(index, this.start, stones) : [];
    return {
      seat: game?.seats[seatIndex(side)] ?? null,
      side: t(scene?.players.find((p) => p.id === side)?.name ?? side),
      tone: scene
        ? toneOf(
            scene,
            scene.pieces.find((p) => p.owner === side),
          )
        : 'light',
      here: room.presence[side],
      toMove: game?.state === 'running' && game.to_move === side,
      mine: this.seat === side,
      left: () => (game ? leftNow(game, side, room.nowUs()) : null),
      running: Boolean(game?.running && game.to_move === side),
      waits: () => (game && game.to_move === side ? graceNow(game, room.nowUs()) : 0),
      index,
      lost: [...gone].filter(([glyph]) => isOwn(glyph)),
      count: [...(stones?.values() ?? [])].filter(isOwn).length,
    };
  }
}
