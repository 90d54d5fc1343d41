// The page of a solved board: what comes late for one board is not shown for the next.
import { flushSync, mount, unmount } from 'svelte';
import { afterEach, expect, it, vi } from 'vitest';
import { useEngine } from '../src/lib/engine';
import { backend } from '../src/lib/fallback_backend.svelte';
import Solved from '../src/pages/Solved.svelte';
import { dropEngine } from './support/engine';

vi.mock('../src/parts/LiveBoard.svelte', () => ({ default: () => {} }));

afterEach(() => vi.restoreAllMocks());

it('shows the board that was asked for last', async () => {
  useEngine(dropEngine() as never);
  const tableOf = (spec: string) => ({
    table: `${spec} of 5 stones`,
    spec,
    file: spec,
    tiers: [],
    positions: 1,
    bytes: 1,
    checksum: spec,
  });
  vi.spyOn(backend, 'get').mockResolvedValue({ tables: [tableOf('drop:3'), tableOf('drop:4')] });
  const answers = new Map<string, (values: object) => void>();
  vi.spyOn(backend, 'post').mockImplementation((_path, body) => {
    const { spec } = body as { spec: string };
    return new Promise((answer) => answers.set(spec, answer as (values: object) => void));
  });
  const valuesOf = (move: string) => ({ value: { value: 'draw' }, moves: [{ move, value: { value: 'draw' } }] });
  const settle = async () => {
    for (let i = 0; i < 20; i++) await Promise.resolve();
    flushSync();
  };
  const props = $state({ spec: 'drop:3' });
  const page = mount(Solved, { target: document.body, props });
  await settle();
  props.spec = 'drop:4';
  flushSync();
  await settle();
  answers.get('drop:4')!(valuesOf('second'));
  await settle();
  answers.get('drop:3')!(valuesOf('first'));
  await settle();
  expect([...document.querySelectorAll('.openings code')].map((code) => code.textContent)).toEqual(['second']);
  await unmount(page);
});
