// What an engine says of a move that the rules forbid.

import type { ApiError } from './http';
import type { Refusal } from './types';

/** The refusal in an error; null if that is about something else. */
export function refusalOf(error: unknown): Refusal | null {
  // By its shape: an engine from another bundle has a class of its own.
  const { code, details = {} } = (error ?? {}) as Partial<ApiError>;
  if (!(error instanceof Error) || code !== 'illegal') return null;
  return {
    message: error.message,
    clause: String(details.clause ?? ''),
    rules: String(details.rules ?? ''),
    squares: (details.squares as string[] | undefined) ?? [],
  };
}
