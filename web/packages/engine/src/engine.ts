// The engine for programs: positions, moves and search of the four games, answered by WebAssembly modules in workers.
//
// One module has all games; a game may have a module of its own (web/packages/game). A module is fetched when it is first
// asked about. What they answer is what a Paika server answers (docs/openapi.json), so the types are the page's own.

import type { Backend } from '../../../src/lib/backend';
import { Device, type WorkerLike } from '../../../src/lib/device';
import { ApiError } from '../../../src/lib/http';
import { refusalOf } from '../../../src/lib/refusal';
import type {
  Effect,
  GameInfo,
  ListedMoves,
  Outcome,
  Played,
  PositionView,
  Refusal,
  SearchInfo,
  Step,
  Value,
  Values,
} from '../../../src/lib/types';
import type { ListedTable, TableSource } from './tables';

export * from './tables';
export type { Effect, GameInfo, Outcome, Played, PositionView, Refusal, SearchInfo, Step, Value, Values };
/** What an engine cannot answer: `code` for programs, `message` for people. */
export { ApiError as PaikaError };

/** A game by its spec ("othello", "fanorona:5x5,sacrifice=off"), or a position of it and moves from there. */
export type Where = string | { spec: string; position?: string; moves?: string[] };

export type Move = ListedMoves['moves'][number];

export interface SearchLimits {
  /** Time to think in milliseconds; 1000 if there is no other limit. */
  time_ms?: number;
  nodes?: number;
  /** 1 to 14, which is full strength. */
  level?: number;
  /** How many moves are listed, best first. */
  lines?: number;
  /** Ends the search: the promise is rejected with the signal's reason. */
  signal?: AbortSignal;
  /** Called at every depth. */
  onInfo?: (info: SearchInfo) => void;
}

export type LoadModule = () => Promise<WebAssembly.Module>;

export interface EngineOptions {
  /** Only these games are offered; all four if it is left out. */
  games?: readonly string[];
  /** Where the module with all games comes from, if not from the package's own file. */
  module?: LoadModule;
  /** Modules of single games by their names, as the packages paika-engine-othello, … export them. */
  modules?: Readonly<Record<string, LoadModule>>;
  /** Tables of perfect play: serverTables(), fileTables(), or a source of your own. */
  tables?: TableSource;
}

/** What differs between browsers and Node. */
export interface Host {
  module: LoadModule;
  worker(): WorkerLike;
}

/** The games of the package with their other names; the build writes it from what the module says. */
declare const __PAIKA_GAMES__: Record<string, string[]>;
export const packagedGames: readonly string[] = Object.keys(__PAIKA_GAMES__);

const nameOf = (spec: string): string => (spec.split(':')[0] ?? '').trim().toLowerCase();

/** Workers of its own for each game, behind the paths of a server. */
class Modules implements Backend {
  private readonly opened = new Map<string, Promise<Device>>();
  private shared: Promise<WebAssembly.Module> | null = null;

  constructor(
    readonly games: readonly string[],
    private readonly host: Host,
    private readonly single: Readonly<Record<string, LoadModule>>,
    private readonly tables: TableSource | null,
  ) {}

  /** The game's own module, or the one with all games, which is compiled once. */
  private load(game: string): Promise<WebAssembly.Module> {
    const own = this.single[game];
    if (own) return own();
    if (!this.shared) {
      this.shared = this.host.module();
      this.shared.catch(() => {
        this.shared = null; // it may be there the next time
      });
    }
    return this.shared;
  }

  device(spec: string): Promise<Device> {
    const name = nameOf(spec);
    const game = this.games.find((g) => g === name || __PAIKA_GAMES__[g]?.includes(name));
    if (!game) {
      const message = `there is no game '${name}' here; the games are ${this.games.join(', ')}`;
      return Promise.reject(new ApiError(400, 'bad_spec', message));
    }
    let device = this.opened.get(game);
    if (!device) {
      device = this.load(game).then((module) => new Device(module, () => this.host.worker(), this.tables));
      device.catch(() => this.opened.delete(game)); // it may be there the next time
      this.opened.set(game, device);
    }
    return device;
  }

  /** The game that a path is about; the first one for what all know. */
  private ofPath(path: string): string {
    const url = new URL(path, 'http://localhost');
    const named = /^\/api\/games\/([^/]+)/.exec(url.pathname)?.[1] ?? /^\/api\/demos\/([^/-]+)/.exec(url.pathname)?.[1];
    return url.searchParams.get('spec') ?? url.searchParams.get('game') ?? named ?? this.games[0] ?? '';
  }

  private ofBody(body: unknown): string {
    const { spec } = (body ?? {}) as { spec?: unknown };
    return typeof spec === 'string' ? spec : (this.games[0] ?? '');
  }

  async get<T>(path: string): Promise<T> {
    if (path === '/api/games') return { games: await this.list() } as T;
    return (await this.device(this.ofPath(path))).get<T>(path);
  }

  async getText(path: string): Promise<string> {
    return (await this.device(this.ofPath(path))).getText(path);
  }

  async post<T>(path: string, body: unknown): Promise<T> {
    return (await this.device(this.ofBody(body))).post<T>(path, body);
  }

  async lines<T>(path: string, body: unknown, each: (line: T) => void, signal?: AbortSignal): Promise<void> {
    return (await this.device(this.ofBody(body))).lines(path, body, each, signal);
  }

  async list(): Promise<GameInfo[]> {
    const lists = this.games.map(async (game) => (await this.device(game)).get<{ games: GameInfo[] }>('/api/games'));
    return (await Promise.all(lists)).flatMap((list, i) => list.games.filter((game) => game.name === this.games[i]));
  }

  close(): void {
    for (const device of this.opened.values()) void device.then((open) => open.close()).catch(() => {});
    this.opened.clear();
  }
}

const mostListed = 1000; // in one answer

const whereOf = (where: Where) => (typeof where === 'string' ? { spec: where } : where);

export class PaikaEngine {
  /** The same answers by the paths of a server's interface for positions; what <paika-board> asks. */
  readonly backend: Backend;
  private readonly modules: Modules;
  private readonly source: TableSource | null;

  constructor(host: Host, options: EngineOptions = {}) {
    const games = options.games ?? packagedGames;
    const unknown = [...games, ...Object.keys(options.modules ?? {})].find((game) => !packagedGames.includes(game));
    if (unknown !== undefined || games.length === 0) {
      throw new ApiError(400, 'bad_games', `games must be some of ${packagedGames.join(', ')}, not '${unknown ?? ''}'`);
    }
    const chosen = options.module ? { module: options.module, worker: () => host.worker() } : host;
    this.source = options.tables ?? null;
    this.modules = new Modules(games, chosen, options.modules ?? {}, this.source);
    this.backend = this.modules;
  }

  /** The games with their sizes, options and rules; loads the modules of all. */
  games(): Promise<GameInfo[]> {
    return this.modules.list();
  }

  /** The position: its text, its rows, who moves, and how the game ended if it has. */
  position(where: Where): Promise<PositionView> {
    return this.modules.post('/api/position', whereOf(where));
  }

  /** The legal moves; with `effects` what each does, in order. */
  moves(where: Where, { effects = false } = {}): Promise<Move[]> {
    return this.listed({ ...whereOf(where), effects }, []);
  }

  /** The moves that begin with some steps. Where there are more than one answer holds, each next step is asked about. */
  private async listed(where: object, prefix: readonly Step[]): Promise<Move[]> {
    const body = { ...where, prefix, limit: mostListed };
    const answer = await this.modules.post<ListedMoves>('/api/position/moves', body);
    if (answer.complete) return answer.moves;
    const found = answer.moves.filter((listed) => listed.move === answer.move); // the one that ends here comes first
    for (const { step, square } of answer.next) {
      found.push(...(await this.listed(where, [...prefix, square ? { step, square } : { step }])));
    }
    return found;
  }

  /** Plays a move. Rejects with a PaikaError of code "illegal" if the rules forbid it. */
  play(where: Where, move: string): Promise<Played> {
    return this.modules.post('/api/position/play', { ...whereOf(where), move });
  }

  /** Why a move is not legal, with the clause of the rules; null if it is legal. */
  async why(where: Where, move: string): Promise<Refusal | null> {
    try {
      await this.play(where, move);
      return null;
    } catch (fault) {
      const refusal = refusalOf(fault);
      if (!refusal) throw fault;
      return refusal;
    }
  }

  /** The computer's choice, with its score and line. */
  async best(where: Where, limits: SearchLimits = {}): Promise<SearchInfo> {
    const { signal, onInfo, ...given } = limits;
    const wish = given.time_ms === undefined && given.nodes === undefined ? { ...given, time_ms: 1000 } : given;
    let last: SearchInfo | null = null;
    const each = (line: SearchInfo) => {
      last = { ...line, done: Boolean(line.done) };
      onInfo?.(last);
    };
    await this.modules.lines('/api/position/analysis', { ...whereOf(where), ...wish }, each, signal);
    if (!last) throw new ApiError(0, 'silent', 'the engine said nothing');
    return last;
  }

  /** The tables of perfect play that there are. */
  tables(): Promise<ListedTable[]> {
    return this.source?.list() ?? Promise.resolve([]);
  }

  /**
   * What perfect play makes of a position and of each move in it, best first; with `line` also how it goes on to the end.
   * `table` is null if no table knows the position.
   */
  values(where: Where, { line = false } = {}): Promise<Values> {
    return this.modules.post('/api/position/values', { ...whereOf(where), line });
  }

  /** The number of lines of `depth` moves. */
  async perft(where: Where, depth: number, signal?: AbortSignal): Promise<number> {
    if (!Number.isInteger(depth) || depth < 0 || depth > 99) {
      throw new ApiError(400, 'bad_depth', `depth must be a whole number from 0 to 99, not ${depth}`);
    }
    const from = whereOf(where);
    const position = from.moves?.length ? (await this.position(from)).position : (from.position ?? '');
    return Number(await (await this.modules.device(from.spec)).perft(from.spec, position, depth, signal));
  }

  /** Ends all workers. Node does not exit before. */
  close(): void {
    this.modules.close();
  }
}
