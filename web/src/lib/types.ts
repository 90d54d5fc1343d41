// The shapes in which the engine and the server describe boards, moves and what they do. They are those of
// docs/openapi.json, from which `npm run types` makes openapi.d.ts. The page adds no rules to them.

import type { components, paths } from './openapi';

type Schemas = components['schemas'];

/** What a path answers to a GET, if all is well. */
export type Answer<Path extends keyof paths> = paths[Path] extends {
  get: { responses: { 200: { content: { 'application/json': infer Body } } } };
}
  ? Body
  : never;

export type Side = Schemas['Player'];
export type Owner = Schemas['Owner'];

/** What there is to draw for every position of a spec. */
export type Scene = Omit<Schemas['Scene'], 'lines'> & { lines: [string, string][] };
export type ScenePiece = Scene['pieces'][number];
/** What a piece or a special square does, in sentences with their clauses. */
export type Card = Schemas['Card'];

export type Step = Schemas['Step'];
export type StepKind = Step['step'];
export type Effect = Schemas['Effect'];
export type EffectKind = Effect['effect'];
/** A sign on a piece that follows from the position: frozen, paralysed, charged. */
export type Badge = Schemas['Badges'][number];
/** What is known of a position, and of the one after a move. */
export type PositionView = Pick<Schemas['Position'], 'spec' | 'position' | 'grid' | 'mover' | 'outcome' | 'badges'>;
export type Outcome = Schemas['Outcome'];
export type Played = Schemas['Played'];
export type Refusal = Schemas['Refusal'];
export type ListedMoves = Schemas['Moves'];

export type ThoughtLine = Schemas['AnalysisLine'];
/** What the engine thinks at some depth; with `done` it has chosen. Weak levels do not always choose the first line. */
export type SearchInfo = Schemas['AnalysisDepth'] & { done: boolean; best?: string };

export type Value = Schemas['Value'];
/** What perfect play makes of a position and of each move in it. */
export type Values = Schemas['Values'];
export type SolvedTable = Schemas['Tables']['tables'][number];
export type TableDistances = Schemas['TableDistances'];
export type MoveValue = Values['moves'][number];

export type ReplayedGame = Schemas['Record'];
/** A game with its variations, as it is sent. */
export type TreeData = Schemas['Tree'];
export type ReadTrees = Schemas['Trees'];
/** A collection of chapters, each with a text and a tree. */
export type Study = Schemas['Study'];
export type StudyRow = Schemas['StudyRow'];
export type StudyComment = Schemas['StudyComment'];
export type Chapter = Schemas['Chapter'];
export type Review = Schemas['Review'];
export type ReviewedMove = Schemas['ReviewedMove'];
export type DemoTitle = Schemas['DemoHeading'];
export type DemoStep = Schemas['DemoStep'];
export type Demo = Schemas['Demo'];

export type GameInfo = Schemas['Game'];
export type OptionInfo = Schemas['Option'];
/** A level of the engine: its number, what it is called and how it plays. */
export type LevelInfo = Answer<'/api/games'>['levels'][number];

export type Snapshot = Schemas['Snapshot'];
export type RoomEvent = Schemas['Event'];
export type MoveEvent = Schemas['EventMove'];
export type ChatLine = Schemas['EventChat'];
export type Seat = Schemas['Seat'];
export type Offer = Schemas['Offer'];
export type Presence = Schemas['Presence'];
export type RoomRow = Schemas['RoomRow'];
export type SeekRow = Schemas['Seek'];
export type Person = Schemas['Person'];
export type Rating = Schemas['Rating'];
/** A rating against puzzles. */
export type PuzzleScore = Schemas['PuzzleRating'];

export type ClassInfo = Schemas['Class'];
export type ClassBot = Schemas['ClassBot'];
export type ClassGame = Schemas['ClassGame'];
export type ClassPage = Schemas['ClassPage'];
export type AssignmentRow = Schemas['AssignmentRow'];
export type Assignment = Schemas['Assignment'];
export type AssignmentTask = Schemas['Task'];
export type NewTask = Schemas['NewTask'];
export type TaskProgress = Schemas['TaskProgress'];
export type ClassBoard = Schemas['ClassBoard'];
export type Exhibition = Schemas['Exhibition'];
/** What became of an attempt at a task. */
export type Tried = { move: string; solved: boolean; late: boolean; attempts: number };
export type BotFile = Schemas['BotFile'];
export type TournamentRow = Schemas['TournamentRow'];
export type TournamentGame = Schemas['TournamentGame'];
export type TournamentStanding = Schemas['TournamentStanding'];

/** A legal move as the page walks through it. */
export interface LegalTurn {
  text: string;
  steps: Step[];
  effects?: Effect[];
  position?: string;
  outcome?: Outcome; // of a move that ends the game
}

/** What can follow some first steps of a move. */
export interface StepNode {
  complete: boolean; // the player may stop here
  text?: string; // of the move, if complete
  effects?: Effect[];
  outcome?: Outcome; // if it ends the game
  next: Step[];
}

/** True if a game that ended so is lost for `side`. */
export const isLossOf = (side: Side, outcome: Outcome | undefined): boolean =>
  outcome?.verdict === (side === 'first' ? 'second_wins' : 'first_wins');

export const otherSide = (side: Side): Side => (side === 'first' ? 'second' : 'first');
