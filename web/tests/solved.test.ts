import { afterEach, describe, expect, it, vi } from 'vitest';
import { countsOf } from '../src/lib/solved';

const table = { file: 'abalone 3x3.table', checksum: 'c1' };
const distances = { wins: [0, 4], losses: [1], draws: 2, longest: { spec: 'abalone:3x3', position: 'p', win_in: 3 } };

function kept() {
  const answers = new Map<string, Response>();
  const cache = {
    match: async (path: string) => answers.get(path)?.clone(),
    put: async (path: string, answer: Response) => void answers.set(path, answer),
    delete: async (path: string) => answers.delete(path),
    keys: async () => [],
  };
  return { answers, open: async () => cache };
}

const backend = () => ({ post: vi.fn(async () => ({ line: ['a1', 'b1', 'c1'] })) }) as never;

afterEach(() => vi.unstubAllGlobals());

describe('what a whole table tells', () => {
  it('is counted once and then known without the network, until the table changes', async () => {
    const ask = vi.fn(async () => Response.json(distances));
    vi.stubGlobal('fetch', ask);
    const { answers, open } = kept();
    const found = { distances, line: ['a1', 'b1', 'c1'] };
    expect(await countsOf(table, backend(), open)).toEqual(found);
    expect([...answers.keys()]).toEqual(['/api/tables/abalone%203x3.table/distances?checksum=c1']);
    expect(ask).toHaveBeenCalledTimes(1);
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('offline')));
    expect(await countsOf(table, backend(), open)).toEqual(found);
    expect(await countsOf({ ...table, checksum: 'c2' }, backend(), open)).toBeNull();
  });

  it('is a fault where the server refuses, and needs no cache', async () => {
    vi.stubGlobal('fetch', async () =>
      Response.json({ error: { code: 'bad_table', message: 'damaged' } }, { status: 500 }),
    );
    await expect(countsOf(table, backend(), async () => null)).rejects.toThrow('damaged');
    vi.stubGlobal('fetch', async () => Response.json({ ...distances, longest: null }));
    expect((await countsOf(table, backend(), async () => null))?.line).toEqual([]);
  });
});
