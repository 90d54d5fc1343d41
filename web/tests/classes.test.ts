import { describe, expect, it } from 'vitest';
import { dueText, isOpen, stateOf, taskText } from '../src/lib/assignments';
import { base64, fieldOfTime, guessedCommands, pathOf, reasonText, sentFiles, timeOfField } from '../src/lib/classes';
import { nextWaiting } from '../src/lib/exhibition.svelte';

const file = (path: string, text = 'x'): File => {
  const made = new File([text], path.split('/').pop() ?? path);
  Object.defineProperty(made, 'webkitRelativePath', { value: path.includes('/') ? path : '' });
  return made;
};

describe('the end of a game', () => {
  it('is told in words', () => {
    expect(reasonText('board_full')).toBe('board full');
    expect(reasonText('crash')).toBe('program ended');
    expect(reasonText('something new')).toBe('something new');
  });
});

describe('files of a bot', () => {
  it('have paths within the folder that was chosen', () => {
    expect(pathOf(file('bot.py'))).toBe('bot.py');
    expect(pathOf(file('mybot/src/bot.py'))).toBe('src/bot.py');
  });

  it('are sent as base64, hidden ones not at all', async () => {
    const sent = await sentFiles([file('mybot/bot.py', 'print()'), file('mybot/.git/config'), file('mybot/.env')]);
    expect(sent).toEqual([{ path: 'bot.py', base64: btoa('print()') }]);
  });

  it('are refused if they are too many or too large', async () => {
    await expect(sentFiles([file('a', 'x'.repeat((1 << 20) + 1))])).rejects.toThrow('1 MiB');
    await expect(sentFiles(Array.from({ length: 201 }, (_, i) => file(`f${i}`)))).rejects.toThrow('200');
  });

  it('of any bytes survive base64', () => {
    const bytes = Uint8Array.from({ length: 100_000 }, (_, i) => (i * 37) & 255);
    const back = Uint8Array.from(atob(base64(bytes.buffer)), (c) => c.charCodeAt(0));
    expect(back).toEqual(bytes);
  });
});

describe('commands', () => {
  it('are guessed from the files', () => {
    expect(guessedCommands(['util.py', 'bot.py'])).toEqual({ build: '', run: 'python3 bot.py' });
    expect(guessedCommands(['Bot.java'])).toEqual({ build: 'javac -d . Bot.java', run: 'java Bot' });
    expect(guessedCommands(['Makefile', 'bot.cpp'])).toEqual({ build: 'make', run: './bot' });
    expect(guessedCommands(['a.cpp', 'b.cpp', 'b.hpp']).build).toContain('a.cpp b.cpp');
    expect(guessedCommands(['notes.txt'])).toEqual({ build: '', run: '' });
  });
});

it('a deadline goes through the field for times and back', () => {
  const time = new Date(2030, 4, 17, 13, 30).getTime();
  expect(fieldOfTime(time)).toBe('2030-05-17T13:30');
  expect(timeOfField(fieldOfTime(time))).toBe(time);
  expect(fieldOfTime(null)).toBe('');
  expect(timeOfField('')).toBeNull();
});

describe('assignments', () => {
  it('say in how many moves a puzzle is won', () => {
    const text = (task: object) => taskText({ kind: 'puzzle', task: 1, spec: 'wildebeest', ...task } as never);
    expect(text({ goal: 'win' })).toBe('Find a winning move');
    expect(text({ goal: 'win', moves: 1 })).toBe('Win in one move');
    expect(text({ goal: 'win', moves: 3 })).toBe('Find a win in 3 moves');
    expect(text({ goal: 'draw' })).toBe('Find a move that does not lose');
  });
  const day = 24 * 3600 * 1000;
  it('say how long there is, rounded down', () => {
    expect(dueText(2.9 * day, 0)).toBe('due in 2 days');
    expect(dueText(day, 0)).toBe('due in one day');
    expect(dueText(day - 1, 0)).toBe('due in 23 hours');
    expect(dueText(90_000, 0)).toBe('due in one minute');
    expect(dueText(30_000, 0)).toBe('due now');
    expect(dueText(0, 0)).toBe('deadline passed');
  });
  it('are open until the teacher or the deadline closes them', () => {
    const one = { open: true, deadline_ms: 10, takes_late: false };
    expect(isOpen(one, 10)).toBe(true);
    expect(isOpen(one, 11)).toBe(false);
    expect(isOpen({ ...one, takes_late: true }, 11)).toBe(true);
    expect(isOpen({ ...one, deadline_ms: null }, 11)).toBe(true);
    expect(isOpen({ ...one, open: false }, 1)).toBe(false);
  });
  it('a task that was solved late is known as late', () => {
    const progress = { task: 1, attempts: 2, reached: 1, solved_ms: 5, late: true };
    expect(stateOf(progress)).toBe('late');
    expect(stateOf({ ...progress, late: false })).toBe('solved');
    expect(stateOf({ ...progress, solved_ms: null })).toBe('begun');
    expect(stateOf({ ...progress, solved_ms: null, attempts: 0 })).toBe('new');
  });
});

describe('an exhibition', () => {
  it('goes to the next board that waits, round the list', () => {
    const rooms = ['a', 'b', 'c', 'd'];
    expect(nextWaiting(rooms, 'b', (room) => room !== 'c')).toBe('d');
    expect(nextWaiting(rooms, 'd', (room) => room === 'b')).toBe('b');
    expect(nextWaiting(rooms, 'b', (room) => room === 'b')).toBe('b');
    expect(nextWaiting(rooms, 'b', () => false)).toBe(null);
    expect(nextWaiting(rooms, '', () => true)).toBe('a');
  });
});
