// The engine behind the interface for positions (docs/server.md), whoever answers it: the server or this device.

import type { Backend } from './backend';
import type { AnalysisWish, EditedBoard, Engine, ReviewWish, Where } from './engine';
import { ApiError, query } from './http';
import { speech } from './i18n.svelte';
import { refusalOf } from './refusal';
import { CachedSource, ListSource, type StepSource } from './steps';
import type {
  Answer,
  Demo,
  DemoTitle,
  GameInfo,
  LevelInfo,
  ListedMoves,
  Played,
  PositionView,
  ReadTrees,
  Refusal,
  ReplayedGame,
  Review,
  Scene,
  SearchInfo,
  Step,
  StepNode,
  TreeData,
  Values,
} from './types';

type Catalogue = Answer<'/api/games'>;

const maxListed = 1000;

const bareStep = (step: Step): Step => (step.square ? { step: step.step, square: step.square } : { step: step.step });

export class ApiEngine implements Engine {
  private readonly scenes = new Map<string, Promise<Scene>>();
  private known: Promise<Catalogue> | null = null;

  constructor(private readonly backend: Backend) {}

  async games(): Promise<GameInfo[]> {
    return (await this.catalogue()).games;
  }

  async levels(): Promise<LevelInfo[]> {
    return (await this.catalogue()).levels;
  }

  private catalogue(): Promise<Catalogue> {
    this.known ??= this.backend.get<Catalogue>('/api/games');
    this.known.catch(() => {
      this.known = null;
    });
    return this.known;
  }

  scene(spec: string): Promise<Scene> {
    return this.cachedScene(query({ spec }));
  }

  outline(spec: string): Promise<Scene> {
    // The engine that a device has kept may be older than the page, and not know of cards.
    return this.cachedScene(query({ spec, cards: 0 })).catch((fault) => {
      if (fault instanceof ApiError && fault.code === 'bad_request') return this.scene(spec);
      throw fault;
    });
  }

  private cachedScene(asked: string): Promise<Scene> {
    let scene = this.scenes.get(asked);
    if (!scene) {
      scene = this.backend.get<Scene>(`/api/scene${asked}`);
      scene.catch(() => this.scenes.delete(asked));
      this.scenes.set(asked, scene);
    }
    return scene;
  }

  position(where: Where): Promise<PositionView> {
    return this.backend.post('/api/position', { ...where, lang: speech.language });
  }

  edited(board: EditedBoard): Promise<PositionView> {
    return this.backend.post('/api/position', { ...board, lang: speech.language });
  }

  async steps(where: Where): Promise<StepSource> {
    const all = await this.backend.post<ListedMoves>('/api/position/moves', {
      ...where,
      limit: maxListed,
      effects: true,
      lang: speech.language,
    });
    if (all.complete) return new ListSource(all.moves.map((m) => ({ ...m, text: m.move })));
    return new CachedSource((prefix) => this.node(where, prefix));
  }

  /** One node of a tree that is too large to be sent whole. */
  private async node(where: Where, prefix: readonly Step[]): Promise<StepNode> {
    const body = { ...where, prefix: prefix.map(bareStep), limit: 1, effects: true, lang: speech.language };
    const raw = await this.backend.post<ListedMoves>('/api/position/moves', body);
    const node: StepNode = { complete: raw.move !== null, next: raw.next.map(bareStep) };
    if (raw.move === null) return node;
    node.text = raw.move;
    const listed = raw.moves.find((m) => m.move === raw.move);
    const { effects, outcome } = listed?.effects ? listed : await this.play(where, raw.move);
    if (effects) node.effects = effects;
    if (outcome && outcome.verdict !== 'ongoing') node.outcome = outcome;
    return node;
  }

  play(where: Where, move: string): Promise<Played> {
    return this.backend.post('/api/position/play', { ...where, move, lang: speech.language });
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
    onProgress: (t: SearchInfo) => void,
    signal?: AbortSignal,
  ): Promise<SearchInfo> {
    let last: SearchInfo | null = null;
    await this.backend.lines<SearchInfo>(
      '/api/position/analysis',
      { ...where, ...wish },
      (line) => {
        last = { ...line, done: Boolean(line.done) };
        onProgress(last);
      },
      signal,
    );
    if (!last) throw new ApiError(0, 'silent', 'The engine said nothing.');
    return last;
  }

  async values(where: Where): Promise<Values | null> {
    const values = await this.backend.post<Values>('/api/position/values', where);
    return values.value ? values : null;
  }

  async readRecords(text: string): Promise<ReplayedGame[]> {
    return (await this.backend.post<{ records: ReplayedGame[] }>('/api/records/read', { text })).records;
  }

  async readTrees(text: string, spec = ''): Promise<TreeData[]> {
    return (await this.backend.post<ReadTrees>('/api/trees/read', { text, ...(spec ? { spec } : {}) })).trees;
  }

  async checkTree(tree: TreeData): Promise<{ tree: TreeData; faults: string[] }> {
    const { trees, faults } = await this.backend.post<ReadTrees>('/api/trees/read', { tree });
    return { tree: trees[0] ?? tree, faults: faults.map(({ message }) => message) };
  }

  async writeTree(tree: TreeData, format = 'tree'): Promise<string> {
    return (await this.backend.post<{ text: string }>('/api/trees/write', { tree, format })).text;
  }

  async review(game: ReviewWish, onProgress: (part: number) => void, signal?: AbortSignal): Promise<Review> {
    let review: Review | null = null;
    // The server's tables make a review certain; without one this device can do as well, and keep the server free.
    const table = await this.values({ spec: game.spec, ...(game.start ? { position: game.start } : {}) }).catch(
      () => null,
    );
    await this.backend.lines<Review | { progress: number }>(
      '/api/review',
      game,
      (line) => {
        if ('progress' in line) onProgress(line.progress);
        else review = line;
      },
      signal,
      table === null,
    );
    if (!review) throw new ApiError(0, 'silent', 'The engine said nothing.');
    return review;
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
