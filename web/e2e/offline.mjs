// Without the network: the installed page, and the engine on this device, beside the native one that the server has.

import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { reviewed } from './analysis.mjs';
import { puzzleFiles, solve } from './lessons.mjs';
import { comparesWithEngine, pick } from './play.mjs';
import {
  enter,
  equal,
  mouse,
  noFaults,
  openPage,
  positionOf,
  random,
  Server,
  settled,
  shots,
  sleep,
} from './world.mjs';

const longestTask = 100; // ms, while the engine thinks

/** Waits until something that takes time to find out holds in the page. */
async function until(page, holds, given = null) {
  for (let tries = 0; !(await page.evaluate(holds, given)); tries++) {
    if (tries > 300) throw new Error(`this does not come true: ${holds}`);
    await sleep(200);
  }
}

/** Waits until the page is kept for later: everything is fetched, and its worker answers for the page. */
const kept = (page) =>
  until(page, async () => {
    const registration = await navigator.serviceWorker.getRegistration();
    return registration?.active?.state === 'activated' && navigator.serviceWorker.controller !== null;
  });

/** Waits until the engine is kept too. */
const engineKept = (page) => until(page, async () => Boolean(await globalThis.caches.match('/engine.wasm')));

/** A page that was opened once with the network; now there is none, and no server either. */
async function offlinePage({ server, browser }, options = {}) {
  const page = await openPage(browser, options);
  await page.addInitScript(() => {
    globalThis.tasks = [];
    new PerformanceObserver((list) => {
      for (const task of list.getEntries()) globalThis.tasks.push({ start: task.startTime, ms: task.duration });
    }).observe({ type: 'longtask', buffered: true });
    // When the status says that the computer thinks.
    globalThis.thoughts = [];
    let since = null;
    const look = () => {
      const thinks = /thinking/.test(document.querySelector('[role=status]')?.textContent ?? '');
      if (thinks && since === null) since = performance.now();
      if (!thinks && since !== null) {
        globalThis.thoughts.push([since, performance.now()]);
        since = null;
      }
    };
    new MutationObserver(look).observe(document, { subtree: true, childList: true, characterData: true });
  });
  await page.goto(server.url);
  await page.waitForSelector('label.game input');
  await kept(page);
  await engineKept(page);
  await page.context().setOffline(true);
  await server.kill();
  return page;
}

/** The longest task of the main thread during the thoughts, and how long those took together. */
async function duringThoughts(page) {
  const { tasks, thoughts } = await page.evaluate(() => ({ tasks: globalThis.tasks, thoughts: globalThis.thoughts }));
  // What began before a thought or ends after it is the page's own drawing of turns.
  const within = tasks.filter((task) =>
    thoughts.some(([from, to]) => task.start >= from && task.start + task.ms <= to),
  );
  const longest = Math.max(0, ...within.map((task) => task.ms));
  if (longest > longestTask) throw new Error(`the main thread was busy for ${longest} ms while the engine thought`);
  const all = thoughts.reduce((sum, [from, to]) => sum + to - from, 0);
  return { longest, all, count: thoughts.length };
}

/** A game from the front page against the computer, to its end. */
async function wholeGame(oracle, page, url, game, level, greed, next) {
  await page.goto(url);
  await page.click(`label.game:has(input[value="${game}"])`);
  await page.click('details.settings > summary');
  await page.fill('input[type=range]', String(level));
  await page.click('button.primary');
  await page.waitForURL('**/local?*');
  await settled(page, 0);
  const spec = new URL(page.url()).searchParams.get('spec');
  let turns = 0;
  const state = () => page.getAttribute('[data-position]', 'data-state');
  while ((await state()) !== 'ended') {
    if (turns > 600) throw new Error(`${spec} does not end`);
    const list = await oracle.post('/api/position/moves', {
      spec,
      position: await positionOf(page),
      limit: 1000,
      effects: true,
    });
    await enter(page, pick(list.moves, next, typeof greed === 'function' ? greed(turns) : greed), mouse(page));
    await page.waitForFunction(
      (before) => {
        const frame = document.querySelector('[data-position][data-turns]');
        if (frame.dataset.state === 'ended') return true;
        return Number(frame.dataset.turns) > before + 1 && frame.dataset.ready === 'true';
      },
      turns,
      { timeout: 30_000 },
    );
    turns = Number(await page.getAttribute('[data-turns]', 'data-turns'));
    await comparesWithEngine(oracle, page, spec, await positionOf(page));
  }
  equal(await page.getAttribute('[data-engine]', 'data-engine'), 'device', 'who answers');
  return turns;
}

const games = [
  ['fanorona', 3, 90],
  ['abalone', 4, 90],
  ['othello', 3, 0],
  ['wildebeest', 3, (played) => (played < 30 ? -100 : 95)], // taking at once may blow up one's own king
];

const playTests = games.map(([game, level, greed]) => [
  `offline ${game} against the computer`,
  async ({ server, browser }) => {
    const page = await offlinePage({ server, browser });
    const oracle = new Server(server.binary);
    try {
      await oracle.start();
      const turns = await wholeGame(oracle, page, server.url, game, level, greed, random(11));
      const { longest, all, count } = await duringThoughts(page);
      noFaults(page);
      const status = await page.locator('[role=status]').first().innerText();
      return `${turns} turns, ${status}; ${count} thoughts of ${Math.round(all)} ms, longest task ${Math.round(longest)} ms`;
    } finally {
      await oracle.end();
    }
  },
]);

/** The full level thinks for seconds; the page stays quick all the while. */
async function fullLevel({ server, browser }) {
  const page = await offlinePage({ server, browser });
  const notes = [];
  for (const [spec, squares] of [
    ['othello', ['d3']],
    ['abalone', ['a1', 'b2']],
  ]) {
    await page.goto(`${server.url}/local?spec=${spec}&level=14&side=first`);
    await settled(page, 0);
    for (const square of squares) await mouse(page).press(square);
    await settled(page, 2, 30_000);
    const { longest, all } = await duringThoughts(page);
    if (all < 1500) throw new Error(`it thought for ${all} ms only`);
    notes.push(`${spec} ${Math.round(all)} ms of thought, longest task ${Math.round(longest)} ms`);
  }
  noFaults(page);
  // The watch itself: a long task is seen.
  await page.evaluate(() => {
    setTimeout(() => {
      const end = performance.now() + 150;
      while (performance.now() < end);
    });
  });
  await page.waitForFunction(() => globalThis.tasks.some((task) => task.ms >= 140));
  return notes.join('; ');
}

async function everythingElse({ server, browser }) {
  const page = await offlinePage({ server, browser });
  // Lines of the engine, a played turn, a record.
  await page.goto(`${server.url}/analysis?spec=othello:6x6`);
  await settled(page, 0);
  await page.waitForSelector('.lines li >> nth=2', { timeout: 30_000 });
  await page.waitForSelector('[data-engine=device]');
  const begin = await page.evaluate(() => performance.now());
  await sleep(3000);
  const tasks = (await page.evaluate(() => globalThis.tasks)).filter((task) => task.start > begin);
  const longest = Math.max(0, ...tasks.map((task) => task.ms));
  if (longest > longestTask) throw new Error(`the main thread was busy for ${longest} ms while the engine thought`);
  await page.screenshot({ path: join(shots, 'offline-analysis.png') });
  await page.locator('.lines button').first().click();
  await settled(page, 1);
  await page.waitForSelector('.lines li >> nth=2', { timeout: 30_000 });
  await page.click('button:has-text("Record")');
  await page.waitForFunction(() => document.querySelector('textarea')?.value.includes('paika-record'));
  // Why a turn is not legal, the rules, a demonstration.
  await page.goto(`${server.url}/local?spec=othello`);
  await settled(page, 0);
  await mouse(page).press('a1');
  await page.waitForSelector('div.refused a');
  await page.click('div.refused a');
  await page.waitForSelector('.clause.wanted');
  await page.waitForSelector('.demo svg');
  // Another language.
  await page.goto(`${server.url}/settings`);
  await page.selectOption('select >> nth=0', 'fr');
  await page.waitForFunction(() => document.documentElement.lang === 'fr');
  await page.selectOption('select >> nth=0', 'en');
  // What needs the server says so.
  await page.goto(`${server.url}/games`);
  await page.waitForSelector('.bad:has-text("needs the server")');
  await page.goto(server.url);
  await page.click('label.pill:has-text("friend")');
  await page.click('button.primary');
  await page.waitForSelector('.bad:has-text("needs the server")');
  noFaults(page);
  // The server is back: it answers again.
  await page.context().setOffline(false);
  await server.start();
  await page.goto(`${server.url}/local?spec=othello`);
  await settled(page, 0);
  equal(await page.getAttribute('[data-engine]', 'data-engine'), 'server', 'who answers');
  return `longest task ${Math.round(longest)} ms`;
}

async function byChoice({ server, browser }) {
  const page = await openPage(browser);
  await page.goto(`${server.url}/settings`);
  await page.selectOption('select:has(option[value=device])', 'device');
  await page.goto(server.url);
  await page.click('label.game:has(input[value="othello"])');
  await page.click('button.primary');
  await page.waitForURL('**/local?*');
  await settled(page, 0);
  equal(await page.getAttribute('[data-engine]', 'data-engine'), 'device', 'who answers');
  const asked = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await mouse(page).press('d3');
  await settled(page, 2);
  equal(
    asked.filter((path) => path.startsWith('/api/position')),
    [],
    'nothing is asked of the server',
  );
  noFaults(page);
}

/** A copy of the built page, which a test may change; the server shows it from its next start. */
function copiedPage(server) {
  const folder = mkdtempSync(join(tmpdir(), 'paika-web-'));
  const here = dirname(fileURLToPath(import.meta.url));
  cpSync(server.web, folder, { recursive: true });
  server.web = folder;
  return { folder, tools: join(here, '..', 'tools') };
}

/** A new version is seen at once, takes over at the next load, and leaves nothing of the old one. */
async function update({ server, browser }) {
  const { folder, tools } = copiedPage(server);
  try {
    const caches = (page) =>
      page.evaluate(async () => (await globalThis.caches.keys()).filter((name) => name !== 'paika-engine').join());
    await server.kill();
    await server.start();
    const page = await openPage(browser);
    await page.goto(server.url);
    await kept(page);
    const old = await caches(page);
    writeFileSync(join(folder, 'new.txt'), 'a file that the old version did not have');
    execFileSync(process.execPath, [join(tools, 'offline.mjs'), folder]);
    for (const ending of ['.br', '.gz']) rmSync(join(folder, `sw.js${ending}`), { force: true });
    await server.kill();
    await server.start();
    await page.goto(server.url);
    await until(page, async () => Boolean((await navigator.serviceWorker.getRegistration())?.waiting));
    await page.goto(server.url);
    for (let tries = 0; (await caches(page)).split(',').includes(old); tries++) {
      if (tries > 300) throw new Error(`the old version is still kept: ${await caches(page)}`);
      await sleep(200);
    }
    await page.context().setOffline(true);
    await server.kill();
    await page.goto(`${server.url}/settings`);
    await page.waitForSelector('select');
    equal(await page.evaluate(async () => (await fetch('/new.txt')).status), 200, 'a file of the new version');
    noFaults(page);
    return `${old} → ${await caches(page)}`;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const noEngine = Buffer.from('0061736d01000000', 'hex'); // the smallest module; who it is does not matter here

/** The engine is built while the server runs and somebody looks at the page: no restart, no reload. */
async function engineComes({ server, browser }) {
  const { folder } = copiedPage(server);
  const place = (bytes) => {
    writeFileSync(join(folder, '.new'), bytes);
    renameSync(join(folder, '.new'), join(folder, 'engine.wasm'));
  };
  const note = (page, words) => page.waitForSelector(`[data-offline]:has-text("${words}")`, { timeout: 40_000 });
  const inCache = (page) =>
    page.evaluate(async () => {
      const answer = await globalThis.caches.match('/engine.wasm');
      return answer ? (await answer.arrayBuffer()).byteLength : 0;
    });
  try {
    for (const form of ['', '.br', '.gz']) rmSync(join(folder, `engine.wasm${form}`), { force: true });
    await server.kill();
    await server.start();
    const page = await openPage(browser, { viewport: { width: 360, height: 740 } });
    await page.goto(server.url);
    await note(page, 'Offline play is not ready yet.');
    await page.screenshot({ path: join(shots, 'offline-not-ready.png'), fullPage: true });
    await page.evaluate(() => {
      globalThis.sameDocument = true;
    });
    place(noEngine);
    await note(page, 'Offline play is ready.');
    equal(await page.evaluate(() => globalThis.sameDocument), true, 'nothing was loaded again');
    equal(await inCache(page), noEngine.length, 'the engine that is kept');
    // A ready page says nothing; a new engine is taken at the next visit.
    place(Buffer.concat([noEngine, Buffer.from('0003016100', 'hex')]));
    await page.goto(server.url);
    await until(page, () => document.querySelector('[data-offline=true]') !== null);
    equal(await page.locator('[data-offline]').innerText(), '', 'what the page says');
    equal(await inCache(page), noEngine.length + 5, 'the engine that is kept');
    noFaults(page);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export const engineComesTest = ['offline engine comes later', engineComes];

/** Lessons and puzzles without the network: the page has them, and the engine on this device judges. */
async function offlineLessons({ server, browser }) {
  const page = await offlinePage({ server, browser });
  const state = (wanted) => page.waitForSelector(`[data-turns][data-state="${wanted}"]`);
  await page.goto(`${server.url}/learn`);
  await page.waitForSelector('.progress');
  await page.goto(`${server.url}/learn/othello`);
  await page.click('.lessons a >> nth=7');
  await settled(page, 0);
  await mouse(page).press('a6'); // lets White have the last square
  await state('missed');
  await page.click('[data-do=again]');
  await settled(page, 0);
  await mouse(page).press('e1');
  await settled(page, 2); // White has to pass
  await mouse(page).press('a6');
  await state('done');
  equal(await page.getAttribute('[data-engine]', 'data-engine'), 'device', 'who answers');
  const oracle = new Server(server.binary);
  const solved = [];
  try {
    await oracle.start();
    for (const [game, puzzles] of puzzleFiles()) {
      await page.goto(`${server.url}/puzzles/${game}`);
      await page.click('.ladder a.button.primary');
      await page.waitForURL(`**/puzzles/${game}/*`);
      await settled(page, 0);
      const id = decodeURIComponent(new URL(page.url()).pathname.split('/').at(-1));
      await solve(
        oracle,
        page,
        puzzles.find((one) => one.id === id),
      );
      equal(await page.getAttribute('[data-engine]', 'data-engine'), 'device', `who judges ${id}`);
      await page.goto(`${server.url}/puzzles/${game}`);
      await page.waitForSelector(`.ladder :text("1 of ${puzzles.length} solved")`);
      solved.push(id);
    }
  } finally {
    await oracle.end();
  }
  noFaults(page);
  return `a lesson done, solved ${solved.join(', ')}`;
}

/** A review without the network, with a tree that is read, and found again after a reload. */
async function offlineReview({ server, browser }) {
  const page = await offlinePage({ server, browser });
  await page.goto(`${server.url}/analysis?spec=${encodeURIComponent('abalone:3x3,captures=1')}#1/_b1b2_c3c2_b2c3/3`);
  await page.waitForSelector('.moves button:has-text("b2c3")');
  await reviewed(page);
  equal(await page.getAttribute('[data-engine]', 'data-engine'), 'device', 'who reviews');
  const words = await page.locator('.points li').first().innerText();
  await page.reload();
  await page.waitForSelector('.moves button:has-text("b2c3")');
  // A game that was played here, on this board, without the network.
  const oracle = new Server(server.binary);
  try {
    await oracle.start();
    const spec = 'abalone:3x3,captures=1';
    await page.goto(`${server.url}/local?spec=${encodeURIComponent(spec)}`);
    await settled(page, 0);
    const next = random(5);
    let turns = 0;
    while ((await page.getAttribute('[data-position]', 'data-state')) !== 'ended') {
      const list = await oracle.post('/api/position/moves', { spec, position: await positionOf(page), effects: true });
      await enter(page, pick(list.moves, next, -100), mouse(page));
      await settled(page, ++turns);
    }
    await page.click('.bar a:has-text("Review")');
    await page.waitForSelector('.players', { timeout: 60_000 });
    equal(await page.locator('.moves button').count(), turns, 'moves of the reviewed game');
    equal(await page.getAttribute('[data-engine]', 'data-engine'), 'device', 'who reviews');
  } finally {
    await oracle.end();
  }
  noFaults(page);
  return words.split('\n')[1] ?? words;
}

/** Perfect play without a server: what the engine on this device has read of a table stays known, and is checked here. */
async function offlineTable({ server, browser }) {
  const spec = 'abalone:3x3,captures=1';
  server.solve(spec);
  const page = await openPage(browser);
  await page.addInitScript(() => localStorage.setItem('paika.settings', JSON.stringify({ engine: 'device' })));
  const ranges = [];
  page.on('request', (asked) => {
    if (/\/api\/tables\/.*\.table$/.test(asked.url())) ranges.push(asked.headers().range ?? 'all');
    if (/\/api\/position\/(values|analysis)/.test(asked.url())) throw new Error(`the server is asked: ${asked.url()}`);
  });
  await page.goto(server.url);
  await page.waitForSelector('label.game input');
  await kept(page);
  await engineKept(page);
  const board = `${server.url}/solved/${encodeURIComponent(spec)}`;
  await page.goto(board);
  await page.waitForSelector('.value:has-text("win in 3")');
  equal(await page.getAttribute('[data-engine]', 'data-engine'), 'device', 'who answers');
  await page.waitForSelector('h2:has-text("The longest win: 7 moves")');
  const bars = await page.locator('rect.wins').count();
  if (ranges.length === 0 || ranges.includes('all')) throw new Error(`the table is read in ranges: ${ranges}`);
  await page.context().setOffline(true);
  await server.kill();
  ranges.length = 0;
  await page.goto(board);
  await page.waitForSelector('.value:has-text("win in 3")');
  await page.click('[data-do=line]');
  await page.waitForSelector('figure.live[data-moves="3"]', { timeout: 20_000 });
  await page.waitForSelector('h2:has-text("The longest win: 7 moves")');
  equal(await page.locator('rect.wins').count(), bars, 'distances that are shown');
  await page.click('.longest [data-do=line]');
  await page.waitForSelector('.longest figure.live[data-moves="7"]', { timeout: 30_000 });
  await page.screenshot({ path: join(shots, 'offline-solved.png'), fullPage: true });
  await page.goto(`${server.url}/analysis?spec=${encodeURIComponent(spec)}`);
  await page.waitForSelector('.perfect:has-text("win in 3")');
  equal(ranges.length, 0, 'pieces that were asked for without the network');
  await page.screenshot({ path: join(shots, 'offline-table.png') });
  noFaults(page);
}

export const offlineTests = [
  ['offline table of perfect play', offlineTable],
  ['offline review', offlineReview],
  ['offline lessons', offlineLessons],
  engineComesTest,
  ...playTests,
  ['offline full level', fullLevel],
  ['offline everything else', everythingElse],
  ['offline by choice', byChoice],
  ['offline update', update],
];
