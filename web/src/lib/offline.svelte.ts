// Lets the page work without the network: a service worker keeps its files (tools/offline.mjs writes it) and the
// engine, which may come later than the page.

/** The engine's module. The server has it as soon as it is built (tools/wasm_build.sh); tools/service_worker.js keeps it. */
export const engineUrl = '/engine.wasm';

const firstPauseMs = 2000;
const maxPauseMs = 20_000;

export class Offline {
  /** Whether this device can play without the server; null where that is not known or cannot be. */
  ready = $state<boolean | null>(null);
  /** It became ready while somebody looked on. */
  came = $state(false);

  constructor(
    private readonly ask: () => Promise<Response> = () => fetch(engineUrl),
    private readonly sleep = (ms: number) => new Promise((done) => setTimeout(done, ms)),
  ) {}

  /** Fetches the engine, through the service worker that keeps it, again and again until it is there. */
  async keepEngine(): Promise<void> {
    for (let pause = firstPauseMs; !this.ready; pause = Math.min(1.5 * pause, maxPauseMs)) {
      const answer = await this.ask().catch(() => null);
      if (answer?.ok) {
        this.came = this.ready === false;
        this.ready = true;
      } else {
        if (answer?.status === 404) this.ready = false;
        await this.sleep(pause);
      }
    }
  }
}

export const offline = new Offline();

/** Resolves when the service worker answers for this page. */
function controlled(): Promise<void> {
  const { serviceWorker } = navigator;
  return new Promise((done) => {
    if (serviceWorker.controller) done();
    else serviceWorker.addEventListener('controllerchange', () => done(), { once: true });
  });
}

/** Begins when the page is there, so that nothing of it is slowed down. */
export function workOffline(): void {
  if (!('serviceWorker' in navigator)) return; // not over plain http to another machine
  const register = async () => {
    const registration = await navigator.serviceWorker.register('/sw.js');
    // A newer version that was fetched during the last visit takes over, if this page is of that version.
    const script = document.querySelector<HTMLScriptElement>('script[type=module][src]');
    if (script) registration.waiting?.postMessage({ page: new URL(script.src).pathname });
    await controlled();
    await offline.keepEngine();
  };
  const later = () => setTimeout(() => void register().catch(() => {}), 500);
  if (document.readyState === 'complete') later();
  else addEventListener('load', later, { once: true });
}
