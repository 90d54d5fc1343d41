// The server's tables: read in pieces, each once, kept for times without the network, and never mixed.
import { describe, expect, it } from 'vitest';
import { type PieceCache, pieceBytes, ServerTables } from '../src/lib/table_source';

const size = 3 * pieceBytes + 100;
const content = Uint8Array.from({ length: size }, (_, i) => (i * 7 + (i >> 8)) & 255);
const table = { table: 'abalone:4x4', file: 'abalone-4x4.table', bytes: size, checksum: '0123456789abcdef' };

class MemoryCache implements PieceCache {
  readonly kept = new Map<string, Response>();
  async match(path: string) {
    return this.kept.get(path)?.clone();
  }
  async put(path: string, answer: Response) {
    this.kept.set(path, answer);
  }
  async delete(path: string) {
    return this.kept.delete(path);
  }
  async keys() {
    return [...this.kept.keys()].map((url) => ({ url }) as Request);
  }
}

/** A server with one table, whose checksum is `tag`. */
function world(tag = table.checksum) {
  const asked: string[] = [];
  const state = { online: true, tag };
  const ask = (async (path: string, init?: RequestInit) => {
    if (!state.online) throw new TypeError('no network');
    const { Range: range = '', 'If-Range': same = '' } = (init?.headers ?? {}) as Record<string, string>;
    asked.push(range || path);
    if (path === '/api/tables') return new Response(JSON.stringify({ tables: [table] }));
    const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(range) ?? [];
    if (same !== `"${state.tag}"`) return new Response(content, { status: 200 });
    return new Response(content.slice(Number(first), Number(last) + 1), { status: 206 });
  }) as typeof fetch;
  return { asked, state, ask };
}

describe('ServerTables', () => {
  it('gives the bytes that were asked for, wherever pieces end', async () => {
    const { ask } = world();
    const source = new ServerTables(ask, async () => new MemoryCache());
    for (const [offset, length] of [
      [0, 32],
      [pieceBytes - 5, 10],
      [10, 2 * pieceBytes],
      [size - 7, 7],
      [pieceBytes, pieceBytes],
    ] as const) {
      expect(await source.read(table, offset, length)).toEqual(content.slice(offset, offset + length));
    }
  });

  it('reads a piece once', async () => {
    const { ask, asked } = world();
    const source = new ServerTables(ask, async () => new MemoryCache());
    await Promise.all([source.read(table, 0, 10), source.read(table, 20, 10), source.read(table, 500, 1)]);
    expect(asked).toEqual([`bytes=0-${pieceBytes - 1}`]);
    await source.read(table, size - 1, 1);
    expect(asked.at(-1)).toBe(`bytes=${3 * pieceBytes}-${size - 1}`);
  });

  it('keeps what it has read and the list, for times without the network', async () => {
    const { ask, state } = world();
    const cache = new MemoryCache();
    const before = new ServerTables(ask, async () => cache);
    expect(await before.list()).toEqual([table]);
    await before.read(table, 100, 50);
    state.online = false;
    const after = new ServerTables(ask, async () => cache);
    expect(await after.list()).toEqual([table]);
    expect(await after.read(table, 100, 50)).toEqual(content.slice(100, 150));
    await expect(after.read(table, 2 * pieceBytes, 1)).rejects.toThrow();
    await cache.put(`/api/tables/${table.file}/distances?checksum=${table.checksum}`, new Response('{}'));
    await cache.put(`/api/tables/2-${table.file}/distances?checksum=1`, new Response('{}'));
    after.forget([table]);
    await new Promise((done) => setTimeout(done));
    await expect(after.read(table, 100, 50)).rejects.toThrow();
    expect([...cache.kept.keys()]).toEqual(['/api/tables', `/api/tables/2-${table.file}/distances?checksum=1`]);
  });

  it('takes no bytes of another file', async () => {
    const { ask } = world('another');
    const source = new ServerTables(ask, async () => null);
    await expect(source.read(table, 0, 10)).rejects.toThrow();
  });

  it('has no list where there never was one', async () => {
    const { ask, state } = world();
    state.online = false;
    await expect(new ServerTables(ask, async () => null).list()).rejects.toThrow();
  });
});
