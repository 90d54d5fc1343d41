// A network that tests play by hand.
import type { SocketDeps, SocketLike } from '../../src/lib/socket';

export class FakeSocket implements SocketLike {
  readyState = 0;
  sent: Record<string, unknown>[] = [];
  onopen: ((event: unknown) => void) | null = null;
  onmessage: ((event: { data: unknown }) => void) | null = null;
  onclose: ((event: unknown) => void) | null = null;
  onerror: ((event: unknown) => void) | null = null;
  send(data: string): void {
    this.sent.push(JSON.parse(data) as Record<string, unknown>);
  }
  close(): void {
    this.onclose?.({});
  }
  open(): void {
    this.onopen?.({});
  }
  tell(message: object): void {
    this.onmessage?.({ data: JSON.stringify(message) });
  }
}

export class FakeDeps implements SocketDeps {
  sockets: FakeSocket[] = [];
  timers: { ms: number; call: () => void }[] = [];
  open(): SocketLike {
    const socket = new FakeSocket();
    this.sockets.push(socket);
    return socket;
  }
  later(ms: number, call: () => void): () => void {
    const timer = { ms, call };
    this.timers.push(timer);
    return () => {
      this.timers = this.timers.filter((t) => t !== timer);
    };
  }
  random(): number {
    return 0.5;
  }
  get last(): FakeSocket {
    return this.sockets.at(-1)!;
  }
  fire(): number {
    const timer = this.timers.shift()!;
    timer.call();
    return timer.ms;
  }
}
