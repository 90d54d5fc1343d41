// Specs as a form fills them in: "fanorona:5x5,sacrifice=off". What is valid, the server says.

import type { GameInfo } from './types';

export interface SpecChoice {
  game: string;
  size: string;
  options: Record<string, string>; // only those that were changed
}

export function specText(choice: SpecChoice): string {
  const parts: string[] = [];
  if (choice.size) parts.push(choice.size);
  for (const [key, value] of Object.entries(choice.options)) if (value !== '') parts.push(`${key}=${value}`);
  return parts.length > 0 ? `${choice.game}:${parts.join(',')}` : choice.game;
}

export const gameOfSpec = (spec: string): string => spec.split(':')[0] ?? spec;

/** The part after the name: "5x5, sacrifice=off". */
export const specDetails = (spec: string): string => (spec.split(':')[1] ?? '').split(',').join(', ');

/** Sizes worth offering with one click; others can be typed. */
export function sizesOf(game: GameInfo): string[] {
  if (!game.sizes) return [];
  const sizes = game.suggested_sizes;
  return sizes.includes(game.standard_size) ? sizes : [game.standard_size, ...sizes];
}
