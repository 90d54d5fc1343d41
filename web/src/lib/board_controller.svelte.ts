// BoardController: a board with a position on it and, where somebody may move, a turn being entered.
//
// Pages put positions on it and hear of complete turns; the board draws what it holds.

import type { LastTurn, Marks, ValueMark } from '../board/marks';
import { noMarks } from '../board/marks';
import { afterEffects, SceneIndex, type Stones, sameStones } from './board_state';
import { engine, type Where } from './engine';
import { beyond, Entry, type FinishedTurn } from './entry.svelte';
import { speech } from './i18n.svelte';
import type { LineTurn } from './line';
import { soundOf, soundOfRefusal } from './sound';
import { effectPhrases, type Phrase, playerPhrase } from './telling';
import type { Badge, Effect, Refusal, Side, Step } from './types';

export interface Motion {
  id: number;
  before: Stones;
  effects: readonly Effect[];
}

const squaresOf = (steps: readonly Step[] | undefined): string[] =>
  (steps ?? []).flatMap((s) => (s.square ? [s.square] : []));

/** What a turn is remembered by: its squares in order, or those of its first effects. */
export function lastTurnOf(effects: readonly Effect[], steps?: readonly Step[]): LastTurn {
  const path = squaresOf(steps);
  if (path.length > 0) return { path, effects };
  const first = effects[0]?.stage;
  const ends = effects.filter((e) => e.stage === first).flatMap((e) => [e.from, e.to]);
  return { path: ends.filter((s): s is string => s !== null).slice(0, 2), effects };
}

export class BoardController {
  index = $state.raw<SceneIndex | null>(null);
  stones = $state.raw<Stones>(new Map());
  toMove = $state<Side>('first');
  badges = $state.raw<Badge[]>([]);
  last = $state.raw<LastTurn | null>(null);
  motion = $state.raw<Motion | null>(null);
  entry = $state.raw<Entry | null>(null);
  refusal = $state.raw<Refusal | null>(null);
  values = $state.raw<ReadonlyMap<string, ValueMark>>(new Map());

  /** What is drawn: the position, and of a turn being entered what is certain already. */
  readonly shown = $derived.by<Stones>(() => {
    const effects = this.entry?.effects ?? [];
    return effects.length > 0 ? afterEffects(this.stones, effects) : this.stones;
  });
  private readonly choices = $derived.by(() => this.findChoices());
  readonly marks = $derived<Marks>({
    ...this.choices,
    selected: this.entry?.selected ?? null,
    path: this.entry?.path ?? noMarks.path,
    preview: this.entry?.preview ?? noMarks.preview,
    refused: this.refusal?.squares ?? noMarks.refused,
  });

  private motions = 0;
  private opened = '';
  private asked = 0;
  private where: Where | null = null;

  constructor(private readonly played: (turn: FinishedTurn) => void) {}

  async open(spec: string): Promise<SceneIndex> {
    if (this.index && this.opened === spec) return this.index;
    const index = new SceneIndex(await engine().scene(spec));
    this.opened = spec;
    this.index = index;
    this.stones = index.stones(index.scene.grid);
    return index;
  }

  /** Puts a position on the board. With effects that lead there from the one before, they are shown in order. */
  put(stones: Stones, toMove: Side, last: LastTurn | null, effects?: readonly Effect[]): void {
    const before = this.shown;
    this.stopEntry();
    this.refusal = null;
    if (
      effects &&
      effects.length > 0 &&
      !sameStones(before, stones) &&
      sameStones(afterEffects(before, effects), stones)
    ) {
      this.move(before, effects);
    }
    this.stones = stones;
    this.toMove = toMove;
    this.last = last;
    this.badges = [];
  }

  private move(before: Stones, effects: readonly Effect[]): void {
    this.motion = { id: ++this.motions, before, effects };
    soundOf(effects);
  }

  /** Puts the board after a move of a line on the board. */
  putAfter(move: LineTurn | undefined, stones: Stones, toMove: Side): void {
    this.put(stones, toMove, move?.effects ? lastTurnOf(move.effects, move.steps) : null, move?.effects);
  }

  /** Lets the side to move enter a turn. */
  async allow(where: Where): Promise<void> {
    const asked = ++this.asked;
    this.where = where;
    const source = await engine().steps(where);
    if (asked !== this.asked) return;
    const entry = new Entry(source, {
      finished: (turn) => this.finish(turn),
      refused: (steps) => void this.explain(steps),
      grown: (before, after) => {
        this.refusal = null;
        const more = beyond(before, after);
        if (more.length > 0) this.move(afterEffects(this.stones, before), more);
      },
    });
    await entry.begin();
    if (asked === this.asked) this.entry = entry;
  }

  stopEntry(): void {
    this.asked++;
    this.entry?.close();
    this.entry = null;
  }

  private finish(turn: FinishedTurn): void {
    const known = this.entry?.effects ?? [];
    const before = this.shown;
    const more = beyond(known, turn.effects);
    const after = afterEffects(this.stones, turn.effects);
    this.stopEntry();
    this.refusal = null;
    this.stones = after;
    this.last = lastTurnOf(turn.effects, turn.steps);
    this.badges = [];
    if (more.length > 0) this.move(before, more);
    this.played(turn);
  }

  /** An attempt the rules forbid: nothing changes, and the rule is shown. */
  private async explain(steps: Step[]): Promise<void> {
    const where = this.where;
    if (!where) return;
    soundOfRefusal();
    const refusal = await engine().explain(where, steps);
    if (this.where === where && refusal) this.refusal = refusal;
  }

  /** What a move did, in sentences. */
  tell(before: Stones, mover: Side, effects: readonly Effect[] = []): string[] {
    return this.index ? effectPhrases(this.index, before, mover, effects).map((p) => speech.say(p)) : [];
  }

  /** A game in sentences, a line for each move. */
  log(boards: readonly Stones[], moves: readonly LineTurn[]): string[] {
    return moves.map((m, i) => `${m.text}: ${this.tell(boards[i] ?? new Map(), m.seat, m.effects).join('; ')}`);
  }

  player(side: Side): Phrase {
    return this.index ? playerPhrase(this.index, side) : { pattern: side, parts: [] };
  }

  /** Marks that change with the choices alone; previews come and go much more often. */
  private findChoices(): Pick<Marks, 'selectable' | 'targets' | 'letters'> {
    const entry = this.entry;
    if (!entry) return noMarks;
    const targets = new Map<string, 'go' | 'take' | 'fling'>();
    const letters = new Map<string, string>();
    const shown = this.shown;
    for (const [square, choices] of entry.choices.squares) {
      const first = choices[0]?.steps[0]?.step;
      const final = choices[0]?.steps.at(-1)?.step;
      if (final === 'approach' || final === 'withdraw') letters.set(square, final === 'approach' ? 'A' : 'W');
      else if (final === 'place' || final === 'to')
        targets.set(square, first === 'fling' ? 'fling' : shown.has(square) ? 'take' : 'go');
    }
    return { selectable: entry.begun ? noMarks.selectable : entry.movers, targets, letters };
  }
}
