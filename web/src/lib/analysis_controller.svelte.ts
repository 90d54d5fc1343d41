// AnalysisController: any position of any game, played on as a line, judged by the engine and by tables.

import { untrack } from 'svelte';
import { announcer } from './announce.svelte';
import { BoardController } from './board_controller.svelte';
import type { Stones } from './board_state';
import { engine } from './engine';
import { ApiError, get, getText, messageOf } from './http';
import { boardsOf, type LineTurn, lineTurn } from './line';
import { PositionEditor } from './position_editor.svelte';
import { ListSource } from './steps';
import type { PositionView, SearchInfo, Values } from './types';
import { type JudgedMove, judgedByEngine, judgedByTable, valueMarks, worth } from './values';

export type Marking = 'off' | 'best' | 'numbers' | 'colours' | 'guess';

/** As many lines as a server gives: values of all moves in most positions. */
const allLines = 200;
const guessDepth = 4; // an engine that has looked no further is no judge

const pause = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));

async function recordAt(path: string): Promise<string> {
  if (!/^(classes|tournaments)\/[^/]+\/games\/[^/]+$/.test(path)) throw new Error(path);
  return (await get<{ record: string }>(`/api/${path}`)).record;
}

export class AnalysisController {
  readonly table: BoardController = new BoardController((turn) => void this.take(turn.text));
  readonly editor = new PositionEditor();

  spec = $state('');
  moves = $state.raw<LineTurn[]>([]);
  at = $state(0);
  /** The position that is looked at. */
  view = $state.raw<PositionView | null>(null);
  values = $state.raw<Values | null>(null);
  error = $state('');
  panel = $state<'lines' | 'setup' | 'record'>('lines');
  thinking = $state(true);
  lineCount = $state(3);
  record = $state('');
  /** What is shown on the squares: the values of the best moves or of all, as numbers or colours, or only after a guess. */
  marking = $state<Marking>('best');
  /** What was guessed here; `right` once it is known. */
  guess = $state.raw<{ move: string; right: boolean | null } | null>(null);
  score = $state.raw({ right: 0, all: 0 });

  private begin = $state.raw<PositionView | null>(null); // where the line starts
  private start = $state.raw<Stones | null>(null);
  private told = $state.raw<{ of: PositionView; thoughts: SearchInfo } | null>(null);
  private asked = 0;
  private stop = new AbortController();

  readonly boards: Stones[] = $derived(this.start ? boardsOf(this.start, this.moves) : []);
  /** What the engine thinks of the position that is looked at. */
  readonly thoughts: SearchInfo | null = $derived(this.told?.of === this.view ? (this.told?.thoughts ?? null) : null);
  readonly over: boolean = $derived(this.view !== null && this.view.outcome.verdict !== 'ongoing');

  /** Shows and judges what is looked at as long as the component or effect that calls this lives. */
  follow(): void {
    $effect(() => {
      const { view } = this;
      if (view) untrack(() => this.show(view));
    });
    $effect(() => {
      const { view } = this;
      const lineCount = this.marking === 'best' || this.marking === 'off' ? this.lineCount : allLines;
      const wanted = this.thinking && !this.over && this.panel === 'lines';
      untrack(() => {
        this.stop.abort();
        this.stop = new AbortController();
        if (wanted && view) void this.think(view, lineCount, this.stop.signal);
      });
    });
    $effect(() => this.mark());
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

  // ---- Where the line comes from ----

  load(spec: string, position?: string): Promise<boolean> {
    return this.attempt(() => this.beginAt(spec, position, []));
  }

  private async beginAt(spec: string, position: string | undefined, moves: LineTurn[]): Promise<void> {
    const found = await engine().position(position ? { spec, position } : { spec });
    const index = await this.table.open(found.spec);
    this.spec = found.spec;
    this.begin = found;
    this.start = index.stones(found.grid);
    this.moves = moves;
    this.at = 0;
    this.view = found;
  }

  /** The first game of a record's text, looked at from its end. */
  import(text: string | Promise<string>): Promise<boolean> {
    return this.attempt(async () => {
      const [game] = await engine().readRecords(await text);
      if (!game) return;
      const moves = game.moves.map(({ move, mover, effects, steps, position }) => ({
        text: move,
        seat: mover,
        effects,
        steps,
        position,
      }));
      await this.beginAt(game.spec, game.start, moves);
      await this.go(moves.length);
    });
  }

  /** What the page was opened with: a room's game, that of a class or a tournament by its path, or a position. */
  async open(query: URLSearchParams): Promise<void> {
    const spec = query.get('spec') ?? 'fanorona';
    const room = query.get('room');
    const path = query.get('game');
    if (!room && !path) return void (await this.load(spec, query.get('position') ?? undefined));
    if (await this.import(room ? getText(`/api/rooms/${encodeURIComponent(room)}/record`) : recordAt(path ?? '')))
      return;
    const { error } = this;
    await this.load(spec);
    this.error = error;
  }

  export(): Promise<boolean> {
    return this.attempt(async () => {
      this.record = await engine().writeRecord({
        spec: this.spec,
        ...(this.begin ? { start: this.begin.position } : {}),
        moves: this.moves.map((move) => move.text),
      });
    });
  }

  // ---- Along the line ----

  private whereAt(count: number) {
    return {
      spec: this.spec,
      position: this.begin?.position ?? '',
      moves: this.moves.slice(0, count).map((move) => move.text),
    };
  }

  go = async (count: number): Promise<void> => {
    const bounded = Math.max(0, Math.min(count, this.moves.length));
    const ask = ++this.asked;
    await this.attempt(async () => {
      const found = bounded === 0 ? this.begin : await engine().position(this.whereAt(bounded));
      if (ask !== this.asked) return;
      this.at = bounded;
      this.view = found;
    });
  };

  /** Plays a move from the position that is looked at; what followed there is forgotten. */
  async play(text: string): Promise<void> {
    this.table.stopEntry();
    const mover = this.view?.mover ?? 'first';
    await this.attempt(async () => {
      const { at } = this;
      const played = await engine().play(this.whereAt(at), text);
      const before = this.boards[at];
      if (before) announcer.say(this.table.tell(before, mover, played.effects).join('. '));
      this.moves = [...this.moves.slice(0, at), lineTurn(played, mover)];
      this.at = at + 1;
      this.view = played;
    });
  }

  // ---- What is shown of a position ----

  private show(view: PositionView): void {
    const stones = this.boards[this.at];
    if (!stones) return;
    this.table.putAfter(this.moves[this.at - 1], stones, view.mover, this.boards[this.at - 1]);
    this.table.badges = view.badges;
    this.values = null;
    this.guess = null;
    if (this.over) return;
    const where = { spec: this.spec, position: view.position };
    void this.table.allow(where).catch(() => {});
    engine()
      .values(where)
      .then((found) => {
        if (this.view === view) this.values = found;
      })
      .catch(() => {});
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

  /** Values stand on the squares that lead to them. */
  private mark(): void {
    const { entry } = this.table;
    const { judged, marking, guess } = this;
    const prefix = entry?.prefix ?? [];
    const hidden = marking === 'off' || (marking === 'guess' && (guess?.right ?? null) === null);
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
    this.table.values = valueMarks(judged, prefix, this.view?.mover ?? 'first', { colours });
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
    if (view) this.putBack(view);
  }

  private putBack(view: PositionView): void {
    const stones = this.boards[this.at];
    if (!stones) return;
    this.table.putAfter(this.moves[this.at - 1], stones, view.mover, this.boards[this.at - 1]);
    this.table.badges = view.badges;
    void this.table.allow({ spec: this.spec, position: view.position }).catch(() => {});
  }

  /** Says whether the guess was right as soon as somebody knows. */
  private judge(): void {
    const { guess, judged } = this;
    if (!guess || guess.right !== null) return;
    if (!this.values && !(this.thoughts && (this.thoughts.done || this.thoughts.depth >= guessDepth))) return;
    const found = judged.find((move) => move.text === guess.move);
    if (judged.length === 0) return;
    const best = Math.max(...judged.map((move) => worth(move.score)));
    const right = found !== undefined && worth(found.score) === best;
    this.guess = { ...guess, right };
    this.score = untrack(() => ({ right: this.score.right + (right ? 1 : 0), all: this.score.all + 1 }));
  }

  // ---- Setting up a position ----

  startEdit(): void {
    const { index } = this.table;
    if (!index) return;
    this.panel = 'setup';
    this.editor.begin(index, this.boards[this.at] ?? new Map(), this.view?.mover ?? 'first');
  }

  async endEdit(): Promise<void> {
    const found = await this.editor.check();
    if (!found) return;
    this.openPanel('lines');
    await this.load(this.spec, found.position);
  }

  openPanel(panel: 'lines' | 'record'): void {
    this.editor.stop();
    this.panel = panel;
    if (panel === 'record') void this.export();
  }
}
