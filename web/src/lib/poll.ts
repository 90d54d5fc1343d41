// Asks again and again while the page is looked at. The server's tags make an answer that is the same cheap.
import { get } from './http';

const every = 2000;

/** Calls `show` with every answer and `fail` with every fault, until the function it returns is called. */
export function poll<T>(path: string, show: (answer: T) => void, fail: (fault: Error) => void): () => void {
  const stop = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const look = async (): Promise<void> => {
    if (!document.hidden) {
      try {
        const answer = await get<T>(path, stop.signal);
        if (!stop.signal.aborted) show(answer);
      } catch (fault) {
        if (!stop.signal.aborted) fail(fault as Error);
      }
    }
    if (!stop.signal.aborted) timer = setTimeout(look, every);
  };
  void look();
  return () => {
    stop.abort();
    clearTimeout(timer);
  };
}
