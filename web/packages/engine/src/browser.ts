// For browsers: modules are fetched from beside this file, and workers are the browser's own.

import type { WorkerLike } from '../../../src/lib/device';
import { type EngineOptions, PaikaEngine } from './engine';

export * from './engine';

/** Browsers start workers of their own origin alone; a script of that origin may import from another. */
function startWorker(): WorkerLike {
  const url = new URL(/* @vite-ignore */ './worker.js', import.meta.url);
  if (url.origin === globalThis.location?.origin) return new Worker(url, { type: 'module' });
  const script = URL.createObjectURL(new Blob([`import ${JSON.stringify(url.href)};`], { type: 'text/javascript' }));
  return new Worker(script, { type: 'module' });
}

async function fetchModule(game: string): Promise<WebAssembly.Module> {
  const answer = await fetch(new URL(/* @vite-ignore */ `./${game}.wasm`, import.meta.url));
  if (!answer.ok) throw new Error(`${answer.url}: ${answer.status}`);
  // Servers that do not know the type of .wasm are common.
  if (answer.headers.get('content-type') === 'application/wasm') return WebAssembly.compileStreaming(answer);
  return WebAssembly.compile(await answer.arrayBuffer());
}

/** An engine whose workers start when they are needed. */
export const openEngine = (options: EngineOptions = {}): PaikaEngine =>
  new PaikaEngine({ module: fetchModule, worker: startWorker }, options);
