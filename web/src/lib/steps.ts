// Legal turns as the tree of their steps. Every way of entering a turn walks it and sends one complete turn.

import type { LegalTurn, Step, StepNode } from './types';

/** Where nodes of the tree come from: a list that is here already, or a server that is asked step by step. */
export interface StepSource {
  /** What can follow `prefix`; nothing follows and it is not complete if no turn begins so. */
  node(prefix: readonly Step[]): Promise<StepNode>;
}

export const sameStep = (a: Step, b: Step): boolean => a.step === b.step && a.square === b.square;

export const stepKey = (steps: readonly Step[]): string => steps.map((s) => `${s.step}:${s.square ?? ''}`).join(' ');

interface Branch {
  turn?: LegalTurn;
  children: Map<string, { step: Step; branch: Branch }>;
}

/** A list of turns that is complete. */
export class ListSource implements StepSource {
  private readonly root: Branch = { children: new Map() };

  constructor(readonly turns: readonly LegalTurn[]) {
    for (const turn of turns) {
      let at = this.root;
      for (const step of turn.steps) {
        const key = stepKey([step]);
        let child = at.children.get(key);
        if (!child) {
          child = { step, branch: { children: new Map() } };
          at.children.set(key, child);
        }
        at = child.branch;
      }
      at.turn = turn;
    }
  }

  look(prefix: readonly Step[]): StepNode {
    let at: Branch | undefined = this.root;
    for (const step of prefix) at = at?.children.get(stepKey([step]))?.branch;
    if (!at) return { complete: false, next: [] };
    const node: StepNode = { complete: at.turn !== undefined, next: [...at.children.values()].map((c) => c.step) };
    if (at.turn) {
      node.text = at.turn.text;
      if (at.turn.effects) node.effects = at.turn.effects;
      if (at.turn.outcome) node.outcome = at.turn.outcome;
    }
    return node;
  }

  /** The turns that begin with `prefix`. */
  under(prefix: readonly Step[]): LegalTurn[] {
    let at: Branch | undefined = this.root;
    for (const step of prefix) at = at?.children.get(stepKey([step]))?.branch;
    const found: LegalTurn[] = [];
    const collect = (branch: Branch) => {
      if (branch.turn) found.push(branch.turn);
      for (const child of branch.children.values()) collect(child.branch);
    };
    if (at) collect(at);
    return found;
  }

  async node(prefix: readonly Step[]): Promise<StepNode> {
    return this.look(prefix);
  }
}

/** Asks for a node once and remembers the answer. */
export class CachedSource implements StepSource {
  private readonly known = new Map<string, Promise<StepNode>>();

  constructor(private readonly ask: (prefix: readonly Step[]) => Promise<StepNode>) {}

  node(prefix: readonly Step[]): Promise<StepNode> {
    const key = stepKey(prefix);
    let answer = this.known.get(key);
    if (!answer) {
      answer = this.ask(prefix);
      answer.catch(() => this.known.delete(key));
      this.known.set(key, answer);
    }
    return answer;
  }
}

/** Some further steps that one gesture on a square (or one button) stands for. */
export interface Choice {
  steps: Step[];
}

/** What a player can do next, by square and by word. */
export interface Choices {
  squares: Map<string, Choice[]>;
  words: Choice[]; // approach, withdraw, sacrifice, pass; a square may stand for one of them too
}

/** Squares that effects empty without filling: what a turn takes. */
function taken(node: StepNode): Set<string> {
  const squares = new Set<string>();
  for (const effect of node.effects ?? []) if (effect.from && !effect.to) squares.add(effect.from);
  return squares;
}

/**
 * Collects what can follow `prefix`. A word that leads on to squares (a fling) stands for those squares; of two
 * words that are both complete (approach or withdrawal), each is also chosen by a piece that only it would take.
 */
export async function choicesAt(source: StepSource, prefix: readonly Step[], here: StepNode): Promise<Choices> {
  const choices: Choices = { squares: new Map(), words: [] };
  const add = (square: string, choice: Choice) => {
    const list = choices.squares.get(square);
    if (list) list.push(choice);
    else choices.squares.set(square, [choice]);
  };
  for (const step of here.next) if (step.square) add(step.square, { steps: [step] });
  const before = taken(here);
  for (const step of here.next) {
    if (step.square) continue;
    const node = await source.node([...prefix, step]);
    if (!node.complete) {
      for (const next of node.next) if (next.square) add(next.square, { steps: [step, next] });
      continue;
    }
    const choice: Choice = { steps: [step] };
    choices.words.push(choice);
    if (step.step !== 'approach' && step.step !== 'withdraw') continue;
    for (const square of taken(node)) if (!before.has(square)) add(square, choice);
  }
  return choices;
}

/** Goes on by steps that are no choice: a capture that is the only one. */
export async function advance(
  source: StepSource,
  prefix: readonly Step[],
): Promise<{ prefix: Step[]; node: StepNode }> {
  let steps = [...prefix];
  let node = await source.node(steps);
  while (!node.complete && node.next.length === 1 && steps.length > 0) {
    const only = node.next[0]!;
    if (only.square || (only.step !== 'approach' && only.step !== 'withdraw')) break;
    steps = [...steps, only];
    node = await source.node(steps);
  }
  return { prefix: steps, node };
}
