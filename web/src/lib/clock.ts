// Times for people.

import { t } from './i18n.svelte';

/** "4:05", with tenths below ten seconds: "7.3", hours where there are some: "1:02:03", and days: "3 d 4 h". */
export function clockText(ms: number): string {
  const left = Math.max(0, ms);
  if (left < 10_000) return (Math.floor(left / 100) / 10).toFixed(1);
  const seconds = Math.floor(left / 1000);
  const two = (n: number): string => String(n).padStart(2, '0');
  const hours = Math.floor(seconds / 3600);
  if (hours >= 48) return t('{} d {} h', Math.floor(hours / 24), hours % 24);
  const minutes = Math.floor(seconds / 60) % 60;
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}

/** How long something took: "7.3 s" below a minute, then as a clock. */
export const durationText = (ms: number): string => (ms < 60_000 ? `${(ms / 1000).toFixed(1)} s` : clockText(ms));

/** How far the server's time is ahead of ours; the message that took the least time on its way tells best. */
export class ServerClock {
  private ahead: number | null = null;

  told(serverUs: number, nowMs: number): void {
    const ahead = serverUs / 1000 - nowMs;
    if (this.ahead === null || ahead > this.ahead) this.ahead = ahead;
  }

  /** After a restart the server's time goes on from where it was. */
  forget(): void {
    this.ahead = null;
  }

  nowUs(nowMs: number): number {
    return (nowMs + (this.ahead ?? 0)) * 1000;
  }
}
