// Backend: who answers requests about positions. The server does, or the engine on this device; both by the same paths.

import { get, getText, lines, post } from './http';

export interface Backend {
  get<T>(path: string): Promise<T>;
  getText(path: string): Promise<string>;
  post<T>(path: string, body: unknown): Promise<T>;
  /** Calls `each` for every line of the answer, as they come. Rejects if `signal` stops it. What takes long is asked of
   * this device first, if `here` says so and it has an engine. */
  lines<T>(path: string, body: unknown, each: (line: T) => void, signal?: AbortSignal, here?: boolean): Promise<void>;
}

export const server: Backend = {
  get: (path) => get(path),
  getText,
  post: (path, body) => post(path, body),
  lines: (path, body, each, signal) => lines('POST', path, body, each, signal),
};
