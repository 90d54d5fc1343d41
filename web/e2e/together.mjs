// A class together: the teacher's board, seen live by everybody, and a simultaneous exhibition.
import { ask, classOf, phone } from './assignments.mjs';
import { axe } from './axe.mjs';
import { person } from './classes.mjs';
import { equal, mouse, noFaults, shownPieces } from './world.mjs';

const shared = '.game-page.shared';

/** Waits until the board of the class stands after so many moves. */
const stands = (page, at) => page.waitForSelector(`${shared}[data-at="${at}"]`);

async function classBoard({ server, browser }) {
  const teacher = await person(server, browser, 'Teacher');
  const ann = await person(server, browser, 'Ann', phone);
  const id = await classOf(teacher, [ann]);
  await ann.goto(`${server.url}/classes/${id}/board`);
  await ann.waitForSelector('text=The teacher shows no board now.');
  await teacher.goto(`${server.url}/classes/${id}`);
  await teacher.click('a:has-text("Class board")');
  await teacher.click('button:has-text("Open the board")');
  await ann.waitForSelector(`${shared} [role=gridcell][data-glyph]`);
  await teacher.waitForSelector(`${shared}[data-ready="true"]`);
  await mouse(teacher).press('b3');
  await stands(teacher, 1);
  await stands(ann, 1);
  await ann.waitForFunction(() => document.querySelectorAll('[role=gridcell][data-glyph]').length === 5);
  equal(await shownPieces(ann), await shownPieces(teacher), 'both see the same');
  equal(await ann.getAttribute(shared, 'data-ready'), 'false', 'the student does not move');
  // A circle by the right mouse button.
  const cell = await teacher.locator('[role=gridcell][data-square="a1"] rect').first().boundingBox();
  await teacher.mouse.click(cell.x + cell.width / 2, cell.y + cell.height / 2, { button: 'right' });
  await ann.waitForSelector(`${shared}[data-marks="1"] .drawings circle`);
  await axe(teacher, "the teacher's board of a class");
  await teacher.setViewportSize({ width: 1366, height: 768 });
  await teacher.screenshot({ path: 'e2e/shots/class-board-teacher.png' });
  // "You play now."
  await teacher.selectOption('label:has-text("The next move is played by") select', 'Ann');
  await ann.waitForSelector('text=You play now.');
  await ann.waitForSelector(`${shared}[data-ready="true"]`);
  await ann.screenshot({ path: 'e2e/shots/class-board-phone.png' });
  await mouse(ann).press('b2');
  await stands(teacher, 2);
  await ann.waitForSelector(`${shared}[data-ready="false"]`);
  // Pointing, when it is allowed.
  await teacher.click('label:has-text("The class may point") input');
  await ann.waitForSelector('text=Tap a square to point at it');
  await mouse(ann).press('f6');
  await teacher.waitForSelector('text=Ann (f6)');
  await axe(ann, 'the board of a class');
  // Back, another way, and a position of one's own.
  await teacher.click('button:has-text("Start")');
  await stands(ann, 0);
  await teacher.click('button:has-text("Set up")');
  await teacher.click('.editing [role=gridcell][data-square="b3"]');
  await teacher.click('button:has-text("Use this position")');
  await ann.waitForSelector('[role=gridcell][data-square="b3"][data-glyph]');
  await teacher.click('button:has-text("Close the board")');
  await ann.waitForSelector('text=The teacher shows no board now.');
  for (const page of [teacher, ann]) noFaults(page);
}

async function exhibition({ server, browser }) {
  const teacher = await person(server, browser, 'Teacher');
  const ann = await person(server, browser, 'Ann', phone);
  const bob = await person(server, browser, 'Bob');
  const id = await classOf(teacher, [ann, bob]);
  await teacher.goto(`${server.url}/classes/${id}`);
  await teacher.click('a:has-text("New exhibition")');
  await teacher.fill('label:has-text("Minutes per student") input', '20');
  await teacher.waitForSelector('text=You have 30 minutes on each board');
  await axe(teacher, 'the form of an exhibition');
  await teacher.click('button:has-text("Begin with 2 boards")');
  await teacher.waitForSelector('button[data-do="next"]:has-text("(2 waiting)")');
  await teacher.waitForFunction(() => document.querySelector('.play')?.dataset.steps === '0');
  const first = await teacher.getAttribute('.top[data-room]', 'data-room');
  await mouse(teacher).press('b3');
  // It goes on to the next board that waits, by itself.
  await teacher.waitForFunction((room) => document.querySelector('.top[data-room]')?.dataset.room !== room, first);
  await teacher.waitForSelector('button[data-do="next"]:has-text("(1 waiting)")');
  await teacher.setViewportSize({ width: 1366, height: 768 });
  await teacher.waitForSelector('.mini svg');
  await teacher.screenshot({ path: 'e2e/shots/exhibition-teacher.png' });
  await axe(teacher, "the exhibitor's page");
  await teacher.setViewportSize({ width: 360, height: 740 });
  await teacher.screenshot({ path: 'e2e/shots/exhibition-teacher-phone.png', fullPage: true });
  await ann.goto(`${server.url}/classes/${id}`);
  await ann.click('a:has-text("Simultaneous exhibition")');
  await ann.waitForSelector('text=going on 2');
  await ann.screenshot({ path: 'e2e/shots/exhibition-phone.png' });
  await axe(ann, 'an exhibition');
  await ann.click('a.primary:has-text("Your game")');
  await ann.waitForSelector('[data-state="running"]');
  await ann.click('button:has-text("Resign")');
  await ann.click('button:has-text("Really resign?")');
  await ann.waitForSelector('[data-state="ended"]');
  await ann.click('a:has-text("Back to the class")');
  await ann.waitForSelector('text=Teacher: won 1, drawn 0, lost 0, going on 1');
  await teacher.waitForSelector('text=Teacher: won 1, drawn 0, lost 0, going on 1');
  equal((await ask(bob, 'GET', `/api/classes/${id}`)).exhibition.running, 1, 'games that go on');
  for (const page of [teacher, ann, bob]) noFaults(page);
}

export const togetherTests = [
  ['class board is seen by all', classBoard],
  ['exhibition goes from board to board', exhibition],
];
