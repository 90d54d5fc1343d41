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

/** A spec in its parts: what specText() made of them. */
export function readSpec(spec: string): SpecChoice {
  const [game = '', rest = ''] = spec.split(':');
  const choice: SpecChoice = { game, size: '', options: {} };
  for (const part of rest.split(',').filter(Boolean)) {
    const [key = '', value = 'on'] = part.split('=');
    if (/^\d+x\d+$/.test(part)) choice.size = part;
    else choice.options[key] = value;
  }
  return choice;
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
