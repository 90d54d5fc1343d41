// The engine on this device, seen from the page: questions in order, thoughts that are ended, workers that break.
import { describe, expect, it } from 'vitest';
import { Device, type WorkerLike } from '../src/lib/device';
import type { FromWorker, ToWorker } from '../src/lib/device_worker';

class FakeWorker implements WorkerLike {
  onmessage: WorkerLike['onmessage'] = null;
  onerror: WorkerLike['onerror'] = null;
  asked: { method: string; path: string; body: string }[] = [];
  ended = false;

  postMessage(message: ToWorker): void {
    if ('path' in message) this.asked.push(message);
  }
  terminate(): void {
    this.ended = true;
  }
  say(data: FromWorker): void {
    this.onmessage?.({ data } as MessageEvent<FromWorker>);
  }
}

function device() {
  const workers: FakeWorker[] = [];
  const made = new Device({} as WebAssembly.Module, () => {
    workers.push(new FakeWorker());
    return workers.at(-1)!;
  });
  return { made, workers };
}

describe('the engine on this device', () => {
  it('answers one question after the other', async () => {
    const { made, workers } = device();
    const first = made.post('/api/position', { spec: 'othello' });
    const second = made.get('/api/games');
    expect(workers).toHaveLength(1);
    expect(workers[0]!.asked).toEqual([{ method: 'POST', path: '/api/position', body: '{"spec":"othello"}' }]);
    workers[0]!.say({ status: 200, body: '{"a":1}' });
    expect(await first).toEqual({ a: 1 });
    workers[0]!.say({ status: 404, body: '{"error":{"code":"no_table","message":"none","x":1}}' });
    await expect(second).rejects.toMatchObject({ status: 404, code: 'no_table', details: { x: 1 } });
  });

  it('answers while another worker thinks, and tells its thoughts', async () => {
    const { made, workers } = device();
    const seen: unknown[] = [];
    const thought = made.lines('/api/position/analysis', {}, (line) => seen.push(line));
    const quick = made.get('/api/games');
    expect(workers).toHaveLength(2);
    workers[1]!.say({ status: 200, body: '[]' });
    expect(await quick).toEqual([]);
    workers[0]!.say({ line: '{"depth":1}' });
    workers[0]!.say({ line: '{"depth":2}' });
    workers[0]!.say({ status: 200, body: '' });
    await thought;
    expect(seen).toEqual([{ depth: 1 }, { depth: 2 }]);
  });

  it('ends a thought with its worker, and goes on with the next in a new one', async () => {
    const { made, workers } = device();
    const stop = new AbortController();
    const seen: unknown[] = [];
    const unwanted = made.lines('/a', {}, (line) => seen.push(line), stop.signal);
    const wanted = made.lines('/b', {}, () => {});
    stop.abort();
    await expect(unwanted).rejects.toBeTruthy();
    expect(workers[0]!.ended).toBe(true);
    workers[0]!.say({ line: '{}' }); // what was on its way is not heard
    expect(seen).toEqual([]);
    expect(workers[1]!.asked.map((q) => q.path)).toEqual(['/b']);
    workers[1]!.say({ status: 200, body: '' });
    await wanted;
  });

  it('forgets a question that still waits without disturbing the one before it', async () => {
    const { made, workers } = device();
    const stop = new AbortController();
    const wanted = made.lines('/a', {}, () => {});
    const unwanted = made.lines('/b', {}, () => {}, stop.signal);
    stop.abort();
    await expect(unwanted).rejects.toBeTruthy();
    expect(workers[0]!.ended).toBe(false);
    workers[0]!.say({ status: 200, body: '' });
    await wanted;
    expect(workers[0]!.asked).toHaveLength(1);
  });

  it('says so when the engine breaks, and has a new one for the next question', async () => {
    const { made, workers } = device();
    const first = made.get('/a');
    const second = made.get('/b');
    workers[0]!.say({ broken: 'unreachable' });
    await expect(first).rejects.toMatchObject({ code: 'broken', message: 'unreachable' });
    expect(workers[0]!.ended).toBe(true);
    workers[1]!.say({ status: 200, body: '{}' });
    await second;
  });
});
