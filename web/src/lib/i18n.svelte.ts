// Texts in the reader's language. English stands where it is used; the engine has the other languages.

import type { Phrase } from './telling';

export const languages = [
  { code: 'en', name: 'English' },
  { code: 'fr', name: 'Français' },
  { code: 'mg', name: 'Malagasy' },
] as const;
export type Language = (typeof languages)[number]['code'];

export type Messages = Record<string, string>;

/** Fills the holes of a pattern: {} in order, {0}, {1} by number. */
export function fill(pattern: string, parts: readonly string[]): string {
  let next = 0;
  return pattern.replace(/\{(\d*)\}/g, (_, number: string) => parts[number ? Number(number) : next++] ?? '');
}

class Speech {
  language = $state<Language>('en');
  private messages = $state.raw<Messages>({});

  /** Where messages come from; main.ts sets it. */
  load: (language: Language) => Promise<Messages> = async () => ({});

  /** Where a language lacks a text, English is shown. */
  async use(language: Language): Promise<void> {
    if (language === 'en') {
      this.messages = {};
    } else {
      this.messages = await this.load(language);
    }
    this.language = language;
    document.documentElement.lang = language;
  }

  put(messages: Messages): void {
    this.messages = messages;
  }

  say(text: string | Phrase): string {
    if (typeof text === 'string') return this.messages[text] ?? text;
    const parts = text.parts.map((part) => (typeof part === 'string' ? part : this.say(part)));
    return fill(this.messages[text.pattern] ?? text.pattern, parts);
  }
}

export const speech = new Speech();

/** The text in the reader's language, its holes filled. */
export function t(pattern: string, ...parts: (string | number | Phrase)[]): string {
  if (parts.length === 0) return speech.say(pattern);
  return speech.say({ pattern, parts: parts.map((p) => (typeof p === 'number' ? String(p) : p)) });
}

/** Marks a text of a table, which is said later, so that the message files have it. */
export const msg = (text: string): string => text;

/** A sentence that begins in lower case, to stand alone. The name of a square stays as it is. */
export const capital = (text: string): string =>
  /^[a-z]\d/.test(text) ? text : text.charAt(0).toUpperCase() + text.slice(1);

export function bestLanguage(wanted: readonly string[]): Language {
  for (const tag of wanted) {
    const found = languages.find((l) => tag.toLowerCase().startsWith(l.code));
    if (found) return found.code;
  }
  return 'en';
}
