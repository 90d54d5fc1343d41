// The engine on this device, seen from the page: questions in order, thoughts that are ended, workers that break.
import { describe, expect, it } from 'vitest';
import { Device, type TableSource, type WorkerLike } from '../src/lib/device';
import type { FromWorker, ToWorker } from '../src/lib/device_worker';

class FakeWorker implements WorkerLike {
  onmessage: WorkerLike['onmessage'] = null;
  onerror: WorkerLike['onerror'] = null;
  asked: { method: string; path: string; body: string }[] = [];
  supplied: (Uint8Array | null)[][] = [];
  ended = false;

  postMessage(message: ToWorker): void {
    if ('path' in message) this.asked.push(message);
    if ('supplied' in message) this.supplied.push(message.supplied);
  }
  terminate(): void {
    this.ended = true;
  }
  say(data: FromWorker): void {
    this.onmessage?.({ data } as MessageEvent<FromWorker>);
  }
}

function device(source?: TableSource) {
  const workers: FakeWorker[] = [];
  const start = () => {
    workers.push(new FakeWorker());
    return workers.at(-1)!;
  };
  return { made: new Device({} as WebAssembly.Module, start, source), workers };
}

const listed = { table: 'abalone:4x4', file: 'a.table', bytes: 100, checksum: 'c' };
const turn = () => new Promise((done) => setTimeout(done));

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

  it('brings the bytes of tables that an answer needs', async () => {
    const read: number[][] = [];
    const source: TableSource = {
      list: async () => [listed],
      read: async (_table, offset, size) => {
        read.push([offset, size]);
        if (offset > 50) throw new Error('no network');
        return Uint8Array.of(offset, size);
      },
    };
    const { made, workers } = device(source);
    const values = made.post('/api/position/values', { spec: 'abalone:4x4' });
    await turn();
    expect(workers[0]!.asked[0]).toMatchObject({ tables: [listed] });
    const missing = [
      { file: 'a.table', offset: 0, size: 32 },
      { file: 'a.table', offset: 60, size: 8 },
      { file: 'other.table', offset: 0, size: 1 },
    ];
    workers[0]!.say({ status: 0, body: '', missing });
    await turn();
    expect(workers[0]!.supplied).toEqual([[Uint8Array.of(0, 32), null, null]]);
    expect(read).toEqual([
      [0, 32],
      [60, 8],
    ]);
    workers[0]!.say({ status: 200, body: '{"value":null}' });
    expect(await values).toEqual({ value: null });
    // Where nothing is looked up, nothing is listed.
    void made.post('/api/position', {});
    expect(workers[0]!.asked[1]).not.toHaveProperty('tables');
  });

  it('does without tables that cannot be listed, and lets go of damaged ones', async () => {
    const forgotten: unknown[] = [];
    let reachable = false;
    const source: TableSource = {
      list: async () => {
        if (!reachable) throw new Error('no network');
        return [listed];
      },
      read: async () => new Uint8Array(),
      forget: (tables) => forgotten.push(tables),
    };
    const { made, workers } = device(source);
    const first = made.post('/api/position/values', {});
    await turn();
    expect(workers[0]!.asked[0]).not.toHaveProperty('tables');
    workers[0]!.say({ status: 200, body: '{}' });
    await first;
    reachable = true;
    const second = made.post('/api/position/values', {});
    await turn();
    workers[0]!.say({ status: 500, body: '{"error":{"code":"bad_table","message":"damaged"}}' });
    await expect(second).rejects.toMatchObject({ code: 'bad_table' });
    expect(forgotten).toEqual([[listed]]);
  });
});
