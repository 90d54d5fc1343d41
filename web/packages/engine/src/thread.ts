// The worker in a thread of Node, which has messages on a port of its own.

import { parentPort } from 'node:worker_threads';

const scope = globalThis as unknown as {
  postMessage(message: unknown): void;
  onmessage: ((event: { data: unknown }) => void) | null;
};
scope.postMessage = (message) => parentPort?.postMessage(message);
await import('../../../src/lib/device_worker');
// Messages wait until somebody listens, which the script does now.
parentPort?.on('message', (data) => scope.onmessage?.({ data }));
