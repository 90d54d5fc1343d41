// The engine in a worker: one request at a time, so that the page never waits. lib/device.ts is its other side.

import {
  type Answered,
  BadQuestion,
  type ListedTable,
  type MissingBytes,
  startModule,
  type WasmEngine,
} from './wasm_module';

interface Request {
  method: string;
  path: string;
  body: string;
  tables?: ListedTable[]; // that the answer may use
}

/** Bytes that were missing; null where they could not be had. */
export type Supplied = (Uint8Array | null)[];

/** The module comes first, then one question after the other: a request, or a count of lines. A request is answered, or
 * asks for bytes first, which come in the order in which they were asked for. */
export type ToWorker =
  | { module: WebAssembly.Module }
  | Request
  | { supplied: Supplied }
  | { spec: string; position: string; depth: number };
export type FromWorker = { line: string } | Answered | { broken: string };

const scope = globalThis as unknown as {
  postMessage(message: FromWorker): void;
  onmessage: ((event: MessageEvent<ToWorker>) => void) | null;
};

let engine: Promise<WasmEngine> | null = null;
let announced = '';
/** The request that waits for bytes, and those. */
let waiting: { request: Request; missing: MissingBytes[] } | null = null;

/** A count as an answer; what is wrong with the question is no fault of the engine. */
function counted(engine: WasmEngine, { spec, position, depth }: { spec: string; position: string; depth: number }) {
  try {
    return { status: 200, body: String(engine.perft(spec, position, depth)) };
  } catch (fault) {
    if (!(fault instanceof BadQuestion)) throw fault;
    return { status: 400, body: JSON.stringify({ error: { code: 'bad_request', message: fault.message } }) };
  }
}

function announce(engine: WasmEngine, tables: ListedTable[]): void {
  const list = JSON.stringify(tables);
  if (list === announced) return;
  engine.tables(tables);
  announced = list;
}

function ask(engine: WasmEngine, request: Request): FromWorker {
  announce(engine, request.tables ?? []);
  const answer = engine.answer(request.method, request.path, request.body, (line) => scope.postMessage({ line }));
  waiting = answer.missing ? { request, missing: answer.missing } : null;
  return answer;
}

/** Asks again with the bytes; without the table if some could not be had. */
function supplied(engine: WasmEngine, bytes: Supplied): FromWorker {
  if (!waiting) throw new Error('nobody waits for bytes');
  const { request, missing } = waiting;
  const lost = new Set<string>();
  missing.forEach(({ file, offset }, i) => {
    const piece = bytes[i];
    if (piece) engine.supply(file, offset, piece);
    else lost.add(file);
  });
  return ask(engine, { ...request, tables: (request.tables ?? []).filter(({ file }) => !lost.has(file)) });
}

async function answered(data: Exclude<ToWorker, { module: WebAssembly.Module }>): Promise<FromWorker> {
  if (!engine) throw new Error('the module is missing');
  const started = await engine;
  if ('depth' in data) return counted(started, data);
  return 'supplied' in data ? supplied(started, data.supplied) : ask(started, data);
}

scope.onmessage = async ({ data }) => {
  try {
    if ('module' in data) {
      engine = startModule(data.module);
      await engine;
      return;
    }
    scope.postMessage(await answered(data));
  } catch (fault) {
    scope.postMessage({ broken: fault instanceof Error ? fault.message : String(fault) });
  }
};
