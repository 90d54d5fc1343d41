import { expect, test } from 'vitest';
import { failures, localPath } from '../src/lib/sign_on';

test('only paths of this server are gone to after a login', () => {
  for (const path of ['/', '/classes', '/welcome?a=b', '/players/Ada%20L']) expect(localPath(path)).toBe(path);
  const others = [null, '', 'classes', '//evil.example', '/\\evil.example', 'https://evil.example', '/a\\b', '/a b'];
  for (const path of others) expect(localPath(path)).toBe('/');
});

test('every failure has words', () => {
  for (const text of Object.values(failures)) expect(text).toMatch(/\.$/);
});
