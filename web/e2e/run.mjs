// Tries the built page in a real browser against a real server: node e2e/run.mjs SERVER_BINARY [words of test names …]
// The word "quick" stands for a choice that takes a minute.

import { quick, tests } from './tests.mjs';
import { openBrowser, Server } from './world.mjs';

const [binary, ...words] = process.argv.slice(2);
const wanted = words.flatMap((word) => (word === 'quick' ? quick : [word]));
if (!binary) {
  console.error('usage: node e2e/run.mjs SERVER_BINARY [words of test names …]');
  process.exit(2);
}

let failed = 0;
let running = null;
// Nothing that was started here outlives this program.
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.on(signal, async () => {
    await running?.end();
    await browser.close();
    process.exit(130);
  });
}
const browser = await openBrowser();
for (const [name, test] of tests) {
  if (wanted.length > 0 && !wanted.some((word) => name.includes(word))) continue;
  const server = new Server(binary);
  running = server;
  const begin = Date.now();
  try {
    await server.start();
    const note = await test({ server, browser });
    console.log(`ok      ${name} (${((Date.now() - begin) / 1000).toFixed(1)} s)${note ? `: ${note}` : ''}`);
  } catch (fault) {
    failed++;
    console.log(`FAILED  ${name}: ${fault.stack ?? fault}`);
  } finally {
    for (const context of browser.contexts()) await context.close();
    await server.end();
  }
}
await browser.close();
process.exit(failed > 0 ? 1 : 0);
