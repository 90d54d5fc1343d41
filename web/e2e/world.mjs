// What the browser tests share: a server on a free port, a browser, requests, waiting, and walking boards.
import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

const here = dirname(fileURLToPath(import.meta.url));
export const shots = join(here, 'shots');

const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

export const sleep = (ms) => new Promise((done) => setTimeout(done, ms));

const freePort = () =>
  new Promise((done) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address();
      probe.close(() => done(port));
    });
  });

/** A server with a database of its own, which outlives it until end() is called. */
export class Server {
  constructor(binary) {
    this.binary = binary;
    this.folder = mkdtempSync(join(tmpdir(), 'paika-e2e-'));
    this.tables = join(this.folder, 'tables');
    mkdirSync(this.tables);
    this.web = process.env.PAIKA_WEB ?? join(here, '..', 'dist');
    this.tournaments = join(this.folder, 'tournaments');
    this.options = []; // more of `paika serve`
    mkdirSync(this.tournaments);
  }

  async start() {
    this.port ??= await freePort();
    this.url = `http://127.0.0.1:${this.port}`;
    this.process = spawn(
      this.binary,
      [
        'serve',
        '--listen',
        `127.0.0.1:${this.port}`,
        '--db',
        join(this.folder, 'games.db'),
        '--web',
        this.web,
        '--rate-factor',
        '100',
        '--log-level',
        'warning',
        '--tables',
        this.tables,
        '--tournaments',
        this.tournaments,
        ...this.options,
      ],
      { stdio: ['ignore', 'ignore', 'inherit'] },
    );
    for (let i = 0; i < 200; i++) {
      try {
        if ((await fetch(`${this.url}/healthz`)).ok) return;
      } catch {
        // Not there yet.
      }
      await sleep(100);
    }
    throw new Error('the server does not answer');
  }

  /** As a crash would: nothing is written any more. */
  async kill() {
    const gone = new Promise((done) => this.process.once('exit', done));
    this.process.kill('SIGKILL');
    await gone;
  }

  async end() {
    if (this.process?.exitCode === null && this.process.signalCode === null) await this.kill();
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** Makes the table of perfect play of a small game. */
  solve(spec) {
    execFileSync(this.binary, ['solve', spec, '--tables', this.tables, '--memory', '200M'], { stdio: 'ignore' });
  }

  async post(path, body, headers = {}) {
    const answer = await fetch(this.url + path, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'Content-Type': 'application/json', Origin: this.url, ...headers },
    });
    const json = await answer.json();
    if (!answer.ok) throw new Error(`${path}: ${JSON.stringify(json)}`);
    return json;
  }

  async get(path) {
    const answer = await fetch(this.url + path);
    if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
    return answer.json();
  }
}

export async function openBrowser() {
  mkdirSync(shots, { recursive: true });
  return chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: flags });
}

/** A page that fails the test if the console shows an error or the policy refuses something. */
export async function openPage(browser, options = {}) {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 860 },
    locale: 'en-GB',
    reducedMotion: 'reduce',
    ...options,
  });
  const page = await context.newPage();
  page.faults = [];
  page.on('pageerror', (fault) => page.faults.push(`${fault.stack ?? fault}`));
  page.on('console', (message) => {
    if (message.type() === 'error' && !/Failed to load resource|WebSocket connection/.test(message.text()))
      page.faults.push(message.text());
  });
  return page;
}

export function noFaults(page) {
  if (page.faults.length > 0) throw new Error(`the page complains: ${page.faults.join('\n')}`);
}

/** The pieces that the page shows, as sorted texts "a1 w". */
export const shownPieces = (page) =>
  page.evaluate(() =>
    [...document.querySelectorAll('[role=gridcell][data-glyph]')]
      .map((cell) => `${cell.dataset.square} ${cell.dataset.glyph}`)
      .sort(),
  );

export function equal(a, b, what) {
  const left = JSON.stringify(a);
  const right = JSON.stringify(b);
  if (left !== right) throw new Error(`${what}:\n  ${left}\n  ${right}`);
}

/** Numbers that are the same in every run. */
export function random(seed) {
  let state = seed >>> 0;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const framed = (page) => page.locator('[data-position][data-turns]');

/** Waits until the page stands after so many turns and takes input, or the game is over. */
export async function settled(page, turns, timeout = 20_000) {
  await page.waitForFunction(
    (wanted) => {
      const frame = document.querySelector('[data-position][data-turns]');
      if (!frame || Number(frame.dataset.turns) !== wanted) return false;
      return frame.dataset.ready === 'true' || frame.dataset.state === 'ended';
    },
    turns,
    { timeout },
  );
}

export const positionOf = (page) => framed(page).getAttribute('data-position');

/** Gestures of the mouse. */
export function mouse(page) {
  return {
    press: async (square) => {
      const at = await page.evaluate((name) => {
        const cell = document.querySelector(`[role=gridcell][data-square="${name}"] rect`);
        const box = cell.getBoundingClientRect();
        if (box.top < 0 || box.bottom > innerHeight) cell.scrollIntoView({ block: 'center' });
        const now = cell.getBoundingClientRect();
        return { x: now.x + now.width / 2, y: now.y + now.height / 2 };
      }, square);
      await page.mouse.click(at.x, at.y);
    },
    word: (kind) => page.click(`.bar [data-step="${kind}"]`),
    confirm: () => page.click('.bar .primary, .bar .bad'),
  };
}

/** Gestures of a finger. */
export function touch(page) {
  const tap = async (selector) => {
    const element = page.locator(selector).first();
    await element.scrollIntoViewIfNeeded();
    const box = await element.boundingBox();
    await page.touchscreen.tap(box.x + box.width / 2, box.y + box.height / 2);
  };
  return {
    press: (square) => tap(`[role=gridcell][data-square="${square}"]`),
    word: (kind) => tap(`.bar [data-step="${kind}"]`),
    confirm: () => tap('.bar .primary, .bar .bad'),
  };
}

const keys = { approach: 'a', withdraw: 'w', sacrifice: 's', fling: 'f', pass: 'p', to: 'm', end: 'e' };

/** Gestures of the keyboard alone: the tab key to the board, arrows to a square, letters for words. */
export function keyboard(page) {
  const cursor = () => page.evaluate(() => document.activeElement?.getAttribute?.('data-square') ?? null);
  const place = (square) =>
    page.evaluate((name) => {
      const rows = [...document.querySelectorAll('[role=grid] [role=row]')];
      for (const [y, row] of rows.entries()) {
        const x = [...row.children].findIndex((cell) => cell.dataset.square === name);
        if (x >= 0) return { x, y };
      }
      return null;
    }, square);
  return {
    press: async (square) => {
      for (let i = 0; (await cursor()) === null; i++) {
        if (i > 40) throw new Error('the tab key does not reach the board');
        await page.keyboard.press('Tab');
      }
      const from = await place(await cursor());
      const to = await place(square);
      for (let x = from.x; x < to.x; x++) await page.keyboard.press('ArrowRight');
      for (let x = from.x; x > to.x; x--) await page.keyboard.press('ArrowLeft');
      for (let y = from.y; y < to.y; y++) await page.keyboard.press('ArrowDown');
      for (let y = from.y; y > to.y; y--) await page.keyboard.press('ArrowUp');
      await page.keyboard.press('Enter');
    },
    word: async (kind) => {
      if ((await cursor()) === null) await page.focus('[role=gridcell][tabindex="0"]');
      await page.keyboard.press(keys[kind]);
    },
    confirm: () => page.keyboard.press('y'),
  };
}

const entryState = (page) =>
  page.evaluate(() => ({
    steps: Number(document.querySelector('.play')?.dataset.steps ?? -1),
    turns: Number(document.querySelector('[data-position][data-turns]')?.dataset.turns ?? -1),
    asks: document.querySelector('.bar .ask') !== null,
    confirming: document.querySelector('.play')?.dataset.confirming ?? null,
    words: [...document.querySelectorAll('.bar [data-step]')].map((button) => button.dataset.step),
  }));

/** Waits until a gesture has had its effect. */
async function changed(page, before) {
  await page.waitForFunction(
    ({ steps, turns, asks, confirming }) => {
      const play = document.querySelector('.play');
      const frame = document.querySelector('[data-position][data-turns]');
      return (
        Number(play?.dataset.steps) !== steps ||
        Number(frame?.dataset.turns) !== turns ||
        (document.querySelector('.bar .ask') !== null) !== asks ||
        (play?.dataset.confirming ?? null) !== confirming
      );
    },
    before,
    { polling: 16, timeout: 20_000 },
  );
  return entryState(page);
}

/**
 * Enters a turn by gestures, step by step. `victim`: of two captures, one is chosen by a stone it takes. Returns what
 * the page asked before it played the turn: "tap", "loss", "sacrifice", or nothing.
 */
export async function enter(page, turn, gestures, { victim = null } = {}) {
  let now = await entryState(page);
  const does = async (gesture) => {
    await gesture();
    now = await changed(page, now);
  };
  const begun = now.turns;
  let asked = null;
  /** A turn that waits: the same square again, or the button where that is not enough. */
  const confirm = async (square) => {
    asked = now.confirming;
    await does(() => (asked === 'tap' && square ? gestures.press(square) : gestures.confirm()));
  };
  for (const [i, step] of turn.steps.entries()) {
    if (now.turns !== begun || now.steps < 0) break; // played already: nothing else was possible
    if (step.square) {
      await does(() => gestures.press(step.square));
      if (now.confirming) await confirm(step.square);
      else if (now.asks) await does(() => gestures.word(turn.steps[i - 1]?.step === 'fling' ? 'fling' : 'to'));
    } else if (step.step === 'approach' || step.step === 'withdraw') {
      if (!now.words.includes('approach') || !now.words.includes('withdraw')) continue; // only one was possible
      const taken = victim?.(turn, i);
      await does(() => (taken ? gestures.press(taken) : gestures.word(step.step)));
      if (now.confirming) await confirm(taken);
    } else if (step.step === 'fling') {
    } else {
      await does(() => gestures.word(step.step));
      if (now.confirming) await confirm(null);
    }
  }
  if (now.turns === begun && now.words.includes('end')) await does(() => gestures.word('end'));
  if (now.turns === begun && now.confirming) await confirm(null);
  return asked;
}
