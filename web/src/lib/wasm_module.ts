// The engine's WebAssembly module: texts in, texts out. src/apps/wasm/exports.cpp is its other side.

export interface Answered {
  status: number;
  body: string;
  /** What the answer lacks; there is none before that is supplied. */
  missing?: MissingBytes[];
}

/** A table of perfect play, as `GET /api/tables` lists it; of what it says more, nothing is needed here. */
export interface ListedTable {
  table: string;
  file: string;
  bytes: number;
  checksum: string;
}

/** Bytes of a table's file that an answer needs. */
export interface MissingBytes {
  file: string;
  offset: number;
  size: number;
}

export interface WasmEngine {
  /** Answers a request as the server does; `told` gets the lines of a stream. Throws if the module broke: it is of no use
   * then. If something is missing, supply that and ask again. */
  answer(method: string, path: string, body: string, told: (line: string) => void): Answered;
  /** Announces the tables that it may ask bytes of. */
  tables(list: readonly ListedTable[]): void;
  /** Brings the bytes of a file from `offset` on; the engine checks them itself. */
  supply(file: string, offset: number, bytes: Uint8Array): void;
  perft(spec: string, position: string, depth: number): bigint;
}

interface Exports {
  memory: WebAssembly.Memory;
  _initialize(): void;
  take(size: number): number;
  answer(): number;
  tables(): bigint;
  supply(offset: number): void;
  perft(depth: number): bigint;
  result(): number;
  result_size(): number;
}

/** The module broke: by a mistake of the engine, or for lack of memory. What it wrote before is the message. */
export class BrokenEngine extends Error {}

/** There is no answer to this, and the message says why; the module is as good as before. */
export class BadQuestion extends Error {}

const monotonic = 1; // WASI's number of the clock
const done = 0; // WASI's errno for success
const unsupported = 52;
const bytesAreMissing = 0; // the engine's status

/** Starts an instance. `told` of the call under way gets what it says meanwhile. */
export async function startModule(module: WebAssembly.Module): Promise<WasmEngine> {
  const encoder = new TextEncoder();
  const decoder = new TextDecoder();
  let exports: Exports;
  let tell: (line: string) => void = () => {};
  let complaint = '';
  const text = (at: number, size: number): string => decoder.decode(new Uint8Array(exports.memory.buffer, at, size));
  const view = (): DataView => new DataView(exports.memory.buffer);

  // What the C library asks of the system. There is a clock and an error output, no files, no arguments.
  const wasi: Record<string, (...given: number[]) => number> = {
    fd_write(_file = 0, list = 0, count = 0, written = 0) {
      let size = 0;
      for (let i = 0; i < count; i++) {
        const at = view().getUint32(list + 8 * i, true);
        const length = view().getUint32(list + 8 * i + 4, true);
        complaint += text(at, length);
        size += length;
      }
      view().setUint32(written, size, true);
      return done;
    },
    clock_time_get: ((clock: number, _precision: bigint, at: number) => {
      const ms = clock === monotonic ? performance.now() : Date.now();
      view().setBigUint64(at, BigInt(Math.round(ms * 1e6)), true);
      return done;
    }) as never,
    environ_sizes_get(count = 0, size = 0) {
      view().setUint32(count, 0, true);
      view().setUint32(size, 0, true);
      return done;
    },
    environ_get: () => done,
    proc_exit(status = 0) {
      throw new Error(`exit ${status}`);
    },
  };
  const imports: WebAssembly.Imports = {
    page: {
      emit(at: number, size: number): number {
        tell(text(at, size));
        return 1;
      },
    },
    wasi_snapshot_preview1: new Proxy(wasi, { get: (known, name) => known[String(name)] ?? (() => unsupported) }),
  };
  const instance = await WebAssembly.instantiate(module, imports);
  exports = instance.exports as unknown as Exports;

  const guarded = <T>(call: () => T): T => {
    complaint = '';
    try {
      return call();
    } catch (fault) {
      if (fault instanceof BadQuestion) throw fault;
      throw new BrokenEngine(complaint.trim() || String(fault));
    }
  };
  const give = (given: string, more: Uint8Array = new Uint8Array()): void => {
    const bytes = encoder.encode(given);
    const at = exports.take(bytes.length + more.length);
    const room = new Uint8Array(exports.memory.buffer, at, bytes.length + more.length);
    room.set(bytes);
    room.set(more, bytes.length);
  };
  const result = (): string => text(exports.result(), exports.result_size());

  guarded(() => exports._initialize());
  return {
    answer: (method, path, body, told) =>
      guarded(() => {
        tell = told;
        give(`${method}\n${path}\n${body}`);
        const status = exports.answer();
        const said = result();
        if (status !== bytesAreMissing) return { status, body: said };
        return { status, body: '', missing: JSON.parse(said) as MissingBytes[] };
      }),
    tables: (list) =>
      guarded(() => {
        give(JSON.stringify(list));
        if (exports.tables() < 0n) throw new BadQuestion(result());
      }),
    supply: (file, offset, bytes) =>
      guarded(() => {
        give(`${file}\n`, bytes);
        exports.supply(offset);
      }),
    perft: (spec, position, depth) =>
      guarded(() => {
        give(`${spec}\n${position}`);
        const count = exports.perft(depth);
        if (count < 0n) throw new BadQuestion(result());
        return count;
      }),
  };
}
