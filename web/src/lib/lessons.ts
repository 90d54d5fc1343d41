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

/** What readers of a language are taught in school: the second best where a text is not translated. */
const secondLanguage: Partial<Record<Language, Language>> = { mg: 'fr' };

/** The language in which a text is shown: the one that is wanted, or another that its readers know. */
export function languageOf(text: LocalText, wanted: Language): Language {
  const second = secondLanguage[wanted];
  if (text[wanted]) return wanted;
  return second && text[second] ? second : 'en';
}

export const inLanguage = (text: LocalText, wanted: Language): string => text[languageOf(text, wanted)] ?? text.en;
