// GameTree: a game with its variations, comments, marks and drawings, edited with undo and redo. It is pure data: whether
// a move is legal, and what it does, is the engine's to say (engine.readTrees, engine.writeTree).
//
// A TreeDoc never changes; an edit makes another one that shares its nodes, so undo is the one before. The first child of
// a node continues the main line, the others are variations. A node has each move at most once.

import type { Drawing } from '../board/marks';
import type { Side } from './types';

/** What an annotator thinks of a move. */
export const moveMarks = ['!', '?', '!!', '??', '!?', '?!'] as const;
export type MoveMark = '' | (typeof moveMarks)[number];

/** What a file knows of a move beyond what is edited here; it is kept as it is. */
export interface MoveRecord {
  clock_ms?: number; // left to the player after it
  time_us?: number; // that it took
  score?: number; // as its player saw it, in hundredths
  depth?: number;
}

export interface TreeNode {
  readonly parent: number; // the root is its own
  readonly children: readonly number[];
  readonly move: string; // none at the root
  readonly seat: Side; // who has made the move; at the root, who has the first one
  readonly mark: MoveMark;
  readonly comment: string;
  readonly shapes: readonly Drawing[];
  readonly record: MoveRecord;
}

export interface TreeResult {
  verdict: 'ongoing' | 'first_wins' | 'second_wins' | 'draw';
  reason: string;
  remark: string;
}

export interface TreeDoc {
  readonly spec: string;
  readonly start: string; // the position it begins with; none: the game's own
  readonly players: readonly [string, string];
  readonly tags: readonly (readonly [string, string])[];
  readonly result: TreeResult | null; // of the main line; null: what the rules say
  readonly nodes: ReadonlyMap<number, TreeNode>;
  readonly next: number; // a number that no node has
}

export const root = 0;
export const maxNodes = 5_000; // as many as the engine reads
export const maxComment = 20_000; // characters

const bare = { children: [], mark: '' as MoveMark, comment: '', shapes: [], record: {} };

export const emptyDoc = (spec: string, start = '', mover: Side = 'first'): TreeDoc => ({
  spec,
  start,
  players: ['', ''],
  tags: [],
  result: null,
  nodes: new Map([[root, { ...bare, parent: root, move: '', seat: mover }]]),
  next: 1,
});

// ---- Looking at a tree ----

export function nodeOf(doc: TreeDoc, id: number): TreeNode {
  const node = doc.nodes.get(id);
  if (!node) throw new Error(`the tree has no node ${id}`);
  return node;
}

/** The nodes from the first move to this one. */
export function pathTo(doc: TreeDoc, id: number): number[] {
  const path: number[] = [];
  for (let at = id; at !== root; at = nodeOf(doc, at).parent) path.push(at);
  return path.reverse();
}

/** The nodes after this one along first children. */
export function lineAfter(doc: TreeDoc, id: number): number[] {
  const line: number[] = [];
  for (let next = nodeOf(doc, id).children[0]; next !== undefined; next = nodeOf(doc, next).children[0])
    line.push(next);
  return line;
}

export const mainLine = (doc: TreeDoc): number[] => lineAfter(doc, root);

export const movesTo = (doc: TreeDoc, id: number): string[] => pathTo(doc, id).map((at) => nodeOf(doc, at).move);

/** All nodes, the root first, each before its children and the main line before its variations. */
export function preorder(doc: TreeDoc): number[] {
  const order: number[] = [];
  const open = [root];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    order.push(id);
    open.push(...nodeOf(doc, id).children.toReversed());
  }
  return order;
}

/** True if a node is on the way to another, or is that one. */
function leadsTo(doc: TreeDoc, ancestor: number, id: number): boolean {
  let at = id;
  while (at !== ancestor && at !== root) at = nodeOf(doc, at).parent;
  return at === ancestor;
}

/** The move at which the line to a node leaves the line that is played before it; null on the main line. */
export function branchOf(doc: TreeDoc, id: number): number | null {
  for (let at = id; at !== root; at = nodeOf(doc, at).parent)
    if (nodeOf(doc, nodeOf(doc, at).parent).children[0] !== at) return at;
  return null;
}

// ---- Other trees from it ----

/** A node as it is put into a tree: what is not said is empty. */
export type NewNode = Pick<TreeNode, 'move' | 'seat'> &
  Partial<Pick<TreeNode, 'mark' | 'comment' | 'shapes' | 'record'>>;

type Nodes = Map<number, TreeNode>;

const withNodes = (doc: TreeDoc, change: (nodes: Nodes) => void): TreeDoc => {
  const nodes: Nodes = new Map(doc.nodes);
  change(nodes);
  const after = { ...doc, nodes };
  // A result is that of the game as it was played: another main line has what the rules say.
  return doc.result && String(mainLine(doc)) !== String(mainLine(after)) ? { ...after, result: null } : after;
};

const changed = (doc: TreeDoc, id: number, change: Partial<TreeNode>): TreeDoc =>
  withNodes(doc, (nodes) => nodes.set(id, { ...nodeOf(doc, id), ...change }));

/** The tree with one more child, and the child's number. */
export function withChild(doc: TreeDoc, parent: number, added: NewNode): [TreeDoc, number] {
  const id = doc.next;
  const { children } = nodeOf(doc, parent);
  const after = withNodes(doc, (nodes) => {
    nodes.set(parent, { ...nodeOf(doc, parent), children: [...children, id] });
    nodes.set(id, { ...bare, ...added, parent });
  });
  return [{ ...after, next: id + 1 }, id];
}

/** Makes a tree of many nodes, each in a moment. */
export class TreeBuilder {
  private readonly nodes: Nodes;

  constructor(private readonly doc: TreeDoc) {
    this.nodes = new Map(doc.nodes);
  }

  add(parent: number, added: NewNode): number {
    const id = this.nodes.size;
    const before = this.node(parent);
    this.nodes.set(parent, { ...before, children: [...before.children, id] });
    this.nodes.set(id, { ...bare, ...added, parent });
    return id;
  }

  change(id: number, change: Partial<TreeNode>): void {
    this.nodes.set(id, { ...this.node(id), ...change });
  }

  node(id: number): TreeNode {
    return this.nodes.get(id) ?? nodeOf(this.doc, id);
  }

  /** The tree of what was added; nothing is added after it. */
  done(): TreeDoc {
    return { ...this.doc, nodes: this.nodes, next: this.nodes.size };
  }
}

/** The tree without a node and what follows it. */
export function without(doc: TreeDoc, id: number): TreeDoc {
  const { parent } = nodeOf(doc, id);
  return withNodes(doc, (nodes) => {
    nodes.set(parent, { ...nodeOf(doc, parent), children: nodeOf(doc, parent).children.filter((c) => c !== id) });
    const open = [id];
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      open.push(...nodeOf(doc, at).children);
      nodes.delete(at);
    }
  });
}

/** The tree with the variation of a node before the moves that it is an alternative to; the same on the main line. */
export function promoted(doc: TreeDoc, id: number): TreeDoc {
  const branch = branchOf(doc, id);
  if (branch === null) return doc;
  const { parent } = nodeOf(doc, branch);
  const children = [branch, ...nodeOf(doc, parent).children.filter((child) => child !== branch)];
  return changed(doc, parent, { children });
}

// ---- The tree that somebody edits ----

interface Snapshot {
  doc: TreeDoc;
  at: number;
}

const maxUndo = 500;

export class GameTree {
  doc = $state.raw<TreeDoc>(emptyDoc(''));
  /** The node that is looked at. */
  at = $state(root);
  private past = $state.raw<Snapshot[]>([]);
  private future = $state.raw<Snapshot[]>([]);
  private typing = ''; // what the last edit wrote on: more of the same is one edit
  private readonly taken = new Map<number, number>(); // the child by which a node was left last

  readonly node: TreeNode = $derived(nodeOf(this.doc, this.at));
  readonly path: number[] = $derived(pathTo(this.doc, this.at));
  readonly canUndo: boolean = $derived(this.past.length > 0);
  readonly canRedo: boolean = $derived(this.future.length > 0);

  /** Shows another game. Undo brings the one before back. */
  load(doc: TreeDoc, at = root): void {
    this.taken.clear();
    if (this.doc.spec === '') this.set(doc, at);
    else this.commit(doc, at);
  }

  // ---- Going through it ----

  go(id: number): void {
    if (!this.doc.nodes.has(id)) return;
    this.typing = '';
    this.at = id;
    for (const at of this.path) this.taken.set(nodeOf(this.doc, at).parent, at);
  }

  /** The node after this one on the line that was looked at last; undefined at its end. */
  get following(): number | undefined {
    return this.after(this.at);
  }

  private after(id: number): number | undefined {
    const { children } = nodeOf(this.doc, id);
    const taken = this.taken.get(id);
    return taken !== undefined && children.includes(taken) ? taken : children[0];
  }

  /** The end of the line that is looked at. */
  get end(): number {
    let end = this.at;
    for (let next = this.after(end); next !== undefined; next = this.after(end)) end = next;
    return end;
  }

  /** The alternative so many places after this one, as they are listed; this one if there is none. */
  sibling(step: number): number {
    const { children } = nodeOf(this.doc, this.node.parent);
    return this.at === root ? this.at : (children[children.indexOf(this.at) + step] ?? this.at);
  }

  // ---- Editing it ----

  /** Goes to a move from here; it is added if it is new. */
  play(move: string, seat: Side): number {
    const known = this.node.children.find((id) => nodeOf(this.doc, id).move === move);
    if (known !== undefined) {
      this.go(known);
    } else if (this.doc.nodes.size < maxNodes) {
      const [doc, id] = withChild(this.doc, this.at, { move, seat });
      this.commit(doc, id);
      this.go(id);
    }
    return this.at;
  }

  remove(id: number): void {
    if (id === root) return;
    const { parent } = nodeOf(this.doc, id);
    this.commit(without(this.doc, id), leadsTo(this.doc, id, this.at) ? parent : this.at);
  }

  promote(id: number): void {
    const doc = promoted(this.doc, id);
    if (doc !== this.doc) this.commit(doc, this.at);
  }

  /** The same mark again takes it away. */
  mark(id: number, mark: MoveMark): void {
    if (id === root) return;
    this.commit(changed(this.doc, id, { mark: nodeOf(this.doc, id).mark === mark ? '' : mark }), this.at);
  }

  comment(id: number, text: string): void {
    if (text === nodeOf(this.doc, id).comment) return;
    this.commit(changed(this.doc, id, { comment: text.slice(0, maxComment) }), this.at, `comment ${id}`);
  }

  draw(id: number, shapes: readonly Drawing[]): void {
    this.commit(changed(this.doc, id, { shapes }), this.at);
  }

  undo(): void {
    const before = this.past.at(-1);
    if (!before) return;
    this.past = this.past.slice(0, -1);
    this.future = [...this.future, { doc: this.doc, at: this.at }];
    this.set(before.doc, before.at);
  }

  redo(): void {
    const after = this.future.at(-1);
    if (!after) return;
    this.future = this.future.slice(0, -1);
    this.past = [...this.past, { doc: this.doc, at: this.at }];
    this.set(after.doc, after.at);
  }

  private commit(doc: TreeDoc, at: number, typing = ''): void {
    if (!typing || typing !== this.typing)
      this.past = [...this.past.slice(-(maxUndo - 1)), { doc: this.doc, at: this.at }];
    this.future = [];
    this.set(doc, at);
    this.typing = typing;
  }

  private set(doc: TreeDoc, at: number): void {
    this.typing = '';
    this.doc = doc;
    this.at = at;
  }
}

// ---- How a tree is written ----

export interface MoveToken {
  id: number;
  number: string; // "2." or "2…"; none where it is clear
  open: number; // brackets before it
  close: number; // and behind it
}

/** A paragraph of the moves: a part of the main line (depth 0), or a variation of it with its own in brackets. */
export interface TreeRow {
  depth: 0 | 1;
  tokens: MoveToken[];
}

/** The moves in the order in which people read them. */
export function rowsOf(doc: TreeDoc): TreeRow[] {
  const rows: TreeRow[] = [];
  let row: TreeRow = { depth: 0, tokens: [] };
  const begin = (depth: 0 | 1): void => {
    if (row.tokens.length > 0) rows.push(row);
    row = { depth, tokens: [] };
  };
  /** A line of play: `count` moves of the second player came before it. */
  const walk = (first: number, depth: number, count: number): void => {
    let plain = false; // the move before this one stands right before it
    for (let id: number | undefined = first; id !== undefined; ) {
      const { seat, parent, children, comment } = nodeOf(doc, id);
      const number = seat === 'first' ? `${count + 1}.` : plain ? '' : `${count + 1}…`;
      row.tokens.push({ id, number, open: 0, close: 0 });
      const siblings = nodeOf(doc, parent).children;
      const others = siblings[0] === id ? siblings.slice(1) : [];
      for (const other of others) {
        if (depth === 0) begin(1);
        const start = row.tokens.length;
        walk(other, depth + 1, count);
        if (depth > 0) {
          row.tokens[start]!.open++;
          row.tokens.at(-1)!.close++;
        }
      }
      if (depth === 0 && others.length > 0) begin(0);
      plain = comment === '' && others.length === 0;
      count += seat === 'second' ? 1 : 0;
      id = children[0];
    }
  };
  const first = nodeOf(doc, root).children[0];
  if (first !== undefined) walk(first, 0, 0);
  begin(0);
  return rows;
}
