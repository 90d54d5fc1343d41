// The engine that comes later than the page.
import { describe, expect, it } from 'vitest';
import { Offline } from '../src/lib/offline.svelte';

type Answer = number | 'lost';

/** Answers in turn; notes the pauses between them, and what the page knew in each. */
async function visit(answers: Answer[]) {
  const pauses: number[] = [];
  const known: (boolean | null)[] = [];
  const offline: Offline = new Offline(
    async () => {
      const answer = answers.shift()!;
      if (answer === 'lost') throw new TypeError('no network');
      return new Response(null, { status: answer });
    },
    async (ms) => {
      pauses.push(ms);
      known.push(offline.ready);
    },
  );
  await offline.keepEngine();
  return { offline, pauses, known, left: answers };
}

describe('offline play', () => {
  it('is ready at once where the engine is there, and says nothing', async () => {
    const { offline, pauses } = await visit([200]);
    expect({ ready: offline.ready, came: offline.came, pauses }).toEqual({ ready: true, came: false, pauses: [] });
  });

  it('is not ready until the engine was built, and then says so', async () => {
    const { offline, known, left } = await visit([404, 404, 404, 200, 404]);
    expect(known).toEqual([false, false, false]);
    expect({ ready: offline.ready, came: offline.came, left }).toEqual({ ready: true, came: true, left: [404] });
  });

  it('is not known while the server cannot be reached', async () => {
    const { offline, known } = await visit(['lost', 503, 200]);
    expect(known).toEqual([null, null]);
    expect(offline.came).toBe(false);
  });

  it('asks less and less often, but never stops', async () => {
    const { pauses } = await visit([...Array<Answer>(12).fill(404), 200]);
    expect(pauses).toEqual([...pauses].sort((a, b) => a - b));
    expect(pauses.at(-1)).toBe(20_000);
  });
});
