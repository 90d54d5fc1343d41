// BoardController: a board with a position on it and, where somebody may move, a turn being entered.
//
// Pages put positions on it and receive complete turns; the board draws what it holds.

import type { Drawing, LastTurn, Marks, ValueMark } from '../board/marks';
import { noMarks } from '../board/marks';
import { afterEffects, SceneIndex, type Stones, sameStones } from './board_state';
import { engine, type Where } from './engine';
import { beyond, Entry, type FinishedTurn } from './entry.svelte';
import { messageOf } from './http';
import { capital, speech, t } from './i18n.svelte';
import type { LineTurn } from './line';
import { Premove } from './premove.svelte';
import { refusalOf } from './refusal';
import { asksFirst, type Gesture, settings } from './settings.svelte';
import { soundOf, soundOfDanger, soundOfPick, soundOfRefusal } from './sound';
import { effectPhrases, type Phrase, piecePhrase, playerPhrase, stagePhrases } from './telling';
import { type Badge, type Effect, isLossOf, type Refusal, type Side, type Step } from './types';

export interface Motion {
  id: number;
  before: Stones;
  effects: readonly Effect[];
  /** For each stage what happens in it; only a replay has captions, and takes the time to read them. */
  captions?: string[];
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

const maxInCaption = 3;

/** In each stage what sets the rest off comes first: the piece that explodes before those it takes along. */
const causesFirst = (effects: readonly Effect[]): Effect[] =>
  [...effects].sort((a, b) => a.stage - b.stage || Number(b.from === b.cause) - Number(a.from === a.cause));

/** What happens in a stage, short enough to be read while it is shown. */
function captionOf(stage: readonly Phrase[]): string {
  const shown = stage.slice(0, maxInCaption).map((p) => capital(speech.say(p)));
  const more = stage.length - shown.length;
  return `${shown.join('. ')}${more > 0 ? ` (+${more})` : ''}`;
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
  drawings = $state.raw<readonly Drawing[]>([]);
  /** Hears of what is drawn, where it is kept; elsewhere the next press wipes it away. */
  drawn: ((drawings: readonly Drawing[]) => void) | null = null;
  /** Only where a player waits for the other side. */
  premove = $state.raw<Premove | null>(null);

  /** What is drawn: the position, and of a turn being entered what is certain already. */
  readonly shown = $derived.by<Stones>(() => {
    const effects = this.entry?.effects ?? [];
    return effects.length > 0 ? afterEffects(this.stones, effects) : this.stones;
  });
  private readonly choices = $derived.by(() => this.findChoices());
  readonly marks = $derived<Marks>({
    ...this.choices,
    selected: this.entry?.selected ?? this.premove?.selected ?? null,
    path: this.entry?.path ?? noMarks.path,
    preview: this.entry?.preview ?? noMarks.preview,
    previewLoses: this.entry ? isLossOf(this.entry.mover, this.entry.previewEnd ?? undefined) : false,
    premove: this.premove?.squares ?? noMarks.premove,
    refused: this.refusal?.squares ?? noMarks.refused,
  });

  private motions = 0;
  private opened = '';
  private asked = 0;
  private logged = { language: '', lines: new WeakMap<LineTurn, string>() };
  private where: Where | null = null;
  private confirms = true;
  /** What led to the position that is shown, to be seen again. */
  private shownMove: { before: Stones; mover: Side; effects: readonly Effect[] } | null = null;

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
    const changes = !sameStones(before, stones);
    this.stopEntry();
    this.refusal = null;
    if (effects && effects.length > 0 && changes && sameStones(afterEffects(before, effects), stones)) {
      this.move(before, effects);
    }
    if (changes || toMove !== this.toMove) this.drawings = [];
    this.stones = stones;
    this.toMove = toMove;
    this.last = last;
    this.badges = [];
  }

  private move(before: Stones, effects: readonly Effect[]): void {
    this.motion = { id: ++this.motions, before, effects };
    soundOf(effects);
  }

  /** Puts the board after a move of a line on the board; `before` is the board before it. */
  putAfter(move: LineTurn | undefined, stones: Stones, toMove: Side, before?: Stones): void {
    this.put(stones, toMove, move?.effects ? lastTurnOf(move.effects, move.steps) : null, move?.effects);
    this.shownMove = move?.effects && before ? { before, mover: move.seat, effects: move.effects } : null;
  }

  get canReplay(): boolean {
    return this.last !== null && this.shownMove !== null;
  }

  /** Shows the last move once more, stage by stage with what happens in each. */
  replay(): void {
    const { shownMove: move, index } = this;
    if (!move || !index) return;
    const captions = stagePhrases(index, move.before, move.mover, causesFirst(move.effects)).map(captionOf);
    this.motion = { id: ++this.motions, before: move.before, effects: move.effects, captions };
    soundOf(move.effects);
  }

  /**
   * Lets the side to move enter a turn; one that was entered ahead is played at once if it can be. `confirms`: what the
   * settings say of showing a move first holds; it does not for moves that are only planned.
   */
  async allow(where: Where, confirms = true): Promise<void> {
    const asked = ++this.asked;
    this.where = where;
    this.confirms = confirms;
    const source = await engine().steps(where);
    if (asked !== this.asked) return;
    const entry = new Entry(
      source,
      {
        finished: (turn) => this.finish(turn),
        refused: (steps) => void this.explain(steps),
        idle: (square) => this.explainIdle(square),
        grown: (before, after) => {
          this.refusal = null;
          const more = beyond(before, after);
          if (more.length > 0) this.move(afterEffects(this.stones, before), more);
          else soundOfPick();
        },
      },
      this.toMove,
    );
    await entry.begin();
    if (asked !== this.asked) return;
    const ahead = this.premove?.squares ?? [];
    this.premove = null;
    this.entry = entry;
    if (ahead.length > 0) await this.playAhead(entry, ahead);
  }

  /** A premove counts only if it is a whole legal move now, and not one that loses at once. */
  private async playAhead(entry: Entry, squares: readonly string[]): Promise<void> {
    for (const square of squares) {
      if (!entry.choices.squares.has(square)) return entry.cancel();
      await entry.press(square);
      if (this.entry !== entry || entry.needsWord) return;
    }
    if (entry.confirming || !entry.end()) entry.cancel();
  }

  /** Lets a player who has to wait choose what to play next, if the settings allow it; null: nobody waits. */
  awaitMove(side: Side | null): void {
    const { index, premove } = this;
    if (!side || !index || !settings.premoves) this.premove = null;
    else if (premove?.side !== side) this.premove = new Premove(index, side, () => this.stones);
  }

  /** Whether a move that such a gesture completes is shown before it is played. */
  asks(gesture: Gesture): boolean {
    return this.confirms && asksFirst(gesture);
  }

  /** A gesture on a square. */
  press(square: string, gesture: Gesture): void {
    this.refusal = null;
    if (!this.drawn) this.drawings = [];
    if (this.entry) void this.entry.press(square, this.asks(gesture)).then(() => this.warn());
    else this.premove?.press(square);
  }

  private warn(): void {
    if (this.entry?.confirming?.why === 'loss') soundOfDanger();
  }

  /** A move as text, in any form that the game reads; false if it is none. */
  async type(text: string): Promise<boolean> {
    const { entry, where } = this;
    if (!entry || !where) return false;
    this.refusal = null;
    try {
      const { move, steps, effects, outcome } = await engine().play(where, text);
      if (this.entry !== entry) return false;
      entry.cancel();
      entry.offer({ text: move, steps, effects, ...(outcome.verdict === 'ongoing' ? {} : { outcome }) });
      this.warn();
      return true;
    } catch (fault) {
      soundOfRefusal();
      this.refusal = refusalOf(fault) ?? { message: messageOf(fault), clause: '', rules: '', squares: [] };
      return false;
    }
  }

  /** Draws an arrow or a circle, or takes it away if it is there in the same colour. */
  draw(drawing: Drawing): void {
    const old = this.drawings.find((d) => d.from === drawing.from && d.to === drawing.to);
    const others = this.drawings.filter((d) => d !== old);
    this.drawings = old && old.colour === drawing.colour ? others : [...others, drawing];
    this.drawn?.(this.drawings);
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
    this.shownMove = { before: this.stones, mover: this.toMove, effects: turn.effects };
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

  /** A square from which no move begins: no rule was broken yet, so none is cited. */
  private explainIdle(square: string): void {
    const { index } = this;
    if (!index) return;
    soundOfRefusal();
    const glyph = this.stones.get(square);
    const own = glyph !== undefined && index.pieces.get(glyph)?.owner === this.toMove;
    const message = !glyph
      ? t('{} is empty: choose a piece of {}', square, playerPhrase(index, this.toMove))
      : own
        ? t('{} has no legal move now', piecePhrase(index, glyph, square))
        : t('{} to move: choose one of their pieces', playerPhrase(index, this.toMove));
    this.refusal = { message, clause: '', rules: '', squares: [square] };
  }

  /** What a move did, in sentences. */
  tell(before: Stones, mover: Side, effects: readonly Effect[] = []): string[] {
    return this.index ? effectPhrases(this.index, before, mover, effects).map((p) => speech.say(p)) : [];
  }

  /** A game in sentences, a line for each move; each is made once, for a long game has many. */
  log(boards: readonly Stones[], moves: readonly LineTurn[]): string[] {
    if (this.logged.language !== speech.language) this.logged = { language: speech.language, lines: new WeakMap() };
    const { lines } = this.logged;
    return moves.map((move, i) => {
      const known = lines.get(move);
      if (known !== undefined) return known;
      const line = `${move.text}: ${this.tell(boards[i] ?? new Map(), move.seat, move.effects).join('; ')}`;
      if (this.index && move.effects) lines.set(move, line);
      return line;
    });
  }

  player(side: Side): Phrase {
    return this.index ? playerPhrase(this.index, side) : { pattern: side, parts: [] };
  }

  /** Marks that change with the choices alone; previews come and go much more often. */
  private findChoices(): Pick<Marks, 'selectable' | 'targets' | 'letters' | 'dangers'> {
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
    const selectable = entry.begun ? noMarks.selectable : entry.movers;
    return { selectable, targets, letters, dangers: entry.dangers };
  }
}
