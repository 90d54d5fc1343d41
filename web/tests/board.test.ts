// The board as a screen reader and the keyboard meet it.
import { flushSync, mount, unmount } from 'svelte';
import { afterEach, describe, expect, it, vi } from 'vitest';
import Board from '../src/board/Board.svelte';
import { BoardPointer, type PointedBoard } from '../src/board/board_pointer.svelte';
import { turnedFor } from '../src/board/look';
import { noMarks } from '../src/board/marks';
import { SceneIndex } from '../src/lib/board_state';
import { gestureOf } from '../src/lib/settings.svelte';
import type { Scene } from '../src/lib/types';

const names = ['a2', 'b2', 'c2', 'a1', 'b1', 'c1'];
const scene: Scene = {
  spec: 'toy',
  game: 'toy',
  title: 'Toy',
  cols: 3,
  rows: 2,
  shape: 'points',
  look: { ground: 'points', pieces: 'stone', pieces_leave: true },
  squares: names.map((name, i) => ({ name, x: i % 3, y: Math.floor(i / 3), ...(i === 1 ? { mark: 'strong' } : {}) })),
  lines: [
    ['a2', 'b2'],
    ['b2', 'c2'],
  ],
  columns: ['a', 'b', 'c'],
  row_numbers: ['2', '1'],
  players: [
    { id: 'first', name: 'White', tone: 'light' },
    { id: 'second', name: 'Black', tone: 'dark' },
  ],
  pieces: [
    { glyph: 'w', owner: 'first', kind: 'o', name: 'stone', card: [] },
    { glyph: 'b', owner: 'second', kind: 'o', name: 'stone', card: [] },
  ],
  signs: [],
  position: '',
  grid: ['b..', '..w'],
};
const index = new SceneIndex(scene);
let shown: object | null = null;

function show(props: Record<string, unknown> = {}) {
  shown = mount(Board, {
    target: document.body,
    props: { index, stones: index.stones(scene.grid), label: 'Toy', ...props },
  });
  flushSync();
  return document.body;
}

const cells = (root: Element) => [...root.querySelectorAll('[role=gridcell]')];
const focusedSquare = () => document.activeElement?.getAttribute('data-square');

afterEach(async () => {
  if (shown) await unmount(shown);
  shown = null;
  document.body.innerHTML = '';
});

describe('a drag', () => {
  it('is a gesture of the hand that makes it', () => {
    vi.stubGlobal(
      'DOMPoint',
      class {
        constructor(
          readonly x: number,
          readonly y: number,
        ) {}
        matrixTransform = () => this;
      },
    );
    document.body.innerHTML = '<i data-square="a1"></i><i data-square="b1"></i>';
    const [from, to] = [...document.querySelectorAll('i')];
    const below = vi.spyOn(document, 'elementFromPoint').mockReturnValue(to!);
    for (const pointerType of ['touch', 'mouse'] as const) {
      const pick = vi.fn();
      const board = {
        svg: () => ({ getScreenCTM: () => ({ inverse: () => ({}) }), setPointerCapture: () => {} }),
        place: () => ({ x: 0, y: 0 }),
        glyphAt: () => 'w',
        interactive: () => true,
        draggable: () => true,
        isSelected: () => false,
        pick,
        hover: () => {},
        focus: () => {},
        draw: () => {},
        draws: () => false,
        hold: () => false,
      } as unknown as PointedBoard;
      const pointer = new BoardPointer(board);
      const event = (target: Element, clientX: number) =>
        ({ target, clientX, clientY: 0, button: 0, pointerType, pointerId: 1 }) as unknown as PointerEvent;
      pointer.down(event(from!, 0));
      pointer.move(event(to!, 500));
      pointer.up(event(to!, 500));
      expect(pick.mock.calls).toEqual([
        ['a1', pointerType],
        ['b1', pointerType],
      ]);
    }
    below.mockRestore();
    vi.unstubAllGlobals();
  });
});

describe('a click without a pointer type', () => {
  it('belongs to the pointer that went down last', () => {
    const gestures = ['touch', 'pen', 'mouse'].map((pointerType) => {
      document.body.dispatchEvent(new PointerEvent('pointerdown', { pointerType, bubbles: true }));
      return gestureOf(new MouseEvent('click'));
    });
    expect(gestures).toEqual(['touch', 'touch', 'mouse']);
  });

  it('gives way to one that has it', () => {
    document.body.dispatchEvent(new PointerEvent('pointerdown', { pointerType: 'mouse', bubbles: true }));
    for (const pointerType of ['touch', 'pen'])
      expect(gestureOf(new PointerEvent('click', { pointerType }))).toBe('touch');
  });
});

describe('the side at the bottom', () => {
  it('is the one that is asked for, wherever a game puts its pieces', () => {
    expect(turnedFor(scene, 'first')).toBe(false);
    expect(turnedFor(scene, 'second')).toBe(true);
    const whiteAbove = { ...scene, grid: ['w..', '..b'] };
    expect(turnedFor(whiteAbove, 'first')).toBe(true);
    expect(turnedFor(whiteAbove, 'second')).toBe(false);
    const nobodyAbove = { ...scene, grid: ['wb.', 'bw.'] };
    expect(turnedFor(nobodyAbove, 'second')).toBe(false);
  });
});

describe('the board', () => {
  it('is a grid of rows of cells with one stop for the tab key', () => {
    const root = show();
    expect(root.querySelectorAll('[role=grid] > [role=row]')).toHaveLength(2);
    expect(cells(root)).toHaveLength(6);
    expect(cells(root).filter((cell) => cell.getAttribute('tabindex') === '0')).toHaveLength(1);
  });

  it('says what stands where and what can be done there', () => {
    const root = show({ marks: { ...noMarks, selectable: new Set(['c1']), targets: new Map([['b1', 'go']]) } });
    const label = (square: string) => root.querySelector(`[data-square=${square}]`)?.getAttribute('aria-label');
    expect(label('c1')).toBe("White's stone on c1, can be chosen");
    expect(label('b1')).toBe('b1, empty, can go here');
  });

  it('is walked by arrows and chosen by Enter', () => {
    const onpick = vi.fn();
    const root = show({ interactive: true, onpick });
    const start = root.querySelector<HTMLElement>('[tabindex="0"]')!;
    start.focus();
    const press = (key: string) => {
      document.activeElement!.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
      flushSync();
    };
    press('Home');
    press('ArrowUp');
    expect(focusedSquare()).toBe('a2');
    press('ArrowRight');
    press('ArrowDown');
    press('ArrowDown');
    expect(focusedSquare()).toBe('b1');
    press('Enter');
    expect(onpick).toHaveBeenCalledWith('b1', 'keys');
  });

  it('turns round: the last square comes first, and arrows go as they are seen', () => {
    const root = show({ flipped: true });
    expect(cells(root)[0]?.getAttribute('data-square')).toBe('c1');
  });

  it('as a picture has nothing to walk through', () => {
    const root = show({ picture: true });
    expect(root.querySelector('svg')?.getAttribute('role')).toBe('img');
    expect(cells(root)).toHaveLength(0);
  });

  it('never has a style attribute in its markup, which the policy of the server forbids', () => {
    expect(show().querySelectorAll('[style]')).toHaveLength(0);
  });
});
