// Whole random games entered in the page; after every turn its board is compared with the engine's.
import { enter, equal, noFaults, positionOf, settled, shownPieces } from './world.mjs';

/** A turn at random; greed makes games end, a negative one (by which nothing is taken so often) makes them last. */
export function pick(turns, next, greed) {
  const wanted = turns.filter((t) => t.effects.some((e) => e.from && !e.to) === greed > 0);
  const list = wanted.length > 0 && next(100) < Math.abs(greed) ? wanted : turns;
  return list[next(list.length)];
}

/** Of two captures, a stone that only the wanted one takes. */
function victimOf(all) {
  return (turn, at) => {
    const prefix = JSON.stringify(turn.steps.slice(0, at + 1));
    const mine = all.find((t) => JSON.stringify(t.steps) === prefix);
    const other = all.find(
      (t) =>
        t.steps.length === at + 1 &&
        JSON.stringify(t.steps.slice(0, at)) === JSON.stringify(turn.steps.slice(0, at)) &&
        t.steps[at].step !== turn.steps[at].step,
    );
    const taken = (t) => new Set((t?.effects ?? []).filter((e) => e.effect === 'captured').map((e) => e.from));
    return [...taken(mine)].find((square) => !taken(other).has(square)) ?? null;
  };
}

export async function comparesWithEngine(server, page, spec, position) {
  const view = await server.post('/api/position', { spec, position });
  const pieces = view.cells.map((cell) => `${cell.square} ${cell.glyph}`).sort();
  equal(await shownPieces(page), pieces, `the board of ${spec} differs from ${position}`);
  return view;
}

/** Plays both sides of a game on one board; returns the number of turns. */
export async function playWhole(server, page, spec, gestures, { next, max = 1000, greed = 70, start = null }) {
  const address = `/local?spec=${encodeURIComponent(spec)}${start ? `&position=${encodeURIComponent(start)}` : ''}`;
  await page.goto(server.url + address);
  await settled(page, 0);
  let view = await comparesWithEngine(server, page, spec, await positionOf(page));
  let turns = 0;
  while (view.outcome.verdict === 'ongoing' && turns < max) {
    const position = await positionOf(page);
    const list = await server.post('/api/position/moves', { spec, position, limit: 1000, effects: true });
    const turn = pick(list.moves, next, typeof greed === 'function' ? greed(turns) : greed);
    await enter(page, turn, gestures, { victim: next(2) === 0 ? victimOf(list.moves) : null });
    await settled(page, ++turns);
    const after = await positionOf(page);
    equal(after, turn.position, `${spec}: ${turn.move} played from ${position}`);
    view = await comparesWithEngine(server, page, spec, after);
    if ((await page.getAttribute('[data-position]', 'data-state')) === 'ended') break; // a repetition, which one position does not show
  }
  noFaults(page);
  return { turns, verdict: view.outcome.verdict };
}
