// Boards on other sites: /embed in a frame of another origin shows and plays; no other page lets itself be framed.
import { strict as assert } from 'node:assert';
import { serveFolder } from './static_server.mjs';
import { noFaults, openPage } from './world.mjs';

const frame = (url) => `<!doctype html><title>Another site</title>
<script>window.heard = []; addEventListener('message', (event) => heard.push(event.data));</script>
<iframe src="${url}" width="480" height="560"></iframe>`;

async function playsElsewhere({ server, browser }) {
  const pages = { '/': frame(`${server.url}/embed?spec=othello&interactive&computer=second&level=1`) };
  const site = await serveFolder(null, pages);
  try {
    const page = await openPage(browser);
    await page.goto(site.url);
    const board = page.frameLocator('iframe').locator('paika-board');
    await board.locator('[data-steps="0"]').waitFor();
    await board.locator('[data-square="d3"]').click();
    await page.waitForFunction(() => window.heard.filter((said) => said.type === 'paika-move').length >= 2, null, {
      timeout: 30_000,
    });
    const [own, reply] = await page.evaluate(() => window.heard.filter((said) => said.type === 'paika-move'));
    assert.equal(own.detail.move, 'd3');
    assert.equal(own.detail.by, 'person');
    assert.equal(reply.detail.by, 'computer');
    assert.equal(reply.detail.moves.length, 2);
    assert.equal(await board.locator('[data-square="d3"][data-glyph]').count(), 1);
    await board.locator('[data-steps="0"]').waitFor(); // it is the person's move again
    await board.locator('[data-square="a1"]').click(); // no legal move
    await page.waitForFunction(() => window.heard.some((said) => said.type === 'paika-refused'));
    noFaults(page);
  } finally {
    site.close();
  }
}

async function showsWhatIsAsked({ server, browser }) {
  const page = await openPage(browser);
  await page.goto(`${server.url}/embed?spec=fanorona:5x5&lang=fr&orientation=second`);
  await page.locator('paika-board [data-square="c3"]').waitFor();
  assert.equal(await page.evaluate(() => document.documentElement.lang), 'fr');
  await page.goto(`${server.url}/embed?spec=chess`);
  await page.locator('paika-board [role=alert]').waitFor();
  await page.goto(`${server.url}/embed?spec=othello&moves=d3;c3;c4`);
  await page.locator('paika-board [data-square="c4"][data-glyph]').waitFor();
  await page.locator('paika-board [data-square="c5"]').click(); // only shown: nothing happens
  assert.deepEqual(await page.evaluate(() => document.querySelector('paika-board').moves), ['d3', 'c3', 'c4']);
  noFaults(page);
}

async function othersRefuse({ server, browser }) {
  for (const path of ['/', '/analysis', '/embed/index.html', '/embed/', '/healthz', '/api/games']) {
    const policy = (await fetch(server.url + path)).headers.get('content-security-policy') ?? '';
    assert.match(policy, /frame-ancestors 'none'/, path);
  }
  const embed = (await fetch(`${server.url}/embed?spec=othello`)).headers.get('content-security-policy') ?? '';
  assert.match(embed, /frame-ancestors \*/);
  const site = await serveFolder(null, { '/': frame(`${server.url}/`) });
  try {
    const page = await openPage(browser);
    await page.goto(site.url);
    await page.waitForTimeout(500);
    assert.equal(await page.frameLocator('iframe').locator('#app').count(), 0);
  } finally {
    site.close();
  }
}

export const embedTests = [
  ['embed plays on another site', playsElsewhere],
  ['embed shows what is asked', showsWhatIsAsked],
  ['embed is the only page for frames', othersRefuse],
];
