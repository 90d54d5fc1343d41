// Studies: written by several people, read by others, on a phone and on another site, saved as a file and printed.
import { strict as assert } from 'node:assert';
import { ask, phone } from './assignments.mjs';
import { axe } from './axe.mjs';
import { person } from './classes.mjs';
import { serveFolder } from './static_server.mjs';
import { equal, keyboard, mouse, noFaults, openPage, settled } from './world.mjs';

const saved = (page) => page.waitForSelector('.study[data-saving="saved"]');

/** A study of a person, by the pages. */
async function found(server, page, title, access) {
  await page.goto(`${server.url}/studies`);
  await page.fill('form label:has-text("Title") input', title);
  await page.selectOption('form label:has-text("Who can read it") select', access);
  await page.click('button:has-text("Create the study")');
  await page.waitForSelector(`h1:has-text("${title}")`);
  return page.url().split('/').at(-1);
}

async function addChapter(page, title, spec, text = '') {
  await page.click('button:has-text("New chapter")');
  const form = 'form[aria-label="New chapter"]';
  await page.fill(`${form} label:has-text("Title of the chapter") input`, title);
  await page.fill(`${form} label:has-text("Game with its options") input`, spec);
  await page.fill(`${form} textarea`, text);
  await page.click(`${form} button:has-text("Add")`);
  await page.waitForSelector(`nav[aria-label="Chapters"] a[aria-current]:has-text("${title}")`);
}

async function written({ server, browser }) {
  const ann = await person(server, browser, 'Ann');
  const id = await found(server, ann, 'Corners', 'link');
  await ann.waitForSelector('text=No chapters yet.');
  await addChapter(ann, 'The first corner', 'othello', 'f5d6c3');
  await settled(ann, 0);
  await ann.keyboard.press('End');
  await settled(ann, 3);
  await mouse(ann).press('d3');
  await settled(ann, 4);
  await ann.click('button[aria-label="Good move"]');
  await ann.fill('textarea[aria-label="Comment"]', 'Keeps to the middle.');
  await ann.fill('label:has-text("Text") textarea', 'Corners are never lost.\n\nNor won by hurry.');
  await saved(ann);
  await addChapter(ann, 'A chain', 'fanorona:5x5');
  await axe(ann, 'a study for its owner');
  await ann.screenshot({ path: 'e2e/shots/study-owner.png' });

  // What was written is there after a reload, and for a reader on a phone, who cannot change it.
  await ann.goto(`${server.url}/studies/${id}`);
  await settled(ann, 0);
  await ann.keyboard.press('End');
  await settled(ann, 4);
  equal(await ann.inputValue('textarea[aria-label="Comment"]'), 'Keeps to the middle.', 'the comment');
  const reader = await openPage(browser, { ...phone, colorScheme: 'dark' });
  await reader.goto(`${server.url}/studies/${id}`);
  await reader.waitForSelector('h2:has-text("The first corner")');
  await reader.waitForSelector('p:has-text("Nor won by hurry.")');
  await reader.waitForSelector('.comment:has-text("Keeps to the middle.")');
  equal(
    await reader.locator('textarea[aria-label="Comment"]').count(),
    0,
    'a reader has no field for comments on moves',
  );
  await axe(reader, 'a study for a reader');
  await reader.screenshot({ path: 'e2e/shots/study-reader-phone.png', fullPage: true });
  const wide = await reader.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  assert.ok(wide <= 0, `the page is ${wide} pixels wider than the phone`);

  // By keyboard alone: along the moves, and a move on the board.
  await reader.locator('button[data-node]').first().focus();
  await reader.keyboard.press('Home');
  await settled(reader, 0);
  await keyboard(reader).press('c4');
  await settled(reader, 1);

  const file = await (await fetch(`${server.url}/api/studies/${id}/export`)).text();
  assert.match(file, /\[Chapter "The first corner"\][\s\S]*Keeps to the middle\./);
  await reader.goto(`${server.url}/api/studies/${id}/print`);
  await reader.waitForSelector('figure svg');
  await reader.screenshot({ path: 'e2e/shots/study-print.png', fullPage: true });

  // Deleting a chapter asks first.
  await ann.click('button[aria-label="Delete the chapter"]');
  await ann.click('button:has-text("Really delete?")');
  await ann.waitForSelector('nav[aria-label="Chapters"] a[aria-current]:has-text("A chain")');
  equal(await ann.locator('nav[aria-label="Chapters"] li').count(), 1, 'chapters');
  noFaults(ann);
}

async function together({ server, browser }) {
  const ann = await person(server, browser, 'Ann');
  const bob = await person(server, browser, 'Bob');
  const id = await found(server, ann, 'Openings', 'private');
  await addChapter(ann, 'One', 'othello:6x6');
  await saved(ann);
  await bob.goto(`${server.url}/studies/${id}`);
  await bob.waitForSelector('[role=alert]'); // private
  await ann.click('summary:has-text("Share and export")');
  await ann.fill('label:has-text("Name of a member") input', 'Nobody');
  await ann.click('form:has(label:has-text("Name of a member")) button:has-text("Add")');
  await ann.waitForSelector('[role=alert]:has-text("no member of this name")');
  await ann.fill('label:has-text("Name of a member") input', 'Bob');
  await ann.click('form:has(label:has-text("Name of a member")) button:has-text("Add")');
  await ann.waitForSelector('li:has-text("Bob")');
  await bob.reload();
  await bob.waitForSelector('label:has-text("Title of the chapter") input');
  await settled(bob, 0);

  // What one writes, the other sees.
  await bob.fill('label:has-text("Text") textarea', 'By Bob.');
  await saved(bob);
  await ann.waitForFunction(() => document.querySelector('label textarea')?.value === 'By Bob.');
  // Both write at the same time: who saves second is asked.
  const { version } = (await ask(bob, 'GET', `/api/studies/${id}`)).chapters[0];
  await ann.fill('label:has-text("Text") textarea', 'By Ann.');
  const number = (await ask(bob, 'GET', `/api/studies/${id}`)).chapters[0].id;
  await ask(bob, 'PUT', `/api/studies/${id}/chapters/${number}`, { text: 'By Bob again.', version });
  await ann.waitForSelector('.stale');
  await axe(ann, 'a chapter that two have changed');
  await ann.click('button:has-text("Save mine")');
  await saved(ann);
  await bob.waitForFunction(() => document.querySelector('label textarea')?.value === 'By Ann.');

  await bob.click('summary:has-text("Comments")');
  await bob.fill('textarea[aria-label="Your comment"]', 'Why not b3?');
  await bob.click('button:has-text("Send")');
  await ann.waitForSelector('summary:has-text("Comments (1)")');
  await ann.click('summary:has-text("Comments")');
  await ann.waitForSelector('li:has-text("Why not b3?")');
  await ann.click('li:has-text("Why not b3?") button:has-text("Delete")');
  await bob.waitForSelector('summary:has-text("Comments (0)")');
  await bob.click('summary:has-text("Share and export")');
  await bob.click('button:has-text("Stop editing this study")');
  await bob.waitForSelector('h1:has-text("Studies")');
  await ann.click('button:has-text("Delete the study")');
  await ann.click('button:has-text("Really delete?")');
  await ann.waitForSelector('h1:has-text("Studies")');
  await axe(ann, 'the list of studies');
  for (const page of [ann, bob]) noFaults(page);
}

async function elsewhere({ server, browser }) {
  const ann = await person(server, browser, 'Ann');
  const id = await found(server, ann, 'For others', 'public');
  await addChapter(ann, 'Shown elsewhere', 'othello', 'f5d6c3d3');
  await saved(ann);
  const number = ann.url().split('/').at(-1);
  const frame = (address) =>
    `<!doctype html><title>Another site</title><iframe src="${address}" width="480" height="800"></iframe>`;
  const site = await serveFolder(null, {
    '/': frame(`${server.url}/embed?study=${id}&chapter=${number}`),
    '/none': frame(`${server.url}/embed?study=none&chapter=1`),
    '/study': frame(`${server.url}/studies/${id}`),
  });
  try {
    const page = await openPage(browser);
    await page.goto(site.url);
    const inside = page.frameLocator('iframe');
    await inside.locator('paika-board [data-square="d4"]').waitFor();
    await inside.locator('button[aria-label="Forward"]').click();
    await inside.locator('paika-board [data-square="f5"][data-glyph]').waitFor();
    await inside.locator('button[aria-label="Last position"]').click();
    await inside.locator('paika-board [data-square="d3"][data-glyph]').waitFor();
    await page.screenshot({ path: 'e2e/shots/study-embed.png' });
    await page.goto(`${site.url}/none`);
    await page.frameLocator('iframe').locator('[role=alert]').waitFor();
    await page.goto(`${site.url}/study`);
    await page.waitForTimeout(500);
    equal(await page.frameLocator('iframe').locator('#app').count(), 0, 'the study itself refuses frames');
  } finally {
    site.close();
  }
}

export const studyTests = [
  ['studies are written and read', written],
  ['studies by several people', together],
  ['studies on other sites', elsewhere],
];
