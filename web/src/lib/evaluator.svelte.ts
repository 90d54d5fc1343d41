// What the engine thinks of the positions of a game, one after the other and no faster than the server allows.

import { engine, type Where } from './engine';
import { ApiError } from './http';
import { share } from './score';
import type { SearchInfo, Side } from './types';

export interface Judged {
  part: number; // of the first player, 0 to 1
  thoughts: SearchInfo | null;
}

const pause = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));

export class Evaluator {
  /** By the text of the position. */
  known = $state.raw<ReadonlyMap<string, Judged>>(new Map());
  busy = $state(false);
  private stop = new AbortController();

  end(): void {
    this.stop.abort();
    this.stop = new AbortController();
    this.busy = false;
  }

  put(position: string, judged: Judged): void {
    this.known = new Map(this.known).set(position, judged);
  }

  /** Thinks about one position; what was known before is given at once. */
  async look(where: Where, position: string, toMove: Side, ms: number): Promise<void> {
    if (this.known.has(position)) return;
    const { signal } = this.stop;
    for (;;) {
      try {
        const thoughts = await engine().analyse(where, { time_ms: ms, lines: 1 }, () => {}, signal);
        const line = thoughts.lines[0];
        if (line && !signal.aborted) this.put(position, { part: share(line, toMove), thoughts });
        return;
      } catch (error) {
        if (signal.aborted || !(error instanceof ApiError)) return;
        if (error.code === 'too_often') await pause(Number(error.details.retry_after_ms ?? 2000));
        else return;
      }
    }
  }

  async lookAll(list: { where: Where; position: string; toMove: Side }[], ms: number): Promise<void> {
    this.end();
    const { signal } = this.stop;
    this.busy = true;
    for (const one of list) {
      if (signal.aborted) return;
      await this.look(one.where, one.position, one.toMove, ms);
    }
    this.busy = false;
  }
}
