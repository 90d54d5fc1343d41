// Lets the page work without the network: a service worker keeps its files (tools/offline.mjs writes it).

/** Begins when the page is there, so that nothing of it is slowed down. */
export function workOffline(): void {
  if (!('serviceWorker' in navigator)) return; // not over plain http to another machine
  const register = async () => {
    const registration = await navigator.serviceWorker.register('/sw.js');
    // A newer version that was fetched during the last visit takes over, if this page is of that version.
    const script = document.querySelector<HTMLScriptElement>('script[type=module][src]');
    if (script) registration.waiting?.postMessage({ page: new URL(script.src).pathname });
  };
  const later = () => setTimeout(() => void register().catch(() => {}), 500);
  if (document.readyState === 'complete') later();
  else addEventListener('load', later, { once: true });
}
