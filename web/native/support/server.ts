// A server of the native program, and a backend that asks it: what the page's own code is tested against.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Backend } from '../../src/lib/backend';
import { errorOf } from '../../src/lib/http';

const freePort = (): Promise<number> =>
  new Promise((found) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => found(typeof address === 'object' && address ? address.port : 0));
    });
  });

export class NativeServer {
  private folder = mkdtempSync(join(tmpdir(), 'paika-native-'));
  private process: ChildProcess | null = null;
  private url = '';

  async start(binary: string): Promise<void> {
    const at = `127.0.0.1:${await freePort()}`;
    this.url = `http://${at}`;
    const folder = (name: string) => join(this.folder, name);
    this.process = spawn(
      binary,
      ['serve', '--listen', at, '--db', folder('games.db'), '--rate-factor', '1000', '--log-level', 'warning'],
      { stdio: ['ignore', 'ignore', 'inherit'] },
    );
    for (let tries = 0; tries < 300; tries++) {
      if (
        await fetch(`${this.url}/healthz`).then(
          (answer) => answer.ok,
          () => false,
        )
      )
        return;
      await new Promise((woken) => setTimeout(woken, 100));
    }
    throw new Error('the server does not answer');
  }

  async stop(): Promise<void> {
    const { process } = this;
    if (process && process.exitCode === null) {
      const gone = new Promise((ended) => process.once('exit', ended));
      process.kill('SIGTERM');
      await gone;
    }
    rmSync(this.folder, { recursive: true, force: true });
  }

  private async ask(path: string, body?: unknown): Promise<string> {
    const answer = await fetch(this.url + path, {
      ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
      headers: { 'Content-Type': 'application/json', Origin: this.url },
    });
    if (!answer.ok) throw await errorOf(answer);
    return answer.text();
  }

  readonly backend: Backend = {
    get: async (path) => JSON.parse(await this.ask(path)),
    getText: (path) => this.ask(path),
    post: async (path, body) => JSON.parse(await this.ask(path, body)),
    lines: async (path, body, each) => {
      for (const line of (await this.ask(path, body)).trim().split('\n')) each(JSON.parse(line));
    },
  };
}
