// Classes and tournaments: a teacher and two students by the pages, their bots, the ladder, logs, and a table that updates.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { axe } from './axe.mjs';
import { noFaults, openPage, sleep } from './world.mjs';

const bot = (note) => `import sys
sys.stderr.write("${note}\\n")
for line in sys.stdin:
    word = line.split()[0] if line.split() else ""
    if word == "ugi":
        print("ugiok", flush=True)
    elif word == "isready":
        print("readyok", flush=True)
    elif word == "go":
        print("query moves", flush=True)
        print("bestmove", sys.stdin.readline().split()[1], flush=True)
    elif word == "quit":
        break
`;

/** A page of somebody with a new account. */
export async function person(server, browser, name, options = {}) {
  const page = await openPage(browser, options);
  await page.goto(`${server.url}/login`);
  await page.click('button:has-text("Create an account")');
  await page.fill('input[autocomplete="username"]', name);
  await page.fill('input[type="password"]', 'correct horse battery');
  await page.click('button.primary');
  await page.waitForSelector(`header a:has-text("${name}")`);
  return page;
}

async function enterClass(server, page, code) {
  await page.goto(`${server.url}/classes`);
  await page.fill('form:has-text("Join a class") input >> nth=0', code);
  await page.click('form:has-text("Join a class") button');
  await page.waitForSelector('h1:has-text("Games 101")');
}

async function handIn(page, name, note) {
  const file = { name: 'bot.py', mimeType: 'text/x-python', buffer: Buffer.from(bot(note)) };
  await page.setInputFiles('input[type="file"] >> nth=0', file);
  await page.fill('form:has-text("Start command") label:has-text("Name") input', name);
  const command = await page.inputValue('label:has-text("Start command") input');
  if (command !== 'python3 bot.py') throw new Error(`the start command is not guessed but "${command}"`);
  await page.click('button:has-text("Submit")');
  await page.waitForSelector('strong:has-text("accepted")', { timeout: 60_000 });
}

/** The page shows the command to push with, and a token for it. */
async function gitInstructions(page) {
  await page.click('summary:has-text("Submit with git")');
  const command = await page.textContent('pre:has-text("git push")');
  if (!/^git push http:\/\/Ann@127\.0\.0\.1:\d+\/git\/\w{10} main$/.test(command.trim())) throw new Error(command);
  await page.click('button:has-text("Create a token")');
  const token = await page.textContent('.token');
  const url = command.trim().split(' ')[2].replace('Ann@', '');
  const login = `Basic ${Buffer.from(`Ann:${token}`).toString('base64')}`;
  const answer = await fetch(`${url}/info/refs?service=git-receive-pack`, { headers: { Authorization: login } });
  if (answer.status !== 200) throw new Error(`the token is not taken: ${answer.status}`);
}

/** A class without house bots has an empty ladder. */
async function withoutHouseBots({ server, browser }) {
  const teacher = await person(server, browser, 'Teacher');
  for (const [checked, text] of [
    [false, 'No bot has been accepted yet.'],
    [true, 'House bots play your bots, but not each other.'],
  ]) {
    await teacher.goto(`${server.url}/classes`);
    const form = 'form:has-text("Create a class")';
    await teacher.fill(`${form} label:has-text("Name") input`, 'Games 102');
    await teacher.setChecked(`${form} input[type="checkbox"]`, checked);
    await teacher.click(`${form} button`);
    await teacher.waitForSelector(`text=${text}`);
  }
  await teacher.setViewportSize({ width: 360, height: 740 });
  const width = await teacher.evaluate(() => document.documentElement.scrollWidth);
  if (width > 360) throw new Error(`the page is ${width} pixels wide on a telephone`);
  await teacher.click('summary:has-text("Read with git")');
  await teacher.waitForSelector('pre:has-text("git clone")');
  await axe(teacher, "the teacher's page of a class");
  noFaults(teacher);
}

async function wholeClass({ server, browser }) {
  const teacher = await person(server, browser, 'Teacher');
  await teacher.click('nav a:has-text("Classes")');
  const form = 'form:has-text("Create a class")';
  await teacher.fill(`${form} label:has-text("Name") input`, 'Games 101');
  await teacher.fill(`${form} label:has-text("Game") input`, 'othello:6x6');
  if (!(await teacher.isChecked(`${form} input[type="checkbox"]`))) throw new Error('house bots are not the default');
  await teacher.click(`${form} button`);
  const code = await teacher.textContent('code.code');
  const ann = await person(server, browser, 'Ann');
  const bob = await person(server, browser, 'Bob');
  await enterClass(server, ann, code);
  await enterClass(server, bob, code);
  await gitInstructions(ann);
  await handIn(ann, 'Shark', 'a note of Ann');
  await handIn(bob, 'Whale', 'a note of Bob');
  // The page shows games as they end, without being loaded anew.
  const games = 'section:has(h2:has-text("Recent games"))';
  const own = `${games} tr:has-text("Shark")`; // bots of the house play too
  await ann.waitForSelector(`${own} a:has-text("Replay")`, { timeout: 60_000 });
  await ann.click(`${own} button:has-text("Log") >> nth=0`);
  await ann.waitForSelector(`${games} pre:has-text("a note of Ann")`);
  if ((await ann.content()).includes('a note of Bob')) throw new Error("Ann sees Bob's log");
  await axe(ann, 'the page of a class');
  await axe(teacher, "the teacher's page of a class");
  await ann.click('th a:has-text("Shark")');
  await ann.waitForSelector('pre:has-text("played to the end")');
  await axe(ann, 'the page of a bot');
  await ann.click('a:has-text("Replay") >> nth=0');
  await ann.waitForSelector('[role=grid]');
  await ann.waitForFunction(() => document.querySelectorAll('[role=gridcell][data-glyph]').length > 0);
  await teacher.waitForSelector('td:has-text("Ann")');
  await teacher.click('button:has-text("Lock")');
  await teacher.waitForSelector('button:has-text("Reopen")');
  await bob.waitForSelector('text=Submissions are closed.');
  for (const page of [teacher, ann, bob]) noFaults(page);
}

async function tournament({ server, browser }) {
  const row = (place, player, wins, losses) => ({
    place,
    player,
    wins,
    draws: 0,
    losses,
    points: wins,
    elo: 0,
    elo_error: 100,
    los: 0.5,
    failures: { crash: losses },
  });
  const state = {
    paika_tournament_state: 1,
    name: 'The cup',
    system: 'round-robin',
    specs: ['othello:6x6'],
    status: 'running',
    played: 0,
    expected: 2,
    unsafe: false,
    players: [
      { name: 'alpha', player: 'engine', owner: '' },
      { name: 'beta', player: 'engine', owner: '' },
    ],
    standings: [row(1, 'alpha', 0, 0), row(2, 'beta', 0, 0)],
    crosstable: [
      [null, null],
      [null, null],
    ],
    games: [],
    running: [],
  };
  const write = () => writeFileSync(join(server.tournaments, 'cup.state.json'), JSON.stringify(state));
  writeFileSync(join(server.tournaments, 'cup.toml'), '');
  write();
  const record = 'paika-record 1\nspec othello:6x6\nfirst alpha\nsecond beta\nresult first_wins crash\nend\n';
  const page = await openPage(browser);
  await page.goto(`${server.url}/tournaments`);
  await page.click('a:has-text("The cup")');
  await page.waitForSelector('text=0 of 2 games');
  const id = 'r1.t1.g1.othello:6x6';
  state.games.push({
    id,
    spec: 'othello:6x6',
    players: ['alpha', 'beta'],
    result: 'first_wins',
    reason: 'crash',
    failure: 'crash',
    evidence: 'signal 11',
    logs: ['', ''],
  });
  state.standings = [row(1, 'alpha', 1, 0), row(2, 'beta', 0, 1)];
  state.crosstable = [
    [null, [1, 0, 0]],
    [[0, 0, 1], null],
  ];
  state.played = 1;
  writeFileSync(join(server.tournaments, 'cup.results'), `${JSON.stringify({ check: '', entry: { id, record } })}\n`);
  write();
  await page.waitForSelector('text=1 of 2 games');
  await page.waitForSelector('td:has-text("signal 11")');
  await sleep(100);
  await axe(page, 'the page of a tournament');
  await page.click('a:has-text("Replay")');
  await page.waitForSelector('[role=gridcell][data-glyph]');
  noFaults(page);
}

export const classTests = [
  ['class from the first page to a locked one', wholeClass],
  ['class without house bots', withoutHouseBots],
  ['tournament page updates', tournament],
];
