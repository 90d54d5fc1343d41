// The engine on this device: the C++ engine as WebAssembly, in workers of this page (docs/web.md).
//
// One worker answers what takes moments, another thinks. A thought that is not wanted any more is ended with its worker;
// the module is compiled once, so the next worker is there in a moment.

import type { Backend } from './backend';
import type { FromWorker, Supplied, ToWorker } from './device_worker';
import { ApiError, errorIn } from './http';
import type { ListedTable, MissingBytes } from './wasm_module';

/** Where tables of perfect play come from. What it gives is checked by the engine. */
export interface TableSource {
  /** The tables that there are, as `GET /api/tables` lists them. */
  list(): Promise<ListedTable[]>;
  /** Bytes of a table's file. Rejects if they cannot be had. */
  read(table: ListedTable, offset: number, size: number): Promise<Uint8Array>;
  /** What was read of these tables was wrong: what it keeps of them should go. */
  forget?(tables: ListedTable[]): void;
}

interface Question {
  message: ToWorker;
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

  constructor(
    private readonly start: () => WorkerLike,
    private readonly bytes: (missing: MissingBytes[]) => Promise<Supplied>,
  ) {}

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

  close(): void {
    this.waiting.length = 0;
    this.stop();
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
    this.worker.postMessage(question.message);
  }

  private take(said: FromWorker): void {
    const question = this.waiting[0];
    if (!question) return;
    if ('line' in said) {
      question.told(said.line);
      return;
    }
    if ('missing' in said && said.missing) {
      void this.bytes(said.missing).then((supplied) => {
        if (this.waiting[0] === question) this.worker?.postMessage({ supplied });
      });
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

/** Requests whose answers tables make certain. */
const usesTables = (path: string): boolean =>
  path === '/api/tables' || /^\/api\/(position\/(values|analysis)|review)$/.test(path);

export class Device implements Backend {
  private readonly clerk: EngineWorker;
  private readonly thinker: EngineWorker;
  private listed: Promise<ListedTable[]> | null = null;

  /** `tables`: where the engine reads tables of perfect play; without, it has none. */
  constructor(
    module: WebAssembly.Module,
    newWorker: () => WorkerLike,
    private readonly source: TableSource | null = null,
  ) {
    const start = () => {
      const worker = newWorker();
      worker.postMessage({ module });
      return worker;
    };
    const bytes = (missing: MissingBytes[]) => this.bytes(missing);
    this.clerk = new EngineWorker(start, bytes);
    this.thinker = new EngineWorker(start, bytes);
  }

  /** The tables that there are; none while they cannot be listed. */
  private tables(): Promise<ListedTable[]> {
    this.listed ??= this.source?.list() ?? Promise.resolve([]);
    return this.listed.catch(() => {
      this.listed = null;
      return [];
    });
  }

  private async bytes(missing: MissingBytes[]): Promise<Supplied> {
    const tables = new Map((await this.tables()).map((table) => [table.file, table]));
    const read = async ({ file, offset, size }: MissingBytes) => {
      const table = tables.get(file);
      return table && this.source ? this.source.read(table, offset, size) : null;
    };
    return Promise.all(missing.map((range) => read(range).catch(() => null)));
  }

  /** A request with the tables that its answer may use. */
  private async request(
    worker: EngineWorker,
    method: string,
    path: string,
    body: string,
    told: (line: string) => void,
    signal?: AbortSignal,
  ) {
    const tables = this.source && usesTables(path) ? await this.tables() : [];
    try {
      return await this.ask(worker, { method, path, body, ...(tables.length ? { tables } : {}) }, told, signal);
    } catch (fault) {
      if (fault instanceof ApiError && fault.code === 'bad_table') this.source?.forget?.(tables);
      throw fault;
    }
  }

  private ask(
    worker: EngineWorker,
    message: ToWorker,
    told: (line: string) => void,
    signal?: AbortSignal,
  ): Promise<string> {
    return new Promise((answered, failed) => {
      if (signal?.aborted) return failed(signal.reason);
      const question: Question = { message, told, answered, failed };
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
    return this.request(this.clerk, 'GET', path, '', () => {});
  }

  async post<T>(path: string, body: unknown): Promise<T> {
    return JSON.parse(await this.request(this.clerk, 'POST', path, JSON.stringify(body), () => {})) as T;
  }

  async lines<T>(path: string, body: unknown, each: (line: T) => void, signal?: AbortSignal): Promise<void> {
    const told = (line: string) => each(JSON.parse(line) as T);
    await this.request(this.thinker, 'POST', path, JSON.stringify(body), told, signal);
  }

  /** The number of lines of `depth` moves from a position; the game's own start if that is empty. */
  async perft(spec: string, position: string, depth: number, signal?: AbortSignal): Promise<bigint> {
    return BigInt(await this.ask(this.thinker, { spec, position, depth }, () => {}, signal));
  }

  /** Ends the workers; nothing that is under way is answered any more. */
  close(): void {
    this.clerk.close();
    this.thinker.close();
  }
}
