// Lessons and puzzles: whole lessons by keyboard alone, wrong moves and their answers, the solution that plays itself.
import { execFile } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { axe } from './axe.mjs';
import { enter, equal, keyboard, mouse, noFaults, openPage, settled, shots, sleep } from './world.mjs';

const web = join(dirname(fileURLToPath(import.meta.url)), '..');
const games = ['fanorona', 'abalone', 'othello', 'wildebeest'];

/** The page's own code judges every lesson against the program (native/lessons.test.ts). */
async function allHold({ server }) {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['node_modules/vitest/vitest.mjs', 'run', 'native/lessons.test.ts'],
    { cwd: web, env: { ...process.env, PAIKA: server.binary, NO_COLOR: '1' }, maxBuffer: 1 << 24 },
  ).catch((fault) => {
    throw new Error(`${fault.stdout ?? ''}${fault.stderr ?? fault}`.slice(-4000));
  });
  return /Tests\s+(.*)/.exec(stdout)?.[1] ?? '';
}

const stateOf = (page) => page.getAttribute('[data-turns]', 'data-state');

async function reaches(page, state) {
  await page.waitForSelector(`[data-turns][data-state="${state}"]`, { timeout: 20_000 }).catch(async () => {
    throw new Error(`the lesson is "${await stateOf(page)}", not "${state}"`);
  });
}

/** The move of a position by its text, with the steps by which it is entered. */
async function turnOf(server, spec, position, text) {
  const body = { spec, ...(position ? { position } : {}), limit: 1000, effects: true };
  const found = (await server.post('/api/position/moves', body)).moves.find((one) => one.move === text);
  if (!found) throw new Error(`${text} is not legal in ${position}`);
  return found;
}

/** Tabs until the focus is on what the selector finds. */
async function tabTo(page, selector) {
  for (let i = 0; i < 80; i++) {
    if (await page.evaluate((wanted) => document.activeElement?.matches(wanted) ?? false, selector)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`the tab key does not reach ${selector}`);
}

/** From the list of lessons through the first three of every game, without a mouse. */
async function byKeyboard({ server, browser }) {
  const page = await openPage(browser);
  const solutions = {
    fanorona: [['c1c2'], ['g2g3', 'g3h3'], ['a3b3A']],
    abalone: [['a1b2'], ['a1b1'], ['a2b2']],
    othello: [['c2'], ['b2'], ['c1']],
    wildebeest: [['c1c3'], ['b0b3'], ['d4e4']],
  };
  for (const game of games) {
    await page.goto(`${server.url}/learn/${game}`);
    await page.waitForSelector('.lessons a');
    await tabTo(page, 'section a.button.primary');
    await page.keyboard.press('Enter');
    for (const line of solutions[game]) {
      await page.waitForURL(`**/learn/${game}/*`);
      for (const [i, text] of line.entries()) {
        await settled(page, 2 * i);
        await reaches(page, 'yours');
        const frame = page.locator('[data-turns]');
        const position = await frame.getAttribute('data-position');
        const spec = await frame.getAttribute('data-spec');
        await enter(page, await turnOf(server, spec, position, text), keyboard(page));
      }
      await reaches(page, 'done');
      // The way on has the focus by now.
      await page.waitForFunction(() => document.activeElement?.matches('a.button.primary'));
      const before = page.url();
      await page.keyboard.press('Enter');
      await page.waitForFunction((old) => location.href !== old, before);
    }
    await page.goto(`${server.url}/learn/${game}`);
    await page.waitForSelector('.lessons a.done');
    equal(await page.locator('.lessons a.done').count(), 3, `lessons of ${game} that are done`);
  }
  noFaults(page);
}

async function wrongMoves({ server, browser }) {
  const page = await openPage(browser);
  await page.goto(`${server.url}/learn/fanorona/approach`);
  await settled(page, 0);
  // A move that the rules refuse: the clause is cited, nothing changes.
  await mouse(page).press('a3');
  await mouse(page).press('a4');
  await page.waitForSelector('div.refused a:has-text("Rule 2.3")');
  equal(await stateOf(page), 'yours', 'after a refusal');
  // A move that loses is answered.
  await page.goto(`${server.url}/learn/fanorona/sacrifice`);
  await settled(page, 0);
  const position = await page.getAttribute('[data-turns]', 'data-position');
  await enter(page, await turnOf(server, 'fanorona:5x5', position, 'd2e3W'), mouse(page));
  await reaches(page, 'missed');
  equal(await page.getAttribute('[data-turns]', 'data-turns'), '2', 'the wrong move and its refutation');
  const told = await page.locator('[role=status]').first().innerText();
  if (!/d2e3W is answered by/.test(told)) throw new Error(`not answered: ${told}`);
  await page.click('[data-do=again]');
  await settled(page, 0);
  await page.click('[data-do=hint]');
  await page.waitForSelector('.hint a[href*="clause=2.5"]');
  await enter(page, await turnOf(server, 'fanorona:5x5', position, 'Sd2'), mouse(page));
  await reaches(page, 'done');
  // A legal move that misses a plain goal.
  await page.goto(`${server.url}/learn/abalone/push`);
  await settled(page, 0);
  await mouse(page).press('a2');
  await mouse(page).press('a3');
  await reaches(page, 'missed');
  noFaults(page);
}

/** A demo plays the whole solution; then it is the learner's turn, and nothing counts as done. */
async function demoPlays({ server, browser }) {
  const page = await openPage(browser);
  await page.goto(`${server.url}/learn/othello/parity`);
  await settled(page, 0);
  await page.click('[data-do=demo]');
  await reaches(page, 'shown');
  equal(await page.getAttribute('[data-turns]', 'data-turns'), '5', 'moves of the demo');
  await page.click('[data-do=again]');
  await settled(page, 0);
  equal(await page.locator('.steps a.done').count(), 0, 'lessons that are done');
  // Played against the engine's own defence.
  for (const text of ['a3', 'b1', 'd6']) {
    const frame = page.locator('[data-turns]');
    const now = await frame.getAttribute('data-position');
    await enter(page, await turnOf(server, 'othello:6x6', now, text), mouse(page));
    if (text !== 'd6') await page.waitForFunction(() => document.querySelector('[data-ready="true"]') !== null);
  }
  await reaches(page, 'done');
  noFaults(page);
}

/** Boards in the rules can be played on: both sides, with refusals, and back to the beginning. */
async function liveRules({ server, browser }) {
  const page = await openPage(browser);
  await page.goto(`${server.url}/learn/othello`);
  const board = page.locator('figure.live').first();
  await board.scrollIntoViewIfNeeded();
  const press = (square) => board.locator(`[role=gridcell][data-square="${square}"] rect`).first().click();
  const moves = (count) => page.waitForSelector(`figure.live[data-moves="${count}"] .play[data-steps="0"]`);
  await moves(0);
  await press('a1');
  await board.locator('div.refused').waitFor();
  await press('d3');
  await moves(1);
  await press('c3');
  await moves(2);
  await board.locator('button', { hasText: 'Reset' }).click();
  await page.waitForFunction(() => document.querySelectorAll('figure.live[data-moves="0"]').length === 3);
  equal(await board.locator('[role=gridcell][data-glyph]').count(), 4, 'pieces at the start');
  noFaults(page);
}

async function looks({ server, browser }) {
  for (const [name, options] of [
    ['desktop', { viewport: { width: 1280, height: 860 } }],
    ['phone', { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true }],
  ]) {
    const page = await openPage(browser, options);
    for (const [path, file] of [
      ['/learn', 'learn'],
      ['/learn/fanorona', 'learn-fanorona'],
      ['/learn/fanorona/sacrifice', 'lesson-fanorona'],
      ['/learn/abalone/win', 'lesson-abalone'],
      ['/learn/othello/parity', 'lesson-othello'],
      ['/learn/wildebeest/cart', 'lesson-wildebeest'],
    ]) {
      await page.goto(server.url + path);
      await sleep(1500);
      await page.screenshot({ path: join(shots, `${file}-${name}.png`) });
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      if (wide > 0) throw new Error(`${path} is ${wide} px too wide on a ${name}`);
      await axe(page, `${path} (${name})`);
    }
    noFaults(page);
    await page.context().close();
  }
}

export const lessonTests = [
  ['lessons hold', allHold],
  ['lessons by keyboard', byKeyboard],
  ['lessons wrong moves', wrongMoves],
  ['lessons demo', demoPlays],
  ['lessons live rules', liveRules],
  ['lessons looks', looks],
];
