// The engine in a worker: one request at a time, so that the page never waits. lib/device.ts is its other side.

import { startModule, type WasmEngine } from './wasm_module';

/** The module comes first, then one question after the other. */
export type ToWorker = { module: WebAssembly.Module } | { method: string; path: string; body: string };
export type FromWorker = { line: string } | { status: number; body: string } | { broken: string };

const scope = globalThis as unknown as {
  postMessage(message: FromWorker): void;
  onmessage: ((event: MessageEvent<ToWorker>) => void) | null;
};

let engine: Promise<WasmEngine> | null = null;

scope.onmessage = async ({ data }) => {
  try {
    if ('module' in data) {
      engine = startModule(data.module);
      await engine;
      return;
    }
    if (!engine) throw new Error('the module is missing');
    const told = (line: string) => scope.postMessage({ line });
    scope.postMessage((await engine).answer(data.method, data.path, data.body, told));
  } catch (fault) {
    scope.postMessage({ broken: fault instanceof Error ? fault.message : String(fault) });
  }
};
