// The engine on this device: the C++ engine as WebAssembly, in workers of this page (docs/web.md).
//
// One worker answers what takes moments, another thinks. A thought that is not wanted any more is ended with its worker;
// the module is compiled once, so the next worker is there in a moment.

import type { Backend } from './backend';
import type { FromWorker, ToWorker } from './device_worker';
import { ApiError, errorIn } from './http';
import { engineUrl } from './offline.svelte';

/** So long it is not asked for again after it was not there. */
const pauseMs = 5000;

interface Question {
  method: string;
  path: string;
  body: string;
  told: (line: string) => void;
  answered: (text: string) => void;
  failed: (fault: unknown) => void;
}

/** The part of a Worker that is used here. */
export interface WorkerLike {
  onmessage: ((event: MessageEvent<FromWorker>) => void) | null;
  onerror: ((event: ErrorEvent) => void) | null;
  postMessage(message: ToWorker): void;
  terminate(): void;
}

/** A worker with those who wait for it. */
class EngineWorker {
  private worker: WorkerLike | null = null;
  private readonly waiting: Question[] = []; // the first one is being answered

  constructor(private readonly start: () => WorkerLike) {}

  ask(question: Question): void {
    this.waiting.push(question);
    if (this.waiting.length === 1) this.next();
  }

  /** Forgets a question; if it is being answered, that is ended. */
  drop(question: Question): void {
    const place = this.waiting.indexOf(question);
    if (place < 0) return;
    this.waiting.splice(place, 1);
    if (place > 0) return;
    this.stop();
    this.next();
  }

  private stop(): void {
    if (this.worker) this.worker.onmessage = this.worker.onerror = null;
    this.worker?.terminate();
    this.worker = null;
  }

  private next(): void {
    const question = this.waiting[0];
    if (!question) return;
    if (!this.worker) {
      this.worker = this.start();
      this.worker.onmessage = ({ data }) => this.take(data);
      this.worker.onerror = (event) => this.take({ broken: event.message || 'the worker could not be started' });
    }
    const { method, path, body } = question;
    this.worker.postMessage({ method, path, body });
  }

  private take(said: FromWorker): void {
    const question = this.waiting[0];
    if (!question) return;
    if ('line' in said) {
      question.told(said.line);
      return;
    }
    this.waiting.shift();
    if ('broken' in said) {
      this.stop();
      question.failed(new ApiError(500, 'broken', said.broken));
    } else if (said.status >= 400) {
      question.failed(errorIn(said.status, said.body));
    } else {
      question.answered(said.body);
    }
    this.next();
  }
}

export class Device implements Backend {
  private readonly clerk: EngineWorker;
  private readonly thinker: EngineWorker;

  constructor(module: WebAssembly.Module, newWorker: () => WorkerLike) {
    const start = () => {
      const worker = newWorker();
      worker.postMessage({ module });
      return worker;
    };
    this.clerk = new EngineWorker(start);
    this.thinker = new EngineWorker(start);
  }

  private ask(
    worker: EngineWorker,
    method: string,
    path: string,
    body: string,
    told: (line: string) => void,
    signal?: AbortSignal,
  ): Promise<string> {
    return new Promise((answered, failed) => {
      if (signal?.aborted) return failed(signal.reason);
      const question: Question = { method, path, body, told, answered, failed };
      signal?.addEventListener('abort', () => {
        worker.drop(question);
        failed(signal.reason);
      });
      worker.ask(question);
    });
  }

  async get<T>(path: string): Promise<T> {
    return JSON.parse(await this.getText(path)) as T;
  }

  getText(path: string): Promise<string> {
    return this.ask(this.clerk, 'GET', path, '', () => {});
  }

  async post<T>(path: string, body: unknown): Promise<T> {
    return JSON.parse(await this.ask(this.clerk, 'POST', path, JSON.stringify(body), () => {})) as T;
  }

  async lines<T>(path: string, body: unknown, each: (line: T) => void, signal?: AbortSignal): Promise<void> {
    const told = (line: string) => each(JSON.parse(line) as T);
    await this.ask(this.thinker, 'POST', path, JSON.stringify(body), told, signal);
  }
}

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
    return new Device(module, () => new Worker(new URL('./device_worker.ts', import.meta.url), { type: 'module' }));
  } catch {
    retryAt = performance.now() + pauseMs;
    return null;
  }
}
