// An object store for tests: one bucket of S3, or the files of a plain web server. It verifies each signature (AWS Signature Version 4) by
// its own computation from the bytes of the request, and honors conditions, because public stubs do neither.

import { createHash, createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';

const sha256 = (data) => createHash('sha256').update(data).digest('hex');
const hmac = (key, data) => createHmac('sha256', key).update(data).digest();
const CLOCK_SKEW_MS = 15 * 60 * 1000;

/** The key of a bucket, with the characters that a signature must escape. */
export const CREDENTIALS = { accessKey: 'AKIDOFTHETESTS', secret: 'a/secret+of=the/tests', token: 'a/session+token==' };

/** Returns the variables of the environment that give a program these credentials. */
export const environmentOf = ({ accessKey, secret, token }) => ({ AWS_ACCESS_KEY_ID: accessKey, AWS_SECRET_ACCESS_KEY: secret, AWS_SESSION_TOKEN: token });

/** Each byte of a path except unreserved ones and slashes as %XX, once. */
const encodedPath = (path) =>
  [...Buffer.from(decodeURIComponent(path))].map((byte) => {
    const text = String.fromCharCode(byte);
    return /[A-Za-z0-9._~/-]/.test(text) ? text : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
  }).join('');

/** Returns the error code of S3 for a request without a valid signature, or null. */
export function signatureError({ method, url, headers }, body, { accessKey, secret, token, region, nowMs = Date.now() }) {
  const parsed = /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, ?SignedHeaders=([a-z0-9;-]+), ?Signature=([0-9a-f]{64})$/
    .exec(headers.authorization ?? '');
  if (!parsed) return 'AccessDenied';
  const [, id, day, givenRegion, signed, signature] = parsed;
  if (id !== accessKey) return 'InvalidAccessKeyId';
  if (givenRegion !== region) return 'AuthorizationHeaderMalformed';
  if (token && headers['x-amz-security-token'] !== token) return 'InvalidToken';
  const names = signed.split(';');
  const date = headers['x-amz-date'] ?? '';
  const required = ['host', ...Object.keys(headers).filter((name) => name.startsWith('x-amz-'))];
  if (!names.includes('x-amz-date') || !names.includes('x-amz-content-sha256') || !required.every((name) => names.includes(name))) return 'AccessDenied';
  if (!names.every((name) => headers[name] !== undefined)) return 'SignatureDoesNotMatch'; // signed, but not sent
  const at = Date.parse(date.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'));
  if (!date.startsWith(day) || !(Math.abs(at - nowMs) <= CLOCK_SKEW_MS)) return 'RequestTimeTooSkewed';
  const bodyHash = headers['x-amz-content-sha256'];
  if (bodyHash !== 'UNSIGNED-PAYLOAD' && bodyHash !== sha256(body)) return 'XAmzContentSHA256Mismatch';
  const [path, query = ''] = url.split('?');
  const canonical = [method, encodedPath(path), query.split('&').filter(Boolean).sort().join('&'),
    ...names.map((name) => `${name}:${headers[name].trim().replaceAll(/ +/g, ' ')}`), '', signed, bodyHash].join('\n');
  const scope = `${day}/${region}/s3/aws4_request`;
  const key = [day, region, 's3', 'aws4_request'].reduce(hmac, `AWS4${secret}`);
  const expected = hmac(key, ['AWS4-HMAC-SHA256', date, scope, sha256(canonical)].join('\n')).toString('hex');
  return signature === expected ? null : 'SignatureDoesNotMatch';
}

const xmlError = (code) => `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>an error of the test</Message></Error>`;
const STATUS = { NoSuchKey: 404, PreconditionFailed: 412, InvalidRange: 416 };

/** Returns the first byte and the end, or null if the range is not satisfiable. */
function rangeOf(field, size) {
  const [, first, last] = /^bytes=(\d*)-(\d*)$/.exec(field);
  const [begin, end] = first === '' ? [Math.max(size - Number(last), 0), size] : [Number(first), Math.min(last === '' ? size : Number(last) + 1, size)];
  return begin < end ? [begin, end] : null;
}

/**
 * Starts a store on a free port. `credentials` ({accessKey, secret, token}): requests must be signed with them; null: a plain web server.
 * The result has
 *   put(path, bytes, etag)   replaces an object; `path` begins with a slash and is not encoded; by default the tag depends on the bytes
 *   remove(path)
 *   requests           what was requested so far: {method, path, range, status, bytes}
 *   served()           the bytes of all bodies that were sent since the last call
 *   override           (request, response, object) => true if it answers instead
 *   bytesPerSecond     throttles bodies; 0: no limit
 *   end()
 */
export async function startObjectStore({ credentials = null, region = 'us-east-1', tls = null, ranges = true } = {}) {
  const objects = new Map();
  const store = { requests: [], override: () => false, bytesPerSecond: 0, credentials };
  let servedBytes = 0;

  const send = async (response, bytes) => {
    const piece = store.bytesPerSecond === 0 ? bytes.length : Math.max(Math.floor(store.bytesPerSecond / 20), 1);
    for (let at = 0; at < bytes.length && !response.destroyed; at += piece) {
      const part = bytes.subarray(at, at + piece);
      response.write(part);
      servedBytes += part.length;
      if (store.bytesPerSecond > 0) await new Promise((done) => { setTimeout(done, 50); });
    }
    response.end();
  };

  const answer = (request, response, body) => {
    const path = decodeURIComponent(request.url.split('?')[0]);
    const entry = { method: request.method, path, range: request.headers.range, status: 0, bytes: 0 };
    store.requests.push(entry);
    const fail = (code) => {
      entry.status = STATUS[code] ?? 403;
      response.writeHead(entry.status, { 'Content-Type': 'application/xml' }).end(xmlError(code));
    };
    if (store.credentials) {
      const error = signatureError(request, body, { ...store.credentials, region });
      if (error) return fail(error);
    }
    const object = objects.get(path);
    if (store.override(request, response, object)) return undefined;
    if (!object) return fail('NoSuchKey');
    const { bytes, etag } = object;
    if (request.headers['if-match'] !== undefined && request.headers['if-match'] !== etag) return fail('PreconditionFailed');
    if (request.headers['if-none-match'] === etag) {
      entry.status = 304;
      return response.writeHead(304, { ETag: etag }).end();
    }
    const { range } = request.headers;
    const part = range === undefined || !ranges ? [0, bytes.length] : rangeOf(range, bytes.length);
    if (part === null) return fail('InvalidRange');
    const [begin, end] = part;
    entry.status = range === undefined || !ranges ? 200 : 206;
    entry.bytes = end - begin;
    response.writeHead(entry.status, {
      ETag: etag, 'Content-Length': end - begin, ...(entry.status === 206 && { 'Content-Range': `bytes ${begin}-${end - 1}/${bytes.length}` }),
    });
    if (request.method === 'HEAD') return response.end();
    return send(response, bytes.subarray(begin, end));
  };

  const listener = (request, response) => {
    const pieces = [];
    response.on('error', () => {});
    request.on('data', (piece) => pieces.push(piece));
    request.on('end', () => answer(request, response, Buffer.concat(pieces)));
  };
  const server = tls === null ? createServer(listener) : createTlsServer(tls, listener);
  await new Promise((done) => { server.listen(0, '127.0.0.1', done); });
  return Object.assign(store, {
    url: `${tls === null ? 'http' : 'https'}://127.0.0.1:${server.address().port}`,
    port: server.address().port,
    put: (path, bytes, etag = `"${sha256(bytes).slice(0, 32)}"`) => objects.set(path, { bytes, etag }),
    remove: (path) => objects.delete(path),
    served: () => {
      const bytes = servedBytes;
      servedBytes = 0;
      return bytes;
    },
    end: () => {
      server.closeAllConnections();
      return new Promise((done) => { server.close(done); });
    },
  });
}
