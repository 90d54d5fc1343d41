import { expect, test } from 'vitest';
import { Shown } from '../src/lib/shown.svelte';

const press = (key: string) => ({ key }) as KeyboardEvent;

test('the game is shown as it stands until somebody goes back', () => {
  let count = 3;
  const shown = new Shown(() => count);
  expect([shown.at, shown.live]).toEqual([3, true]);
  count = 4;
  expect([shown.at, shown.live]).toEqual([4, true]);
  shown.go(1);
  count = 5;
  expect([shown.at, shown.live]).toEqual([1, false]);
  shown.go(99);
  count = 6;
  expect([shown.at, shown.live]).toEqual([6, true]);
});

test('going too far ends at the ends, and taken back turns are not shown', () => {
  let count = 2;
  const shown = new Shown(() => count);
  shown.go(-1);
  expect(shown.at).toBe(0);
  shown.go(1);
  count = 0;
  expect([shown.at, shown.live]).toEqual([0, true]);
});

test('comma and full stop go back and forth, other keys are not taken', () => {
  const shown = new Shown(() => 3);
  expect(shown.key(press(','))).toBe(true);
  expect(shown.at).toBe(2);
  expect(shown.key(press('.'))).toBe(true);
  expect([shown.at, shown.live]).toEqual([3, true]);
  expect(shown.key(press('x'))).toBe(false);
});
