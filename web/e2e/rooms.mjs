// Rooms: two browsers and a watcher, a loss of the network in mid-move, a crash of the server.
import { join } from 'node:path';
import { comparesWithEngine } from './play.mjs';
import { enter, equal, mouse, noFaults, openPage, random, settled, shots, sleep } from './world.mjs';

/** Opens a game by the form of the home page and lets a second browser and a watcher come by the link. */
export async function table(server, browser, { game = 'othello', size = null, clock = 'none', options = {} } = {}) {
  const ann = await openPage(browser, options);
  await ann.goto(server.url);
  await ann.click(`label.game:has(input[value="${game}"])`);
  await ann.click('label:has(input[name="opponent"][value="friend"])');
  await ann.click('details.settings > summary');
  await ann.click(`label:has(input[name="clock"][value="${clock}"])`);
  if (size) await ann.click(`label:has(input[name="size"][value="${size}"])`);
  await ann.click('button.primary');
  await ann.waitForURL('**/room/*');
  await ann.waitForSelector('.share svg');
  const link = await ann.inputValue('.share input');
  const bob = await openPage(browser, options);
  await bob.goto(link);
  await bob.click('button:has-text("Join the game")');
  await ann.waitForSelector('.room[data-state="running"]');
  const eve = await openPage(browser);
  await eve.goto(link);
  await eve.waitForSelector('.room[data-state="running"]');
  const spec = await eve.evaluate(
    async () => (await (await fetch(`/api/rooms/${location.pathname.split('/').pop()}`)).json()).spec,
  );
  return { ann, bob, eve, link, spec, id: link.split('/').pop() };
}

export const state = (server, id) => server.get(`/api/rooms/${id}`);

export const turnsSeen = (page, count, timeout = 30_000) =>
  page.waitForFunction((n) => Number(document.querySelector('.room')?.dataset.turns) === n, count, { timeout });

/** Plays turns, each in the browser of whoever is to move; all three see the same. */
export async function playOn(server, all, count, next, before = async () => {}) {
  const { ann, bob, eve, spec, id } = all;
  for (let i = 0; i < count; i++) {
    const room = await state(server, id);
    if (room.state === 'ended') return false;
    const page = room.to_move === 'first' ? ann : bob;
    await settled(page, room.moves.length, 40_000);
    const list = await server.post('/api/position/moves', {
      spec,
      position: room.position,
      limit: 1000,
      effects: true,
    });
    const turn = list.moves[next(list.moves.length)];
    await before(i, page);
    await enter(page, turn, mouse(page));
    for (const one of [ann, bob, eve]) await turnsSeen(one, room.moves.length + 1);
    const now = await state(server, id);
    equal(now.position, turn.position, `${turn.move} was played`);
    for (const one of [ann, bob, eve]) await comparesWithEngine(server, one, spec, now.position);
  }
  return true;
}

async function threeBrowsers({ server, browser }) {
  const all = await table(server, browser, { game: 'othello', size: '6x6' });
  while (await playOn(server, all, 5, random(11)));
  for (const page of [all.ann, all.bob, all.eve]) {
    await page.waitForSelector('.room[data-state="ended"]');
    noFaults(page);
  }
  // Both want another one, with the sides exchanged.
  await all.ann.click('button:has-text("Rematch")');
  await all.bob.click('.offer button:has-text("Agree")');
  await all.ann.waitForURL((url) => url.pathname.startsWith('/room/') && !url.pathname.endsWith(all.id));
  await all.bob.waitForURL((url) => url.pathname.startsWith('/room/') && !url.pathname.endsWith(all.id));
  return (await state(server, all.id)).result.sentence;
}

async function offline({ server, browser }) {
  const all = await table(server, browser, { game: 'fanorona', size: '5x5' });
  const next = random(5);
  await playOn(server, all, 2, next);
  const room = await state(server, all.id);
  const list = await server.post('/api/position/moves', {
    spec: all.spec,
    position: room.position,
    limit: 1000,
    effects: true,
  });
  const page = room.to_move === 'first' ? all.ann : all.bob;
  await settled(page, room.moves.length);
  const turn = list.moves.find((t) => t.steps.at(-1).step !== 'sacrifice');
  // The piece is chosen, then the network goes, then the turn is finished: it is sent when the network is back.
  const hand = mouse(page);
  await hand.press(turn.steps[0].square);
  await page.context().setOffline(true);
  await page.evaluate(() => dispatchEvent(new Event('offline')));
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Network.emulateNetworkConditions', {
    offline: true,
    latency: 0,
    downloadThroughput: 0,
    uploadThroughput: 0,
  });
  await enter(page, { ...turn, steps: turn.steps.slice(1) }, hand).catch(() => {});
  await sleep(5000);
  equal(
    (await state(server, all.id)).moves.length,
    room.moves.length,
    'nothing comes through while the network is off',
  );
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 0,
    downloadThroughput: -1,
    uploadThroughput: -1,
  });
  await page.context().setOffline(false);
  for (const one of [all.ann, all.bob, all.eve]) await turnsSeen(one, room.moves.length + 1, 60_000);
  const now = await state(server, all.id);
  equal(now.moves.length, room.moves.length + 1, 'the turn was played once');
  equal(now.position, turn.position, 'and it is the one that was entered');
  await playOn(server, all, 4, next);
}

async function crash({ server, browser }) {
  const all = await table(server, browser, { game: 'abalone' });
  const next = random(9);
  await playOn(server, all, 3, next);
  const before = await state(server, all.id);
  await server.kill();
  await all.ann.waitForSelector('text=Connection lost', { timeout: 20_000 });
  await sleep(1500);
  await server.start();
  equal((await state(server, all.id)).position, before.position, 'the game stands where it stood');
  await playOn(server, all, 4, next);
  // Killed while a turn is being entered.
  await playOn(server, all, 1, next, async () => {
    await server.kill();
    await sleep(500);
    await server.start();
    await sleep(1500);
  });
  return `${(await state(server, all.id)).moves.length} turns`;
}

async function againstComputer({ server, browser }) {
  const page = await openPage(browser);
  await page.goto(server.url);
  await page.click('label.game:has(input[value="othello"])');
  await page.click('details.settings > summary');
  await page.click('label:has(input[name="size"][value="6x6"])');
  await page.locator('input[type=range]').fill('1');
  await page.click('button.primary');
  await page.waitForURL('**/room/*');
  const id = page.url().split('/').pop();
  const next = random(2);
  let undone = false;
  await page.click('label:has-text("Evaluation") input');
  for (;;) {
    await page.waitForFunction(() => {
      const room = document.querySelector('.room');
      return room?.dataset.ready === 'true' || room?.dataset.state === 'ended';
    });
    const room = await state(server, id);
    if (room.state === 'ended') break;
    if (room.to_move !== 'first') {
      await sleep(50);
      continue;
    }
    await settled(page, room.moves.length);
    if (room.moves.length === 4 && !undone) {
      undone = true;
      await page.click('button:has-text("Undo")');
      await turnsSeen(page, 2);
      await settled(page, 2);
      await page.click('button:has-text("Hint")');
      await page.waitForSelector('.notice');
      continue;
    }
    const list = await server.post('/api/position/moves', { spec: room.spec, position: room.position, effects: true });
    await enter(page, list.moves[next(list.moves.length)], mouse(page));
    await page.waitForFunction((n) => Number(document.querySelector('.room')?.dataset.turns) > n, room.moves.length);
  }
  // The finished game can be walked through with keys.
  const count = (await state(server, id)).moves.length;
  await page.click('h1');
  await page.keyboard.press('ArrowLeft');
  await page.waitForSelector(`[data-turn="${count - 1}"][aria-current]`);
  noFaults(page);
  return `${count} turns`;
}

async function talkAndOffers({ server, browser }) {
  const all = await table(server, browser, { game: 'abalone' });
  await playOn(server, all, 2, random(4));
  await all.ann.fill('[aria-label="Say something"]', 'hello <b>bob</b>');
  await all.ann.click('button:has-text("Send")');
  await all.bob.waitForSelector('text=hello <b>bob</b>');
  await all.bob.click('button:has-text("Good luck")');
  await all.eve.waitForSelector('.lines >> text=Good luck');
  // What a watcher says reaches the players when the game is over.
  await all.eve.fill('[aria-label="Say something"]', 'push the left one');
  await all.eve.click('button:has-text("Send")');
  await all.eve.waitForSelector('.lines >> text=push the left one');
  await all.ann.click('button:has-text("Thanks")');
  await all.bob.waitForSelector('.lines >> text=Thanks');
  for (const page of [all.ann, all.bob]) equal(await page.locator('text=push the left one').count(), 0, 'not told');
  await all.ann.click('button:has-text("Takeback")');
  await all.bob.click('.offer button:has-text("Decline")');
  await all.ann.waitForSelector('.offer', { state: 'detached' }); // what goes moves the buttons below it
  await all.ann.click('button:has-text("Draw")');
  await all.bob.click('.offer button:has-text("Agree")');
  for (const page of [all.ann, all.bob, all.eve]) {
    await page.waitForSelector('.room[data-state="ended"]');
    await page.waitForSelector('.lines >> text=push the left one');
    noFaults(page);
  }
  equal((await state(server, all.id)).result.verdict, 'draw', 'the draw was agreed');
}

async function countdown({ server, browser }) {
  const phone = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true };
  const all = await table(server, browser, { game: 'othello', size: '6x6', clock: '3+2', options: phone });
  await all.ann.waitForSelector('.wait');
  const room = await state(server, all.id);
  equal(room.left.first.game_ms, 180_000, 'the clock waits for the first move');
  const heights = await all.ann.locator('.player').evaluateAll((bars) => bars.map((bar) => bar.offsetHeight));
  equal(heights[0], heights[1], 'a clock that waits makes its bar no higher');
  await all.ann.screenshot({ path: join(shots, 'room-countdown-phone.png') });
  while (await playOn(server, all, 5, random(12)));
  await all.ann.evaluate(() => scrollTo(0, 0));
  const again = await all.ann.locator('button:has-text("Rematch")').boundingBox();
  if (again.y + again.height > 740) throw new Error(`Rematch ends at ${again.y + again.height} px, below the fold`);
  await all.ann.screenshot({ path: join(shots, 'room-ended-phone.png') });
  for (const page of [all.ann, all.bob]) noFaults(page);
  return (await state(server, all.id)).result.sentence;
}

/** How long after the server's last message the page says that the connection is lost, by the page's own clock. */
async function silentFor(page, server) {
  await page.evaluate(() => {
    globalThis.noticed = null;
    new MutationObserver((_, watch) => {
      if (!document.body.textContent.includes('Connection lost')) return;
      globalThis.noticed = performance.now() - globalThis.received;
      watch.disconnect();
    }).observe(document.body, { subtree: true, childList: true, characterData: true });
  });
  await page.waitForFunction(() => Number.isFinite(globalThis.received));
  server.process.kill('SIGSTOP');
  try {
    await page.waitForFunction(() => globalThis.noticed !== null);
  } finally {
    server.process.kill('SIGCONT');
  }
  await page.waitForSelector('text=Connection lost', { state: 'detached' });
  const took = await page.evaluate(() => globalThis.noticed);
  if (!Number.isFinite(took)) throw new Error(`the loss was noticed after ${took} ms`);
  return took;
}

/** The network dies silently: nothing is closed, and the page notices by itself within two seconds. */
async function silence({ server, browser }) {
  const all = await table(server, browser, { game: 'othello', size: '6x6' });
  await all.ann.addInitScript(() => {
    const { WebSocket: Plain } = globalThis;
    globalThis.WebSocket = class extends Plain {
      constructor(...given) {
        super(...given);
        this.addEventListener('message', () => {
          globalThis.received = performance.now();
        });
      }
    };
  });
  await all.ann.reload();
  await settled(all.ann, 0);
  let shortest = Number.POSITIVE_INFINITY;
  // A busy machine only makes it later.
  for (let tries = 0; tries < 3 && shortest > 2000; tries++)
    shortest = Math.min(shortest, await silentFor(all.ann, server));
  if (shortest > 2000) throw new Error(`the loss was noticed after ${Math.round(shortest)} ms`);
  await playOn(server, all, 2, random(6));
  return `noticed after ${Math.round(shortest)} ms`;
}

/** A reply that can be entered ahead, square by square: of a move and an answer to it, what `wanted` says. */
async function planned(server, spec, position, wanted) {
  const legal = async (at) =>
    (await server.post('/api/position/moves', { spec, position: at, limit: 1000, effects: true })).moves;
  const squares = ({ steps }) => steps.flatMap((step) => step.square ?? []).join();
  // Pressing a piece of one's own begins anew.
  const { pieces } = await server.get(`/api/scene?spec=${encodeURIComponent(spec)}`);
  const glyphs = pieces.filter((piece) => piece.owner === 'second').map((piece) => piece.glyph);
  const { cells } = await server.post('/api/position', { spec, position });
  const own = new Set(cells.filter((cell) => glyphs.includes(cell.glyph)).map((cell) => cell.square));
  const enterable = ({ steps }) => !steps.slice(1).some((step) => own.has(step.square));
  for (const turn of await legal(position)) {
    if (turn.outcome) continue;
    const replies = await legal(turn.position);
    // A move that needs a word, or that loses at once, is not played ahead.
    const clear = replies.filter(
      (one) => !one.outcome && replies.filter((other) => squares(other).startsWith(squares(one))).length === 1,
    );
    const reply = clear.find((one) => enterable(one) && wanted(one));
    if (reply) return { turn, reply };
  }
  throw new Error(`no premove was found in ${spec}`);
}

const premove =
  (game, size, wanted) =>
  async ({ server, browser }) => {
    const all = await table(server, browser, { game, size });
    await settled(all.ann, 0);
    const start = await state(server, all.id);
    const { turn, reply } = await planned(server, all.spec, start.position, wanted);
    // Bob chooses it while ann thinks; a square that nothing can be placed on now may be one after her move.
    await all.bob.waitForSelector('.play[data-premove]');
    for (const step of reply.steps) if (step.square) await mouse(all.bob).press(step.square);
    await all.bob.waitForSelector('text=Premove');
    await all.bob.screenshot({ path: join(shots, `room-premove-${game}.png`) });
    equal((await state(server, all.id)).moves.length, 0, 'nothing was sent');
    await enter(all.ann, turn, mouse(all.ann));
    for (const page of [all.ann, all.bob, all.eve]) await turnsSeen(page, 2);
    equal((await state(server, all.id)).moves[1].text, reply.move, 'the premove was played');
    noFaults(all.bob);
    return `${turn.move}, then ${reply.move}`;
  };

const captures = ({ effects }) => effects.some((e) => e.effect === 'captured');

export const roomTests = [
  ['room two browsers and a watcher', threeBrowsers],
  ['room offline for 5 s in mid-move', offline],
  ['room server killed and restarted', crash],
  ['room against the computer', againstComputer],
  ['room chat and offers', talkAndOffers],
  ['room on a phone with a countdown', countdown],
  ['room silent network', silence],
  ['room premove on an empty square', premove('othello', '6x6', () => true)],
  ['room premove of a piece', premove('abalone', null, (move) => !captures(move))],
  ['room premove of a capture', premove('fanorona', '5x5', captures)],
];
