// Finding somebody to play with: one tap, pairing, who waits, games that take days.
import { join } from 'node:path';
import { axe } from './axe.mjs';
import { state, table, turnsSeen } from './rooms.mjs';
import { enter, equal, mouse, noFaults, openPage, settled, shots } from './world.mjs';

const phone = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true };
const roomOf = (page) => page.url().split('/').pop();

async function oneTap({ server, browser }) {
  const page = await openPage(browser, phone);
  await page.goto(server.url);
  await page.waitForSelector('button.primary');
  for (const [width, height] of [
    [740, 360],
    [360, 740],
  ]) {
    await page.setViewportSize({ width, height });
    const box = await page.locator('button.primary').boundingBox();
    if (box.y + box.height > height) throw new Error(`Play ends at ${box.y + box.height} of ${height} px`);
    await page.screenshot({ path: join(shots, `home-one-tap-${width}.png`) });
  }
  await page.waitForSelector('.what:has-text("Beginner (computer, level 2)")');
  await page.click('button.primary');
  await page.waitForURL('**/room/*');
  const first = await state(server, roomOf(page));
  equal(first.seats[1].who.engine, 2, 'an easy level of the computer');
  await page.waitForSelector('.player:has-text("Beginner (computer, level 2)")');
  // What was played last is what one tap plays again.
  await page.goto(server.url);
  await page.click('label.game:has(input[value="abalone"])');
  await page.click('details.settings > summary');
  await page.locator('input[type=range]').fill('3');
  await axe(page, 'home with its settings');
  await page.click('button.primary');
  await page.waitForURL('**/room/*');
  equal((await state(server, roomOf(page))).spec, 'abalone:5x5,captures=3', 'a size that gives a real game');
  await page.goto(server.url);
  await page.waitForSelector('.chosen input[value="abalone"]');
  await page.click('button.primary');
  await page.waitForURL('**/room/*');
  const again = await state(server, roomOf(page));
  equal(`${again.spec} ${again.seats[1].who.engine}`, 'abalone:5x5,captures=3 3', 'the last settings');
  noFaults(page);
}

async function seeker(server, browser) {
  const page = await openPage(browser);
  await page.goto(server.url);
  await page.click('label.game:has(input[value="othello"])');
  await page.click('label:has(input[name="opponent"][value="anyone"])');
  await page.click('button.primary');
  await page.waitForSelector('.pairing[data-seeking]');
  return page;
}

async function pairing({ server, browser }) {
  const gone = await seeker(server, browser);
  await gone.context().close(); // who goes is paired with nobody
  await new Promise((done) => setTimeout(done, 500));
  const ann = await seeker(server, browser);
  await axe(ann, 'looking for an opponent');
  const bob = await openPage(browser);
  await bob.goto(server.url);
  await bob.click('label.game:has(input[value="othello"])');
  await bob.click('label:has(input[name="opponent"][value="anyone"])');
  await bob.click('button.primary');
  await ann.waitForURL('**/room/*');
  await bob.waitForURL('**/room/*');
  equal(roomOf(ann), roomOf(bob), 'both are in the same room');
  const room = await state(server, roomOf(ann));
  equal(
    `${room.state} ${room.clock.base_ms} ${room.clock.increment_ms}`,
    'running 300000 3000',
    'with the usual clock',
  );
  for (const page of [ann, bob]) noFaults(page);
}

async function liveList({ server, browser }) {
  const bob = await openPage(browser, phone);
  await bob.goto(`${server.url}/games`);
  await bob.waitForSelector('text=None at the moment');
  const ann = await seeker(server, browser);
  await bob.waitForSelector('.seeks li');
  await bob.screenshot({ path: join(shots, 'lobby-phone.png') });
  await axe(bob, 'the lobby');
  // Ann thinks again: the list follows.
  await ann.click('button:has-text("Cancel")');
  await bob.waitForSelector('.seeks li', { state: 'detached' });
  await ann.click('button.primary');
  await bob.click('.seeks button:has-text("Play")');
  await ann.waitForURL('**/room/*');
  await bob.waitForURL('**/room/*');
  equal(roomOf(ann), roomOf(bob), 'both are in the same room');
  for (const page of [ann, bob]) noFaults(page);
}

async function byMail({ server, browser }) {
  const all = await table(server, browser, { game: 'othello', size: '6x6', clock: '14d' });
  const { ann, bob, spec, id } = all;
  await ann.waitForSelector('text=14 d');
  const start = await state(server, id);
  const moves = (position) => server.post('/api/position/moves', { spec, position, effects: true });
  const first = (await moves(start.position)).moves[0];
  const reply = (await moves(first.position)).moves[0];
  // Bob leaves an answer; the server plays it, also after a crash.
  await bob.click('button:has-text("Add a conditional move")');
  for (const [i, turn] of [first, reply].entries()) {
    await settled(bob, 0);
    for (const { square } of turn.steps) await mouse(bob).press(square);
    const line = [first, reply].slice(0, i + 1).map(({ move }) => move);
    await bob.waitForSelector(`.conditional strong:has-text("${line.join(' ')}")`);
  }
  await bob.click('.conditional button:has-text("Save")');
  await bob.waitForSelector(`.conditional span:has-text("${first.move} ${reply.move}")`);
  await axe(bob, 'a room with conditional moves');
  equal(await ann.locator('text=Conditional moves').count(), 0, 'ann knows nothing of them');
  await bob.goto(`${server.url}/games`);
  await server.kill();
  await server.start();
  await ann.reload();
  await settled(ann, 0);
  // The menu counts what waits.
  await ann.waitForSelector('nav .badge:has-text("1")');
  await enter(ann, first, mouse(ann));
  await turnsSeen(ann, 2, 30_000);
  equal((await state(server, id)).moves[1].text, reply.move, 'the conditional move was played');
  await ann.goto(`${server.url}/games?show=mine`);
  await ann.waitForSelector('li:has-text("Your move (")');
  await axe(ann, 'my games');
  for (const page of [ann, bob]) noFaults(page);
}

async function account({ server, browser }) {
  const page = await openPage(browser);
  await page.goto(`${server.url}/login`);
  await page.fill('input[autocomplete="username"]', 'ann');
  await page.fill('input[type="password"]', 'correct horse battery');
  await page.click('button:has-text("Create an account")');
  await page.waitForSelector('header a:has-text("ann")');
  await page.click('nav a:has-text("Ratings")');
  await page.waitForSelector('text=No rated game yet');
  await axe(page, 'the ratings');
  noFaults(page);
}

export const lobbyTests = [
  ['lobby one tap', oneTap],
  ['lobby pairing', pairing],
  ['lobby live list', liveList],
  ['lobby by mail', byMail],
  ['lobby account at the first click', account],
];
