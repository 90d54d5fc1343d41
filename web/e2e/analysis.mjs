// The page for positions: lines of the engine, tables of perfect play, the editor, records.
import { join } from 'node:path';
import { comparesWithEngine, playWhole } from './play.mjs';
import { equal, mouse, noFaults, openPage, positionOf, random, settled, shots, sleep } from './world.mjs';

async function engineLines({ server, browser }) {
  const page = await openPage(browser);
  await page.goto(`${server.url}/analysis?spec=othello:6x6`);
  await settled(page, 0);
  await page.waitForSelector('.lines li >> nth=2', { timeout: 30_000 });
  await page.waitForSelector('svg .value.thought');
  await page.screenshot({ path: join(shots, 'analysis-lines.png') });
  const first = await page.locator('.lines button').first().innerText();
  await page.locator('.lines button').first().click();
  await settled(page, 1);
  const played = await server.post('/api/position/play', { spec: 'othello:6x6', move: first });
  equal(await positionOf(page), played.position, `${first} is played`);
  if (!page.url().endsWith(`#1/_${first}/1`)) throw new Error(`the address has no move: ${page.url()}`);
  // The same address shows the same game to somebody else.
  const other = await openPage(browser);
  await other.goto(page.url());
  await settled(other, 1);
  await comparesWithEngine(server, other, 'othello:6x6', played.position);
  // Back and forward by keys.
  await page.click('.status');
  await page.keyboard.press('ArrowLeft');
  await settled(page, 0);
  await page.keyboard.press('ArrowRight');
  await settled(page, 1);
  noFaults(page);
  return first;
}

async function perfectPlay({ server, browser }) {
  const spec = 'abalone:3x3,captures=1';
  server.solve(spec);
  const page = await openPage(browser);
  await page.goto(`${server.url}/analysis?spec=${encodeURIComponent(spec)}`);
  await settled(page, 0);
  await page.waitForSelector('.perfect');
  const values = await server.post('/api/position/values', { spec });
  equal(await page.locator('.values li').count(), values.moves.length, 'every turn has a value');
  await page.waitForSelector('svg .value text');
  const marks = await page.locator('svg .value text').allTextContents();
  if (!marks.every((text) => /^[WDL]\d*$/.test(text))) throw new Error(`values are told by letters: ${marks}`);
  await page.screenshot({ path: join(shots, 'analysis-perfect.png') });
  noFaults(page);
  return `${await page.locator('.perfect').innerText()}; ${marks.join(' ')}`;
}

async function editor({ server, browser }) {
  const page = await openPage(browser);
  for (const [spec, square] of [
    ['fanorona:5x5', 'a1'],
    ['abalone', 'a1'],
    ['othello:6x6', 'd2'],
    ['wildebeest', 'a10'],
  ]) {
    await page.goto(`${server.url}/analysis?spec=${encodeURIComponent(spec)}`);
    await settled(page, 0);
    const before = await positionOf(page);
    await page.click('button:has-text("Set up")');
    // Othello's centre is never empty: there a pawn is added.
    if (!spec.startsWith('othello')) await page.click('.palette button:has-text("Empty")');
    await mouse(page).press(square);
    await sleep(400);
    await page.click('button:has-text("Use this position")');
    await page.waitForFunction((old) => document.querySelector('[data-position]')?.dataset.position !== old, before);
    await settled(page, 0);
    await comparesWithEngine(server, page, spec, await positionOf(page));
  }
  // What cannot be is refused with a reason.
  await page.goto(`${server.url}/analysis?spec=abalone`);
  await settled(page, 0);
  await page.click('button:has-text("Set up")');
  for (const square of ['b2', 'b3', 'c2']) await mouse(page).press(square);
  await page.waitForSelector('aside .bad');
  const fault = await page.locator('aside .bad').innerText();
  if (await page.locator('button:has-text("Use this position")').isEnabled())
    throw new Error('an impossible position can be used');
  noFaults(page);
  return fault;
}

async function records({ server, browser }) {
  const page = await openPage(browser);
  await page.goto(`${server.url}/analysis?spec=fanorona:5x5`);
  await settled(page, 0);
  let position;
  const moves = [];
  for (let i = 0; i < 6; i++) {
    const list = await server.post('/api/position/moves', {
      spec: 'fanorona:5x5',
      ...(position ? { position } : {}),
      limit: 20,
    });
    moves.push(list.moves[0].move);
    position = list.moves[0].position;
  }
  const { text } = await server.post('/api/records/write', { spec: 'fanorona:5x5', moves });
  await page.click('button:has-text("Record")');
  await page.fill('textarea', text);
  await page.click('button:has-text("Import")');
  await settled(page, 6);
  equal(await positionOf(page), position, 'the record leads to its last position');
  await comparesWithEngine(server, page, 'fanorona:5x5', position);
  await page.click('button:has-text("Export")');
  await page.waitForFunction((turn) => document.querySelector('textarea')?.value.includes(turn), moves[5]);
  const picture = await page.getAttribute('a:has-text("SVG")', 'href');
  const svg = await (await fetch(server.url + picture)).text();
  if (!svg.startsWith('<svg')) throw new Error('the picture is no picture');
  noFaults(page);
}

/** Where a square is on the screen. */
const centre = (page, square) =>
  page.evaluate((name) => {
    const { x, y, width, height } = document
      .querySelector(`[role=gridcell][data-square="${name}"] rect`)
      .getBoundingClientRect();
    return [x + width / 2, y + height / 2];
  }, square);

/** A tree is made by playing, edited, taken back, exported, and is there after a reload and in its address. */
async function trees({ server, browser }) {
  const page = await openPage(browser);
  await page.goto(`${server.url}/analysis?spec=othello`);
  await settled(page, 0);
  await page.uncheck('label:has-text("Think") input');
  const play = async (square, turns) => {
    await mouse(page).press(square);
    await settled(page, turns);
  };
  await play('f5', 1);
  await play('d6', 2);
  await page.click('.moves button:has-text("f5")');
  await settled(page, 1);
  await play('f6', 2);
  equal(await page.locator('.moves .variation').innerText(), '1…f6', 'the other move is a variation');
  await page.click('button[aria-label="Dubious move"]');
  await page.fill('textarea[aria-label="Comment"]', 'Perpendicular.');
  await page.click('[data-do=promote]');
  await page.waitForFunction(() => document.querySelector('.moves .variation')?.textContent.includes('d6'));
  await page.keyboard.press('Control+z');
  await page.waitForFunction(() => document.querySelector('.moves .variation')?.textContent.includes('f6'));
  await page.keyboard.press('Control+Shift+z');
  await page.waitForFunction(() => document.querySelector('.moves .variation')?.textContent.includes('d6'));
  // An arrow stays with its move.
  await page.mouse.move(...(await centre(page, 'a1')));
  await page.mouse.down({ button: 'right' });
  await page.mouse.move(...(await centre(page, 'c3')));
  await page.mouse.up({ button: 'right' });
  await page.waitForSelector('.drawings path.green');
  await page.screenshot({ path: join(shots, 'analysis-tree.png') });
  const address = page.url();
  await page.reload();
  await settled(page, 2);
  await page.waitForSelector('.drawings path.green');
  equal(page.url(), address, 'the address after a reload');
  const other = await openPage(browser, { viewport: { width: 360, height: 740 } });
  await other.goto(address);
  await settled(other, 2);
  equal(await other.inputValue('textarea[aria-label="Comment"]'), 'Perpendicular.', 'the address holds the comment');
  await other.waitForSelector('.drawings path.green');
  await other.locator('.moves').scrollIntoViewIfNeeded();
  await other.screenshot({ path: join(shots, 'analysis-tree-phone.png') });
  await page.click('button:has-text("Record")');
  await page.waitForFunction(() => document.querySelector('textarea[aria-label="Game record"]')?.value.includes('*'));
  const text = await page.inputValue('textarea[aria-label="Game record"]');
  if (!/1\. f5 f6\?! \{\[%arrow a1 c3( green)?\] Perpendicular\.\}\s+\(1\.\.\. d6\) \*/.test(text))
    throw new Error(text);
  // A damaged address shows what can be read, and says so.
  await other.goto(`${server.url}/analysis?spec=othello#1/_f5_a1_c3/3`);
  await other.waitForSelector('[role=alert]:has-text("a1")');
  await settled(other, 1);
  noFaults(page);
  return address.slice(server.url.length);
}

/** A game is reviewed by a table; its blunder is the turning point, and is tried again. */
async function reviews({ server, browser }) {
  const spec = 'abalone:3x3,captures=1';
  server.solve(spec);
  const page = await openPage(browser);
  await page.goto(`${server.url}/analysis?spec=${encodeURIComponent(spec)}#1/_b1b2_c3c2_b2c3/3`);
  await page.waitForSelector('.moves button:has-text("b2c3")');
  await reviewed(page);
  await page.screenshot({ path: join(shots, 'analysis-review.png') });
  const words = await page.locator('.points li').first().innerText();
  if (!words.includes('threw away a win in 1: now a loss in 2')) throw new Error(words);
  await page.click('[data-do=try]');
  await settled(page, 2);
  equal(await page.locator('svg .value').count(), 0, 'values that would give the answer away');
  const type = async (move, state) => {
    await page.fill('input[aria-label="Type a move"]', move);
    await page.keyboard.press('Enter');
    const confirm = page.locator('.bar .primary, .bar .bad');
    if (await confirm.count()) await confirm.first().click();
    await page.waitForSelector(`[data-retry=${state}]`);
  };
  await type('b2c3', 'fails');
  await page.click('[data-do=again]');
  await settled(page, 2);
  await type('a2b2', 'holds');
  const phone = await openPage(browser, { viewport: { width: 360, height: 740 } });
  await phone.goto(`${server.url}/analysis?spec=${encodeURIComponent(spec)}#1/_b1b2_c3c2_b2c3/3`);
  await phone.waitForSelector('.moves button:has-text("b2c3")');
  await reviewed(phone);
  await phone.locator('.players').scrollIntoViewIfNeeded();
  await phone.screenshot({ path: join(shots, 'analysis-review-phone.png') });
  noFaults(page);
  return words.split('\n')[1] ?? words;
}

/** A game on one board, with no room, is reviewed from its end; a running one goes to the analysis board whole. */
async function localGames({ server, browser }) {
  const spec = 'othello:6x6';
  const page = await openPage(browser);
  const { turns } = await playWhole(server, page, spec, mouse(page), { next: random(7), greed: 0, max: 3 });
  equal(turns, 3, 'moves before it is analysed');
  await page.click('aside [aria-label="Back"]');
  await page.click('aside a:has-text("Analyse")');
  await settled(page, 2);
  equal(await page.locator('.moves button').count(), 3, 'moves on the analysis board');
  const whole = await playWhole(server, page, spec, mouse(page), { next: random(7), greed: 0 });
  await page.screenshot({ path: join(shots, 'local-ended.png') });
  await page.click('.bar a:has-text("Review")');
  await page.waitForSelector('.players', { timeout: 60_000 });
  equal(await page.locator('.moves button').count(), whole.turns, 'moves of the reviewed game');
  equal(await page.getAttribute('[data-turns]', 'data-turns'), String(whole.turns), 'it is looked at from its end');
  if (page.url().includes('review')) throw new Error('a reload would review it again');
  noFaults(page);
  return `${whole.turns} moves reviewed`;
}

/** Has the game that is shown reviewed. */
export async function reviewed(page) {
  await page.click('[role=group] button:has-text("Review")');
  await page.click('[data-do=review]');
  await page.waitForSelector('.points li', { timeout: 40_000 });
  equal(await page.locator('.players tbody th').allInnerTexts(), ['Black', 'White'], 'players of a review');
}

/** A public game of two guests on this server, one move long. */
async function playedGame(server, spec) {
  const guests = [await server.post('/api/guests', {}), await server.post('/api/guests', {})];
  const [first, second] = guests.map(({ token }) => ({ Authorization: `Bearer ${token}` }));
  const { room } = await server.post('/api/rooms', { spec, side: 'first', listed: true }, first);
  await server.post(`/api/rooms/${room}/join`, {}, second);
  const { moves } = await server.post('/api/position/moves', { spec });
  await server.post(`/api/rooms/${room}/play`, { move: moves[0].move, id: '1' }, first);
  await server.post(`/api/rooms/${room}/resign`, {}, second);
}

async function explorer({ server, browser }) {
  const spec = 'othello:6x6';
  await playedGame(server, spec);
  for (let tries = 0; (await server.get(`/api/explorer?spec=${spec}`)).games === 0; tries++) {
    if (tries === 100) throw new Error('the game is not counted');
    await sleep(200);
  }
  const page = await openPage(browser);
  await page.goto(`${server.url}/analysis?spec=${spec}`);
  await settled(page, 0);
  await page.click('summary:has-text("Explorer")');
  const move = page.locator('[data-explored] button.move');
  await move.waitFor();
  equal(await move.count(), 1, 'one move was played');
  const text = await move.innerText();
  // Beside it, what the engine thinks of it.
  await page.waitForFunction(
    () => /^([WL]≤?\d+|0|[+-]\d)/.test(document.querySelector('[data-explored] td.value')?.textContent ?? ''),
    { timeout: 30_000 },
  );
  await page.screenshot({ path: join(shots, 'analysis-explorer.png') });
  await page.setViewportSize({ width: 360, height: 740 });
  await move.scrollIntoViewIfNeeded();
  await page.screenshot({ path: join(shots, 'analysis-explorer-phone.png') });
  const wide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
  equal(wide, false, 'nothing sticks out on a phone');
  await page.click('.filters summary');
  await page.fill('.filters input[type=date] >> nth=1', '2000-01-01');
  await page.waitForSelector('text=No game came to this position.');
  await page.screenshot({ path: join(shots, 'analysis-explorer-filters-phone.png') });
  equal(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth), false, 'filters stick out');
  await page.fill('.filters input[type=date] >> nth=1', '');
  await move.click();
  await settled(page, 1);
  const played = await server.post('/api/position/play', { spec, move: text });
  equal(await positionOf(page), played.position, `${text} is played`);
  await page.waitForSelector(`[data-explored="${played.position}"]`);
  equal(await page.locator('[data-explored] tbody tr').count(), 1, 'the game ended there');
  noFaults(page);
  return text;
}

export const analysisTests = [
  ['analysis explorer', explorer],
  ['analysis reviews', reviews],
  ['analysis of local games', localGames],
  ['analysis trees', trees],
  ['analysis engine lines', engineLines],
  ['analysis perfect play', perfectPlay],
  ['analysis editor', editor],
  ['analysis records', records],
];
