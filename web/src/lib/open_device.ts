// Opens the engine on this device: the module that the server has, in workers of this page.

import { Device } from './device';
import { engineUrl } from './offline.svelte';
import { ServerTables } from './table_source';

/** So long it is not asked for again after it was not there. */
const pauseMs = 5000;

async function compiled(): Promise<WebAssembly.Module> {
  const answer = await fetch(engineUrl);
  if (!answer.ok) throw new Error(`${engineUrl}: ${answer.status}`);
  return WebAssembly.compileStreaming(answer);
}

let retryAt = 0;

/** The engine on this device; null where there is none: it is still being built, or it cannot be fetched now. */
export async function openDevice(): Promise<Device | null> {
  if (typeof WebAssembly === 'undefined' || typeof Worker === 'undefined' || performance.now() < retryAt) return null;
  try {
    const module = await compiled();
    const worker = () => new Worker(new URL('./device_worker.ts', import.meta.url), { type: 'module' });
    return new Device(module, worker, new ServerTables());
  } catch {
    retryAt = performance.now() + pauseMs;
    return null;
  }
}
