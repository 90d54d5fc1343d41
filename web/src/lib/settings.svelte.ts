// What a person likes, kept in this browser.

import { bestLanguage, type Language, speech } from './i18n.svelte';

export interface Settings {
  mode: 'auto' | 'light' | 'dark';
  board: 'wood' | 'plain';
  sound: boolean;
  motion: boolean;
  hints: boolean; // legal targets are marked
  labels: boolean;
  premoves: boolean; // moves may be entered while the opponent thinks
  language: Language;
  engine: 'server' | 'device'; // who is asked first
}

const key = 'paika.settings';

function read(): Settings {
  const standard: Settings = {
    mode: 'auto',
    board: 'wood',
    sound: true,
    motion: true,
    hints: true,
    labels: true,
    premoves: true,
    language: bestLanguage(navigator.languages ?? []),
    engine: 'server',
  };
  try {
    return { ...standard, ...(JSON.parse(localStorage.getItem(key) ?? '{}') as Partial<Settings>) };
  } catch {
    return standard; // storage may be forbidden, or hold something else
  }
}

export const settings = $state<Settings>(read());

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
  root.style.colorScheme = mode;
  if (speech.language !== settings.language) void speech.use(settings.language).catch(() => {});
}

/** True if pieces should jump to their places. */
export function still(): boolean {
  return !settings.motion || (globalThis.matchMedia?.('(prefers-reduced-motion: reduce)').matches ?? false);
}
