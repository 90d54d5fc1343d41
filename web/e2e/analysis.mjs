// The page for positions: lines of the engine, tables of perfect play, the editor, records.
import { join } from 'node:path';
import { comparesWithEngine } from './play.mjs';
import { equal, mouse, noFaults, openPage, positionOf, settled, shots, sleep } from './world.mjs';

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
  equal(new URL(page.url()).searchParams.get('position'), played.position, 'the address has the position');
  // The same address shows the same position to somebody else.
  const other = await openPage(browser);
  await other.goto(page.url());
  await settled(other, 0);
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
  await page.screenshot({ path: join(shots, 'analysis-explorer.png') });
  await page.setViewportSize({ width: 360, height: 740 });
  await move.scrollIntoViewIfNeeded();
  await page.screenshot({ path: join(shots, 'analysis-explorer-phone.png') });
  const wide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
  equal(wide, false, 'nothing sticks out on a phone');
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
  ['analysis engine lines', engineLines],
  ['analysis perfect play', perfectPlay],
  ['analysis editor', editor],
  ['analysis records', records],
];
