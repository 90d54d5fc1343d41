// From what a turn did to what is shown when: stages in order, at most 1.2 seconds in all. A replay gives every stage the
// time that its caption needs.

import { afterStage, type Stones, stagesOf } from './board_state';
import type { Effect, EffectKind } from './types';

export const maxMs = 1200;
const stageMs = 260;
const minMs = 60;
const replayedStageMs = 1500;
const motionPart = 0.5; // of a replayed stage; then it stands still to be read

/** A piece in motion, or one that comes, goes or changes. */
export interface Actor {
  kind: EffectKind;
  before: string | null; // glyph, if it was there
  after: string | null; // glyph, if it stays
  from: string; // square
  to: string; // square; the same if it does not move
}

export interface Scenelet {
  base: Stones; // what stands still meanwhile
  actors: Actor[];
  after: Stones;
  startMs: number;
  ms: number;
  movingMs: number; // then the actors have arrived
}

export interface Timeline {
  scenes: Scenelet[];
  ms: number;
}

function actorOf(effect: Effect, before: Stones): Actor | null {
  const from = effect.from ?? effect.to;
  if (!from) return null;
  const to = effect.to ?? from;
  const was = effect.from ? (before.get(effect.from) ?? effect.piece) : (before.get(from) ?? null);
  return { kind: effect.effect, before: was, after: effect.to ? effect.piece : null, from, to };
}

function stageTime(stages: number, pace: number, replay: boolean): number {
  if (replay) return replayedStageMs / pace;
  const max = maxMs / pace;
  return Math.max(Math.min(minMs, max / Math.max(stages, 1)), Math.min(stageMs / pace, max / stages));
}

export function timelineOf(
  stones: Stones,
  effects: readonly Effect[],
  { pace = 1, replay = false }: { pace?: number; replay?: boolean } = {},
): Timeline {
  const stages = stagesOf(effects).filter((stage) => stage.some((e) => e.from || e.to));
  const ms = stageTime(stages.length, pace, replay);
  const timeline: Timeline = { scenes: [], ms: 0 };
  let before: Stones = stones;
  for (const stage of stages) {
    const after = afterStage(before, stage);
    const base = new Map(before);
    const actors: Actor[] = [];
    for (const effect of stage) {
      const actor = actorOf(effect, before);
      if (!actor) continue;
      base.delete(actor.from);
      actors.push(actor);
    }
    // What is run over stands until the end of the stage, unless it is an actor itself.
    timeline.scenes.push({ base, actors, after, startMs: timeline.ms, ms, movingMs: replay ? ms * motionPart : ms });
    timeline.ms += ms;
    before = after;
  }
  return timeline;
}

/** How an actor looks when `part` (0 to 1) of its stage is over. */
export interface Look {
  glyph: string;
  x: number;
  y: number;
  scale: number;
  turn: number; // 1: face on, 0: edge on, for discs that flip
  opacity: number;
}

const ease = (t: number): number => (t < 0.5 ? 2 * t * t : 1 - (-2 * t + 2) ** 2 / 2);

export function lookOf(actor: Actor, part: number, place: (square: string) => { x: number; y: number }): Look | null {
  const t = ease(Math.min(1, Math.max(0, part)));
  const from = place(actor.from);
  const to = place(actor.to);
  const glyph = actor.after ?? actor.before;
  if (!glyph) return null;
  const look: Look = {
    glyph,
    x: from.x + (to.x - from.x) * t,
    y: from.y + (to.y - from.y) * t,
    scale: 1,
    turn: 1,
    opacity: 1,
  };
  switch (actor.kind) {
    case 'flipped':
      look.glyph = (t < 0.5 ? actor.before : actor.after) ?? glyph;
      look.turn = Math.abs(1 - 2 * t);
      break;
    case 'placed':
      look.scale = 1.25 - 0.25 * t;
      look.opacity = t;
      break;
    case 'flung':
      look.scale = 1 + 0.7 * Math.sin(Math.PI * t);
      break;
    case 'teleported':
      Object.assign(look, t < 0.5 ? from : to);
      look.scale = Math.abs(1 - 2 * t);
      break;
    case 'exploded':
      look.scale = 1 + 0.9 * t;
      look.opacity = 1 - t;
      break;
    case 'transformed':
    case 'sacrificed':
      look.glyph = (t < 0.5 ? actor.before : actor.after) ?? glyph;
      look.scale = 1 + 0.2 * Math.sin(Math.PI * t);
      break;
    default:
      if (!actor.after) {
        look.scale = 1 - 0.6 * t;
        look.opacity = 1 - t;
      }
  }
  return look;
}
