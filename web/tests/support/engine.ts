// An engine for a game that is easily followed: three squares in a row, each side drops a piece on a free one.
import { vi } from 'vitest';
import type { Engine, Where } from '../../src/lib/engine';
import { ApiError } from '../../src/lib/http';
import { ListSource } from '../../src/lib/steps';
import type { Effect, Played, PositionView, Scene, Side, TreeData } from '../../src/lib/types';

const names = ['a1', 'b1', 'c1'];

export const scene: Scene = {
  spec: 'drop:3',
  game: 'drop',
  title: 'Drop',
  cols: 3,
  rows: 1,
  shape: 'squares',
  look: { ground: 'grid', pieces: 'disc', pieces_leave: false },
  squares: names.map((name, x) => ({ name, x, y: 0 })),
  lines: [],
  columns: ['a', 'b', 'c'],
  row_numbers: ['1'],
  players: [
    { id: 'first', name: 'White', tone: 'light' },
    { id: 'second', name: 'Black', tone: 'dark' },
  ],
  pieces: [
    { glyph: 'w', owner: 'first', kind: 'o', name: 'piece', card: [] },
    { glyph: 'b', owner: 'second', kind: 'o', name: 'piece', card: [] },
  ],
  signs: [],
  position: '...',
  grid: ['...'],
};

const glyphOf = (side: Side) => (side === 'first' ? 'w' : 'b');
const moverOf = (position: string): Side => (position.replaceAll('.', '').length % 2 === 0 ? 'first' : 'second');

function dropped(position: string, move: string): string {
  const at = names.indexOf(move);
  if (position[at] !== '.') throw new ApiError(422, 'illegal', `${move} is taken`, { clause: '1.1', squares: [move] });
  return position.slice(0, at) + glyphOf(moverOf(position)) + position.slice(at + 1);
}

const view = (position: string): PositionView => ({
  spec: scene.spec,
  position,
  grid: [position],
  mover: moverOf(position),
  outcome: position.includes('.')
    ? { verdict: 'ongoing', reason: 'none' }
    : { verdict: 'draw', reason: 'board_full', sentence: 'The board is full' },
  badges: [],
});

const effectsOf = (position: string, move: string): Effect[] => [
  { effect: 'placed', stage: 0, piece: glyphOf(moverOf(position)), from: null, to: move, cause: null, clause: '1.1' },
];

const positionOf = ({ position, moves = [] }: Where): string => moves.reduce(dropped, position || scene.position);

function play(where: Where, move: string): Played {
  const before = positionOf(where);
  const after = view(dropped(before, move));
  const steps = [{ step: 'place' as const, square: move }];
  return { ...after, move, steps, effects: effectsOf(before, move), sentences: [], sentence: '' };
}

/** A line of moves as a tree. */
const treeOf = (moves: string[]): TreeData => ({
  spec: scene.spec,
  players: ['', ''],
  tags: [],
  nodes: [
    { seat: 'first' },
    ...moves.map((move, i) => ({ parent: i, move, seat: i % 2 === 0 ? ('first' as const) : ('second' as const) })),
  ],
});

/** The tree without moves that cannot be, as the engine numbers it. */
function checked(tree: TreeData): { tree: TreeData; faults: string[] } {
  const faults: string[] = [];
  const numbers = new Map([[0, 0]]);
  const ways: string[][] = [[]];
  const nodes: TreeData['nodes'] = [{ ...tree.nodes[0], seat: 'first' }];
  tree.nodes.forEach((node, i) => {
    const parent = numbers.get(node.parent ?? 0);
    if (i === 0 || parent === undefined) return;
    const way = ways[parent]!;
    try {
      const after = positionOf({ spec: '', moves: [...way, node.move ?? ''] });
      numbers.set(i, nodes.length);
      ways.push([...way, node.move ?? '']);
      nodes.push({ ...node, parent, seat: moverOf(after) === 'first' ? 'second' : 'first' });
    } catch (fault) {
      faults.push((fault as Error).message);
    }
  });
  return { tree: { ...tree, nodes }, faults };
}

/** Every method is a mock, so that tests can see and change what is asked. */
export const dropEngine = () => ({
  games: vi.fn(async () => []),
  levels: vi.fn(async () => []),
  scene: vi.fn(async () => scene),
  outline: vi.fn(async () => scene),
  position: vi.fn(async (where: Where) => view(positionOf(where))),
  edited: vi.fn(async ({ grid }: { grid: string[] }) => {
    if (!grid[0]?.includes('.')) throw new ApiError(422, 'bad_position', 'no square is free');
    return view(grid[0]);
  }),
  steps: vi.fn(async (where: Where) => {
    const position = positionOf(where);
    const free = names.filter((_, i) => position[i] === '.');
    return new ListSource(free.map((move) => ({ ...play({ spec: '', position }, move), text: move })));
  }),
  play: vi.fn(async (where: Where, move: string) => play(where, move)),
  explain: vi.fn(async () => null),
  analyse: vi.fn<Engine['analyse']>(async (_where, _wish, told) => {
    const line = { score: 0.5, exact: false, at_most: false, moves: ['b1'] };
    const thoughts = { depth: 1, selective_depth: 1, nodes: 3, time_ms: 1, lines: [line], done: true, best: 'b1' };
    told(thoughts);
    return thoughts;
  }),
  values: vi.fn<Engine['values']>(async () => null),
  readRecords: vi.fn<Engine['readRecords']>(async (text) => {
    const texts = text.split(' ');
    return [
      {
        spec: scene.spec,
        game: scene.game,
        players: [],
        clocks: [],
        notes: [],
        start: scene.position,
        opening: 0,
        moves: texts.map((move, i) => {
          const played = play({ spec: '', moves: texts.slice(0, i) }, move);
          return { ...played, mover: i % 2 === 0 ? ('first' as const) : ('second' as const) };
        }),
        result: { verdict: 'ongoing', reason: '', remark: '' },
      },
    ];
  }),
  readTrees: vi.fn<Engine['readTrees']>(async (text) => [treeOf(text.split(' '))]),
  checkTree: vi.fn<Engine['checkTree']>(async (tree) => checked(tree)),
  writeTree: vi.fn<Engine['writeTree']>(async ({ nodes }) => nodes.flatMap(({ move }) => move ?? []).join(' ')),
  review: vi.fn<Engine['review']>(async ({ moves }, told) => {
    told(1);
    const players = (['first', 'second'] as const).map((seat) => ({
      seat,
      moves: 1,
      best: 0,
      weaker: 0,
      mistakes: 1,
      discs_lost: 0,
      accuracy: 50,
    }));
    return {
      done: true as const,
      moves: moves.map((move, i) => ({
        move,
        seat: i % 2 === 0 ? ('first' as const) : ('second' as const),
        opening: false,
        chances: move === 'b1' ? [50, 50] : [80, 20],
        grade: move === 'b1' ? ('best' as const) : ('mistake' as const),
        better: move === 'b1' ? [] : ['b1'],
      })),
      players,
      turning_points: moves.flatMap((move, i) => (move === 'b1' ? [] : [i + 1])).slice(0, 3),
      chances: [...moves.map(() => 50), 50],
    };
  }),
  rules: vi.fn(async () => ''),
  demos: vi.fn(async () => []),
  demo: vi.fn(),
});
