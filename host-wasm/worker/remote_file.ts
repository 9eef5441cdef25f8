// A snapshot in object storage: its end comes with the first read, its blocks when they are needed. What came once is left
// in the platform's cache for other isolates.

import type { ByteSource } from '../../core-js/src/byte_source';
import { type BlockCache, END_BYTES, FOOTER_BYTES, SIGNATURE_BYTES, SnapshotFile } from '../../core-js/src/snapshot_file';
import { type Bucket, withReadTimeout, PermanentReadError } from './bucket';
import type { Ports } from './ports';
import type { TrustedKeys } from './trusted_keys';

const KEY_BYTES = 32;
/** What the signature is over, before the footer. */
const SIGNED_PREFIX = new TextEncoder().encode('Tonearm snapshot, signed with Ed25519\n');
/** As much of the end as comes with the first read: the hashes of 2 GB. */
const TAIL_BYTES = 1_179_648;

/** Of the platform's cache: what is put there may be dropped at any time. */
export interface UrlCache {
  match(address: string): Promise<Response | undefined>;
  put(address: string, response: Response): void;
}

/** The snapshot is not one that a trusted key signed: it stays so. */
export class WrongSignature extends Error {}

/** An object as it was when it was first read. */
function objectSource(bucket: Bucket, { key, size, etag }: R2Object): ByteSource {
  const read = async (offset: number, length: number) => {
    const options = { range: { offset, length }, onlyIf: { etagMatches: etag } };
    const bytes = await bucket.read(key, options, async (object) => {
      if (!('body' in object)) throw new PermanentReadError(`${key} was written again`);
      return new Uint8Array(await object.arrayBuffer());
    });
    if (bytes === null) throw new Error(`${key} is gone`);
    return bytes;
  };
  return { size, version: etag, read };
}

/** Under the snapshot's name, its etag and the number of the block. */
function blocksIn(cache: UrlCache, { key, etag }: R2Object, ports: Ports): BlockCache {
  const addressOf = (number: number) => `https://snapshots.tonearm.invalid/${encodeURIComponent(key)}/${etag}/${number}`;
  const findOne = async (number: number) => {
    const response = await cache.match(addressOf(number));
    return response === undefined ? null : new Uint8Array(await response.arrayBuffer());
  };
  return {
    find: (first, end) => withReadTimeout(ports, Promise.all(Array.from({ length: end - first }, (_, i) => findOne(first + i)))),
    put: (number, block) => cache.put(addressOf(number), new Response(block.slice())),
  };
}

/** HOST-31. What is signed is the footer, which proves all that is read of the file. */
async function checkSignature(key: string, read: Uint8Array, trusted: TrustedKeys): Promise<void> {
  if (read.length < END_BYTES) throw new WrongSignature(`${key} does not end as a snapshot does`);
  const end = read.slice(read.length - END_BYTES);
  const message = new Uint8Array(SIGNED_PREFIX.length + FOOTER_BYTES);
  message.set(SIGNED_PREFIX);
  message.set(end.subarray(SIGNATURE_BYTES), SIGNED_PREFIX.length);
  const claim = { publicKey: end.slice(0, KEY_BYTES), signature: end.slice(KEY_BYTES, SIGNATURE_BYTES), message };
  const refusal = await trusted.refusal(claim);
  if (refusal !== null) throw new WrongSignature(`${key} is refused: ${refusal}`);
}

/** Null where there is none. Throws where it cannot be read, and where it does not end as a snapshot does. With
 * `trusted`, throws WrongSignature for one that none of these keys signed. */
export async function openRemoteFile(
  bucket: Bucket,
  key: string,
  ports: Ports,
  { cache, trusted }: { cache: UrlCache | null; trusted: TrustedKeys | null },
): Promise<SnapshotFile | null> {
  const read = await bucket.read(key, { range: { suffix: TAIL_BYTES } }, async (object) => {
    if (!('body' in object)) throw new PermanentReadError(`${key} has no content`);
    return { object, tail: new Uint8Array(await object.arrayBuffer()) };
  });
  if (read === null) return null;
  const { object, tail } = read;
  if (trusted !== null) await checkSignature(key, tail, trusted);
  const blocks = cache === null ? null : blocksIn(cache, object, ports);
  return SnapshotFile.open(objectSource(bucket, object), { name: key, sha256: (data) => ports.sha256(data), tail, cache: blocks });
}
