// A file on a web server, read by HTTP ranges (RFC 9110, section 14).

import type { ByteSource } from './byte_source.ts';
import { TAIL_BYTES } from './snapshot_file.ts';

const OK = 200;
const PARTIAL_CONTENT = 206;
/** A read that takes longer is given up. */
const READ_MS_MAX = 30_000;
const CONTENT_RANGE = /^bytes (\d+)-(\d+)\/(\d+)$/;

export type Fetch = (url: string, init: { headers: Record<string, string>; signal: AbortSignal }) => Promise<Response>;

export interface HttpRangeOptions {
  /** How long one read may take, in milliseconds. */
  readMsMax?: number;
}

/** A part of a file, and what the server says of the whole. */
interface Part {
  offset: number;
  size: number;
  bytes: Uint8Array;
  /** A strong one, or null: a weak one does not say that bytes are the same. */
  etag: string | null;
}

const strong = (etag: string | null) => (etag === null || etag.startsWith('W/') ? null : etag);

async function partOf(url: string, response: Response): Promise<Part> {
  const [, first, last, size] = CONTENT_RANGE.exec(response.headers.get('Content-Range') ?? '') ?? [];
  if (first === undefined) throw new Error(`${url}: the server does not say which bytes it sent (Content-Range)`);
  const length = Number(last) - Number(first) + 1;
  const bytes = new Uint8Array(await response.arrayBuffer());
  if (bytes.length !== length) throw new Error(`${url}: the answer holds ${bytes.length} bytes instead of ${length}`);
  return { offset: Number(first), size: Number(size), bytes, etag: strong(response.headers.get('ETag')) };
}

/** What is not read keeps no connection. */
function refuse(response: Response, why: string): never {
  response.body?.cancel().catch(() => {});
  throw new Error(why);
}

/** One request, with an end to waiting for it and for its body. */
type Get = (headers: Record<string, string>) => Promise<Response>;

class RangeReader implements ByteSource {
  readonly size: number;
  readonly version?: string;
  readonly #url: string;
  readonly #get: Get;
  /** The end of the file, which came first. */
  readonly #tail: Part;

  constructor(url: string, get: Get, tail: Part) {
    this.#url = url;
    this.#get = get;
    this.#tail = tail;
    this.size = tail.size;
    if (tail.etag !== null) this.version = tail.etag;
  }

  async read(offset: number, length: number): Promise<Uint8Array> {
    if (offset < 0 || length < 1 || offset + length > this.size) {
      throw new RangeError(`there are no bytes ${offset} to ${offset + length} in ${this.size}`);
    }
    const inTail = offset - this.#tail.offset;
    if (inTail >= 0) return this.#tail.bytes.subarray(inTail, inTail + length);
    const headers: Record<string, string> = { Range: `bytes=${offset}-${offset + length - 1}` };
    if (this.version !== undefined) headers['If-Range'] = this.version;
    const response = await this.#get(headers);
    // With If-Range 200 is how a server says that its file is another one.
    if (response.status === OK && this.version !== undefined) refuse(response, `${this.#url}: the file has changed`);
    if (response.status !== PARTIAL_CONTENT) refuse(response, `${this.#url}: a range was answered ${response.status}`);
    const part = await partOf(this.#url, response);
    const isSame = part.size === this.size && (part.etag === null || part.etag === this.#tail.etag);
    if (!isSame) throw new Error(`${this.#url}: the file has changed`);
    if (part.offset !== offset || part.bytes.length !== length) {
      throw new Error(`${this.#url}: the server sent ${part.bytes.length} bytes from ${part.offset} on instead of ${length} from ${offset} on`);
    }
    return part.bytes;
  }
}

/**
 * HOST-44. The first read fetches the end of the file. Rejects where the server serves no ranges; a read rejects where the file has
 * changed since, and where the answer is not what was asked for. From another origin the server has to allow the request
 * fields Range and If-Range, and to expose Content-Range and ETag.
 */
export async function httpRangeSource(
  url: string | URL,
  fetch: Fetch = (...call) => globalThis.fetch(...call),
  { readMsMax = READ_MS_MAX }: HttpRangeOptions = {},
): Promise<ByteSource> {
  const address = String(url);
  const get: Get = (headers) => fetch(address, { headers, signal: AbortSignal.timeout(readMsMax) });
  const response = await get({ Range: `bytes=-${TAIL_BYTES}` });
  if (response.status === OK) refuse(response, `${address}: the server serves no byte ranges; download the file as a whole`);
  if (response.status !== PARTIAL_CONTENT) refuse(response, `${address}: the server answered ${response.status}`);
  const tail = await partOf(address, response);
  if (tail.offset + tail.bytes.length !== tail.size) throw new Error(`${address}: the server did not send the end of the file`);
  return new RangeReader(address, get, tail);
}
