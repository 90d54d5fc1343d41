// How it feels: dragging, previews, pieces in motion.
import { comparesWithEngine } from './play.mjs';
import { equal, mouse, noFaults, openPage, positionOf, settled, sleep } from './world.mjs';

const middle = (page, square) =>
  page.evaluate((name) => {
    const box = document.querySelector(`[data-square="${name}"] rect`).getBoundingClientRect();
    return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  }, square);

async function dragAndPreview({ server, browser }) {
  const page = await openPage(browser);
  await page.goto(`${server.url}/local?spec=abalone`);
  await settled(page, 0);
  const from = await middle(page, 'a1');
  const to = await middle(page, 'b2');
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move((from.x + to.x) / 2, (from.y + to.y) / 2, { steps: 5 });
  await page.mouse.move(to.x, to.y, { steps: 5 });
  // What would happen is shown before the piece is let go.
  await page.waitForSelector('svg .preview .arrow');
  await page.waitForSelector('svg .flying');
  await page.mouse.up();
  await settled(page, 1);
  const played = await server.post('/api/position/play', { spec: 'abalone', move: 'a1b2' });
  equal(await positionOf(page), played.position, 'a1 was dragged to b2');
  await comparesWithEngine(server, page, 'abalone', played.position);
  // Let go where it may not stand: nothing changes, and the rule is told.
  const other = await middle(page, 'd4');
  const far = await middle(page, 'a1');
  await page.mouse.move(other.x, other.y);
  await page.mouse.down();
  await page.mouse.move(far.x, far.y, { steps: 8 });
  await page.mouse.up();
  await page.waitForSelector('div.refused');
  equal(await positionOf(page), played.position, 'a forbidden drag changes nothing');
  noFaults(page);
}

async function motion({ server, browser }) {
  const page = await openPage(browser, { reducedMotion: 'no-preference' });
  await page.goto(`${server.url}/local?spec=othello`);
  await settled(page, 0);
  const watch = () =>
    page.evaluate(() => {
      globalThis.moving = { frames: 0, first: 0, last: 0 };
      const look = () => {
        if (document.querySelector('svg.board use[opacity]')) {
          globalThis.moving.frames++;
          globalThis.moving.first ||= performance.now();
          globalThis.moving.last = performance.now();
        }
        requestAnimationFrame(look);
      };
      look();
    });
  await watch();
  await mouse(page).press('d3');
  await settled(page, 1);
  await sleep(1600);
  const seen = await page.evaluate(() => globalThis.moving);
  if (seen.frames === 0) throw new Error('nothing moved');
  const lasted = seen.last - seen.first;
  if (lasted > 1250) throw new Error(`pieces moved for ${lasted} ms`);
  // Any input ends it.
  const list = await server.post('/api/position/moves', { spec: 'othello', position: await positionOf(page) });
  await mouse(page).press(list.moves[0].steps[0].square);
  await page.waitForSelector('svg.board use[opacity]', { state: 'attached' }).catch(() => {});
  await page.keyboard.press('Shift');
  await sleep(50);
  equal(await page.locator('svg.board use[opacity]').count(), 0, 'a key ends the motion');
  await settled(page, 2);
  noFaults(page);
  return `${Math.round(lasted)} ms`;
}

async function stillness({ server, browser }) {
  const page = await openPage(browser);
  await page.goto(`${server.url}/local?spec=othello`);
  await settled(page, 0);
  await page.evaluate(() => {
    globalThis.moved = false;
    new MutationObserver(() => {
      if (document.querySelector('svg.board use[opacity]')) globalThis.moved = true;
    }).observe(document.body, { subtree: true, childList: true });
  });
  await mouse(page).press('d3');
  await settled(page, 1);
  equal(await page.evaluate(() => globalThis.moved), false, 'nothing moves where people want no motion');
}

export const feelTests = [
  ['feel drag and preview', dragAndPreview],
  ['feel motion', motion],
  ['feel reduced motion', stillness],
];
