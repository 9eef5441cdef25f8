// Requests to the site's own server. The page sends requests to no other server.

import { session, loadSession } from './session';

/** An error response of the server, or status 0 if it could not be reached. */
export class CallError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly retryAfter = 0,
  ) {
    super(message);
  }
}

export interface CallOptions {
  method?: string;
  body?: unknown;
  signal?: AbortSignal;
}

async function send(path: string, { method = 'GET', body, signal }: CallOptions): Promise<Response> {
  const headers: Record<string, string> = {};
  if (method !== 'GET') {
    if (!session.value) await loadSession();
    headers['X-CSRF-Token'] = session.value?.csrf ?? '';
  }
  if (body !== undefined) headers['Content-Type'] = 'application/json';
  try {
    return await fetch(`/site/${path}`, {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal ? { signal } : {}),
    });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new CallError(0, 'unreachable', '');
  }
}

async function errorOf(response: Response): Promise<CallError> {
  const body: unknown = await response.json().catch(() => ({}));
  const { error = 'internal_error', message = '' } = body as { error?: string; message?: string };
  return new CallError(response.status, error, message, Number(response.headers.get('Retry-After') ?? 0));
}

/** Returns the JSON of `/site/{path}`. Throws CallError; an aborted call throws what fetch throws. */
export async function call<Answer>(path: string, options: CallOptions = {}): Promise<Answer> {
  const response = await send(path, options);
  if (!response.ok) throw await errorOf(response);
  return (await response.json()) as Answer;
}

/** Returns the text of `/site/{path}` and its file name. */
export async function callText(path: string): Promise<{ text: string; file: string | null }> {
  const response = await send(path, {});
  if (!response.ok) throw await errorOf(response);
  const file = /filename="([^"]+)"/.exec(response.headers.get('Content-Disposition') ?? '');
  return { text: await response.text(), file: file?.[1] ?? null };
}
