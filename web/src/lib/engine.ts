// Engine: who knows the rules. The page asks it everything about positions and turns.
//
// Pages see only this. The server answers, or the engine in a worker of this browser (lib/fallback_backend.svelte.ts).

import type { StepSource } from './steps';
import type {
  Demo,
  DemoTitle,
  GameInfo,
  LevelInfo,
  Played,
  PositionView,
  Refusal,
  ReplayedGame,
  Review,
  Scene,
  SearchInfo,
  Side,
  Step,
  TreeData,
  Values,
} from './types';

/** A position, or a game up to it: with its moves the engine also sees repetitions. */
export interface Where {
  spec: string;
  position?: string; // where the game began, if moves are given
  moves?: string[];
}

/** A board that was set up by hand: rows from the top in the game's own letters. */
export interface EditedBoard {
  spec: string;
  grid: string[];
  mover: Side;
}

export interface AnalysisWish {
  time_ms: number;
  lines?: number;
  level?: number;
}

/** A game to be reviewed. */
export interface ReviewWish {
  spec: string;
  start?: string;
  moves: string[];
  time_ms?: number;
}

export interface Engine {
  games(): Promise<GameInfo[]>;
  /** The engine's levels, the weakest first. */
  levels(): Promise<LevelInfo[]>;
  scene(spec: string): Promise<Scene>;
  /** A scene without cards, for boards that are only looked at. */
  outline(spec: string): Promise<Scene>;
  position(where: Where): Promise<PositionView>;
  /** The position that a board set up by hand shows; throws an ApiError "bad_position" if there can be none. */
  edited(board: EditedBoard): Promise<PositionView>;
  /** The legal turns as a tree of steps. */
  steps(where: Where): Promise<StepSource>;
  /** Plays a move, or throws an ApiError "illegal". */
  play(where: Where, move: string): Promise<Played>;
  /** Why these steps are not a turn; null if they are one. */
  explain(where: Where, steps: Step[]): Promise<Refusal | null>;
  /** Thinks, telling every thought; resolves to the last one. Rejects if `signal` stops it. */
  analyse(where: Where, wish: AnalysisWish, told: (t: SearchInfo) => void, signal?: AbortSignal): Promise<SearchInfo>;
  /** What perfect play makes of every turn; null where there is no table. */
  values(where: Where): Promise<Values | null>;
  /** Games of a record's text, with the position after each turn. */
  readRecords(text: string): Promise<ReplayedGame[]>;
  /** Games of a text in any format, as trees. */
  readTrees(text: string, spec?: string): Promise<TreeData[]>;
  /** A tree without the moves that the rules refuse, and why they do. */
  checkTree(tree: TreeData): Promise<{ tree: TreeData; faults: string[] }>;
  /** A tree as a file; in the format that keeps variations if none is named. */
  writeTree(tree: TreeData, format?: string): Promise<string>;
  /** What every move of a game was worth; tells how far it is, 0 to 1. Rejects if `signal` stops it. */
  review(game: ReviewWish, told: (part: number) => void, signal?: AbortSignal): Promise<Review>;
  /** The rules of a game as Markdown. */
  rules(game: string): Promise<string>;
  demos(game: string): Promise<DemoTitle[]>;
  demo(name: string): Promise<Demo>;
}

let chosen: Engine | null = null;

export function useEngine(engine: Engine): void {
  chosen = engine;
}

export function engine(): Engine {
  if (!chosen) throw new Error('no engine was chosen');
  return chosen;
}
