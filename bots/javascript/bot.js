// A first bot in JavaScript (node): plays every game by asking the referee for the legal turns.
// docs/write-a-bot.md explains it.
'use strict';
const readline = require('readline');

// Chance with a seed: the same seed, the same games.
let seed = 1;
function random() {
  seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
  return seed / 4294967296;
}

const say = (line) => process.stdout.write(line + '\n');

let position = 'startpos'; // the words after `position`: the whole game so far
let limits = ''; // the words after `go`: how long we may think

// Put your thinking here.
function choose(turns) {
  return turns[Math.floor(random() * turns.length)];
}

const commands = {
  ugi() {
    say('id name Starter in JavaScript');
    say('ugiok');
  },
  isready: () => say('readyok'),
  setoption() {}, // setoption name Game value SPEC: which game it will be
  position(words) {
    position = words;
  },
  go(words) {
    limits = words;
    say('query moves'); // the referee answers: response MOVE MOVE ...
  },
  response(words) {
    const turns = words.split(' ').filter((turn) => turn !== '...'); // very long lists end in ...
    say('bestmove ' + choose(turns));
  },
  quit: () => process.exit(0),
};

// The input ends when the referee is done with us: then nothing is left to do and node ends.
readline.createInterface({ input: process.stdin }).on('line', (line) => {
  const [command, ...words] = line.trim().split(' ');
  if (Object.hasOwn(commands, command)) commands[command](words.join(' '));
});
