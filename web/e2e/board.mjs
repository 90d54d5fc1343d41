// The board itself: it fills the window, warns of moves that lose, and shows whatever somebody wants to see on it.
import { join } from 'node:path';
import { comparesWithEngine, pick } from './play.mjs';
import { quickTasks } from './speed.mjs';
import { enter, equal, mouse, noFaults, openPage, positionOf, random, settled, shots, sleep, touch } from './world.mjs';

const games = ['fanorona', 'abalone:6x8,captures=3', 'othello', 'wildebeest'];
const phone = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true };

const local = (server, page, spec, more = '') =>
  page.goto(`${server.url}/local?spec=${encodeURIComponent(spec)}${more}`).then(() => settled(page, 0));

const middle = (page, square) =>
  page.evaluate((name) => {
    const box = document.querySelector(`[data-square="${name}"] rect`).getBoundingClientRect();
    return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  }, square);

function must(condition, what) {
  if (!condition) throw new Error(what);
}

// ---- It fills the window ----

const views = [
  ['phone', 360, 740],
  ['phone-landscape', 740, 360],
  ['laptop', 1366, 768],
  ['desktop', 1920, 1080],
];

async function fills({ server, browser }) {
  const told = [];
  for (const [name, width, height] of views) {
    const small = width < 800 || height < 500;
    for (const colorScheme of ['light', 'dark']) {
      const page = await openPage(browser, {
        viewport: { width, height },
        colorScheme,
        hasTouch: small,
        isMobile: small,
      });
      for (const spec of games) {
        await local(server, page, spec);
        const list = await server.post('/api/position/moves', { spec, effects: true });
        await enter(page, list.moves.find((m) => !m.outcome) ?? list.moves[0], small ? touch(page) : mouse(page));
        await settled(page, 1);
        await page.evaluate(() => scrollTo(0, 0));
        const seen = await page.evaluate(() => {
          const {
            left,
            top,
            right,
            bottom,
            width: w,
            height: h,
          } = document.querySelector('svg.board .frame').getBoundingClientRect();
          const whole = left >= -1 && top >= 0 && right <= innerWidth + 1 && bottom <= innerHeight + 1;
          const status = document.querySelector('[role=status]').getBoundingClientRect();
          return {
            whole,
            letters: document.querySelector('svg.board .labels text').getBoundingClientRect().height,
            part: (w * h) / Math.min(innerWidth, innerHeight) ** 2,
            status: status.bottom <= innerHeight,
            over: document.documentElement.scrollWidth - innerWidth,
          };
        });
        const what = `${spec} at ${width}x${height}`;
        must(seen.whole, `${what}: the board is not seen whole`);
        must(seen.status, `${what}: who is to move is below the fold`);
        must(seen.over <= 0, `${what}: the page is ${seen.over} px too wide`);
        must(seen.part >= 0.6, `${what}: the board has ${(100 * seen.part).toFixed(1)} % of the square`);
        must(seen.letters >= 10, `${what}: letters beside the board are ${seen.letters.toFixed(1)} px high`);
        if (colorScheme === 'light') told.push(`${spec.split(':')[0]} ${name} ${(100 * seen.part).toFixed(0)} %`);
        await page.screenshot({ path: join(shots, `board-${spec.split(':')[0]}-${name}-${colorScheme}.png`) });
      }
      noFaults(page);
      await page.context().close();
    }
  }
  return told.join(', ');
}

async function ownPiecesBelow({ server, browser }) {
  const page = await openPage(browser);
  for (const spec of ['fanorona', 'abalone', 'wildebeest']) {
    for (const side of ['first', 'second']) {
      await page.goto(`${server.url}/local?spec=${spec}&level=1&side=${side}`);
      await page.waitForSelector('[role=gridcell][data-glyph]');
      const scene = await server.get(`/api/scene?spec=${spec}`);
      const own = scene.pieces.filter((p) => p.owner === side).map((p) => p.glyph);
      const below = await page.evaluate((glyphs) => {
        const board = document.querySelector('svg.board').getBoundingClientRect();
        const ys = [...document.querySelectorAll('[role=gridcell][data-glyph]')]
          .filter((cell) => glyphs.includes(cell.dataset.glyph))
          .map((cell) => cell.getBoundingClientRect().y);
        return ys.reduce((sum, y) => sum + y, 0) / ys.length > board.y + board.height / 2 - 20;
      }, own);
      must(below, `${spec}: the pieces of ${side} are not at the bottom`);
    }
  }
  noFaults(page);
}

/** On one board and in a room against the computer, from the first move to the first captures: nothing shifts. */
async function standsStill({ server, browser }) {
  for (const viewport of [
    { width: 1366, height: 768 },
    { width: 360, height: 740 },
  ]) {
    const page = await openPage(browser, { viewport });
    const box = () =>
      page.evaluate(() => {
        const { x, y, width, height } = document.querySelector('svg.board').getBoundingClientRect();
        return { x: x + scrollX, y: y + scrollY, width, height };
      });
    const capture = async (position) => {
      const list = await server.post('/api/position/moves', { spec: 'fanorona', position, limit: 1000, effects: true });
      return list.moves.find((m) => m.effects.some((e) => e.effect === 'captured'));
    };
    await local(server, page, 'fanorona');
    let before = await box();
    await enter(page, await capture(await positionOf(page)), mouse(page));
    await settled(page, 1);
    equal(await box(), before, `one board at ${viewport.width} px`);
    await page.goto(server.url);
    await page.click('label.game:has(input[value="fanorona"])');
    await page.click('details.settings > summary');
    await page.locator('input[type=range]').fill('1');
    await page.click('button.primary');
    await page.waitForURL('**/room/*');
    await settled(page, 0);
    before = await box();
    const id = page.url().split('/').pop();
    for (let turns = 0; turns < 2; turns++) {
      await page.waitForSelector('.room[data-ready=true]');
      const room = await server.get(`/api/rooms/${id}`);
      const turn = await capture(room.position);
      if (!turn) break;
      await enter(page, turn, mouse(page));
      await page.waitForFunction(
        (count) => Number(document.querySelector('.room').dataset.turns) > count + 1,
        room.moves.length,
      );
      equal(await box(), before, `a room at ${viewport.width} px after ${room.moves.length + 2} moves`);
    }
    noFaults(page);
    await page.context().close();
  }
}

// ---- It warns ----

const lossFor = { first: 'second_wins', second: 'first_wins' };

async function danger({ server, browser }) {
  const page = await openPage(browser);
  await local(server, page, 'wildebeest');
  const { moves } = await server.post('/api/position/moves', { spec: 'wildebeest', effects: true });
  const losing = moves.filter((m) => m.outcome?.verdict === 'second_wins');
  equal(losing.length, 23, 'most first moves of Wildebeest lose');
  const start = await positionOf(page);
  const [from, to] = [losing[0].steps[0].square, losing[0].steps.at(-1).square];
  await mouse(page).press(from);
  must(await page.locator('svg .danger').count(), 'no square is marked');
  const at = await middle(page, to);
  await page.mouse.move(at.x, at.y);
  await page.waitForSelector('.bar.danger .warning');
  const warning = await page.locator('.bar .warning').innerText();
  must(/10 pieces in its row \(5\.4\)/.test(warning), `the rule is not told: ${warning}`);
  for (let i = 0; i < 3; i++) await page.mouse.click(at.x, at.y);
  await page.waitForSelector('.bar .ask');
  equal(await positionOf(page), start, 'three careless clicks play nothing');
  await page.screenshot({ path: join(shots, 'danger.png') });
  await page.click('.bar button:has-text("Cancel")');
  await mouse(page).press(from);
  await mouse(page).press(to);
  await page.click('.bar .bad');
  await settled(page, 1);
  const end = await page.locator('aside').innerText();
  must(
    /Prince Joey on f1 explodes: 10 pieces in its row \(5\.4\)/.test(end),
    `the end does not tell its cause: ${end}`,
  );
  noFaults(page);
  return warning;
}

const peace = 6; // moves of a person before the first one that may lose

/** Whole games by a finger, as either side, against the weakest computer. */
const touchGame =
  (spec, side) =>
  async ({ server, browser }) => {
    const page = await openPage(browser, phone);
    await page.goto(`${server.url}/local?spec=${encodeURIComponent(spec)}&level=1&side=${side}`);
    const next = random(side === 'first' ? 11 : 12);
    const asks = { tap: 0, loss: 0 };
    let ended = false;
    for (let own = 0; !ended; own++) {
      must(own < 300, 'the game does not end');
      await page.waitForFunction(
        () => {
          const frame = document.querySelector('[data-position][data-turns]');
          return frame?.dataset.ready === 'true' || frame?.dataset.state === 'ended';
        },
        { timeout: 30_000 },
      );
      ended = (await page.getAttribute('[data-position]', 'data-state')) === 'ended';
      if (ended) break;
      const position = await positionOf(page);
      const turns = Number(await page.getAttribute('[data-turns]', 'data-turns'));
      const list = await server.post('/api/position/moves', { spec, position, limit: 1000, effects: true });
      // A game of some length first, then a losing move wherever there is one.
      const loses = (move) => move.outcome?.verdict === lossFor[side];
      const wanted = list.moves.filter((move) => loses(move) === own >= peace);
      const turn = pick(wanted.length > 0 ? wanted : list.moves, next, own < peace ? -60 : 60);
      const asked = await enter(page, turn, touch(page));
      if (loses(turn)) equal(asked, 'loss', `${turn.move} loses ${position}`);
      if (asked in asks) asks[asked]++;
      await page.waitForFunction(
        (count) => Number(document.querySelector('[data-turns]').dataset.turns) > count,
        turns,
      );
    }
    await comparesWithEngine(server, page, spec, await positionOf(page));
    must(asks.tap > 0, 'no tap was asked about');
    if (spec === 'wildebeest') must(asks.loss > 0, 'no losing move was asked about');
    noFaults(page);
    return `${await page.locator('aside [role=status]').first().innerText()}; ${asks.tap} shown first, ${asks.loss} losing`;
  };

async function refusals({ server, browser }) {
  const page = await openPage(browser);
  const start = '..b../...../.bw.b/...../w...b w 0';
  await local(server, page, 'fanorona:5x5', `&position=${encodeURIComponent(start)}`);
  const hand = mouse(page);
  await hand.press('b3');
  await page.waitForSelector('div.refused');
  const enemy = await page.locator('div.refused').innerText();
  must(/White to move/.test(enemy) && !/Rule/.test(enemy), `an enemy stone: ${enemy}`);
  await hand.press('c3');
  await hand.press('d3');
  await page.waitForSelector('.bar [data-step="withdraw"]');
  await hand.press('a5');
  await page.waitForSelector('.bar .nudged');
  equal(await page.locator('div.refused').count(), 0, 'no rule is cited while a choice is open');
  noFaults(page);
  return enemy.replaceAll('\n', ' ');
}

// ---- It shows ----

async function replays({ server, browser }) {
  const page = await openPage(browser, { reducedMotion: 'no-preference' });
  await local(server, page, 'wildebeest');
  await page.fill('aside form input', 'b1b3');
  await page.press('aside form input', 'Enter');
  await page.waitForSelector('.bar .bad');
  await page.click('.bar .bad');
  await settled(page, 1);
  await sleep(1500);
  must(await page.locator('svg .was .arrow').count(), 'no arrow of the last move stays');
  await page.click('.replay');
  const captions = new Set();
  for (let i = 0; i < 120 && captions.size < 3; i++) {
    const text = await page.locator('.caption').allInnerTexts();
    if (text[0]) captions.add(text[0]);
    await sleep(50);
  }
  must(captions.size >= 2, `a move of several stages has one caption: ${[...captions]}`);
  must(
    [...captions].some((c) => /explodes/.test(c)),
    'the explosion is not told',
  );
  await page.keyboard.press('Shift');
  await sleep(100);
  equal(await page.locator('.caption').count(), 0, 'a key ends the replay');
  // What happened is open, the newest first.
  const log = await page.locator('details[open] ol li').first().innerText();
  must(/^b1b3/.test(log), `the log begins with ${log}`);
  noFaults(page);
  return [...captions].join(' | ');
}

async function draws({ server, browser }) {
  const page = await openPage(browser);
  await local(server, page, 'othello');
  const [a, b] = [await middle(page, 'a1'), await middle(page, 'c3')];
  await page.mouse.move(a.x, a.y);
  await page.mouse.down({ button: 'right' });
  await page.mouse.move(b.x, b.y, { steps: 4 });
  await page.mouse.up({ button: 'right' });
  await page.mouse.click(b.x, b.y, { button: 'right' });
  equal(await page.locator('svg .drawings path').count(), 1, 'an arrow');
  equal(await page.locator('svg .drawings circle:not(.edge)').count(), 1, 'a circle');
  await page.mouse.click(b.x, b.y, { button: 'right' });
  equal(await page.locator('svg .drawings circle').count(), 0, 'the same circle again is taken away');
  await mouse(page).press('d3');
  await settled(page, 1);
  equal(await page.locator('svg .drawings path').count(), 0, 'a move clears the board');
  // By a long press of a finger.
  const finger = await openPage(browser, phone);
  await local(server, finger, 'othello');
  const session = await finger.context().newCDPSession(finger);
  const [c, d] = [await middle(finger, 'a1'), await middle(finger, 'c1')];
  const send = (type, points) => session.send('Input.dispatchTouchEvent', { type, touchPoints: points });
  await send('touchStart', [c]);
  await sleep(600);
  await send('touchMove', [d]);
  await send('touchEnd', []);
  await finger.waitForSelector('svg .drawings path', { state: 'attached' });
  equal(await positionOf(finger), (await server.get('/api/scene?spec=othello')).position, 'nothing is played by it');
  noFaults(page);
}

async function cards({ server, browser }) {
  const page = await openPage(browser);
  await local(server, page, 'wildebeest');
  const told = [];
  for (const [square, words] of [
    ['f1', /divisible by 5/],
    ['f5', /Jet Pack/],
    ['b3', /Transporter/],
  ]) {
    const at = await middle(page, square);
    await page.mouse.move(at.x, at.y);
    await page.waitForFunction(
      (source) => new RegExp(source).test(document.querySelector('.card-of')?.textContent ?? ''),
      words.source,
    );
    told.push(await page.locator('.card-of').innerText());
  }
  const finger = await openPage(browser, phone);
  await local(server, finger, 'wildebeest');
  const session = await finger.context().newCDPSession(finger);
  const at = await middle(finger, 'a0');
  await session.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [at] });
  await finger.waitForSelector('.card-of:has-text("Rook")');
  await session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
  await finger.screenshot({ path: join(shots, 'card-phone.png') });
  await finger.click('.card-of button');
  equal(await finger.locator('.card-of').count(), 0, 'a card is closed');
  noFaults(page);
  return told[0].replaceAll('\n', ' ');
}

async function values({ server, browser }) {
  const spec = 'abalone:3x3,captures=1';
  server.solve(spec);
  const page = await openPage(browser);
  for (const wanted of [spec, 'othello:6x6', 'fanorona', 'wildebeest']) {
    await page.goto(`${server.url}/analysis?spec=${encodeURIComponent(wanted)}`);
    await settled(page, 0);
    const { moves } = await server.post('/api/position/moves', { spec: wanted, limit: 1000, effects: true });
    const firsts = new Set(moves.map((m) => m.steps.find((s) => s.square).square));
    await page.selectOption('[data-marking]', 'numbers');
    await page.waitForFunction((count) => document.querySelectorAll('svg .value text').length === count, firsts.size);
    const texts = await page.locator('svg .value text').allTextContents();
    must(
      texts.every((text) => /^([WL]≤?\d+|0|[+-]\d+(\.\d)?)$/.test(text)),
      `values are short: ${texts}`,
    );
    await page.screenshot({ path: join(shots, `values-${wanted.split(':')[0]}.png`) });
    await page.selectOption('[data-marking]', 'colours');
    await page.waitForFunction((count) => document.querySelectorAll('svg .value.shade').length === count, firsts.size);
    await page.selectOption('[data-marking]', 'guess');
    await page.waitForFunction(() => document.querySelectorAll('svg .value').length === 0);
    const before = await positionOf(page);
    await enter(page, moves[0], mouse(page)).catch(() => {});
    await page.waitForSelector('.guess[data-right]', { timeout: 20_000 });
    equal(await positionOf(page), before, 'a guess is not played');
    await page.waitForSelector('svg .value');
    must(/of 1 right/.test(await page.locator('.guess').innerText()), 'the guess is not counted');
    await page.selectOption('[data-marking]', 'best');
  }
  noFaults(page);
}

async function looks({ server, browser }) {
  const page = await openPage(browser);
  await page.goto(`${server.url}/settings`);
  await page.waitForSelector('.samples svg >> nth=3');
  const seen = new Set();
  for (const [label, name] of [
    ['Board', 'boards'],
    ['Pieces', 'sets'],
  ]) {
    const select = page.locator(`label:has-text("${label}") select`).first();
    const options = await select.locator('option').evaluateAll((all) => all.map((o) => o.value));
    must(options.length >= 4, `${options.length} ${name}`);
    for (const option of options) {
      await select.selectOption(option);
      await sleep(80);
      const shot = await page.locator('.samples').screenshot({ path: join(shots, `look-${name}-${option}.png`) });
      seen.add(shot.toString('base64'));
    }
    await select.selectOption(options[0]);
  }
  must(seen.size >= 8, 'some look like others');
  noFaults(page);
}

async function zenAndKeys({ server, browser }) {
  const page = await openPage(browser);
  await local(server, page, 'fanorona');
  await page.click('button:has-text("Zen")');
  await page.waitForFunction(() => document.documentElement.dataset.zen !== undefined);
  equal(await page.locator('.site-head:visible, aside:visible').count(), 0, 'only the board is left');
  await page.focus('[role=gridcell][tabindex="0"]');
  await page.keyboard.press('Escape');
  await page.waitForSelector('aside:visible');
  // A typed move, and one that is none.
  await page.fill('aside form input', 'zz');
  await page.press('aside form input', 'Enter');
  await page.waitForSelector('div.refused');
  await page.fill('aside form input', ' D3e3a ');
  await page.press('aside form input', 'Enter');
  await page
    .waitForFunction(() => document.querySelector('[data-turns]').dataset.turns === '1')
    .catch(async () => {
      throw new Error(await page.locator('div.refused').innerText());
    });
  noFaults(page);
}

async function listFollows({ server, browser }) {
  const page = await openPage(browser, { viewport: { width: 1366, height: 768 } });
  await local(server, page, 'othello');
  const next = random(4);
  for (let turns = 0; turns < 44; turns++) {
    const position = await positionOf(page);
    const list = await server.post('/api/position/moves', { spec: 'othello', position });
    await enter(page, list.moves[next(list.moves.length)], mouse(page));
    await settled(page, turns + 1);
  }
  const seen = () =>
    page.evaluate(() => {
      const box = document.querySelector('.moves').getBoundingClientRect();
      const current = document.querySelector('[aria-current="step"]').getBoundingClientRect();
      return current.top >= box.top - 1 && current.bottom <= box.bottom + 1;
    });
  must(await seen(), 'the last move is not seen in the list');
  await page.click('[aria-label="Back"]');
  for (let i = 0; i < 20; i++) await page.keyboard.press('Enter');
  await sleep(100);
  must(await seen(), 'a move that was gone back to is not seen in the list');
}

export const boardTests = [
  ['board fills the window', fills],
  ['board own pieces below', ownPiecesBelow],
  ['board stands still', standsStill],
  ['board danger', danger],
  ['board refusals', refusals],
  ['board replay', replays],
  ['board drawings', draws],
  ['board cards', cards],
  ['board values', values],
  ['board looks', looks],
  ['board zen and typed moves', zenAndKeys],
  ['board move list', listFollows],
  ['board long tasks', quickTasks],
  ...['fanorona', 'abalone', 'othello', 'wildebeest'].flatMap((spec) =>
    ['first', 'second'].map((side) => [`board touch ${spec} ${side}`, touchGame(spec, side)]),
  ),
];
