// <paika-board>: a board of any of the games as a custom element (docs/packages.md). It draws and plays with the page's own
// parts, inside a shadow root, so that neither its styles nor those of the page around it reach the other.
//
// Whoever defines it chooses the engine first (lib/engine.ts): a server, or modules on this device.

import { mount, unmount } from 'svelte';
import '../app.css';
import { fullLevel } from '../lib/levels.svelte';
import { boardThemes, pieceSets, settings } from '../lib/settings.svelte';
import type { Outcome, Side } from '../lib/types';
import BoardView from './BoardView.svelte';
import { BoardGame, type BoardNews, type BoardWish } from './board_game.svelte';
import { ElementState } from './element_state.svelte';

/** All styles of the parts, as the build collects them (tools/packages.mjs). */
declare const __PAIKA_BOARD_STYLES__: string;

export interface BoardMove {
  move: string;
  by: 'person' | 'computer';
  moves: readonly string[];
  position: string;
  outcome: Outcome;
}

const sideOf = (text: string | null): Side => (text === 'second' ? 'second' : 'first');

let sheet: CSSStyleSheet | null = null;

/** One sheet for all boards; made by script, so that pages that forbid inline styles show them too. */
export function styles(): CSSStyleSheet {
  if (!sheet) {
    sheet = new CSSStyleSheet();
    sheet.replaceSync(__PAIKA_BOARD_STYLES__);
  }
  return sheet;
}

export class PaikaBoard extends HTMLElement {
  static readonly observedAttributes = [
    'spec',
    'position',
    'moves',
    'orientation',
    'interactive',
    'computer',
    'level',
    'board',
    'pieces',
  ];

  #game: BoardGame | null = null;
  #view: Record<string, unknown> | null = null;
  readonly #state = new ElementState();
  #queued = false;

  /** The game and its options. */
  get spec(): string {
    return this.getAttribute('spec') ?? 'othello';
  }
  set spec(text: string) {
    this.setAttribute('spec', text);
  }

  /** Where the game begins, in the game's own text; its own start if it is empty. */
  get position(): string {
    return this.getAttribute('position') ?? '';
  }
  set position(text: string) {
    this.setAttribute('position', text);
  }

  /** The moves from there: those of the attribute, and those played since. Moves are separated by semicolons or lines. */
  get moves(): readonly string[] {
    return this.#game?.moves ?? this.#wished();
  }
  set moves(moves: readonly string[]) {
    this.setAttribute('moves', moves.join(';'));
  }

  /** Whose side of the board is near: first or second. */
  get orientation(): Side {
    return sideOf(this.getAttribute('orientation'));
  }
  set orientation(side: Side) {
    this.setAttribute('orientation', side);
  }

  /** Whether moves can be played on it. */
  get interactive(): boolean {
    return this.hasAttribute('interactive');
  }
  set interactive(on: boolean) {
    this.toggleAttribute('interactive', on);
  }

  /** The side that the computer plays; null: none. */
  get computer(): Side | null {
    const text = this.getAttribute('computer');
    return text === 'first' || text === 'second' ? text : null;
  }
  set computer(side: Side | null) {
    if (side) this.setAttribute('computer', side);
    else this.removeAttribute('computer');
  }

  /** How strong it plays: from 1 to fullLevel. */
  get level(): number {
    const level = Number(this.getAttribute('level') ?? fullLevel);
    return Number.isInteger(level) && level >= 1 && level <= fullLevel ? level : fullLevel;
  }
  set level(level: number) {
    this.setAttribute('level', String(level));
  }

  /** Plays a move as text; resolves to false if the rules forbid it. */
  async play(move: string): Promise<boolean> {
    return (await this.#game?.play(move)) ?? false;
  }

  connectedCallback(): void {
    const root = this.shadowRoot ?? this.attachShadow({ mode: 'open', delegatesFocus: true });
    root.adoptedStyleSheets = [styles()];
    this.#game = new BoardGame(this.#news());
    this.#state.interactive = this.interactive;
    this.#view = mount(BoardView, {
      target: root,
      props: this.#state.props(this.#game),
    });
    this.#look();
    this.#later();
  }

  disconnectedCallback(): void {
    this.#game?.close();
    if (this.#view) void unmount(this.#view);
    this.#view = null;
    this.#game = null;
  }

  attributeChangedCallback(name: string, before: string | null, after: string | null): void {
    if (!this.#game || before === after) return;
    if (name === 'orientation') this.#game.turn(this.orientation);
    else if (name === 'board' || name === 'pieces') this.#look();
    else this.#later();
  }

  /** Several attributes that change together are one change. */
  #later(): void {
    if (this.#queued) return;
    this.#queued = true;
    queueMicrotask(() => {
      this.#queued = false;
      this.#state.fault = '';
      this.#state.interactive = this.interactive;
      void this.#game?.show(this.#wish());
    });
  }

  #wished(): string[] {
    const text = this.getAttribute('moves') ?? '';
    return text.split(/[;\n]/).flatMap((move) => move.trim() || []);
  }

  #wish(): BoardWish {
    const { spec, position, orientation, interactive, computer, level } = this;
    return { spec, position, moves: this.#wished(), orientation, interactive, computer, level };
  }

  /** The theme of the board and the set of pieces, where style sheets look for them. */
  #look(): void {
    const board = this.getAttribute('board') ?? settings.board;
    const pieces = this.getAttribute('pieces') ?? settings.pieces;
    this.dataset.board = board in boardThemes ? board : 'wood';
    this.dataset.pieces = pieces in pieceSets ? pieces : 'classic';
    if (pieces in pieceSets) settings.pieces = pieces as keyof typeof pieceSets;
    this.dataset.zen = ''; // nothing of the page is around it
    this.dataset.mode = globalThis.matchMedia?.('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
  }

  #news(): BoardNews {
    const tell = (name: string, detail: unknown) =>
      this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true }));
    return {
      ready: () => tell('paika-ready', { spec: this.spec }),
      moved: (move, by, outcome, position) => {
        const detail: BoardMove = { move, by, moves: this.moves, position, outcome };
        tell('paika-move', detail);
      },
      refused: (message, clause) => tell('paika-refused', { message, clause }),
      failed: (message) => {
        this.#state.fault = message;
        tell('paika-error', { message });
      },
    };
  }
}

export const defineBoard = (): void => {
  if (!customElements.get('paika-board')) customElements.define('paika-board', PaikaBoard);
};

declare global {
  interface HTMLElementTagNameMap {
    'paika-board': PaikaBoard;
  }
  interface HTMLElementEventMap {
    'paika-move': CustomEvent<BoardMove>;
    'paika-ready': CustomEvent<{ spec: string }>;
    'paika-refused': CustomEvent<{ message: string; clause: string }>;
    'paika-error': CustomEvent<{ message: string }>;
  }
}
