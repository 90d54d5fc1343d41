// For browsers: modules are fetched from beside this file, and workers are the browser's own.

import type { WorkerLike } from '../../../src/lib/device';
import { compileFrom } from '../../fetched';
import { type EngineOptions, PaikaEngine } from './engine';

export * from './engine';

/** Browsers start workers of their own origin alone; a script of that origin may import from another. */
function startWorker(): WorkerLike {
  const url = new URL(/* @vite-ignore */ './worker.js', import.meta.url);
  if (url.origin === globalThis.location?.origin) return new Worker(url, { type: 'module' });
  const script = URL.createObjectURL(new Blob([`import ${JSON.stringify(url.href)};`], { type: 'text/javascript' }));
  return new Worker(script, { type: 'module' });
}

const fetchModule = () => compileFrom(new URL(/* @vite-ignore */ './engine.wasm', import.meta.url));

/** An engine whose workers start when they are needed. */
export const openEngine = (options: EngineOptions = {}): PaikaEngine =>
  new PaikaEngine({ module: fetchModule, worker: startWorker }, options);
