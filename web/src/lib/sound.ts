// Small sounds made on the spot, one for each kind of event: wood on wood for moves, lower for captures, a chord for
// the end.

import { settings } from './settings.svelte';
import type { Effect, EffectKind } from './types';

let audio: AudioContext | null = null;

function context(): AudioContext | null {
  if (!settings.sound || settings.volume <= 0 || typeof AudioContext === 'undefined') return null;
  audio ??= new AudioContext();
  if (audio.state === 'suspended') void audio.resume();
  return audio;
}

/** Opening the sound device can take a tenth of a second: it is done while nobody waits, before the first move. */
export function prepareSound(): void {
  if (audio || !settings.sound || typeof AudioContext === 'undefined') return;
  const open = () => {
    audio ??= new AudioContext();
  };
  if (typeof requestIdleCallback === 'function') requestIdleCallback(open, { timeout: 2000 });
  else setTimeout(open, 300);
}

function knock(pitch: number, volume: number, at = 0, length = 0.09): void {
  const ctx = context();
  if (ctx?.state !== 'running') return;
  const start = ctx.currentTime + at;
  const tone = ctx.createOscillator();
  const gain = ctx.createGain();
  tone.type = 'triangle';
  tone.frequency.setValueAtTime(pitch, start);
  tone.frequency.exponentialRampToValueAtTime(pitch * 0.55, start + length);
  gain.gain.setValueAtTime(volume * settings.volume * 1.4, start);
  gain.gain.exponentialRampToValueAtTime(0.001, start + length);
  tone.connect(gain).connect(ctx.destination);
  tone.start(start);
  tone.stop(start + length);
}

/** What each kind of effect sounds like, at most a few knocks each. */
const sounds: Partial<Record<EffectKind, (at: number) => void>> = {
  placed: (at) => knock(520, 0.22, at),
  moved: (at) => knock(520, 0.22, at),
  captured: (at) => knock(290, 0.26, at, 0.11),
  removed: (at) => knock(290, 0.26, at, 0.11),
  pushed: (at) => knock(380, 0.2, at, 0.14),
  flung: (at) => knock(900, 0.16, at, 0.3),
  poisoned: (at) => knock(210, 0.24, at, 0.32),
  transformed: (at) => knock(990, 0.14, at, 0.25),
  swept: (at) => knock(170, 0.26, at, 0.3),
  teleported: (at) => knock(1250, 0.1, at, 0.35),
  exploded: (at) => knock(90, 0.5, at, 0.45),
  flipped: (at) => knock(640, 0.12, at, 0.06),
  sacrificed: (at) => knock(240, 0.24, at, 0.3),
  passed: (at) => knock(440, 0.1, at, 0.06),
};
const maxAtOnce = 4;

/** A sound for each kind of event, in their order; several of a kind follow each other quickly. */
export function soundOf(effects: readonly Effect[]): void {
  const counts = new Map<EffectKind, number>();
  let at = 0;
  for (const { effect } of effects) {
    const count = (counts.get(effect) ?? 0) + 1;
    counts.set(effect, count);
    if (count > maxAtOnce) continue;
    sounds[effect]?.(at);
    at += 0.07;
  }
}

export function soundOfPick(): void {
  knock(760, 0.08, 0, 0.05);
}

export function soundOfRefusal(): void {
  knock(150, 0.2, 0, 0.12);
}

/** Before a move that loses the game. */
export function soundOfDanger(): void {
  for (const i of [0, 1]) knock(330, 0.2, i * 0.16, 0.13);
}

export function soundOfEnd(): void {
  for (const [i, pitch] of [392, 494, 587].entries()) knock(pitch, 0.2, i * 0.12, 0.5);
}
