// A file on a web server, read by HTTP ranges (RFC 9110, section 14).

import type { ByteSource } from './byte_source.ts';
import { TAIL_BYTES } from './snapshot_file.ts';

const OK = 200;
const PARTIAL_CONTENT = 206;
/** A read that takes longer is aborted. */
const READ_MS_MAX = 30_000;
const CONTENT_RANGE = /^bytes (\d+)-(\d+)\/(\d+)$/;

export type Fetch = (url: string, init: { headers: Record<string, string>; signal: AbortSignal }) => Promise<Response>;

export interface HttpRangeOptions {
  /** The maximum time of one read, in milliseconds. */
  readMsMax?: number;
}

/** A range of a file, with the size and the entity tag of the file. */
interface RangeResponse {
  offset: number;
  size: number;
  bytes: Uint8Array;
  /** Null if it is weak, because a weak tag does not identify the bytes. */
  etag: string | null;
}

const strong = (etag: string | null) => (etag === null || etag.startsWith('W/') ? null : etag);

async function readRange(url: string, response: Response): Promise<RangeResponse> {
  const [, first, last, size] = CONTENT_RANGE.exec(response.headers.get('Content-Range') ?? '') ?? [];
  if (first === undefined) throw new Error(`${url}: the server does not report which bytes it sent (Content-Range)`);
  const length = Number(last) - Number(first) + 1;
  const bytes = new Uint8Array(await response.arrayBuffer());
  if (bytes.length !== length) throw new Error(`${url}: the response has ${bytes.length} bytes instead of ${length}`);
  return { offset: Number(first), size: Number(size), bytes, etag: strong(response.headers.get('ETag')) };
}

/** Cancels the body, so that it does not occupy the connection, and throws. */
function reject(response: Response, why: string): never {
  response.body?.cancel().catch(() => {});
  throw new Error(why);
}

/** Sends one request with a timeout for the response and its body. */
type Get = (headers: Record<string, string>) => Promise<Response>;

class RangeReader implements ByteSource {
  readonly size: number;
  readonly version?: string;
  readonly #url: string;
  readonly #get: Get;
  /** The end of the file, from the first read. */
  readonly #tail: RangeResponse;

  constructor(url: string, get: Get, tail: RangeResponse) {
    this.#url = url;
    this.#get = get;
    this.#tail = tail;
    this.size = tail.size;
    if (tail.etag !== null) this.version = tail.etag;
  }

  async read(offset: number, length: number): Promise<Uint8Array> {
    if (offset < 0 || length < 1 || offset + length > this.size) {
      throw new RangeError(`the range ${offset} to ${offset + length} is outside a file of ${this.size} bytes`);
    }
    const inTail = offset - this.#tail.offset;
    if (inTail >= 0) return this.#tail.bytes.subarray(inTail, inTail + length);
    const headers: Record<string, string> = { Range: `bytes=${offset}-${offset + length - 1}` };
    if (this.version !== undefined) headers['If-Range'] = this.version;
    const response = await this.#get(headers);
    // With If-Range, status 200 means that the file has changed.
    if (response.status === OK && this.version !== undefined) reject(response, `${this.#url}: the file has changed`);
    if (response.status !== PARTIAL_CONTENT) reject(response, `${this.#url}: a range request was answered with status ${response.status}`);
    const part = await readRange(this.#url, response);
    const isSame = part.size === this.size && (part.etag === null || part.etag === this.#tail.etag);
    if (!isSame) throw new Error(`${this.#url}: the file has changed`);
    if (part.offset !== offset || part.bytes.length !== length) {
      throw new Error(`${this.#url}: the server sent ${part.bytes.length} bytes at ${part.offset} instead of ${length} at ${offset}`);
    }
    return part.bytes;
  }
}

/**
 * A file on a web server (HOST-44). The first read fetches the end of the file. Rejects if the server does not support ranges. A
 * read rejects if the file has changed or the response is not the requested range. For another origin, the server must allow the
 * request fields Range and If-Range, and expose Content-Range and ETag.
 */
export async function httpRangeSource(
  url: string | URL,
  fetch: Fetch = (...call) => globalThis.fetch(...call),
  { readMsMax = READ_MS_MAX }: HttpRangeOptions = {},
): Promise<ByteSource> {
  const target = String(url);
  const get: Get = (headers) => fetch(target, { headers, signal: AbortSignal.timeout(readMsMax) });
  const response = await get({ Range: `bytes=-${TAIL_BYTES}` });
  if (response.status === OK) reject(response, `${target}: the server does not support byte ranges; download the whole file`);
  if (response.status !== PARTIAL_CONTENT) reject(response, `${target}: the server answered with status ${response.status}`);
  const tail = await readRange(target, response);
  if (tail.offset + tail.bytes.length !== tail.size) throw new Error(`${target}: the server did not send the end of the file`);
  return new RangeReader(target, get, tail);
}
