// Pictures of every game in every theme, to be looked at.
import { join } from 'node:path';
import { enter, mouse, openPage, random, settled, shots, sleep } from './world.mjs';

const games = ['fanorona', 'abalone:6x8,captures=3', 'othello', 'wildebeest'];

async function prepared(server, page, spec, turns, seed) {
  // A position some turns into a random game.
  const next = random(seed);
  let position;
  for (let i = 0; i < turns; i++) {
    const list = await server.post('/api/position/moves', {
      spec,
      ...(position ? { position } : {}),
      limit: 300,
      effects: true,
    });
    // Nothing is lost, so that no game ends on the way.
    const peace = list.moves.filter((t) => !t.move.startsWith('S') && t.effects.every((e) => e.to));
    const quiet = peace.length > 0 ? peace : list.moves;
    if (quiet.length === 0) break;
    position = quiet[next(quiet.length)].position;
  }
  await page.goto(`${server.url}/local?spec=${encodeURIComponent(spec)}&position=${encodeURIComponent(position)}`);
  await settled(page, 0);
  const list = await server.post('/api/position/moves', { spec, position, limit: 300, effects: true });
  const rich = list.moves
    .filter((t) => !t.move.startsWith('S'))
    .sort((a, b) => Math.min(b.effects.length, 5) - Math.min(a.effects.length, 5));
  const turn = rich[spec === 'wildebeest' ? 9 : 0] ?? rich[0];
  await enter(page, turn, mouse(page));
  await settled(page, 1).catch(() => {});
  // And something chosen, so that marks can be seen.
  const after = await page.locator('[aria-label*="can be chosen"]').first();
  if (await after.count()) await mouse(page).press(await after.getAttribute('data-square'));
  await sleep(300);
}

async function allShots({ server, browser }) {
  const views = [
    ['desktop', { viewport: { width: 1280, height: 860 } }],
    ['phone', { viewport: { width: 360, height: 740 }, deviceScaleFactor: 2, hasTouch: true, isMobile: true }],
  ];
  for (const [name, options] of views) {
    for (const colorScheme of ['light', 'dark']) {
      for (const board of ['wood', 'plain']) {
        if (name === 'phone' && board === 'plain') continue;
        const page = await openPage(browser, { ...options, colorScheme });
        await page.addInitScript(
          (wanted) => localStorage.setItem('paika.settings', JSON.stringify({ board: wanted })),
          board,
        );
        for (const [i, spec] of games.entries()) {
          await prepared(server, page, spec, 6, 20 + i);
          await page.screenshot({ path: join(shots, `${spec.split(':')[0]}-${name}-${colorScheme}-${board}.png`) });
        }
        await page.context().close();
      }
    }
  }
}

async function largeShots({ server, browser }) {
  for (const [name, viewport] of [
    ['desktop', { width: 1280, height: 860 }],
    ['wide', { width: 2560, height: 1300 }],
    ['phone', { width: 360, height: 740 }],
  ]) {
    const page = await openPage(browser, { viewport });
    for (const spec of ['othello:26x26', 'fanorona:13x13', 'abalone:10x26']) {
      await page.goto(`${server.url}/local?spec=${spec}`);
      await settled(page, 0);
      await sleep(200);
      await page.screenshot({ path: join(shots, `large-${spec.replace(':', '-')}-${name}.png`) });
    }
    await page.context().close();
  }
}

async function pageShots({ server, browser }) {
  for (const [name, viewport] of [
    ['desktop', { width: 1280, height: 860 }],
    ['phone', { width: 360, height: 740 }],
  ]) {
    const page = await openPage(browser, { viewport });
    for (const [path, file] of [
      ['/', 'home'],
      ['/learn/fanorona', 'learn'],
      ['/analysis?spec=othello:6x6', 'analysis'],
      ['/settings', 'settings'],
      ['/login', 'login'],
    ]) {
      await page.goto(server.url + path);
      await sleep(2000);
      await page.screenshot({ path: join(shots, `page-${file}-${name}.png`), fullPage: file === 'home' });
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      if (wide > 0) throw new Error(`${path} is ${wide} px too wide at ${viewport.width}`);
    }
    await page.goto(server.url);
    await page.click('label:has(input[name="opponent"][value="friend"])');
    await page.click('details.settings > summary');
    await page.click('label:has(input[name="clock"][value="5+3"])');
    await page.click('button.primary');
    await page.waitForSelector('.share svg');
    await page.screenshot({ path: join(shots, `page-room-open-${name}.png`) });
    const other = await openPage(browser);
    await other.goto(page.url());
    await other.click('button:has-text("Join the game")');
    await settled(page, 0);
    await sleep(300);
    await page.screenshot({ path: join(shots, `page-room-${name}.png`) });
    await page.context().close();
  }
}

/** Marks must be told apart without colour: the same picture in greys. */
async function greyShot({ server, browser }) {
  const page = await openPage(browser);
  await prepared(server, page, 'fanorona', 4, 3);
  await page.addStyleTag({ content: 'html { filter: grayscale(1); }' }).catch(() => {});
  await page.evaluate(() => {
    document.documentElement.style.filter = 'grayscale(1)';
  });
  await page.screenshot({ path: join(shots, 'grey.png') });
}

/** Small ones, for the README. */
async function readmeShots({ server, browser }) {
  const views = [
    ['desktop', 'light', { viewport: { width: 1100, height: 740 } }],
    ['phone', 'dark', { viewport: { width: 360, height: 640 }, hasTouch: true, isMobile: true }],
  ];
  for (const [name, colorScheme, options] of views) {
    const page = await openPage(browser, { ...options, colorScheme });
    for (const [i, spec] of games.entries()) {
      await prepared(server, page, spec, 6, 20 + i);
      await page.evaluate(() => scrollTo(0, 0));
      const path = join(shots, `readme-${spec.split(':')[0]}-${name}-${colorScheme}.jpg`);
      await page.screenshot({ path, type: 'jpeg', quality: 82 });
    }
    await page.context().close();
  }
}

export const shotTests = [
  ['shots readme', readmeShots],
  ['shots games', allShots],
  ['shots large', largeShots],
  ['shots pages', pageShots],
  ['shots grey', greyShot],
];
