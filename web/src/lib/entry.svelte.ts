// Entry: a turn being entered, gesture by gesture, along the tree of legal steps.
//
// It holds what the player has done so far and what can be done next; nothing is sent before a turn is complete. A turn
// that loses the game at once is never played by one careless gesture.

import { advance, type Choice, type Choices, choicesAt, ListSource, type StepSource } from './steps';
import { type Effect, isLossOf, type Outcome, type Side, type Step, type StepKind, type StepNode } from './types';

export interface FinishedTurn {
  text: string;
  steps: Step[];
  effects: Effect[];
  outcome?: Outcome; // if it ends the game
}

export interface EntryHooks {
  finished(turn: FinishedTurn): void;
  /** The player tried what the rules forbid. */
  refused(steps: Step[]): void;
  /** The player pressed a square from which no move begins. */
  idle?(square: string): void;
  /** More of the turn is shown than before. */
  grown?(before: Effect[], after: Effect[]): void;
}

/** A complete turn that waits for the player to say so again. */
export interface Confirming {
  turn: FinishedTurn;
  why: 'tap' | 'sacrifice' | 'loss';
  square: string | null; // that was pressed: pressing it again plays what was only shown
}

interface Frame {
  prefix: Step[];
  node: StepNode;
  choices: Choices;
  dangers: ReadonlySet<string>; // squares from which every way on loses at once
  effects: Effect[]; // of the part of the turn that is shown
}

const nothing: Choices = { squares: new Map(), words: [] };
const nowhere: ReadonlySet<string> = new Set();

/** What of a node becomes a turn. Requires that it is complete. */
const turnOf = (prefix: Step[], { text, effects, outcome }: StepNode): FinishedTurn => ({
  text: text ?? '',
  steps: prefix,
  effects: effects ?? [],
  ...(outcome ? { outcome } : {}),
});

export class Entry {
  private frames = $state.raw<Frame[]>([]);
  /** Several turns fit one gesture: the player has to say which. */
  options = $state.raw<Choice[] | null>(null);
  confirming = $state.raw<Confirming | null>(null);
  preview = $state.raw<Effect[]>([]);
  previewSquare = $state<string | null>(null);
  /** How the game would end by what is previewed. */
  previewEnd = $state.raw<Outcome | null>(null);
  /** The player pressed elsewhere while a word was to be chosen. */
  nudged = $state(false);
  /** Pieces that can do more than be given up. */
  movers = $state.raw<ReadonlySet<string>>(nowhere);

  private readonly top = $derived(this.frames.at(-1));
  readonly prefix = $derived(this.top?.prefix ?? []);
  readonly choices = $derived(this.top?.choices ?? nothing);
  readonly dangers = $derived(this.top?.dangers ?? nowhere);
  readonly effects = $derived(this.top?.effects ?? []);
  readonly begun = $derived(this.prefix.length > 0);
  /** The player may stop here, although the turn could go on. */
  readonly canEnd = $derived(Boolean(this.top?.node.complete));
  readonly path = $derived(this.prefix.flatMap((s) => (s.square ? [s.square] : [])));
  readonly selected = $derived(this.path.at(-1) ?? null);
  /** Only a word can follow: approach or withdrawal. */
  readonly needsWord = $derived(this.begun && !this.canEnd && this.choices.words.length > 1);

  private queue: Promise<void> = Promise.resolve();
  private closed = false;

  constructor(
    readonly source: StepSource,
    private readonly hooks: EntryHooks,
    readonly mover: Side = 'first',
  ) {}

  /** Gestures are handled one after the other, for some have to ask the server first. */
  private inOrder(work: () => Promise<void>): Promise<void> {
    this.queue = this.queue.then(async () => {
      if (!this.closed) await work();
    });
    return this.queue;
  }

  begin(): Promise<void> {
    return this.inOrder(async () => {
      await this.push([]);
      this.movers = await this.findMovers();
    });
  }

  /** Where the tree has to be asked for step by step, every piece that can be chosen counts. */
  private async findMovers(): Promise<Set<string>> {
    const movers = new Set<string>();
    for (const step of this.top?.node.next ?? []) {
      if (step.step !== 'from' || !step.square) continue;
      const known = this.source instanceof ListSource;
      if (!known || this.source.look([step]).next.some((s) => s.step !== 'sacrifice')) movers.add(step.square);
    }
    return movers;
  }

  /** The position has changed: what was begun means nothing any more. */
  close(): void {
    this.closed = true;
    this.frames = [];
    this.options = null;
    this.confirming = null;
    this.unpreview();
  }

  /** `ask`: a complete turn is shown and waits for the same gesture again. */
  press(square: string, ask = false): Promise<void> {
    return this.inOrder(async () => {
      this.options = null;
      this.nudged = false;
      const waiting = this.confirming;
      if (waiting?.why === 'tap' && waiting.square === square) return this.confirm();
      this.drop();
      const found = this.choices.squares.get(square);
      if (found && found.length > 1) {
        this.options = found;
      } else if (found?.[0]) {
        await this.apply(found[0].steps, square, ask);
      } else if (this.begun && square === this.selected) {
        if (this.canEnd) this.finish(square, ask);
        else this.frames = this.frames.slice(0, 1);
      } else if ((this.onlyPicked() || this.needsWord) && this.frames[0]?.choices.squares.has(square)) {
        this.frames = this.frames.slice(0, 1);
        const again = this.choices.squares.get(square)?.[0];
        if (again) await this.apply(again.steps, square, ask);
      } else {
        this.refuse(square);
      }
    });
  }

  choose(choice: Choice, ask = false): Promise<void> {
    return this.inOrder(async () => {
      this.options = null;
      await this.apply(choice.steps, null, ask);
    });
  }

  /** Approach, withdraw, sacrifice, pass; false if that is not possible now. */
  word(kind: StepKind, ask = false): boolean {
    const among = this.options ?? this.choices.words;
    const found = among.find((c) => c.steps.some((s) => s.step === kind));
    if (found) void this.choose(found, ask);
    return found !== undefined;
  }

  end(ask = false): boolean {
    if (!this.begun || !this.canEnd) return false;
    void this.inOrder(async () => this.finish(null, ask));
    return true;
  }

  /** Takes one gesture back; false if there is none. */
  undo(): boolean {
    if (this.confirming) {
      this.drop();
      return true;
    }
    if (this.options) {
      this.options = null;
      return true;
    }
    if (this.frames.length < 2) return false;
    this.frames = this.frames.slice(0, -1);
    return true;
  }

  cancel(): void {
    this.drop();
    this.options = null;
    this.frames = this.frames.slice(0, 1);
  }

  confirm(): void {
    const waiting = this.confirming;
    this.drop();
    if (waiting) this.hooks.finished(waiting.turn);
  }

  /** Plays a complete turn, or asks first where it loses, gives a piece up, or somebody wants to see it before. */
  offer(turn: FinishedTurn, square: string | null = null, ask = false): void {
    const loses = isLossOf(this.mover, turn.outcome);
    const why = loses ? 'loss' : turn.steps.at(-1)?.step === 'sacrifice' ? 'sacrifice' : ask ? 'tap' : null;
    if (!why) {
      this.hooks.finished(turn);
      return;
    }
    this.confirming = { turn, why, square };
    this.preview = beyond(this.effects, turn.effects);
    this.previewEnd = turn.outcome ?? null;
  }

  /** What a gesture on the square would do, shown before it is done. */
  hover(square: string | null): void {
    if (square === this.previewSquare || this.confirming) return;
    this.unpreview();
    this.previewSquare = square;
    const choice = square ? this.choices.squares.get(square)?.[0] : undefined;
    if (!choice) return;
    void advance(this.source, [...this.prefix, ...choice.steps])
      .then(({ node }) => {
        if (this.previewSquare !== square || this.closed || this.confirming) return;
        this.preview = beyond(this.effects, node.effects ?? []);
        this.previewEnd = node.next.length === 0 ? (node.outcome ?? null) : null;
      })
      .catch(() => {});
  }

  private unpreview(): void {
    this.preview = [];
    this.previewSquare = null;
    this.previewEnd = null;
  }

  /** What waited to be confirmed does not wait any more. */
  private drop(): void {
    if (!this.confirming) return;
    this.confirming = null;
    this.unpreview();
  }

  private onlyPicked(): boolean {
    return this.prefix.length === 1 && this.prefix[0]?.step === 'from';
  }

  private async apply(steps: Step[], square: string | null, ask: boolean): Promise<void> {
    const { prefix, node } = await advance(this.source, [...this.prefix, ...steps]);
    if (this.closed) return;
    this.unpreview();
    if (!node.complete || node.next.length > 0) {
      const before = this.effects;
      await this.push(prefix, node);
      this.hooks.grown?.(before, this.effects);
      return;
    }
    this.offer(turnOf(prefix, node), square, ask);
  }

  private async push(prefix: Step[], known?: StepNode): Promise<void> {
    const node = known ?? (await this.source.node(prefix));
    const choices = await choicesAt(this.source, prefix, node);
    if (this.closed) return;
    const frame = {
      prefix,
      node,
      choices,
      dangers: this.dangersOf(prefix, choices),
      effects: node.effects ?? this.effects,
    };
    this.frames = [...this.frames, frame];
  }

  /** Where the tree is not known as a whole, a loss is only seen when the turn is complete. */
  private dangersOf(prefix: Step[], { squares }: Choices): ReadonlySet<string> {
    const { source } = this;
    if (!(source instanceof ListSource)) return nowhere;
    const loses = ({ steps }: Choice) =>
      source.under([...prefix, ...steps]).every((turn) => isLossOf(this.mover, turn.outcome));
    return new Set([...squares].filter(([, choices]) => choices.every(loses)).map(([square]) => square));
  }

  private finish(square: string | null, ask: boolean): void {
    const top = this.top;
    if (top?.node.complete) this.offer(turnOf(top.prefix, { ...top.node, effects: top.effects }), square, ask);
  }

  private refuse(square: string): void {
    if (this.needsWord) {
      this.nudged = true; // no rule forbids the square: a choice is open
      return;
    }
    const first = this.frames[0]?.node.next[0]?.step ?? 'from';
    if (!this.begun && first === 'from' && this.hooks.idle) {
      this.hooks.idle(square);
      return;
    }
    const kind: StepKind = this.begun ? 'to' : first === 'place' || first === 'pass' ? 'place' : 'from';
    this.hooks.refused([...this.prefix, { step: kind, square }]);
  }
}

/** The effects that `all` has after those of `known`; all of them if it does not begin so. */
export function beyond(known: readonly Effect[], all: readonly Effect[]): Effect[] {
  const same = known.every((e, i) => JSON.stringify(e) === JSON.stringify(all[i]));
  return same ? all.slice(known.length) : [...all];
}
