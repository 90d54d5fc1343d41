// For Node: modules are read from beside this file, and workers are threads.

import { openAsBlob } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { WorkerLike } from '../../../src/lib/device';
import type { FromWorker } from '../../../src/lib/device_worker';
import { type EngineOptions, fileTables, PaikaEngine, type TableSource } from './engine';

export * from './engine';

/** A thread as a browser's worker. */
function startThread(): WorkerLike {
  const script = new URL(/* @vite-ignore */ './thread.js', import.meta.url); // beside the built file
  const thread = new Worker(script);
  const like: WorkerLike = {
    onmessage: null,
    onerror: null,
    postMessage: (message) => thread.postMessage(message),
    terminate: () => void thread.terminate(),
  };
  thread.on('message', (data: FromWorker) => like.onmessage?.({ data } as MessageEvent<FromWorker>));
  thread.on('error', (fault) => like.onerror?.({ message: String(fault) } as ErrorEvent));
  return like;
}

const readModule = async (): Promise<WebAssembly.Module> =>
  WebAssembly.compile(await readFile(new URL(/* @vite-ignore */ './engine.wasm', import.meta.url)));

/** The tables in a folder, as `paika solve --tables FOLDER` leaves them. */
export async function folderTables(folder: string): Promise<TableSource> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.table')).sort();
  const open = async (name: string) => Object.assign(await openAsBlob(join(folder, name)), { name });
  return fileTables(await Promise.all(names.map(open)));
}

/** An engine whose threads start when they are needed; close() ends them. */
export const openEngine = (options: EngineOptions = {}): PaikaEngine =>
  new PaikaEngine({ module: readModule, worker: startThread }, options);
