// The engine in a worker: one request at a time, so that the page never waits. lib/device.ts is its other side.

import { BadQuestion, startModule, type WasmEngine } from './wasm_module';

/** The module comes first, then one question after the other: a request, or a count of lines. */
export type ToWorker =
  | { module: WebAssembly.Module }
  | { method: string; path: string; body: string }
  | { spec: string; position: string; depth: number };
export type FromWorker = { line: string } | { status: number; body: string } | { broken: string };

const scope = globalThis as unknown as {
  postMessage(message: FromWorker): void;
  onmessage: ((event: MessageEvent<ToWorker>) => void) | null;
};

let engine: Promise<WasmEngine> | null = null;

/** A count as an answer; what is wrong with the question is no fault of the engine. */
function counted(engine: WasmEngine, { spec, position, depth }: { spec: string; position: string; depth: number }) {
  try {
    return { status: 200, body: String(engine.perft(spec, position, depth)) };
  } catch (fault) {
    if (!(fault instanceof BadQuestion)) throw fault;
    return { status: 400, body: JSON.stringify({ error: { code: 'bad_request', message: fault.message } }) };
  }
}

scope.onmessage = async ({ data }) => {
  try {
    if ('module' in data) {
      engine = startModule(data.module);
      await engine;
      return;
    }
    if (!engine) throw new Error('the module is missing');
    if ('depth' in data) {
      scope.postMessage(counted(await engine, data));
      return;
    }
    const told = (line: string) => scope.postMessage({ line });
    scope.postMessage((await engine).answer(data.method, data.path, data.body, told));
  } catch (fault) {
    scope.postMessage({ broken: fault instanceof Error ? fault.message : String(fault) });
  }
};
