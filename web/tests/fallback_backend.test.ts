// Who answers: the server, and this device where it cannot be reached or a person wants it.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Backend } from '../src/lib/backend';
import { FallbackBackend } from '../src/lib/fallback_backend.svelte';
import { ApiError } from '../src/lib/http';
import { settings } from '../src/lib/settings.svelte';

const saying = (who: string, fault?: () => Error) => {
  const answer = vi.fn(async () => {
    if (fault) throw fault();
    return who;
  });
  return { get: answer, getText: answer, post: answer, lines: answer } as unknown as Backend & { get: typeof answer };
};
const gone = () => new ApiError(0, 'offline', 'The server cannot be reached.');

let time = 0;
const between = (server: Backend, device: Backend | null) => {
  const open = vi.fn(async () => device);
  return { backend: new FallbackBackend(server, open, () => time), open };
};

beforeEach(() => {
  time = 0;
  settings.engine = 'server';
});
afterEach(() => {
  settings.engine = 'server';
});

describe('fallback backend', () => {
  it('is the business of the server while it can be reached; the device is not even opened', async () => {
    const { backend, open } = between(saying('server'), saying('device'));
    expect(await backend.get('/x')).toBe('server');
    expect(backend.who).toBe('server');
    expect(open).not.toHaveBeenCalled();
  });

  it('goes over to the device when the server is gone, and back some time after it has come again', async () => {
    const server = saying('server');
    const { backend } = between(server, saying('device'));
    server.get.mockRejectedValueOnce(gone());
    expect(await backend.post('/x', {})).toBe('device');
    expect(backend.who).toBe('device');
    expect(await backend.get('/x')).toBe('device'); // the server is left alone for a while
    expect(server.get).toHaveBeenCalledTimes(1);
    time = 60_000;
    expect(await backend.get('/x')).toBe('server');
    expect(backend.who).toBe('server');
  });

  it('takes what a proxy says of a dead server for a dead server', async () => {
    const { backend } = between(
      saying('server', () => new ApiError(502, 'http', 'Bad Gateway')),
      saying('device'),
    );
    expect(await backend.get('/x')).toBe('device');
  });

  it('does not ask the device again what the server has refused', async () => {
    const device = saying('device');
    const { backend } = between(
      saying('server', () => new ApiError(422, 'illegal', 'a1 is occupied')),
      device,
    );
    await expect(backend.get('/x')).rejects.toMatchObject({ code: 'illegal' });
    expect(device.get).not.toHaveBeenCalled();
    expect(backend.who).toBe('server');
  });

  it('is the business of the device where a person wants that', async () => {
    settings.engine = 'device';
    const server = saying('server');
    const { backend } = between(server, saying('device'));
    expect(await backend.get('/x')).toBe('device');
    expect(server.get).not.toHaveBeenCalled();
  });

  it('falls back to the server where there is no engine on the device, and says what is wrong without either', async () => {
    settings.engine = 'device';
    expect(await between(saying('server'), null).backend.get('/x')).toBe('server');
    const { backend, open } = between(saying('server', gone), null);
    await expect(backend.get('/x')).rejects.toMatchObject({ code: 'offline' });
    await expect(backend.get('/x')).rejects.toMatchObject({ code: 'offline' });
    expect(open.mock.calls.length).toBeGreaterThan(1); // it is looked for again
  });
});
