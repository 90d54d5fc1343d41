// A study: what is changed is saved once, and who saves what another has changed meanwhile is asked.
import { flushSync } from 'svelte';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ApiError } from '../src/lib/http';

const server = vi.hoisted(() => ({
  chapter: { id: 1, title: 'One', text: '', tree: 'tree 0', version: 1 },
  edits: true,
  saves: [] as unknown[],
}));

vi.mock('../src/lib/http', async (original) => {
  const real = await original<typeof import('../src/lib/http')>();
  const study = () => ({
    id: 's',
    title: 'A study',
    owner: 'Ann',
    access: 'private',
    version: 1,
    created_ms: 0,
    changed_ms: 0,
    edits: server.edits,
    owns: server.edits,
    editors: [],
    chapters: [{ id: 1, title: server.chapter.title, version: server.chapter.version }],
    comments: [],
  });
  return {
    ...real,
    get: async (path: string) => (path.endsWith('/chapters/1') ? { ...server.chapter } : study()),
    put: async (_path: string, body: { version: number; text: string; title: string; tree: string }) => {
      server.saves.push(body);
      if (body.version !== server.chapter.version) throw new real.ApiError(409, 'stale', 'changed meanwhile');
      server.chapter = { ...server.chapter, ...body, version: body.version + 1 };
      return { ...server.chapter };
    },
  };
});

const { useEngine } = await import('../src/lib/engine');
const { StudyController } = await import('../src/lib/study.svelte');

const position = {
  spec: 'othello',
  position: 'start',
  grid: ['--', '--'],
  mover: 'first',
  outcome: { verdict: 'ongoing' },
  badges: [],
};

beforeEach(() => {
  server.chapter = { id: 1, title: 'One', text: '', tree: 'tree 0', version: 1 };
  server.saves = [];
  server.edits = true;
  useEngine({
    position: async () => position,
    readTrees: async () => [{ spec: 'othello', players: ['', ''], tags: [], nodes: [{ seat: 'first' }] }],
    writeTree: async (tree: { nodes: unknown[] }) => `tree ${tree.nodes.length - 1}`,
    outline: async () => Promise.reject(new ApiError(0, 'none', 'no scene here')),
    scene: async () => Promise.reject(new ApiError(0, 'none', 'no scene here')),
  } as never);
  vi.useFakeTimers();
});
afterEach(() => vi.useRealTimers());

/** A study whose chapter is open, without a board: only what is stored matters here. */
async function opened() {
  let control!: InstanceType<typeof StudyController>;
  const stop = $effect.root(() => {
    control = new StudyController('s');
    control.analysis.openGame = async (doc) => control.analysis.tree.load(doc, 0);
    $effect(() => {});
  });
  await control.open(1);
  return { control, stop };
}

describe('StudyController', () => {
  it('knows what is not saved, and saves it', async () => {
    const { control, stop } = await opened();
    expect(control.changed).toBe(false);
    control.text = 'Corners.';
    flushSync();
    expect(control.changed).toBe(true);
    await control.save();
    expect(server.saves).toEqual([{ title: 'One', text: 'Corners.', tree: 'tree 0', version: 1 }]);
    expect(control.changed).toBe(false);
    expect(control.saving).toBe('saved');
    control.analysis.tree.play('f5', 'first');
    expect(control.changed).toBe(true);
    await control.save();
    expect(server.chapter).toMatchObject({ tree: 'tree 1', version: 3 });
    stop();
  });

  it('asks whose version counts', async () => {
    const { control, stop } = await opened();
    server.chapter = { ...server.chapter, text: 'By another.', version: 2 };
    control.text = 'By me.';
    await control.save();
    expect(control.saving).toBe('stale');
    expect(server.chapter.text).toBe('By another.');
    await control.settle(true);
    expect(server.chapter).toMatchObject({ text: 'By me.', version: 3 });
    expect(control.saving).toBe('saved');
    server.chapter = { ...server.chapter, text: 'Again by another.', version: 4 };
    control.text = 'Again by me.';
    await control.save();
    expect(control.saving).toBe('stale');
    await control.settle(false);
    expect(control.text).toBe('Again by another.');
    expect(control.changed).toBe(false);
    stop();
  });
});
