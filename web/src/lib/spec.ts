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
  const known: Record<string, string[]> = {
    fanorona: ['3x3', '5x5', '7x5', '9x5', '9x9', '13x13'],
    abalone: ['3x3', '4x4', '5x5', '6x8', '10x26'],
    othello: ['6x6', '8x8', '10x10', '16x16', '26x26'],
  };
  if (!game.sizes) return [];
  const sizes = known[game.name] ?? [];
  return sizes.includes(game.standard_size) ? sizes : [game.standard_size, ...sizes];
}
