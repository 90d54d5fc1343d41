// Requests to the server: JSON in and out, errors as one kind of exception.

export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly details: Record<string, unknown> = {},
  ) {
    super(message);
  }
}

/** What to tell people of anything that was thrown. */
export const messageOf = (fault: unknown): string => (fault instanceof Error ? fault.message : String(fault));

/** The error of an answer's text. */
export function errorIn(status: number, text: string, otherwise = ''): ApiError {
  let body: { error?: Record<string, unknown> } = {};
  try {
    body = JSON.parse(text) as typeof body;
  } catch {
    // A proxy may answer with something else; the status says enough.
  }
  const { code, message, ...details } = body.error ?? {};
  return new ApiError(status, String(code ?? 'http'), String(message ?? otherwise), details);
}

export async function errorOf(answer: Response): Promise<ApiError> {
  return errorIn(answer.status, await answer.text().catch(() => ''), answer.statusText);
}

const offline = (): ApiError => new ApiError(0, 'offline', 'The server cannot be reached.');

const maxTries = 3;
const maxWait = 3000;

/** Asks again where the server says that it is asked too often and when that will be over. */
async function ask(method: string, path: string, body?: unknown, signal?: AbortSignal): Promise<Response> {
  for (let tries = 1; ; tries++) {
    try {
      return await askOnce(method, path, body, signal);
    } catch (fault) {
      const wait =
        fault instanceof ApiError && fault.code === 'too_often' ? Number(fault.details.retry_after_ms) : Number.NaN;
      if (!(wait <= maxWait) || tries === maxTries || signal?.aborted) throw fault;
      await new Promise((done) => setTimeout(done, wait));
    }
  }
}

async function askOnce(method: string, path: string, body?: unknown, signal?: AbortSignal): Promise<Response> {
  const init: RequestInit = { method, credentials: 'same-origin' };
  if (signal) init.signal = signal;
  if (body !== undefined) {
    init.body = JSON.stringify(body);
    init.headers = { 'Content-Type': 'application/json' };
  }
  let answer: Response;
  try {
    answer = await fetch(path, init);
  } catch (fault) {
    if (signal?.aborted) throw fault;
    throw offline();
  }
  if (!answer.ok) throw await errorOf(answer);
  return answer;
}

export async function get<T>(path: string, signal?: AbortSignal): Promise<T> {
  return (await (await ask('GET', path, undefined, signal)).json()) as T;
}

export async function getText(path: string): Promise<string> {
  return (await ask('GET', path)).text();
}

export async function post<T>(path: string, body: unknown = {}, signal?: AbortSignal): Promise<T> {
  return (await (await ask('POST', path, body, signal)).json()) as T;
}

export async function put<T>(path: string, body: unknown = {}): Promise<T> {
  return (await (await ask('PUT', path, body)).json()) as T;
}

export async function remove<T>(path: string, body: unknown = {}): Promise<T> {
  return (await (await ask('DELETE', path, body)).json()) as T;
}

function lineOf<T>(status: number, text: string): T {
  const line = JSON.parse(text) as T & { error?: unknown };
  if (line.error) throw errorIn(status, text); // it went wrong after the stream had begun
  return line;
}

/** Calls `each` for every line of a stream of JSON, as they come. */
export async function lines<T>(
  method: 'GET' | 'POST',
  path: string,
  body: unknown,
  each: (line: T) => void,
  signal?: AbortSignal,
): Promise<void> {
  const answer = await ask(method, path, method === 'GET' ? undefined : body, signal);
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
  if (!reader) return;
  let rest = '';
  for (;;) {
    const { done, value } = await reader.read().catch((fault) => {
      throw signal?.aborted ? fault : offline(); // the server went away in the middle
    });
    rest += value ?? '';
    const parts = rest.split('\n');
    rest = done ? '' : (parts.pop() ?? '');
    for (const part of parts) if (part.trim()) each(lineOf<T>(answer.status, part));
    if (done) return;
  }
}

/** A query string of what is given. */
export function query(values: Record<string, string | number | boolean | null | undefined>): string {
  const params = new URLSearchParams();
  for (const [key, value] of Object.entries(values)) {
    if (value !== undefined && value !== null && value !== '') params.set(key, String(value));
  }
  const text = params.toString();
  return text ? `?${text}` : '';
}
