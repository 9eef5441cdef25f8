// Calls of the site's own server. No other address is ever asked.

import { session, loadSession } from './session';

/** What the server answered where it is no success, or that it could not be reached (status 0). */
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

async function failed(response: Response): Promise<CallError> {
  const body: unknown = await response.json().catch(() => ({}));
  const { error = 'internal_error', message = '' } = body as { error?: string; message?: string };
  return new CallError(response.status, error, message, Number(response.headers.get('Retry-After') ?? 0));
}

/** The JSON that `/site/{path}` answers. Throws CallError; an aborted call throws what fetch throws. */
export async function call<Answer>(path: string, options: CallOptions = {}): Promise<Answer> {
  const response = await send(path, options);
  if (!response.ok) throw await failed(response);
  return (await response.json()) as Answer;
}

/** The text that `/site/{path}` answers, and the name of its file. */
export async function callText(path: string): Promise<{ text: string; file: string | null }> {
  const response = await send(path, {});
  if (!response.ok) throw await failed(response);
  const file = /filename="([^"]+)"/.exec(response.headers.get('Content-Disposition') ?? '');
  return { text: await response.text(), file: file?.[1] ?? null };
}
