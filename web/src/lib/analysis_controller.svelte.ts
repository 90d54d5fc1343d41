// AnalysisController: any position of any game, with a tree of moves, judged by the engine and by tables.

import { untrack } from 'svelte';
import { announcer } from './announce.svelte';
import { BoardController } from './board_controller.svelte';
import type { Stones } from './board_state';
import { engine, type Where } from './engine';
import { emptyDoc, GameTree, mainLine, movesTo, nodeOf, pathTo, root, type TreeDoc } from './game_tree.svelte';
import { ApiError, get, getText, messageOf, query } from './http';
import { keepTree, keptTree } from './kept_trees';
import { type LineTurn, lineTurn } from './line';
import { PositionEditor } from './position_editor.svelte';
import { ListSource } from './steps';
import { analysisOf, readAddress } from './tree_address';
import { dataOf, docOf } from './tree_json';
import type { PositionView, SearchInfo, Values } from './types';
import { isBest, type JudgedMove, judgedByEngine, judgedByTable, valueMarks } from './values';

export type Marking = 'off' | 'best' | 'numbers' | 'colours' | 'guess';

/** As many lines as a server gives: values of all moves in most positions. */
const allLines = 200;
const guessDepth = 8; // an engine that has looked no further, and could go on, is no judge

const defaultSpec = 'fanorona';

/** A game up to a node: what is known of it stays true whatever is edited elsewhere. */
const keyOf = (doc: TreeDoc, id: number): string => [doc.spec, doc.start, ...movesTo(doc, id)].join('\n');

const pause = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));

async function recordAt(path: string): Promise<string> {
  if (!/^(classes|tournaments)\/[^/]+\/games\/[^/]+$/.test(path)) throw new Error(path);
  return (await get<{ record: string }>(`/api/${path}`)).record;
}

/** What is known of a node: the position there and, once somebody has gone there, the move that leads to it. */
interface Seen {
  view: PositionView;
  turn?: LineTurn;
}

const maxSeen = 2000;

const whereAt = (doc: TreeDoc, id: number): Where => ({
  spec: doc.spec,
  ...(doc.start ? { position: doc.start } : {}),
  moves: movesTo(doc, id),
});

export class AnalysisController {
  readonly table: BoardController = new BoardController((turn) => void this.take(turn.text));
  readonly editor = new PositionEditor();
  readonly tree = new GameTree();

  /** The position that is looked at. */
  view = $state.raw<PositionView | null>(null);
  /** How many moves lead to it. */
  turns = $state(0);
  values = $state.raw<Values | null>(null);
  error = $state('');
  panel = $state<'lines' | 'setup' | 'record' | 'review'>('lines');
  thinking = $state(true);
  lineCount = $state(3);
  record = $state('');
  /** The games of the file that was opened last, if it had several. */
  games = $state.raw<TreeDoc[]>([]);
  /** What is shown on the squares: the values of the best moves or of all, as numbers or colours, or only after a guess. */
  marking = $state<Marking>('best');
  /** Nothing is shown on the squares now, whatever is chosen. */
  quiet = $state(false);
  /** The engine judges all moves, whatever is shown on the squares. */
  wide = $state(false);
  /** What was guessed here; `right` once it is known. */
  guess = $state.raw<{ move: string; right: boolean | null } | null>(null);
  score = $state.raw({ right: 0, all: 0 });
  /** Hears of moves that are played: from which node and position, to which node. */
  onplay: ((from: number, to: number, position: string) => void) | null = null;

  private told = $state.raw<{ of: PositionView; thoughts: SearchInfo } | null>(null);
  private readonly seen = new Map<string, Seen>();
  private shown: { key: string; turn?: LineTurn; before?: Stones } = { key: '' };
  private kept = ''; // the name by which this browser keeps the tree
  private asked = 0;
  private stop = new AbortController();

  readonly spec: string = $derived(this.tree.doc.spec);
  /** What the engine thinks of the position that is looked at. */
  readonly thoughts: SearchInfo | null = $derived(this.told?.of === this.view ? (this.told?.thoughts ?? null) : null);
  readonly over: boolean = $derived(this.view !== null && this.view.outcome.verdict !== 'ongoing');
  /** The page with this tree, or with as much of it as an address holds. */
  readonly address: string = $derived(analysisOf(this.tree.doc, this.tree.at));

  /** `keeps`: this browser keeps the tree, for a page that shows nothing else. */
  constructor(private readonly keeps = true) {
    this.table.drawn = (drawings) =>
      this.tree.draw(
        this.tree.at,
        drawings.map((one) => ({ ...one, colour: one.colour ?? 'green' })),
      );
  }

  /** Shows and judges what is looked at as long as the component or effect that calls this lives. */
  follow(): void {
    $effect(() => {
      void this.tree.doc;
      void this.tree.at;
      untrack(() => void this.look());
    });
    $effect(() => {
      const { view } = this;
      if (view) untrack(() => this.show(view));
    });
    $effect(() => {
      const { shapes } = this.tree.node;
      void this.view;
      untrack(() => {
        this.table.drawings = shapes;
      });
    });
    $effect(() => {
      const { view } = this;
      const few = !this.wide && (this.marking === 'best' || this.marking === 'off');
      const lineCount = few ? this.lineCount : allLines;
      const wanted = this.thinking && !this.over && (this.wide || this.panel === 'lines');
      untrack(() => {
        this.stop.abort();
        this.stop = new AbortController();
        if (wanted && view) void this.think(view, lineCount, this.stop.signal);
      });
    });
    $effect(() => this.mark());
    $effect(() => {
      const { doc, path } = this.tree;
      if (this.keeps && doc.spec && this.kept) keepTree(this.kept, this.address, doc, path);
    });
    $effect(() => () => {
      this.table.stopEntry();
      this.stop.abort();
    });
  }

  private async attempt(work: () => Promise<void>): Promise<boolean> {
    this.error = '';
    try {
      await work();
      return true;
    } catch (fault) {
      this.error = messageOf(fault);
      return false;
    }
  }

  // ---- Where the tree comes from ----

  /** A game without moves yet. */
  load(spec: string, position?: string): Promise<boolean> {
    return this.attempt(async () => {
      const found = await engine().position(position ? { spec, position } : { spec });
      const scene = (await this.table.open(found.spec)).scene;
      const start = found.position === scene.position ? '' : found.position;
      await this.begin(emptyDoc(found.spec, start, found.mover), root);
    });
  }

  private async begin(doc: TreeDoc, at: number, kept = Math.random().toString(36).slice(2)): Promise<void> {
    await this.table.open(doc.spec);
    this.kept = kept;
    this.shown = { key: '' };
    this.tree.load(doc, at);
    await this.look();
  }

  /** The games of a file in any format; the first one is looked at from its end. */
  import(text: string | Promise<string>): Promise<boolean> {
    return this.attempt(async () => {
      const trees = await engine().readTrees(await text, this.spec);
      this.games = trees.length > 1 ? trees.map(docOf) : [];
      const [first] = trees;
      if (first) await this.openGame(docOf(first));
    });
  }

  openGame(doc: TreeDoc, at = mainLine(doc).at(-1) ?? root): Promise<void> {
    return this.begin(doc, at);
  }

  /** What the page was opened with: a room's game, that of a class or a tournament by its path, a tree, or a position;
   * nothing: what was looked at last. */
  async open(asked: URLSearchParams, hash = ''): Promise<void> {
    const spec = asked.get('spec');
    const room = asked.get('room');
    const path = asked.get('game');
    if (room || path) {
      if (await this.import(room ? getText(`/api/rooms/${encodeURIComponent(room)}/record`) : recordAt(path ?? '')))
        return;
      const { error } = this;
      await this.load(spec ?? defaultSpec);
      this.error = error;
      return;
    }
    const position = asked.get('position') ?? '';
    const told = hash.replace(/^#/, '');
    const kept = keptTree(spec ? `/analysis${query({ spec, position })}${told ? `#${told}` : ''}` : undefined);
    if (kept && (await this.attempt(() => this.begin(kept.doc, kept.at, kept.id)))) return;
    if (spec && told) await this.openAddress(spec, position, told);
    else await this.load(spec ?? defaultSpec, position || undefined);
  }

  /** What can be read of an address, and what is wrong with the rest. */
  private async openAddress(spec: string, position: string, told: string): Promise<void> {
    const read = readAddress(told, spec, position);
    let faults: string[] = [];
    const opened = await this.attempt(async () => {
      const checked = await engine().checkTree(dataOf(read.doc));
      faults = checked.faults;
      const doc = docOf(checked.tree);
      // Where nothing was left out, nodes have the numbers that they had.
      const at = faults.length === 0 ? this.placeIn(doc, read.doc, read.at) : (mainLine(doc).at(-1) ?? root);
      await this.begin(doc, at);
    });
    if (opened) this.error = [read.fault, ...faults].filter(Boolean)[0] ?? '';
  }

  /** The node of one tree at the place of a node of another with the same moves. */
  private placeIn(doc: TreeDoc, other: TreeDoc, at: number): number {
    let here = root;
    for (const id of pathTo(other, at)) {
      const place = nodeOf(other, nodeOf(other, id).parent).children.indexOf(id);
      here = nodeOf(doc, here).children[place] ?? here;
    }
    return here;
  }

  export(format?: string): Promise<boolean> {
    return this.attempt(async () => {
      this.record = await engine().writeTree(dataOf(this.tree.doc), format);
    });
  }

  // ---- Along the tree ----

  go = async (id: number): Promise<void> => {
    this.error = '';
    this.tree.go(id);
    await this.look();
  };

  /** Looks at the node where the tree is. */
  private async look(): Promise<void> {
    const { doc, at } = this.tree;
    if (!doc.spec) return;
    const key = keyOf(doc, at);
    if (key === this.shown.key) return;
    const ask = ++this.asked;
    try {
      const index = await this.table.open(doc.spec);
      const { view, turn } = await this.find(doc, at);
      const before = turn ? (await this.findView(doc, nodeOf(doc, at).parent)).grid : null;
      if (ask !== this.asked) return;
      this.shown = { key, ...(turn && before ? { turn, before: index.stones(before) } : {}) };
      this.turns = pathTo(doc, at).length;
      this.view = view;
    } catch (fault) {
      if (ask === this.asked) this.error = messageOf(fault);
    }
  }

  private remember(key: string, seen: Seen): Seen {
    if (this.seen.size >= maxSeen) this.seen.clear();
    this.seen.set(key, seen);
    return seen;
  }

  private async findView(doc: TreeDoc, id: number): Promise<PositionView> {
    const key = keyOf(doc, id);
    const known = this.seen.get(key);
    return (known ?? this.remember(key, { view: await engine().position(whereAt(doc, id)) })).view;
  }

  /** The position at a node with the move that leads there. */
  private async find(doc: TreeDoc, id: number): Promise<Seen> {
    if (id === root) return { view: await this.findView(doc, id) };
    const key = keyOf(doc, id);
    const known = this.seen.get(key);
    if (known?.turn) return known;
    const { parent, move, seat } = nodeOf(doc, id);
    const played = await engine().play(whereAt(doc, parent), move);
    return this.remember(key, { view: played, turn: lineTurn(played, seat) });
  }

  /** Plays a move from the position that is looked at; another one than was played there becomes a variation. */
  async play(text: string): Promise<void> {
    this.table.stopEntry();
    const { doc, at } = this.tree;
    const mover = this.view?.mover ?? 'first';
    const position = this.view?.position ?? '';
    await this.attempt(async () => {
      const played = await engine().play(whereAt(doc, at), text);
      if (this.tree.doc !== doc || this.tree.at !== at) return;
      announcer.say(this.table.tell(this.table.stones, mover, played.effects).join('. '));
      const to = this.tree.play(played.move, mover);
      this.remember(keyOf(this.tree.doc, to), { view: played, turn: lineTurn(played, mover) });
      await this.look();
      this.onplay?.(at, to, position);
    });
  }

  // ---- What is shown of a position ----

  private show(view: PositionView): void {
    this.put(view);
    this.values = null;
    this.guess = null;
    if (this.over) return;
    const where = { spec: this.spec, position: view.position };
    engine()
      .values(where)
      .then((found) => {
        if (this.view === view) this.values = found;
      })
      .catch(() => {});
  }

  /** Puts the position on the board and lets people move in it. */
  private put(view: PositionView): void {
    const { index } = this.table;
    if (!index) return;
    this.table.putAfter(this.shown.turn, index.stones(view.grid), view.mover, this.shown.before);
    this.table.badges = view.badges;
    if (this.over) return;
    void this.table.allow({ spec: this.spec, position: view.position }).catch(() => {});
  }

  private async think(view: PositionView, lines: number, signal: AbortSignal): Promise<void> {
    this.told = null;
    await pause(300); // somebody who leafs through a game does not want every position thought about
    const where = { spec: view.spec, position: view.position };
    const tell = (thoughts: SearchInfo) => {
      if (!signal.aborted) this.told = { of: view, thoughts };
    };
    for (let tries = 0; tries < 4 && !signal.aborted; tries++) {
      try {
        await engine().analyse(where, { time_ms: 8000, lines }, tell, signal);
        return;
      } catch (fault) {
        if (!(fault instanceof ApiError) || fault.code !== 'too_often') return;
        await pause(Number(fault.details.retry_after_ms ?? 2000));
      }
    }
  }

  /** What all moves are worth that anybody has judged: a table where there is one, else the engine. */
  private readonly judged: JudgedMove[] = $derived.by(() => {
    const source = this.table.entry?.source;
    if (this.values) return judgedByTable(this.values.moves);
    if (!this.thoughts || !(source instanceof ListSource)) return [];
    return judgedByEngine(source.turns, this.thoughts.lines);
  });

  /** Values would give away what is to be found. */
  private readonly secret: boolean = $derived(
    this.quiet || (this.marking === 'guess' && (this.guess?.right ?? null) === null),
  );
  /** What may be told of the moves. */
  readonly openValues: JudgedMove[] = $derived(this.secret ? [] : this.judged);

  /** Values stand on the squares that lead to them. */
  private mark(): void {
    const { entry } = this.table;
    const { judged, marking } = this;
    const prefix = entry?.prefix ?? [];
    const hidden = this.secret || marking === 'off';
    this.table.values = new Map();
    if (marking === 'guess') this.judge();
    if (!entry || hidden) return;
    const best = judged[0];
    if (marking === 'best' && !this.values) {
      // Before anything is chosen the engine's move is an arrow; all values would only hide the board.
      untrack(() => {
        const effects = best && this.effectsOf(best.text);
        const free = prefix.length === 0 && entry.previewSquare === null && !entry.confirming;
        if (effects && free) entry.preview = effects;
      });
    }
    const colours = marking === 'colours';
    const few = marking === 'best' && !this.values; // more may be judged, for those who explore
    this.table.values = valueMarks(
      few ? judged.slice(0, this.lineCount) : judged,
      prefix,
      this.view?.mover ?? 'first',
      { colours },
    );
  }

  private effectsOf(text: string) {
    const source = this.table.entry?.source;
    return source instanceof ListSource ? source.turns.find((turn) => turn.text === text)?.effects : undefined;
  }

  // ---- Guessing the best move ----

  /** A move on the board: played, or first a guess. */
  private async take(text: string): Promise<void> {
    if (this.marking !== 'guess' || this.guess) return this.play(text);
    const { view } = this;
    this.guess = { move: text, right: null };
    // The board stays where it is: the guess is not played.
    if (view) this.put(view);
  }

  /** Says whether the guess was right as soon as somebody knows. */
  private judge(): void {
    const { guess, judged } = this;
    if (!guess || guess.right !== null) return;
    if (!this.values && !(this.thoughts && (this.thoughts.done || this.thoughts.depth >= guessDepth))) return;
    const found = judged.find((move) => move.text === guess.move);
    if (judged.length === 0) return;
    const right = found !== undefined && isBest(found, judged, this.values !== null);
    this.guess = { ...guess, right };
    this.score = untrack(() => ({ right: this.score.right + (right ? 1 : 0), all: this.score.all + 1 }));
  }

  // ---- Setting up a position ----

  startEdit(): void {
    const { index } = this.table;
    if (!index) return;
    this.panel = 'setup';
    this.editor.begin(index, this.table.stones, this.view?.mover ?? 'first');
  }

  async endEdit(): Promise<void> {
    const found = await this.editor.check();
    if (!found) return;
    this.openPanel('lines');
    await this.load(this.spec, found.position);
  }

  openPanel(panel: 'lines' | 'record' | 'review'): void {
    this.editor.stop();
    this.panel = panel;
    if (panel === 'record') void this.export();
  }
}
