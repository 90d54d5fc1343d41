// Entry: a turn being entered, gesture by gesture, along the tree of legal steps.
//
// It holds what the player has done so far and what can be done next; nothing is sent before a turn is complete.

import { advance, type Choice, type Choices, choicesAt, ListSource, type StepSource } from './steps';
import type { Effect, Step, StepKind, StepNode } from './types';

export interface FinishedTurn {
  text: string;
  steps: Step[];
  effects: Effect[];
}

export interface EntryHooks {
  finished(turn: FinishedTurn): void;
  /** The player tried what the rules forbid. */
  refused(steps: Step[]): void;
  /** More of the turn is shown than before. */
  grown?(before: Effect[], after: Effect[]): void;
}

interface Frame {
  prefix: Step[];
  node: StepNode;
  choices: Choices;
  effects: Effect[]; // of the part of the turn that is shown
}

const nothing: Choices = { squares: new Map(), words: [] };

export class Entry {
  private frames = $state.raw<Frame[]>([]);
  /** Several turns fit one gesture: the player has to say which. */
  options = $state.raw<Choice[] | null>(null);
  /** A turn that is only played when the player says so again. */
  confirming = $state.raw<FinishedTurn | null>(null);
  preview = $state.raw<Effect[]>([]);
  previewSquare = $state<string | null>(null);
  /** Pieces that can do more than be given up. */
  movers = $state.raw<ReadonlySet<string>>(new Set());

  private readonly top = $derived(this.frames.at(-1));
  readonly prefix = $derived(this.top?.prefix ?? []);
  readonly choices = $derived(this.top?.choices ?? nothing);
  readonly effects = $derived(this.top?.effects ?? []);
  readonly begun = $derived(this.prefix.length > 0);
  /** The player may stop here, although the turn could go on. */
  readonly canEnd = $derived(Boolean(this.top?.node.complete));
  readonly path = $derived(this.prefix.flatMap((s) => (s.square ? [s.square] : [])));
  readonly selected = $derived(this.path.at(-1) ?? null);

  private queue: Promise<void> = Promise.resolve();
  private closed = false;

  constructor(
    readonly source: StepSource,
    private readonly hooks: EntryHooks,
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
    this.preview = [];
  }

  press(square: string): Promise<void> {
    return this.inOrder(async () => {
      this.options = null;
      const found = this.choices.squares.get(square);
      if (found && found.length > 1) {
        this.options = found;
      } else if (found?.[0]) {
        await this.apply(found[0].steps);
      } else if (this.begun && square === this.selected) {
        if (this.canEnd) this.finish();
        else this.frames = this.frames.slice(0, 1);
      } else if (this.onlyPicked() && this.frames[0]?.choices.squares.has(square)) {
        this.frames = this.frames.slice(0, 1);
        const again = this.choices.squares.get(square)?.[0];
        if (again) await this.apply(again.steps);
      } else {
        this.refuse(square);
      }
    });
  }

  choose(choice: Choice): Promise<void> {
    return this.inOrder(async () => {
      this.options = null;
      await this.apply(choice.steps);
    });
  }

  /** Approach, withdraw, sacrifice, pass; false if that is not possible now. */
  word(kind: StepKind): boolean {
    const among = this.options ?? this.choices.words;
    const found = among.find((c) => c.steps.some((s) => s.step === kind));
    if (found) void this.choose(found);
    return found !== undefined;
  }

  end(): boolean {
    if (!this.begun || !this.canEnd) return false;
    void this.inOrder(async () => this.finish());
    return true;
  }

  /** Takes one gesture back; false if there is none. */
  undo(): boolean {
    if (this.confirming) {
      this.confirming = null;
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
    this.confirming = null;
    this.options = null;
    this.frames = this.frames.slice(0, 1);
  }

  confirm(): void {
    const turn = this.confirming;
    this.confirming = null;
    if (turn) this.hooks.finished(turn);
  }

  /** What a gesture on the square would do, shown before it is done. */
  hover(square: string | null): void {
    if (square === this.previewSquare) return;
    this.previewSquare = square;
    this.preview = [];
    const choice = square ? this.choices.squares.get(square)?.[0] : undefined;
    if (!choice) return;
    void advance(this.source, [...this.prefix, ...choice.steps])
      .then(({ node }) => {
        if (this.previewSquare !== square || this.closed) return;
        this.preview = beyond(this.effects, node.effects ?? []);
      })
      .catch(() => {});
  }

  private onlyPicked(): boolean {
    return this.prefix.length === 1 && this.prefix[0]?.step === 'from';
  }

  private async apply(steps: Step[]): Promise<void> {
    const { prefix, node } = await advance(this.source, [...this.prefix, ...steps]);
    if (this.closed) return;
    this.preview = [];
    this.previewSquare = null;
    if (!node.complete || node.next.length > 0) {
      const before = this.effects;
      await this.push(prefix, node);
      this.hooks.grown?.(before, this.effects);
      return;
    }
    const turn: FinishedTurn = { text: node.text ?? '', steps: prefix, effects: node.effects ?? [] };
    if (prefix.at(-1)?.step === 'sacrifice') this.confirming = turn;
    else this.hooks.finished(turn);
  }

  private async push(prefix: Step[], known?: StepNode): Promise<void> {
    const node = known ?? (await this.source.node(prefix));
    const choices = await choicesAt(this.source, prefix, node);
    if (this.closed) return;
    this.frames = [...this.frames, { prefix, node, choices, effects: node.effects ?? this.effects }];
  }

  private finish(): void {
    const top = this.top;
    if (!top?.node.complete) return;
    this.hooks.finished({ text: top.node.text ?? '', steps: top.prefix, effects: top.effects });
  }

  private refuse(square: string): void {
    const first = this.frames[0]?.node.next[0]?.step ?? 'from';
    const kind: StepKind = this.begun ? 'to' : first === 'place' || first === 'pass' ? 'place' : 'from';
    this.hooks.refused([...this.prefix, { step: kind, square }]);
  }
}

/** The effects that `all` has after those of `known`; all of them if it does not begin so. */
export function beyond(known: readonly Effect[], all: readonly Effect[]): Effect[] {
  const same = known.every((e, i) => JSON.stringify(e) === JSON.stringify(all[i]));
  return same ? all.slice(known.length) : [...all];
}
