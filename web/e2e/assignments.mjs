// Assignments: a teacher sets one by the pages, students solve it, and the teacher sees who did.
import { axe } from './axe.mjs';
import { person } from './classes.mjs';
import { equal, mouse, noFaults, settled } from './world.mjs';

/** A request of the person whose page it is. */
export const ask = (page, method, path, body) =>
  page.evaluate(
    async ([verb, where, sent]) => {
      const headers = { 'Content-Type': 'application/json' };
      const answer = await fetch(where, { method: verb, ...(sent ? { body: JSON.stringify(sent), headers } : {}) });
      return answer.json();
    },
    [method, path, body],
  );

/** A class of a teacher with these students. */
export async function classOf(teacher, students) {
  const made = await ask(teacher, 'POST', '/api/classes', {
    name: 'Games 101',
    spec: 'othello:6x6',
    house_bots: false,
  });
  for (const student of students) await ask(student, 'POST', '/api/classes/join', { code: made.code });
  return made.id;
}

export const phone = { viewport: { width: 360, height: 740 }, hasTouch: true };

async function assignment({ server, browser }) {
  const teacher = await person(server, browser, 'Teacher');
  const ann = await person(server, browser, 'Ann', phone);
  const id = await classOf(teacher, [ann]);
  await teacher.goto(`${server.url}/classes/${id}`);
  await teacher.click('a:has-text("New assignment")');
  await teacher.fill('label:has-text("Title") input', 'Week 1');
  await teacher.fill('label:has-text("Text for the students") textarea', 'Think before you move.');
  const due = new Date(Date.now() + 2.5 * 24 * 3600 * 1000);
  const field = new Date(due.getTime() - due.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
  await teacher.fill('label:has-text("Deadline") input', field);
  const add = 'form[aria-label="Add a task"]';
  await teacher.click(`${add} label:has-text("A position")`);
  await teacher.selectOption(`${add} label:has-text("Goal") select`, 'move');
  await teacher.fill(`${add} label:has-text("Moves, separated") input`, 'b3');
  await teacher.fill(`${add} label:has-text("Note") input`, 'Keep it quiet.');
  await teacher.click('button:has-text("Add the task")');
  await teacher.click(`${add} label:has-text("Games")`);
  await teacher.click('button:has-text("Add the task")');
  await axe(teacher, 'the form of an assignment');
  await teacher.click('button:has-text("Set the assignment")');
  await teacher.waitForSelector('h1:has-text("Week 1")');
  await teacher.waitForSelector('td:has-text("not tried")');

  await ann.goto(`${server.url}/classes/${id}`);
  await ann.waitForSelector('section:has-text("Assignments") >> text=due in 2 days');
  await ann.screenshot({ path: 'e2e/shots/assignment-class-phone.png' });
  await ann.click('a:has-text("Week 1")');
  await ann.waitForSelector('text=Think before you move.');
  await axe(ann, 'an assignment');
  await ann.screenshot({ path: 'e2e/shots/assignment-phone.png' });
  await ann.click('li[data-task="1"] a:has-text("Solve")');
  await settled(ann, 0);
  await ann.screenshot({ path: 'e2e/shots/assignment-task-phone.png' });
  // A finger's tap shows the move first; the mouse plays it.
  await mouse(ann).press('c2');
  await ann.waitForSelector('text=c2 is not the solution.');
  await ann.click('button:has-text("Try again")');
  await settled(ann, 0);
  await mouse(ann).press('b3');
  await ann.waitForSelector('text=Solved!');
  await axe(ann, 'a task that is solved');
  await ann.click('a:has-text("Back to the assignment")');
  await ann.waitForSelector('li[data-task="1"][data-state="solved"] >> text=attempts: 2');
  await ann.click('li[data-task="2"] button:has-text("Play")');
  await ann.waitForSelector('[data-state="running"]');
  equal(await ann.locator('button:has-text("Undo")').count(), 0, 'moves cannot be taken back');
  await ann.click('button:has-text("Resign")');
  await ann.click('button:has-text("Really resign?")');
  await ann.waitForSelector('[data-state="ended"]');
  await ann.click('a:has-text("Back to the class")');
  await ann.waitForSelector('li[data-task="2"][data-state="begun"]');

  await teacher.waitForSelector('tr:has-text("Ann") td.solved:has-text("2")');
  await axe(teacher, "a teacher's page of an assignment");
  await teacher.setViewportSize({ width: 1366, height: 768 });
  await teacher.screenshot({ path: 'e2e/shots/assignment-teacher.png' });
  await teacher.click('button:has-text("Close the assignment")');
  await ann.waitForSelector('strong:has-text("closed")');
  await teacher.click('a:has-text("Edit")');
  await teacher.waitForSelector('label:has-text("Title") input');
  await teacher.waitForFunction(() => document.querySelectorAll('section ol li button').length === 4);
  for (const page of [teacher, ann]) noFaults(page);
}

export const assignmentTests = [['assignment from the form to the progress table', assignment]];
