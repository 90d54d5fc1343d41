// Fanorona's own ways of entering a turn: two captures to choose from, chains, the sacrifice.
import { comparesWithEngine } from './play.mjs';
import { enter, equal, mouse, noFaults, openPage, positionOf, settled, sleep } from './world.mjs';

async function at(server, browser, spec, position) {
  const page = await openPage(browser);
  const sent = [];
  page.on('request', (request) => {
    if (request.url().includes('/api/position/play')) sent.push(request.postData());
  });
  await page.goto(`${server.url}/local?spec=${encodeURIComponent(spec)}&position=${encodeURIComponent(position)}`);
  await settled(page, 0);
  return { page, sent };
}

const words = (page) =>
  page.locator('.bar [data-step]').evaluateAll((buttons) => buttons.map((b) => b.dataset.step).sort());

async function bothCaptures({ server, browser }) {
  const start = '..b../...../.bw.b/...../w...b w 0';
  for (const [how, wanted] of [
    ['approach', 'c3d3A'],
    ['withdraw', 'c3d3W'],
    ['e3', 'c3d3A'],
    ['b3', 'c3d3W'],
    ['key a', 'c3d3A'],
    ['key w', 'c3d3W'],
  ]) {
    const { page } = await at(server, browser, 'fanorona:5x5', start);
    const hand = mouse(page);
    await hand.press('c3');
    await hand.press('d3');
    await page.waitForSelector('.bar [data-step="withdraw"]');
    equal(
      (await words(page)).filter((w) => w !== 'undo'),
      ['approach', 'withdraw'],
      'both captures are offered',
    );
    if (how.startsWith('key ')) {
      await page.focus('[role=gridcell][tabindex="0"]');
      await page.keyboard.press(how.slice(4));
    } else if (how.length === 2) await hand.press(how);
    else await hand.word(how);
    // A chain may be possible from there.
    await sleep(300);
    if (await page.locator('.bar [data-step="end"]').count()) await hand.word('end');
    await settled(page, 1);
    const played = await server.post('/api/position/play', { spec: 'fanorona:5x5', position: start, move: wanted });
    equal(await positionOf(page), played.position, `${how} plays ${wanted}`);
    await comparesWithEngine(server, page, 'fanorona:5x5', played.position);
    noFaults(page);
    await page.context().close();
  }
}

async function cancelledChain({ server, browser }) {
  // A turn of two captures, found on the fly.
  const spec = 'fanorona:5x5';
  let position = 'bbbbb/bbbbb/bw.bw/wwwww/wwwww w 0';
  let chain = null;
  for (let i = 0; i < 12 && !chain; i++) {
    const list = await server.post('/api/position/moves', { spec, position, limit: 1000, effects: true });
    chain = list.moves.find((t) => t.steps.filter((s) => s.step === 'to').length >= 2);
    if (!chain) position = list.moves[0].position;
  }
  const { page, sent } = await at(server, browser, spec, position);
  const hand = mouse(page);
  const first = chain.steps.slice(0, 3);
  await hand.press(first[0].square);
  await hand.press(first[1].square);
  await sleep(200);
  if ((await words(page)).includes('withdraw')) await hand.word(first[2].step);
  await page.waitForSelector('.bar [data-step="end"]');
  if ((await page.locator('[data-glyph]').count()) === 0) throw new Error('the board is empty');
  await page.focus('[role=gridcell][tabindex="0"]');
  for (let i = 0; i < 4; i++) await page.keyboard.press('Escape');
  await sleep(300);
  equal(sent, [], 'a chain that was cancelled sends nothing');
  equal(await positionOf(page), position, 'nothing has changed');
  await comparesWithEngine(server, page, spec, position);
  // The same chain to its end, with numbers on its path meanwhile.
  await enter(page, chain, hand);
  await settled(page, 1);
  equal(await positionOf(page), chain.position, 'the chain is played');
  if ((await page.locator('svg .number').count()) < 2) throw new Error('the path of the chain has no numbers');
  noFaults(page);
}

async function sacrifice({ server, browser }) {
  const spec = 'fanorona:5x5';
  const start = '...b./.b.../.b.ww/b.bww/...ww w 0';
  const { page, sent } = await at(server, browser, spec, start);
  const hand = mouse(page);
  await hand.press('d2');
  await hand.word('sacrifice');
  await page.waitForSelector('.bar .ask');
  equal(sent, [], 'a sacrifice asks first');
  await page.screenshot({ path: new URL('shots/sacrifice.png', import.meta.url).pathname });
  await hand.confirm();
  await settled(page, 1);
  await comparesWithEngine(server, page, spec, await positionOf(page));
  const list = await server.post('/api/position/moves', { spec, position: await positionOf(page), limit: 1000 });
  const captures = list.moves.map((t) => t.move).filter((t) => /[AW]/.test(t) && !t.startsWith('S'));
  equal(captures.sort(), ['b3c3A', 'd5d4A', 'd5d4A,c5W'], 'the captures of the example in the rules (2.5, 5.2)');
  // And the page offers just these.
  for (const turn of list.moves.filter((t) => captures.includes(t.move))) {
    if (!(await page.locator(`[data-square="${turn.steps[0].square}"][aria-label*="can be chosen"]`).count()))
      throw new Error(`${turn.move} is not offered`);
  }
  noFaults(page);
}

async function refusal({ server, browser }) {
  const { page } = await at(server, browser, 'fanorona:5x5', 'bbbbb/bbbbb/bw.bw/wwwww/wwwww w 0');
  const hand = mouse(page);
  await hand.press('a1');
  await hand.press('e5');
  await page.waitForSelector('.refused a');
  const text = await page.locator('div.refused').innerText();
  if (!/Rule \d+\.\d+/.test(text)) throw new Error(`the refusal names no clause: ${text}`);
  noFaults(page);
  return text.replaceAll('\n', ' ');
}

export const fanoronaTests = [
  ['fanorona approach and withdrawal', bothCaptures],
  ['fanorona chain cancelled', cancelledChain],
  ['fanorona sacrifice', sacrifice],
  ['fanorona refusal', refusal],
];
