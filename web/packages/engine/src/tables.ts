// Tables of perfect play for the engine: those of a server, or files that `paika solve` wrote.

import type { TableSource } from '../../../src/lib/device';
import { ApiError } from '../../../src/lib/http';
import { ServerTables } from '../../../src/lib/table_source';
import type { ListedTable } from '../../../src/lib/wasm_module';

export type { ListedTable, TableSource };

/** A file by its name: a browser's `File` is one. */
export type NamedBlob = Blob & { readonly name: string };

/** The tables of a Paika server, of which only what is needed is loaded. */
export const serverTables = (origin: string | URL): TableSource =>
  new ServerTables(
    (path, init) => fetch(new URL(String(path), origin), init),
    async () => null,
  );

const fixedBytes = 36; // of the header, before its spec (docs/table-format.md)

/** What a table's header says. */
async function listed(file: NamedBlob): Promise<ListedTable> {
  const refuse = () => new ApiError(400, 'bad_table', `${file.name} is not a table that paika solve wrote`);
  const bytes = async (from: number, to: number) => {
    const found = await file.slice(from, to).arrayBuffer();
    if (found.byteLength !== to - from) throw refuse();
    return new DataView(found);
  };
  const text = (view: DataView) => new TextDecoder().decode(view);
  const fixed = await bytes(0, fixedBytes);
  if (text(new DataView(fixed.buffer, 0, 8)) !== 'PAIKATBL') throw refuse();
  const spec = await bytes(fixedBytes, fixedBytes + fixed.getUint32(32, true));
  return { table: text(spec), file: file.name, bytes: file.size, checksum: '' }; // nobody has told one to compare with
}

/** Tables in files, which are read where they are: those of an `<input type="file">`, or of Node's `openAsBlob`. */
export function fileTables(files: Iterable<NamedBlob>): TableSource {
  const byName = new Map([...files].map((file) => [file.name, file]));
  return {
    list: () => Promise.all([...byName.values()].map(listed)),
    read: async ({ file }, offset, size) => {
      const found = byName.get(file)?.slice(offset, offset + size);
      if (found?.size !== size) throw new ApiError(404, 'bad_table', `${file} has no such bytes`);
      return new Uint8Array(await found.arrayBuffer());
    },
  };
}
