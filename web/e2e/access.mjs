// Accessibility and weight: axe, one tab stop, spoken turns, the size of the first load.
import { axe } from './axe.mjs';
import { enter, equal, keyboard, mouse, noFaults, openPage, settled, sleep } from './world.mjs';

const pages = [
  '/',
  '/local?spec=fanorona',
  '/local?spec=wildebeest',
  '/analysis?spec=abalone:3x3,captures=1',
  '/learn',
  '/learn/fanorona',
  '/learn/wildebeest?clause=3.1',
  '/learn/fanorona/sacrifice',
  '/puzzles',
  '/demo/othello-pass',
  '/games',
  '/ratings',
  '/solved',
  '/studies',
  '/classes',
  '/tournaments',
  '/login',
  '/settings',
  '/no/such/page',
];

const phone = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true };

async function axeEverywhere({ server, browser }) {
  for (const [colorScheme, device, options] of [
    ['light', 'desktop', {}],
    ['dark', 'desktop', {}],
    ['light', 'phone', phone],
  ]) {
    const page = await openPage(browser, { colorScheme, ...options });
    for (const path of pages) {
      await page.goto(server.url + path);
      await page.waitForLoadState('load');
      await sleep(1000);
      await axe(page, `${path} (${colorScheme}, ${device})`);
    }
    // A room, with a piece chosen.
    await page.goto(server.url);
    await page.click('label.game:has(input[value="fanorona"])');
    await page.click('button.primary');
    await page.waitForURL('**/room/*');
    await settled(page, 0);
    await mouse(page).press('d3');
    await sleep(300);
    await axe(page, `a room (${colorScheme}, ${device})`);
    noFaults(page);
    await page.context().close();
  }
}

async function oneTabStop({ server, browser }) {
  const page = await openPage(browser);
  await page.goto(`${server.url}/local?spec=othello:26x26`);
  await settled(page, 0);
  let stops = 0;
  await page.focus('a.brand');
  for (let i = 0; i < 60; i++) {
    await page.keyboard.press('Tab');
    const at = await page.evaluate(
      () => document.activeElement?.getAttribute('role') ?? document.activeElement?.className,
    );
    if (at === 'gridcell') stops++;
    if (String(at).includes('skip') || (await page.evaluate(() => document.activeElement === document.body))) break; // once around
  }
  equal(stops, 1, 'the board is one stop of the tab key');
}

async function spoken({ server, browser }) {
  const page = await openPage(browser);
  await page.goto(`${server.url}/local?spec=othello`);
  await settled(page, 0);
  const list = await server.post('/api/position/moves', { spec: 'othello', effects: true });
  await enter(page, list.moves[0], keyboard(page));
  await settled(page, 1);
  const text = await page.locator('#spoken').innerText();
  if (!/plays on/.test(text) || !/now belongs to/.test(text)) throw new Error(`the turn is not told: ${text}`);
  // In French, by the same message files as the terminal.
  await page.goto(`${server.url}/settings`);
  await page.selectOption('select >> nth=0', 'fr');
  await sleep(800);
  await page.goto(`${server.url}/local?spec=othello`);
  await settled(page, 0);
  await enter(page, list.moves[0], keyboard(page));
  await settled(page, 1);
  const french = await page.locator('#spoken').innerText();
  if (french === text || !/Noir/.test(french)) throw new Error(`not French: ${french}`);
  equal(await page.evaluate(() => document.documentElement.lang), 'fr', 'the language of the page');
  noFaults(page);
  return french;
}

async function firstLoad({ server, browser }) {
  const page = await openPage(browser);
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  let bytes = 0;
  session.on('Network.loadingFinished', (event) => {
    bytes += event.encodedDataLength;
  });
  // Once before, so that starting the browser is not measured.
  await page.goto(`${server.url}/healthz`);
  bytes = 0;
  const begin = Date.now();
  await page.goto(server.url);
  await page.waitForSelector('label.game input');
  const ready = Date.now() - begin;
  await page.waitForLoadState('load');
  await sleep(1500);
  if (bytes > 80 * 1024) throw new Error(`the first load has ${bytes} bytes`);
  const timing = await page.evaluate(() => performance.getEntriesByType('navigation')[0].domInteractive);
  return `${(bytes / 1024).toFixed(0)} KB with all data, interactive after ${Math.round(timing)} ms, games shown after ${ready} ms`;
}

/** A browser writes every answer of 400 and more into its console: no page may ask for what is not there. */
async function quietConsole({ server, browser }) {
  const page = await openPage(browser);
  const failed = [];
  page.on('response', (answer) => {
    // The engine for browsers may not be built yet: then the page waits for it.
    if (answer.status() >= 400 && !answer.url().endsWith('/engine.wasm')) failed.push(answer.url());
  });
  for (const path of ['/local?spec=othello', '/analysis?spec=othello', '/settings', '/games']) {
    await page.goto(server.url + path);
    await sleep(1200);
  }
  equal(failed, [], 'requests that fail');
}

async function illegalIsExplained({ server, browser }) {
  const page = await openPage(browser);
  for (const [spec, squares] of [
    ['othello', ['a1']],
    ['abalone', ['a1', 'd4']],
    ['wildebeest', ['b1', 'b5']],
  ]) {
    await page.goto(`${server.url}/local?spec=${spec}`);
    await settled(page, 0);
    for (const square of squares) await mouse(page).press(square);
    await page.waitForSelector('div.refused a');
    const text = await page.locator('div.refused').innerText();
    if (!/Rule \d/.test(text)) throw new Error(`${spec}: ${text}`);
    await page.click('div.refused a');
    await page.waitForSelector('.text .wanted', { timeout: 10_000 }).catch(() => {
      throw new Error(`${spec}: the clause of "${text}" is not found in the rules`);
    });
  }
  noFaults(page);
}

export const accessTests = [
  ['access axe', axeEverywhere],
  ['access one tab stop', oneTabStop],
  ['access spoken turns', spoken],
  ['access first load', firstLoad],
  ['access quiet console', quietConsole],
  ['access illegal moves', illegalIsExplained],
];
