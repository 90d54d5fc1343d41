import { describe, expect, it, vi } from 'vitest';
import { useEngine } from '../src/lib/engine';
import { levels } from '../src/lib/levels.svelte';
import { dropEngine } from './support/engine';

describe('the computer as an opponent', () => {
  it('is a number until its name is known, and is asked for once', async () => {
    const asked = vi.fn(async () => [{ level: 2, name: 'Beginner', description: 'sees little' }]);
    useEngine({ ...dropEngine(), levels: asked });
    expect(levels.player(2)).toBe('the computer, level 2');
    await levels.load();
    await levels.load();
    expect(levels.player(2)).toBe('Beginner (computer, level 2)');
    expect(levels.player(11)).toBe('the computer, level 11');
    expect(asked).toHaveBeenCalledOnce();
  });
});
