// Small sounds made on the spot: wood on wood for moves, lower for captures, a chord for the end.

import { settings } from './settings.svelte';
import type { Effect } from './types';

let audio: AudioContext | null = null;

function context(): AudioContext | null {
  if (!settings.sound || typeof AudioContext === 'undefined') return null;
  audio ??= new AudioContext();
  if (audio.state === 'suspended') void audio.resume();
  return audio;
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
  gain.gain.setValueAtTime(volume, start);
  gain.gain.exponentialRampToValueAtTime(0.001, start + length);
  tone.connect(gain).connect(ctx.destination);
  tone.start(start);
  tone.stop(start + length);
}

export function soundOf(effects: readonly Effect[]): void {
  const losses = effects.filter((e) => e.from && !e.to).length;
  if (effects.some((e) => e.effect === 'exploded')) knock(90, 0.5, 0, 0.4);
  else if (losses > 0) for (let i = 0; i < Math.min(losses, 4); i++) knock(300 - 30 * i, 0.25, 0.12 + 0.06 * i);
  knock(520, 0.22);
}

export function soundOfPick(): void {
  knock(760, 0.08, 0, 0.05);
}

export function soundOfRefusal(): void {
  knock(150, 0.2, 0, 0.12);
}

export function soundOfEnd(): void {
  for (const [i, pitch] of [392, 494, 587].entries()) knock(pitch, 0.2, i * 0.12, 0.5);
}
