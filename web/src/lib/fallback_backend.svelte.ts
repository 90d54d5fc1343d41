// Who answers now: the server, or this device where a person wants that or the server cannot be reached.

import { type Backend, server } from './backend';
import { ApiError } from './http';
import { settings } from './settings.svelte';

/** So long the server is left alone after it could not be reached. */
const pauseMs = 10_000;

/** True if nobody has answered, or only somebody who stands before the server. */
export function unreachable(fault: unknown): boolean {
  return fault instanceof ApiError && (fault.code === 'offline' || (fault.code === 'http' && fault.status >= 502));
}

export class FallbackBackend implements Backend {
  who = $state<'server' | 'device'>('server');
  private device: Promise<Backend | null> | null = null;
  private awayUntil = 0;

  constructor(
    private readonly server: Backend,
    private readonly open: () => Promise<Backend | null>,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** The engine on this device, opened when it is first needed; null if there is none. */
  private async onDevice(): Promise<Backend | null> {
    this.device ??= this.open();
    const found = await this.device;
    if (!found) this.device = null; // it may be there later
    return found;
  }

  private async ask<T>(use: (backend: Backend) => Promise<T>, here = false): Promise<T> {
    if (here || settings.engine === 'device' || this.now() < this.awayUntil) {
      const device = await this.onDevice();
      if (device) return this.by('device', use(device));
    }
    try {
      return await this.by('server', use(this.server));
    } catch (fault) {
      const device = unreachable(fault) ? await this.onDevice() : null;
      if (!device) throw fault;
      this.awayUntil = this.now() + pauseMs;
      return this.by('device', use(device));
    }
  }

  private async by<T>(who: 'server' | 'device', answer: Promise<T>): Promise<T> {
    try {
      const found = await answer;
      this.who = who;
      return found;
    } catch (fault) {
      if (!unreachable(fault)) this.who = who; // a refusal is an answer too
      throw fault;
    }
  }

  get<T>(path: string): Promise<T> {
    return this.ask((backend) => backend.get<T>(path));
  }

  getText(path: string): Promise<string> {
    return this.ask((backend) => backend.getText(path));
  }

  post<T>(path: string, body: unknown): Promise<T> {
    return this.ask((backend) => backend.post<T>(path, body));
  }

  lines<T>(path: string, body: unknown, each: (line: T) => void, signal?: AbortSignal, here = false): Promise<void> {
    return this.ask((backend) => backend.lines<T>(path, body, each, signal), here);
  }
}

export const backend = new FallbackBackend(server, async () => (await import('./open_device')).openDevice());
