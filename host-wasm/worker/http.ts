// Converts between the platform's requests and responses and those of the core. It adds only the header fields that every
// host adds.

import { joinBytes } from '../../core-js/src/message';
import { type Answer, BODY_BYTES_MAX, type Head } from './core';
import { withDeadline } from './deadline';

/**
 * Reads a body, at most one byte above the limit of the core, so that the core rejects it. Throws if the body ends early, and
 * DeadlineExceeded after `withinMs`.
 */
export async function boundedBody(stream: ReadableStream<Uint8Array> | null, withinMs: number): Promise<Uint8Array> {
  if (stream === null) return new Uint8Array();
  const reader = stream.getReader();
  const parts: Uint8Array[] = [];
  let size = 0;
  const read = async () => {
    while (size <= BODY_BYTES_MAX) {
      const { done, value } = await reader.read();
      if (done) return;
      const part = value.subarray(0, BODY_BYTES_MAX + 1 - size);
      parts.push(part);
      size += part.length;
    }
  };
  try {
    await withDeadline(withinMs, read(), 'a body');
    return joinBytes(parts);
  } finally {
    reader.cancel().catch(() => {}); // a body that ended early has nothing left to cancel
  }
}

/** Returns the body to read. Bodies of GET and DELETE are ignored (BODY-4). */
export function bodyOf(request: Request): ReadableStream<Uint8Array> | null {
  return ['GET', 'HEAD', 'DELETE'].includes(request.method) ? null : request.body;
}

/** Returns the target in origin form, exactly as it was sent. */
export function targetOf(request: Request): string {
  const path = request.url.indexOf('/', request.url.indexOf('://') + 3);
  return path < 0 ? '/' : request.url.slice(path);
}

export function isMcp(target: string): boolean {
  return /^\/mcp(\?|$)/.test(target);
}

export function headOf(request: Request): Head {
  return { method: request.method, target: targetOf(request), headers: [...request.headers] };
}

function requestId(request: Request): string {
  const given = request.headers.get('X-Request-Id');
  return given !== null && /^[A-Za-z0-9._-]{1,64}$/.test(given) ? given : crypto.randomUUID();
}

export function toResponse(answer: Answer, request: Request): Response {
  const headers = new Headers(answer.headers);
  headers.set('X-Content-Type-Options', 'nosniff');
  headers.set('X-Request-Id', requestId(request));
  const empty = request.method === 'HEAD' || answer.status === 204 || answer.status === 304;
  if (request.method === 'HEAD' && answer.status !== 304) headers.set('Content-Length', String(answer.body.length));
  return new Response(empty ? null : answer.body, { status: answer.status, headers });
}
