// What a person likes, kept in this browser.

import { bestLanguage, type Language, msg, speech } from './i18n.svelte';

/** Themes of boards and sets of pieces, by what they are called. */
export const boardThemes = {
  wood: msg('Wood'),
  plain: msg('Plain'),
  slate: msg('Slate'),
  forest: msg('Forest'),
  sand: msg('Sand'),
} as const;
export const pieceSets = {
  classic: msg('Classic'),
  flat: msg('Flat'),
  symbols: msg('Symbols and letters'),
  ruby: msg('Ivory and ruby'),
  ocean: msg('Pearl and ocean'),
} as const;

export interface Settings {
  mode: 'auto' | 'light' | 'dark';
  board: keyof typeof boardThemes;
  pieces: keyof typeof pieceSets;
  sound: boolean;
  volume: number; // 0 to 1
  motion: boolean;
  pace: number; // of motions: 1 as usual, 2 twice as fast
  hints: boolean; // legal targets are marked
  labels: boolean;
  cards: boolean; // what a piece does, when the mouse rests on it
  confirm: 'touch' | 'always' | 'never'; // a move is shown first and played by a second gesture
  view: 'first' | 'mover'; // whose scores are shown
  premoves: boolean; // moves may be entered while the opponent thinks
  language: Language;
  engine: 'server' | 'device'; // who is asked first
}

const key = 'paika.settings';

function standard(): Settings {
  return {
    mode: 'auto',
    board: 'wood',
    pieces: 'classic',
    sound: true,
    volume: 0.7,
    motion: true,
    pace: 1,
    hints: true,
    labels: true,
    cards: true,
    confirm: 'touch',
    view: 'first',
    premoves: true,
    language: bestLanguage(navigator.languages ?? []),
    engine: 'server',
  };
}

function read(): Settings {
  const known = standard();
  try {
    return { ...known, ...(JSON.parse(localStorage.getItem(key) ?? '{}') as Partial<Settings>) };
  } catch {
    return known; // storage may be forbidden, or hold something else
  }
}

export const settings = $state<Settings>(read());

/** For this visit only: nothing but the board and the players. */
export const zen = $state({ on: false });

export function keepSettings(): void {
  try {
    localStorage.setItem(key, JSON.stringify(settings));
  } catch {
    // Without storage the settings hold for this visit.
  }
}

const prefersDark = globalThis.matchMedia?.('(prefers-color-scheme: dark)');
prefersDark?.addEventListener('change', applySettings);

/** Puts the settings on the document, where the style sheets look for them. */
export function applySettings(): void {
  const root = document.documentElement;
  const mode = settings.mode !== 'auto' ? settings.mode : prefersDark?.matches ? 'dark' : 'light';
  root.dataset.mode = mode;
  root.dataset.board = settings.board;
  root.dataset.pieces = settings.pieces;
  if (zen.on) root.dataset.zen = '';
  else delete root.dataset.zen;
  root.style.colorScheme = mode;
  if (speech.language !== settings.language) void speech.use(settings.language).catch(() => {});
}

/** True if pieces should jump to their places. */
export function still(): boolean {
  return !settings.motion || (globalThis.matchMedia?.('(prefers-reduced-motion: reduce)').matches ?? false);
}

/** How a gesture was made decides whether a move is asked about before it is played. */
export type Gesture = 'mouse' | 'touch' | 'keys';

// Some browsers make clicks without a pointerType: they belong to the pointer that went down last.
let lastPointer = '';
globalThis.addEventListener?.('pointerdown', (event) => (lastPointer = event.pointerType), { capture: true });

/** Whether a mouse or a finger made the event: a drag, or a click on the board or on a button. A pen is a finger. */
export function gestureOf(event: Event): Gesture {
  const pointer = (event as Partial<PointerEvent>).pointerType || lastPointer;
  return pointer === 'touch' || pointer === 'pen' ? 'touch' : 'mouse';
}

export const asksFirst = (gesture: Gesture): boolean =>
  settings.confirm === 'always' || (settings.confirm === 'touch' && gesture === 'touch');
