// The clocks that are offered, and how a clock is written for people.

import { msg, t } from './i18n.svelte';
import type { RoomRow } from './types';

export type ClockKind = 'none' | 'live' | 'days';
export interface ClockChoice {
  key: string;
  kind: ClockKind;
  text: string;
  body: { clock_ms?: number; increment_ms?: number; move_ms?: number };
}

const day = 86_400_000;
export const clocks: readonly ClockChoice[] = [
  { key: 'none', kind: 'none', text: msg('No clock'), body: {} },
  { key: '3+2', kind: 'live', text: msg('3 min + 2 s'), body: { clock_ms: 180_000, increment_ms: 2000 } },
  { key: '5+3', kind: 'live', text: msg('5 min + 3 s'), body: { clock_ms: 300_000, increment_ms: 3000 } },
  { key: '15+10', kind: 'live', text: msg('15 min + 10 s'), body: { clock_ms: 900_000, increment_ms: 10_000 } },
  { key: 'turn30', kind: 'live', text: msg('30 s per move'), body: { move_ms: 30_000 } },
  { key: '1d', kind: 'days', text: msg('1 day per move'), body: { move_ms: day } },
  { key: '3d', kind: 'days', text: msg('3 days per move'), body: { move_ms: 3 * day } },
  { key: '7d', kind: 'days', text: msg('7 days per move'), body: { move_ms: 7 * day } },
  { key: '14d', kind: 'days', text: msg('14 days per move'), body: { move_ms: 14 * day } },
];

export const clockNamed = (key: string): ClockChoice => clocks.find((c) => c.key === key) ?? clocks[0]!;

const seconds = (ms: number): string => String(Math.round(ms / 100) / 10);

/** A clock as a room has it: "5 min + 3 s", "3 days per move". */
export function clockName(clock: RoomRow['clock']): string {
  if (!clock) return t('No clock');
  if ('move_ms' in clock) {
    if (clock.move_ms >= day) return t('{} d per move', seconds((clock.move_ms / day) * 1000));
    return t('{} s per move', seconds(clock.move_ms));
  }
  return t('{} min + {} s', seconds(clock.base_ms / 60), seconds(clock.increment_ms));
}

/** What is left for a move, roughly: "3 d", "5 h", "12 min". */
export function leftText(ms: number): string {
  if (ms >= 2 * day) return t('{} d', Math.floor(ms / day));
  if (ms >= 3_600_000) return t('{} h', Math.floor(ms / 3_600_000));
  return t('{} min', Math.floor(ms / 60_000));
}
