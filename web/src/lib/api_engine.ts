// The engine behind the interface for positions (docs/server.md), whoever answers it: the server or this device.

import type { Backend } from './backend';
import type { AnalysisWish, Demo, DemoTitle, EditedBoard, Engine, ReplayedGame, TableAnswer, Where } from './engine';
import { ApiError, query } from './http';
import { speech } from './i18n.svelte';
import { CachedSource, ListSource, type StepSource } from './steps';
import type {
  Badge,
  Effect,
  GameInfo,
  Outcome,
  Played,
  PositionView,
  Refusal,
  Scene,
  SearchInfo,
  Side,
  Step,
  StepNode,
  TableWord,
} from './types';

const mostListed = 1000;

interface RawPosition {
  spec: string;
  position: string;
  grid: string[];
  mover: Side;
  outcome: Outcome;
  turns?: number;
  badges?: Badge[];
}

interface RawTurns {
  turn: string | null;
  next: (Step & { turn: string | null })[];
  turns: { turn: string; steps: Step[]; effects: Effect[]; position: string }[];
  complete: boolean;
}

interface RawPlayed extends RawPosition {
  turn: string;
  steps: Step[];
  effects: Effect[];
}

const view = (raw: RawPosition): PositionView => ({
  spec: raw.spec,
  position: raw.position,
  grid: raw.grid,
  to_move: raw.mover,
  outcome: raw.outcome,
  badges: raw.badges ?? [],
  turns: raw.turns ?? 0,
});

const bareStep = (step: Step): Step => (step.square ? { step: step.step, square: step.square } : { step: step.step });

export function refusalOf(error: unknown): Refusal | null {
  if (!(error instanceof ApiError) || error.code !== 'illegal') return null;
  return {
    message: error.message,
    clause: String(error.details.clause ?? ''),
    rules: String(error.details.rules ?? error.details.document ?? ''),
    squares: (error.details.squares as string[] | undefined) ?? [],
  };
}

export class ApiEngine implements Engine {
  private readonly scenes = new Map<string, Promise<Scene>>();
  private known: Promise<GameInfo[]> | null = null;

  constructor(private readonly backend: Backend) {}

  games(): Promise<GameInfo[]> {
    this.known ??= this.backend.get<{ games: GameInfo[] }>('/api/games').then((body) => body.games);
    this.known.catch(() => {
      this.known = null;
    });
    return this.known;
  }

  scene(spec: string): Promise<Scene> {
    let scene = this.scenes.get(spec);
    if (!scene) {
      scene = this.backend.get<Scene>(`/api/scene${query({ spec })}`);
      scene.catch(() => this.scenes.delete(spec));
      this.scenes.set(spec, scene);
    }
    return scene;
  }

  async position(where: Where): Promise<PositionView> {
    return view(await this.backend.post<RawPosition>('/api/position', { ...where, lang: speech.language }));
  }

  async edited(board: EditedBoard): Promise<PositionView> {
    return view(await this.backend.post<RawPosition>('/api/position', { ...board, lang: speech.language }));
  }

  async steps(where: Where): Promise<StepSource> {
    const all = await this.backend.post<RawTurns>('/api/position/turns', {
      ...where,
      limit: mostListed,
      effects: true,
      lang: speech.language,
    });
    if (all.complete) return new ListSource(all.turns.map((t) => ({ ...t, text: t.turn })));
    return new CachedSource((prefix) => this.node(where, prefix));
  }

  /** One node of a tree that is too large to be sent whole. */
  private async node(where: Where, prefix: readonly Step[]): Promise<StepNode> {
    const body = { ...where, prefix: prefix.map(bareStep), limit: 1, effects: true };
    const raw = await this.backend.post<RawTurns>('/api/position/turns', body);
    const node: StepNode = { complete: raw.turn !== null, next: raw.next.map(bareStep) };
    if (raw.turn === null) return node;
    node.text = raw.turn;
    const listed = raw.turns.find((t) => t.turn === raw.turn);
    node.effects = listed ? listed.effects : (await this.play(where, raw.turn)).effects;
    return node;
  }

  async play(where: Where, turn: string): Promise<Played> {
    const raw = await this.backend.post<RawPlayed>('/api/position/play', { ...where, turn, lang: speech.language });
    return { text: raw.turn, steps: raw.steps, effects: raw.effects, position: view(raw) };
  }

  async explain(where: Where, steps: Step[]): Promise<Refusal | null> {
    try {
      const body = { ...where, steps: steps.map(bareStep), lang: speech.language };
      await this.backend.post('/api/position/play', body);
      return null;
    } catch (error) {
      const refusal = refusalOf(error);
      if (!refusal) throw error;
      return refusal;
    }
  }

  async analyse(
    where: Where,
    wish: AnalysisWish,
    told: (t: SearchInfo) => void,
    signal?: AbortSignal,
  ): Promise<SearchInfo> {
    let last: SearchInfo | null = null;
    await this.backend.lines<SearchInfo>(
      '/api/position/analysis',
      { ...where, ...wish },
      (line) => {
        last = { ...line, done: Boolean(line.done) };
        told(last);
      },
      signal,
    );
    if (!last) throw new ApiError(0, 'silent', 'The engine said nothing.');
    return last;
  }

  async values(where: Where): Promise<TableAnswer | null> {
    interface RawValue {
      value: TableWord;
      turns?: number;
    }
    try {
      const raw = await this.backend.post<{ value: RawValue; turns: { turn: string; value: RawValue }[] }>(
        '/api/position/values',
        where,
      );
      return { value: raw.value, turns: raw.turns.map((t) => ({ turn: t.turn, ...t.value })) };
    } catch (error) {
      if (error instanceof ApiError && (error.status === 404 || error.status === 422)) return null;
      throw error;
    }
  }

  async readRecords(text: string): Promise<ReplayedGame[]> {
    return (await this.backend.post<{ records: ReplayedGame[] }>('/api/records/read', { text })).records;
  }

  async writeRecord(game: { spec: string; start?: string; moves: string[]; players?: string[] }): Promise<string> {
    return (await this.backend.post<{ text: string }>('/api/records/write', game)).text;
  }

  rules(game: string): Promise<string> {
    return this.backend.getText(`/api/games/${encodeURIComponent(game)}/rules${query({ lang: speech.language })}`);
  }

  async demos(game: string): Promise<DemoTitle[]> {
    return (await this.backend.get<{ demos: DemoTitle[] }>(`/api/demos${query({ game, lang: speech.language })}`))
      .demos;
  }

  demo(name: string): Promise<Demo> {
    return this.backend.get(`/api/demos/${encodeURIComponent(name)}${query({ lang: speech.language })}`);
  }
}
