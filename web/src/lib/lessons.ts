// Lessons: tasks on a board, each with a goal that the engine checks. docs/lessons.md describes their files.

import type { Goal } from './goal';
import type { Language } from './i18n.svelte';

/** A text in several languages; English is always there. */
export type LocalText = { en: string } & Partial<Record<Language, string>>;

export interface Lesson {
  id: string; // unique in its game; the address of its page
  spec: string;
  position?: string; // the game's own start without one
  title: LocalText;
  text: LocalText;
  hint: LocalText;
  clause: string; // of the rules that it is about
  goal: Goal;
  /** Moves that reach the goal, the opponent's replies between them. */
  demo: string[];
  /** Legal moves that miss the goal, or lines of them with the opponent's replies, separated by blanks. */
  wrong: string[];
  /** Moves that a learner is likely to try and that the rules forbid, each with its clause. */
  refused?: { move: string; clause: string }[];
}

const files = import.meta.glob<{ lessons: Lesson[] }>('../../../data/lessons/*.json', { import: 'default' });

/** The games that have lessons. */
export const lessonGames = (): string[] => Object.keys(files).map((path) => path.replace(/^.*\/|\.json$/g, ''));

/** The lessons of a game in their order; none if it has no file. */
export async function lessonsOf(game: string): Promise<Lesson[]> {
  const load = Object.entries(files).find(([path]) => path.endsWith(`/${game}.json`))?.[1];
  return load ? (await load()).lessons : [];
}

/** The text in the language, in English where it has no other. */
export const inLanguage = (text: LocalText, language: Language): string => text[language] ?? text.en;
