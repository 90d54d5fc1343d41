// BoardPointer: what mouse and finger mean on a board. A press picks a square, a drag carries a piece, the right button
// draws arrows and circles; a long press tells about a piece, or draws.

import { type Gesture, gestureOf } from '../lib/settings.svelte';
import { unit } from './look';
import type { Drawing, DrawingColour } from './marks';

interface Point {
  x: number;
  y: number;
}

/** The board that it works on. */
export interface PointedBoard {
  svg(): SVGSVGElement;
  place(square: string): Point;
  glyphAt(square: string): string | undefined;
  interactive(): boolean;
  draggable(square: string): boolean;
  isSelected(square: string): boolean;
  pick(square: string, gesture: Gesture): void;
  hover(square: string | null): void;
  focus(square: string): void;
  draw(drawing: Drawing): void;
  draws(): boolean;
  /** A long press; true if there was something to tell. */
  hold(square: string): boolean;
}

const holdMs = 450;
const far = unit * 0.45; // from the middle of a square: the finger has left it

const squareOf = (target: EventTarget | null): string | null =>
  (target as Element | null)?.closest?.('[data-square]')?.getAttribute('data-square') ?? null;

const squareAt = (event: PointerEvent): string | null =>
  squareOf(document.elementFromPoint(event.clientX, event.clientY));

/** Shift and Alt choose another colour than the usual one, as on other boards. */
function colourOf({ shiftKey, altKey }: PointerEvent): { colour?: DrawingColour } {
  if (shiftKey) return { colour: altKey ? 'yellow' : 'red' };
  return altKey ? { colour: 'blue' } : {};
}

export class BoardPointer {
  /** A piece that is carried. */
  drag = $state.raw<{ square: string; glyph: string; x: number; y: number; far: boolean } | null>(null);
  /** An arrow that is being drawn. */
  sketch = $state.raw<Drawing | null>(null);

  private swallow = false; // the click that ends a drag or a long press
  private timer: ReturnType<typeof setTimeout> | undefined;
  private pressed: { square: string; at: Point } | null = null;
  private told = false; // the long press had something to tell

  constructor(private readonly board: PointedBoard) {}

  private local(event: PointerEvent): Point {
    const matrix = this.board.svg().getScreenCTM();
    if (!matrix) return { x: 0, y: 0 };
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse());
    return { x: point.x, y: point.y };
  }

  down = (event: PointerEvent): void => {
    this.swallow = false;
    this.stopTimer();
    const square = squareOf(event.target);
    if (!square) return;
    if (event.button === 2) {
      if (this.board.draws()) this.sketch = { from: square, to: square, ...colourOf(event) };
      return;
    }
    if (event.button !== 0) return;
    if (event.pointerType === 'touch') this.awaitHold(square, this.local(event));
    const glyph = this.board.glyphAt(square);
    if (!this.board.interactive() || !glyph || !this.board.draggable(square)) return;
    this.drag = { square, glyph, ...this.local(event), far: false };
  };

  private awaitHold(square: string, at: Point): void {
    this.pressed = { square, at };
    this.timer = setTimeout(() => {
      this.drag = null;
      this.swallow = true;
      this.told = this.board.hold(square);
      if (this.board.draws()) this.sketch = { from: square, to: square };
    }, holdMs);
  }

  private stopTimer(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.pressed = null;
  }

  move = (event: PointerEvent): void => {
    if (this.sketch) {
      const to = squareAt(event) ?? this.sketch.from;
      if (to !== this.sketch.to) this.sketch = { ...this.sketch, to };
      return;
    }
    const at = this.local(event);
    if (this.pressed && Math.hypot(at.x - this.pressed.at.x, at.y - this.pressed.at.y) > unit * 0.2) this.stopTimer();
    if (this.drag) this.carry(event, at);
    else if (event.pointerType !== 'touch') this.board.hover(squareOf(event.target));
  };

  private carry(event: PointerEvent, at: Point): void {
    const drag = this.drag!;
    const from = this.board.place(drag.square);
    const away = drag.far || Math.hypot(at.x - from.x, at.y - from.y) > far;
    if (away && !drag.far) {
      this.board.svg().setPointerCapture(event.pointerId);
      if (!this.board.isSelected(drag.square)) this.board.pick(drag.square, gestureOf(event));
    }
    this.drag = { ...drag, ...at, far: away };
    if (away) this.board.hover(squareAt(event));
  }

  up = (event: PointerEvent): void => {
    this.stopTimer();
    const { drag, sketch } = this;
    this.drag = null;
    this.sketch = null;
    if (sketch) {
      // A long press that told something draws no circle as well.
      if (!this.told || sketch.from !== sketch.to) this.board.draw(sketch);
      this.told = false;
      return;
    }
    if (!drag?.far) return;
    this.swallow = true;
    const square = squareAt(event);
    if (square && square !== drag.square) this.board.pick(square, gestureOf(event));
    this.board.hover(null);
  };

  cancel = (): void => {
    this.stopTimer();
    this.drag = null;
    this.sketch = null;
    this.told = false;
  };

  leave = (): void => this.board.hover(null);

  click = (event: MouseEvent): void => {
    if (this.swallow) {
      this.swallow = false;
      return;
    }
    const square = squareOf(event.target);
    if (!square) return;
    this.board.focus(square);
    if (this.board.interactive()) this.board.pick(square, gestureOf(event));
  };

  menu = (event: MouseEvent): void => {
    if (this.board.draws()) event.preventDefault();
  };
}
