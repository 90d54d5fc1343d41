// What only a whole table of perfect play tells: how many positions are won in how many moves, and the longest win. The
// server counts, which takes a moment; this device keeps the answer with the table's checksum, for times without it.

import type { Backend } from './backend';
import { unreachable } from './fallback_backend.svelte';
import { get, query } from './http';
import type { PieceCache } from './table_source';
import type { SolvedTable, TableDistances, Values } from './types';

export interface Counted {
  distances: TableDistances;
  /** The longest win, move by move; none if the table tells no distances. */
  line: readonly string[];
}

const openTables = async (): Promise<PieceCache | null> =>
  typeof caches === 'undefined' ? null : caches.open('paika-tables');

async function counted(path: string, backend: Pick<Backend, 'post'>): Promise<Counted> {
  const distances = await get<TableDistances>(path);
  if (!distances.longest) return { distances, line: [] };
  const { spec, position } = distances.longest;
  const { line = [] } = await backend.post<Values>('/api/position/values', { spec, position, line: true });
  return { distances, line };
}

/** Null if neither the server nor this device knows. */
export async function countsOf(
  { file, checksum }: Pick<SolvedTable, 'file' | 'checksum'>,
  backend: Pick<Backend, 'post'>,
  openCache = openTables,
): Promise<Counted | null> {
  const path = `/api/tables/${encodeURIComponent(file)}/distances`;
  const kept = `${path}${query({ checksum })}`;
  const cache = await openCache().catch(() => null);
  const known = await cache?.match(kept);
  if (known) return (await known.json()) as Counted;
  try {
    const found = await counted(path, backend);
    await cache?.put(kept, Response.json(found)).catch(() => {}); // there may be no room
    return found;
  } catch (fault) {
    if (unreachable(fault)) return null;
    throw fault;
  }
}
