// The tests by name. Each gets a server of its own with an empty database.
import { accessTests } from './access.mjs';
import { analysisTests } from './analysis.mjs';
import { assignmentTests } from './assignments.mjs';
import { boardTests } from './board.mjs';
import { classTests } from './classes.mjs';
import { embedTests } from './embed.mjs';
import { fanoronaTests } from './fanorona.mjs';
import { feelTests } from './feel.mjs';
import { fifthGameTests } from './fifth_game.mjs';
import { lessonTests } from './lessons.mjs';
import { lobbyTests } from './lobby.mjs';
import { engineComesTest, offlineTests } from './offline.mjs';
import { playWhole } from './play.mjs';
import { roomTests } from './rooms.mjs';
import { shotTests } from './shots.mjs';
import { ssoTests } from './sso.mjs';
import { studyTests } from './studies.mjs';
import { togetherTests } from './together.mjs';
import { keyboard, mouse, openPage, random, touch } from './world.mjs';

/** Nothing is taken in the first turns, as far as possible, and as much as possible after them: a game of some length. */
const peaceful = (turns) => (played) => (played < turns ? -100 : 95);

const clicked = [
  ['fanorona:3x3', 60],
  ['fanorona:5x5', 80],
  ['fanorona', 80],
  ['fanorona:13x13,limit=24', 80],
  ['abalone:3x3,captures=1', 70],
  ['abalone', 90],
  ['abalone:5x5,captures=2,freeze', 90],
  ['abalone:10x26,captures=1', 100, 60],
  ['othello:6x6', 0],
  ['othello', 0],
  ['othello:26x26', 0],
  ['wildebeest', peaceful(30)],
];

/** What every change should pass: a bit of everything. */
export const quick = [
  'clicks fanorona:3x3',
  'clicks abalone:3x3',
  'clicks othello:6x6',
  'keyboard fanorona:5x5',
  'touch othello:6x6',
  ...fanoronaTests.map(([name]) => name),
  ...fifthGameTests.map(([name]) => name),
  ...roomTests.map(([name]) => name),
  ...lobbyTests.map(([name]) => name),
  ...classTests.map(([name]) => name),
  ...ssoTests.map(([name]) => name),
  ...assignmentTests.map(([name]) => name),
  ...togetherTests.map(([name]) => name),
  ...studyTests.map(([name]) => name),
  'lessons hold',
  'lessons by keyboard',
  'lessons wrong moves',
  'lessons live rules',
  'puzzles are solved',
  'board fills the window',
  'board values',
  'board touch fanorona first',
  'board own pieces below',
  'board stands still',
  'board danger',
  'board refusals',
  'board zen and typed moves',
  'board touch wildebeest first',
  ...accessTests.map(([name]) => name),
  ...embedTests.map(([name]) => name),
  engineComesTest[0],
  'shots pages', // no page is wider than a phone
];

export const tests = [
  ...clicked.map(([spec, greed, max]) => [
    `clicks ${spec}`,
    async ({ server, browser }) => {
      const page = await openPage(browser);
      const { turns, verdict } = await playWhole(server, page, spec, mouse(page), {
        next: random(7),
        greed,
        ...(max ? { max } : {}),
      });
      return `${turns} turns, ${verdict}`;
    },
  ]),
  ...['fanorona:5x5', 'abalone:3x3,captures=1', 'othello:6x6', 'wildebeest'].map((spec) => [
    `keyboard ${spec}`,
    async ({ server, browser }) => {
      const page = await openPage(browser);
      const { turns, verdict } = await playWhole(server, page, spec, keyboard(page), {
        next: random(3),
        greed: spec === 'wildebeest' ? peaceful(10) : 90,
        max: 80,
      });
      return `${turns} turns, ${verdict}`;
    },
  ]),
  ...['fanorona:5x5', 'abalone', 'othello:6x6', 'wildebeest'].map((spec) => [
    `touch ${spec}`,
    async ({ server, browser }) => {
      const page = await openPage(browser, { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true });
      const { turns, verdict } = await playWhole(server, page, spec, touch(page), {
        next: random(5),
        greed: spec === 'wildebeest' ? peaceful(10) : 90,
        max: 80,
      });
      return `${turns} turns, ${verdict}`;
    },
  ]),
  ...fanoronaTests,
  ...fifthGameTests,
  ...roomTests,
  ...lobbyTests,
  ...classTests,
  ...ssoTests,
  ...assignmentTests,
  ...togetherTests,
  ...studyTests,
  ...lessonTests,
  ...analysisTests,
  ...feelTests,
  ...boardTests,
  ...accessTests,
  ...embedTests,
  ...offlineTests,
  ...shotTests,
];
