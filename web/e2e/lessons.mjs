// Lessons and puzzles: whole lessons by keyboard alone, wrong moves and their answers, the solution that plays itself.
import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
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
    ['node_modules/vitest/vitest.mjs', 'run', 'native/lessons.test.ts', 'native/puzzles.test.ts'],
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

const lessonFolder = resolve(web, '../data/lessons');
const lessonsOf = (game) => JSON.parse(readFileSync(join(lessonFolder, `${game}.json`), 'utf8')).lessons;

/** The engine's choice in a position. */
async function bestMove(server, spec, position) {
  const answer = await fetch(`${server.url}/api/position/analysis`, {
    method: 'POST',
    body: JSON.stringify({ spec, position, time_ms: 1000 }),
    headers: { 'Content-Type': 'application/json', Origin: server.url },
  });
  return JSON.parse((await answer.text()).trim().split('\n').at(-1)).best;
}

/**
 * Does the lesson that is shown: by its demonstration, and where the opponent answers otherwise by the engine, or on the
 * same way if the goal is a square.
 */
async function doLesson(server, page, { demo, goal }, gestures) {
  const known = new Map(); // moves of the demonstration by the position that they are played in
  const frame = page.locator('[data-turns]');
  await settled(page, 0);
  const spec = await frame.getAttribute('data-spec');
  let position = await frame.getAttribute('data-position');
  for (const move of demo) {
    known.set(position, move);
    position = (await server.post('/api/position/play', { spec, position, move })).position;
  }
  for (let moves = 0; moves < 12; moves++) {
    await page.waitForSelector(
      '[data-turns]:is([data-state="done"], [data-state="missed"], [data-state="yours"][data-ready="true"])',
    );
    if ((await stateOf(page)) !== 'yours') break;
    const now = await frame.getAttribute('data-position');
    const onward = goal.kind === 'reach' ? demo[2 * moves] : await bestMove(server, spec, now);
    await enter(page, await turnOf(server, spec, now, known.get(now) ?? onward), gestures);
  }
  await reaches(page, 'done');
}

/** From the list of lessons through the first ones of every game, or all of them, without a mouse. */
const byKeyboard =
  (max) =>
  async ({ server, browser }) => {
    const page = await openPage(browser);
    let done = 0;
    for (const game of games) {
      const lessons = lessonsOf(game).slice(0, max);
      await page.goto(`${server.url}/learn/${game}`);
      await page.waitForSelector('.lessons a');
      await tabTo(page, 'section a.button.primary');
      await page.keyboard.press('Enter');
      for (const lesson of lessons) {
        await page.waitForURL(`**/learn/${game}/${lesson.id}`);
        await doLesson(server, page, lesson, keyboard(page)).catch((fault) => {
          throw new Error(`${game}/${lesson.id}: ${fault.message}`, { cause: fault });
        });
        // The way on has the focus by now.
        await page.waitForFunction(() => document.activeElement?.matches('a.button.primary'));
        const before = page.url();
        await page.keyboard.press('Enter');
        await page.waitForFunction((old) => location.href !== old, before);
        done++;
      }
      await page.goto(`${server.url}/learn/${game}`);
      await page.waitForSelector('.lessons a.done');
      equal(await page.locator('.lessons a.done').count(), lessons.length, `lessons of ${game} that are done`);
    }
    noFaults(page);
    return `${done} lessons`;
  };

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
  // Those that were played fade.
  await page.waitForFunction(
    (figure) => figure.querySelectorAll('[role=gridcell][data-glyph]').length === 4,
    await board.elementHandle(),
  );
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

// ---- Puzzles ----

const puzzleFolder = resolve(web, process.env.PAIKA_PUZZLES ?? '../data/puzzles');

/** The puzzles that the page was built with, by game. */
export function puzzleFiles() {
  if (!existsSync(puzzleFolder)) return new Map();
  const read = (name) => {
    const [head, ...lines] = readFileSync(join(puzzleFolder, name), 'utf8').trim().split('\n');
    const columns = head.split('\t');
    return lines.map((line) => Object.fromEntries(line.split('\t').map((cell, i) => [columns[i], cell])));
  };
  const names = readdirSync(puzzleFolder).filter((name) => name.endsWith('.tsv'));
  return new Map(names.map((name) => [name.slice(0, -4), read(name)]));
}

/** A legal move that is not the solution and does not end the game. */
async function otherMove(server, { spec, position, solution }) {
  const { moves } = await server.post('/api/position/moves', { spec, position, limit: 1000, effects: true });
  return moves.find((one) => one.move !== solution && !one.outcome && !one.move.startsWith('S'));
}

/** Plays the solution, and goes on with the engine's best moves for as long as the page asks for more. */
export async function solve(server, page, puzzle) {
  let text = puzzle.solution;
  for (let moves = 0; moves < 5; moves++) {
    const position = await page.getAttribute('[data-turns]', 'data-position');
    await enter(page, await turnOf(server, puzzle.spec, position, text), mouse(page));
    await page.waitForSelector(
      '[data-turns]:is([data-state="done"], [data-state="missed"], [data-state="yours"][data-ready="true"])',
    );
    if ((await stateOf(page)) !== 'yours') break;
    text = await bestMove(server, puzzle.spec, await page.getAttribute('[data-turns]', 'data-position'));
  }
  await reaches(page, 'done');
}

async function puzzlesAreSolved({ server, browser }) {
  const page = await openPage(browser);
  await page.goto(`${server.url}/puzzles`);
  const files = puzzleFiles();
  if (files.size === 0) {
    await page.waitForSelector('text=There are no puzzles here yet.');
    noFaults(page);
    return 'this page has no puzzles';
  }
  // Everybody has the same puzzle of the day.
  const daily = await page.waitForSelector('.daily a.button');
  const other = await openPage(browser, { locale: 'fr-FR', timezoneId: 'Pacific/Auckland' });
  await other.goto(`${server.url}/puzzles`);
  equal(
    await (await other.waitForSelector('.daily a.button')).getAttribute('href'),
    await daily.getAttribute('href'),
    'daily',
  );
  await other.context().close();
  let solved = 0;
  for (const [game, puzzles] of files) {
    await page.goto(`${server.url}/puzzles/${game}`);
    await page.click('.ladder a.button.primary');
    await page.waitForURL(`**/puzzles/${game}/*`);
    await settled(page, 0);
    const id = decodeURIComponent(new URL(page.url()).pathname.split('/').at(-1));
    const puzzle = puzzles.find((one) => one.id === id);
    await page.click('[data-do=hint]');
    await page.waitForSelector('.hint a[href*="clause="]');
    await solve(server, page, puzzle);
    solved++;
    equal(await page.getAttribute('[data-streak]', 'data-streak'), String(solved), `${id}: solved in a row`);
    await page.goto(`${server.url}/puzzles/${game}`);
    await page.waitForSelector(`.ladder :text("1 of ${puzzles.length} solved")`);
  }
  // A wrong move is answered and ends the streak; solved again, the puzzle counts.
  const [game, [, puzzle]] = [...files].find(([, puzzles]) => puzzles.length > 1);
  await page.goto(`${server.url}/puzzles/${game}/${encodeURIComponent(puzzle.id)}`);
  await settled(page, 0);
  await enter(page, await otherMove(server, puzzle), mouse(page));
  await reaches(page, 'missed');
  equal(await page.getAttribute('[data-turns]', 'data-turns'), '2', 'the wrong move and its refutation');
  equal(await page.getAttribute('[data-streak]', 'data-streak'), '0', 'the streak');
  await page.click('[data-do=again]');
  await settled(page, 0);
  await solve(server, page, puzzle);
  equal(await page.getAttribute('[data-streak]', 'data-streak'), '0', 'the streak after help');
  noFaults(page);
  return `${solved + 1} solved`;
}

async function puzzleLooks({ server, browser }) {
  for (const [name, options] of [
    ['desktop', { viewport: { width: 1280, height: 860 } }],
    ['phone', { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true }],
  ]) {
    const page = await openPage(browser, options);
    const [game, puzzles] = [...puzzleFiles()][0] ?? [];
    const paths = ['/puzzles', ...(game ? [`/puzzles/${game}`, `/puzzles/${game}/${puzzles[0].id}`] : [])];
    for (const [i, path] of paths.entries()) {
      await page.goto(server.url + path);
      await sleep(1500);
      await page.screenshot({ path: join(shots, `puzzles-${i}-${name}.png`) });
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      if (wide > 0) throw new Error(`${path} is ${wide} px too wide on a ${name}`);
      await axe(page, `${path} (${name})`);
    }
    noFaults(page);
    await page.context().close();
  }
}

/** Solved boards: the list, the value of the start, and perfect play that plays itself. */
async function solvedBoards({ server, browser }) {
  const spec = 'abalone:3x3,captures=1';
  const page = await openPage(browser);
  server.solve(spec);
  await page.goto(`${server.url}/solved`);
  await page.click('tbody a >> nth=0');
  await page.waitForURL('**/solved/*');
  await page.waitForSelector('.value:has-text("win in 3")');
  await axe(page, 'a solved board');
  await page.click('[data-do=line]');
  await page.waitForSelector('figure.live[data-moves="3"]', { timeout: 20_000 });
  await page.waitForSelector('h2:has-text("The longest win: 7 moves")');
  await page.click('.longest [data-do=line]');
  await page.waitForSelector('.longest figure.live[data-moves="7"]', { timeout: 30_000 });
  await page.screenshot({ path: join(shots, 'solved-board.png'), fullPage: true });
  await page.goto(`${server.url}/solved/othello`);
  await page.waitForSelector('text=This server has no table');
  noFaults(page);
}

/** A member's first try at a puzzle counts; the server names the next one. */
async function rated({ server, browser }) {
  const page = await openPage(browser);
  await page.goto(`${server.url}/puzzles`);
  const made = await page.evaluate(async () => {
    const send = (path, body) =>
      fetch(path, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) });
    await send('/api/session', {});
    return (await send('/api/account', { name: 'Solver', password: 'correct horse battery' })).status;
  });
  equal(made, 201, 'an account');
  await page.goto(`${server.url}/puzzles/othello`);
  await page.waitForSelector('[data-rating="1500"]');
  await page.click('.ladder a.button.primary');
  await settled(page, 0);
  await page.waitForSelector('[data-rating="1500"]');
  const id = decodeURIComponent(page.url().split('/').at(-1));
  const rows = readFileSync(join(web, '../data/puzzles/othello.tsv'), 'utf8').split('\n');
  const solution = rows.map((row) => row.split('\t')).find(([name]) => name === id)?.[4];
  if (!solution) return 'this page has other puzzles';
  await mouse(page).press(solution);
  await page.waitForSelector('strong.up');
  const rating = Number(await page.getAttribute('[data-rating]', 'data-rating'));
  if (rating <= 1500) throw new Error(`the rating is ${rating} after a puzzle that was solved`);
  await page.screenshot({ path: join(shots, 'puzzle-rated.png') });
  noFaults(page);
  return `${id}: ${rating}`;
}

export const lessonTests = [
  ['puzzles are rated', rated],
  ['lessons hold', allHold],
  ['lessons by keyboard', byKeyboard(2)],
  ['lessons all by the keyboard', byKeyboard(100)],
  ['lessons wrong moves', wrongMoves],
  ['lessons demo', demoPlays],
  ['lessons live rules', liveRules],
  ['lessons looks', looks],
  ['puzzles are solved', puzzlesAreSolved],
  ['puzzles looks', puzzleLooks],
  ['solved boards', solvedBoards],
];
