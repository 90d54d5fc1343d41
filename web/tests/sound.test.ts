import { beforeEach, describe, expect, it, vi } from 'vitest';
import { settings } from '../src/lib/settings.svelte';
import type { Effect, EffectKind } from '../src/lib/types';

interface Knock {
  pitch: number;
  at: number;
  volume: number;
}

let knocks: Knock[] = [];

/** A sound device that writes down what it is given. */
class Device {
  state = 'running';
  currentTime = 0;
  destination = {};
  resume = () => Promise.resolve();
  createOscillator() {
    const tone = {
      type: '',
      frequency: {
        setValueAtTime: (pitch: number, at: number) => knocks.push({ pitch, at, volume: 0 }),
        exponentialRampToValueAtTime: () => {},
      },
      connect: (next: unknown) => next,
      start: () => {},
      stop: () => {},
    };
    return tone;
  }
  createGain() {
    return {
      gain: {
        setValueAtTime: (volume: number) => {
          knocks.at(-1)!.volume = volume;
        },
        exponentialRampToValueAtTime: () => {},
      },
      connect: (next: unknown) => next,
    };
  }
}

const effect = (kind: EffectKind): Effect => ({
  effect: kind,
  stage: 0,
  piece: 'w',
  from: 'a1',
  to: 'b1',
  cause: null,
  clause: '1.1',
});

const kinds: EffectKind[] = [
  'placed',
  'moved',
  'captured',
  'pushed',
  'flung',
  'poisoned',
  'transformed',
  'swept',
  'teleported',
  'exploded',
  'flipped',
  'sacrificed',
  'removed',
  'passed',
];

beforeEach(() => {
  knocks = [];
  vi.stubGlobal('AudioContext', Device);
  settings.sound = true;
  settings.volume = 0.5;
});

describe('sounds', () => {
  it('tell the kinds of events apart', async () => {
    const { soundOf } = await import('../src/lib/sound');
    const pitches = new Map(
      kinds.map((kind) => {
        knocks = [];
        soundOf([effect(kind)]);
        expect(knocks, kind).toHaveLength(1);
        return [kind, knocks[0]!.pitch];
      }),
    );
    // A piece that is placed sounds as one that moves, and one that leaves the board as one that is captured.
    expect(pitches.get('placed')).toBe(pitches.get('moved'));
    expect(pitches.get('removed')).toBe(pitches.get('captured'));
    expect(new Set(pitches.values()).size).toBe(kinds.length - 2);
  });

  it('follow each other in the order of the events, a few of a kind', async () => {
    const { soundOf } = await import('../src/lib/sound');
    soundOf([effect('moved'), ...Array.from({ length: 9 }, () => effect('captured')), effect('exploded')]);
    expect(knocks).toHaveLength(6);
    const times = knocks.map(({ at }) => at);
    expect(times).toEqual(times.toSorted((a, b) => a - b));
    expect(new Set(times).size).toBe(6);
  });

  it('are as loud as one likes, or silent', async () => {
    const { soundOf, soundOfDanger, soundOfEnd, soundOfPick, soundOfRefusal } = await import('../src/lib/sound');
    soundOf([effect('moved')]);
    settings.volume = 1;
    soundOf([effect('moved')]);
    expect(knocks[1]!.volume).toBeCloseTo(2 * knocks[0]!.volume);
    for (const sound of [soundOfDanger, soundOfEnd, soundOfPick, soundOfRefusal]) {
      knocks = [];
      sound();
      expect(knocks.length).toBeGreaterThan(0);
    }
    knocks = [];
    settings.volume = 0;
    soundOf([effect('moved')]);
    settings.volume = 1;
    settings.sound = false;
    soundOfEnd();
    expect(knocks).toEqual([]);
  });
});
