// A game that the page has never heard of (tests/fifth_game), served by a program that has one game more.
import { dirname, join } from 'node:path';
import { playWhole } from './play.mjs';
import { equal, mouse, openPage, random, Server } from './world.mjs';

export const fifthGameTests = [
  [
    'fifth game',
    async ({ server, browser }) => {
      const five = new Server(join(dirname(server.binary), '..', 'tests', 'paika_five'));
      try {
        await five.start();
        const page = await openPage(browser);
        const { turns, verdict } = await playWhole(five, page, 'tictactoe', mouse(page), { next: random(7), greed: 0 });
        equal(verdict !== 'ongoing' && turns >= 5, true, 'the game is played to its end');
        return `${turns} turns, ${verdict}`;
      } finally {
        await five.end();
      }
    },
  ],
];
