// A snapshot in object storage. Its end is found first; blocks are read when they are needed. The end and the blocks are also
// put into the platform's cache for other isolates.

import type { ByteSource } from '../../core-js/src/byte_source';
import { joinBytes, MessageReader, MessageWriter } from '../../core-js/src/message';
import { type BlockCache, END_BYTES, SIGNATURE_BYTES, SnapshotFile } from '../../core-js/src/snapshot_file';
import { type Bucket, withReadTimeout, PermanentReadError } from './bucket';
import type { Ports } from './ports';
import type { SharedCache, UrlCache } from './shared_cache';
import type { TrustedKeys } from './trusted_keys';

/** Blocks and ends of snapshots are kept for a year. */
const KEPT_SECONDS = 31_536_000;
const KEY_BYTES = 32;
const DATE_BYTES = 8;
/** The prefix of the signed message, before date and footer. */
const SIGNED_PREFIX = new TextEncoder().encode('Tonearm snapshot, signed with Ed25519\n');
/** The size of the first read, at the end of the file: enough for the hashes of 2 GB. */
const TAIL_BYTES = 1_179_648;

/** What the isolates of a data center share. */
export interface SnapshotCaches {
  /** For blocks, which the end of the file authenticates. */
  blocks: UrlCache;
  /** For the ends of files. */
  ends: SharedCache;
}

/** What identifies one version of an object. */
interface ObjectVersion {
  key: string;
  size: number;
  etag: string;
}

interface FileEnd {
  object: ObjectVersion;
  tail: Uint8Array;
}

/** No trusted key has signed the snapshot. Retrying does not help. */
export class WrongSignature extends Error {}

/** A source for the version of an object that was read first. */
function objectSource(bucket: Bucket, { key, size, etag }: ObjectVersion): ByteSource {
  const read = async (offset: number, length: number) => {
    const options = { range: { offset, length }, onlyIf: { etagMatches: etag } };
    const bytes = await bucket.read(key, options, async (object) => {
      if (!('body' in object)) throw new PermanentReadError(`${key} was overwritten`);
      return new Uint8Array(await object.arrayBuffer());
    });
    if (bytes === null) throw new Error(`${key} no longer exists`);
    return bytes;
  };
  return { size, version: etag, read };
}

/** Caches blocks under the snapshot's name, its entity tag and the block number. */
function blocksIn(cache: UrlCache, { key, etag }: ObjectVersion, ports: Ports): BlockCache {
  const addressOf = (number: number) => `https://snapshots.tonearm.invalid/${encodeURIComponent(key)}/${etag}/${number}`;
  const findOne = async (number: number) => {
    const response = await cache.match(addressOf(number));
    return response === undefined ? null : new Uint8Array(await response.arrayBuffer());
  };
  return {
    find: (first, end) => withReadTimeout(ports, Promise.all(Array.from({ length: end - first }, (_, i) => findOne(first + i)))),
    put: (number, block) => cache.put(addressOf(number), new Response(block.slice()), KEPT_SECONDS),
  };
}

/** Checks the signature of date and footer, which authenticates the whole file (HOST-31). */
async function checkSignature(key: string, read: Uint8Array, trusted: TrustedKeys): Promise<void> {
  if (read.length < END_BYTES) throw new WrongSignature(`${key} does not end like a snapshot`);
  const end = read.slice(read.length - END_BYTES);
  const message = joinBytes([SIGNED_PREFIX, end.subarray(KEY_BYTES, KEY_BYTES + DATE_BYTES), end.subarray(SIGNATURE_BYTES)]);
  const claim = { publicKey: end.slice(0, KEY_BYTES), signature: end.slice(KEY_BYTES + DATE_BYTES, SIGNATURE_BYTES), message };
  const reason = await trusted.rejectionReason(claim);
  if (reason !== null) throw new WrongSignature(`${key} is rejected: ${reason}`);
}

async function readEnd(bucket: Bucket, key: string): Promise<FileEnd | null> {
  return bucket.read(key, { range: { suffix: TAIL_BYTES } }, async (object) => {
    if (!('body' in object)) throw new PermanentReadError(`${key} has no content`);
    const { size, etag } = object;
    return { object: { key, size, etag }, tail: new Uint8Array(await object.arrayBuffer()) };
  });
}

/** The end of a snapshot in the cache: a message with its size, its entity tag and the end. */
class CachedEnd {
  readonly #cache: SharedCache;
  readonly #key: string;
  readonly #address: string;

  /** `pointerVersion` identifies the publication of the key. */
  constructor(cache: SharedCache, key: string, pointerVersion: string) {
    this.#cache = cache;
    this.#key = key;
    this.#address = `https://snapshots.tonearm.invalid/${encodeURIComponent(key)}/end-1/${encodeURIComponent(pointerVersion)}`;
  }

  async find(): Promise<FileEnd | null> {
    const entry = await this.#cache.find(this.#address);
    if (entry === null) return null;
    const reader = new MessageReader(entry.buffer, entry.byteOffset);
    return { object: { key: this.#key, size: reader.integer(), etag: reader.text() }, tail: reader.bytes() };
  }

  put({ object, tail }: FileEnd): void {
    const message = new MessageWriter().integer(object.size).text(object.etag).text(tail);
    this.#cache.put(this.#address, message.finish(), KEPT_SECONDS);
  }
}

/** Returns null if the object does not exist. Throws if it cannot be read or has no valid footer. With `trusted`, throws
 * WrongSignature if none of these keys has signed it. */
export async function openRemoteFile(
  bucket: Bucket,
  key: string,
  ports: Ports,
  { caches, pointerVersion, trusted }: { caches: SnapshotCaches | null; pointerVersion: string; trusted: TrustedKeys | null },
): Promise<SnapshotFile | null> {
  const cachedEnd = caches === null ? null : new CachedEnd(caches.ends, key, pointerVersion);
  const found = (await cachedEnd?.find()) ?? null;
  const end = found ?? (await readEnd(bucket, key));
  if (end === null) return null;
  const { object, tail } = end;
  if (trusted !== null) await checkSignature(key, tail, trusted);
  const blocks = caches === null ? null : blocksIn(caches.blocks, object, ports);
  const file = await SnapshotFile.open(objectSource(bucket, object), { name: key, sha256: (data) => ports.sha256(data), tail, cache: blocks });
  if (found === null) cachedEnd?.put(end); // only an end that has been checked
  return file;
}
