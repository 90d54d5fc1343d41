import { describe, expect, it } from 'vitest';
import { base64, fieldOfTime, guessedCommands, pathOf, sentFiles, timeOfField } from '../src/lib/classes';

const file = (path: string, text = 'x'): File => {
  const made = new File([text], path.split('/').pop() ?? path);
  Object.defineProperty(made, 'webkitRelativePath', { value: path.includes('/') ? path : '' });
  return made;
};

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
