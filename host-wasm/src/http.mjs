// Between the platform's requests and answers and the core's. Nothing is decided here that a user can see but the
// fields that every host adds.

import { BODY_BYTES_MAX } from './core.mjs';

/** At most one byte more than the core takes, so that the core is the one to refuse it. */
async function boundedBody(stream) {
  const body = new Uint8Array(BODY_BYTES_MAX + 1);
  let size = 0;
  const reader = stream.getReader();
  while (size < body.length) {
    const { done, value } = await reader.read();
    if (done) break;
    const part = value.subarray(0, body.length - size);
    body.set(part, size);
    size += part.length;
  }
  await reader.cancel();
  return body.subarray(0, size);
}

/** Bodies of GET and DELETE are ignored (C6.8), so they are not read. */
const takesBody = (method) => !['GET', 'HEAD', 'DELETE'].includes(method);

/** The origin form of the target, as it was sent. */
export function targetOf(request) {
  const path = request.url.indexOf('/', request.url.indexOf('://') + 3);
  return path < 0 ? '/' : request.url.slice(path);
}

export async function toCoreRequest(request) {
  const reads = request.body !== null && takesBody(request.method);
  return {
    method: request.method,
    target: targetOf(request),
    headers: [...request.headers],
    body: reads ? await boundedBody(request.body) : undefined,
  };
}

function requestId(request) {
  const given = request.headers.get('X-Request-Id');
  return given !== null && /^[A-Za-z0-9._-]{1,64}$/.test(given) ? given : crypto.randomUUID();
}

export function toResponse(answer, request) {
  const headers = new Headers(answer.headers);
  headers.set('X-Content-Type-Options', 'nosniff');
  headers.set('X-Request-Id', requestId(request));
  const empty = request.method === 'HEAD' || answer.status === 204 || answer.status === 304;
  if (request.method === 'HEAD' && answer.status !== 304) headers.set('Content-Length', String(answer.body.length));
  return new Response(empty ? null : answer.body, { status: answer.status, headers });
}
