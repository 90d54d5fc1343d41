// The shapes in which the engine describes boards, turns and what they do. The page adds no rules to them.

export type Side = 'first' | 'second';
export type Owner = Side | 'nobody';

export interface SceneSquare {
  name: string;
  x: number;
  y: number;
  mark?: string; // "strong" for a strong point, else the sign of a special square
}

export interface ScenePiece {
  glyph: string;
  owner: Owner;
  kind: string;
  name: string;
}

/** What there is to draw for every position of a spec. */
export interface Scene {
  spec: string;
  game: string;
  title: string;
  cols: number;
  rows: number;
  shape: 'points' | 'squares';
  squares: SceneSquare[];
  lines: [string, string][];
  columns: string[];
  row_numbers: string[];
  players: { id: Side; name: string }[];
  pieces: ScenePiece[];
  position: string;
  grid: string[];
}

export type StepKind = 'place' | 'pass' | 'from' | 'to' | 'approach' | 'withdraw' | 'sacrifice' | 'fling';

export interface Step {
  step: StepKind;
  square?: string;
}

export type EffectKind =
  | 'placed'
  | 'moved'
  | 'captured'
  | 'pushed'
  | 'flung'
  | 'poisoned'
  | 'transformed'
  | 'swept'
  | 'teleported'
  | 'exploded'
  | 'flipped'
  | 'sacrificed'
  | 'removed'
  | 'passed';

export interface Effect {
  effect: EffectKind;
  stage: number;
  piece: string; // a glyph
  from: string | null;
  to: string | null;
  cause: string | null;
  clause: string;
}

export type Verdict = 'ongoing' | 'first_wins' | 'second_wins' | 'draw';

export interface Outcome {
  verdict: Verdict;
  reason: string;
  sentence?: string;
  clause?: string;
}

/** A sign on a piece that follows from the position: frozen, paralysed, charged. */
export interface Badge {
  square: string;
  badge: string;
}

export interface PositionView {
  spec: string;
  position: string;
  grid: string[];
  to_move: Side;
  outcome: Outcome;
  badges: Badge[];
  turns: number;
}

export interface LegalTurn {
  text: string;
  steps: Step[];
  effects?: Effect[];
  position?: string;
}

/** What can follow some first steps of a turn. */
export interface StepNode {
  complete: boolean; // the player may stop here
  text?: string; // of the turn, if complete
  effects?: Effect[];
  next: Step[];
}

export interface Played {
  text: string;
  steps: Step[];
  effects: Effect[];
  position: PositionView;
}

export interface Refusal {
  message: string;
  clause: string;
  rules: string;
  squares: string[];
}

export interface ThoughtLine {
  score: number;
  score_text: string;
  exact: boolean;
  turns: string[];
}

export interface SearchInfo {
  depth: number;
  nodes: number;
  time_ms: number;
  lines: ThoughtLine[];
  done: boolean;
  best?: string; // the turn that is chosen in the end; weak levels do not always choose the first line's
}

export type TableWord = 'win' | 'loss' | 'draw';

export interface TurnValue {
  turn: string;
  value: TableWord;
  turns?: number; // until the end
}

export interface OptionInfo {
  key: string;
  standard: string;
  meaning: string;
  takes: 'number' | string[];
  bare?: string;
}

export interface GameInfo {
  name: string;
  aliases: string[];
  title: string;
  summary: string;
  sizes: string | null;
  standard_size: string;
  options: OptionInfo[];
  presets: { key: string; meaning: string }[];
  examples: string[];
}

export const otherSide = (side: Side): Side => (side === 'first' ? 'second' : 'first');
