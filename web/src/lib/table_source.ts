// The server's tables of perfect play, read in pieces. What was read stays on this device, for times without the network.

import type { TableSource } from './device';
import { errorOf } from './http';
import type { ListedTable } from './wasm_module';

/** Files are read in pieces of this size: small ones whole, and of large ones what lies around a block. */
export const pieceBytes = 1 << 16;

const listPath = '/api/tables';

/** The part of the Cache interface that is used here. */
export interface PieceCache {
  match(path: string): Promise<Response | undefined>;
  put(path: string, answer: Response): Promise<void>;
  delete(path: string): Promise<boolean>;
  keys(): Promise<readonly Request[]>;
}

const pathOf = (table: ListedTable, piece: number): string =>
  `${listPath}/${encodeURIComponent(table.file)}?${new URLSearchParams({ checksum: table.checksum, piece: String(piece) })}`;

export class ServerTables implements TableSource {
  private readonly pieces = new Map<string, Promise<Uint8Array>>();

  constructor(
    private readonly ask: typeof fetch = (...given) => fetch(...given),
    private readonly openCache: () => Promise<PieceCache | null> = async () =>
      typeof caches === 'undefined' ? null : caches.open('paika-tables'),
  ) {}

  async list(): Promise<ListedTable[]> {
    const cache = await this.openCache();
    try {
      const answer = await this.ask(listPath);
      if (!answer.ok) throw await errorOf(answer);
      await cache?.put(listPath, answer.clone()).catch(() => {});
      return ((await answer.json()) as { tables: ListedTable[] }).tables;
    } catch (fault) {
      const known = await cache?.match(listPath);
      if (!known) throw fault;
      return ((await known.json()) as { tables: ListedTable[] }).tables;
    }
  }

  async read(table: ListedTable, offset: number, size: number): Promise<Uint8Array> {
    const first = Math.floor(offset / pieceBytes);
    const last = Math.floor(Math.max(offset, offset + size - 1) / pieceBytes);
    const wanted = Array.from({ length: last - first + 1 }, (_, i) => this.piece(table, first + i));
    const bytes = new Uint8Array(size);
    (await Promise.all(wanted)).forEach((piece, i) => {
      const at = (first + i) * pieceBytes - offset; // where the piece begins in what was asked for
      const part = piece.subarray(Math.max(0, -at), Math.max(0, size - at));
      bytes.set(part, Math.max(0, at));
    });
    return bytes;
  }

  forget(tables: ListedTable[]): void {
    this.pieces.clear();
    void this.openCache().then(async (cache) => {
      const paths = tables.map(({ file }) => `${listPath}/${encodeURIComponent(file)}`);
      for (const { url } of (await cache?.keys()) ?? []) {
        // Pieces of the file, and what the server counted in it.
        if (paths.some((path) => url.includes(`${path}?`) || url.includes(`${path}/`))) await cache?.delete(url);
      }
    });
  }

  private piece(table: ListedTable, number: number): Promise<Uint8Array> {
    const path = pathOf(table, number);
    let piece = this.pieces.get(path);
    if (!piece) {
      piece = this.fetched(table, number, path);
      piece.catch(() => this.pieces.delete(path));
      this.pieces.set(path, piece);
    }
    return piece;
  }

  private async fetched(table: ListedTable, number: number, path: string): Promise<Uint8Array> {
    const cache = await this.openCache();
    const known = await cache?.match(path);
    if (known) return new Uint8Array(await known.arrayBuffer());
    const first = number * pieceBytes;
    const end = Math.min(first + pieceBytes, table.bytes);
    const answer = await this.ask(`${listPath}/${encodeURIComponent(table.file)}`, {
      headers: { Range: `bytes=${first}-${end - 1}`, 'If-Range': `"${table.checksum}"` },
    });
    // 200 is all of another file: it has changed.
    if (answer.status !== 206) throw await errorOf(answer);
    const bytes = new Uint8Array(await answer.arrayBuffer());
    await cache?.put(path, new Response(bytes)).catch(() => {}); // there may be no room
    return bytes;
  }
}
