// A snapshot in object storage, read by blocks of 64 KiB, each checked against the hashes at the file's end
// (docs/snapshot-format.md, "Two readers"). What came once is left in the platform's cache for other isolates.

import { Bucket, inTime, WrongObject } from './bucket';
import type { Ports } from './ports';
import type { TrustedKeys } from './trusted_keys';

export const BLOCK_BYTES = 65_536;
const HASH_BYTES = 32;
const FOOTER_BYTES = 64;
const KEY_BYTES = 32;
/** Public key and signature, right before the footer. */
const SIGNATURE_BYTES = 96;
const END_BYTES = SIGNATURE_BYTES + FOOTER_BYTES;
/** What the signature is over, before the footer. */
const SIGNED_PREFIX = new TextEncoder().encode('Tonearm snapshot, signed with Ed25519\n');
const MAGIC = 'Tonearm\n';
/** Reads under way at once: as many connections as the platform allows. */
const READS_AT_ONCE = 6;
/** As much of the end as comes with the first read: the hashes of 2 GB. */
const TAIL_BYTES = 1_179_648;
/** Longer runs, and more of them at once, are what one call reads through: not looked for in the cache, nor put there. */
const CACHED_RUN_MAX = 4;
const CACHED_RUNS_MAX = 30;

/** Blocks side by side. */
export interface Run {
  first: number;
  count: number;
}

/** Of the platform's cache: what is put there may be dropped at any time. */
export interface BlockCache {
  match(address: string): Promise<Response | undefined>;
  put(address: string, response: Response): void;
}

/** What reading has cost so far. */
export interface ReadCounts {
  /** How often blocks were asked for: each time a call is replayed. */
  fetches: number;
  rounds: number;
  reads: number;
  bytes: number;
  cached: number;
}

const equal = (left: Uint8Array, right: Uint8Array) =>
  left.length === right.length && left.every((byte, i) => byte === right[i]);

/** The snapshot is not one that a trusted key signed: it stays so. */
export class WrongSignature extends Error {}

export class RemoteFile {
  readonly key: string;
  readonly size: number;
  readonly counts: ReadCounts = { fetches: 0, rounds: 0, reads: 0, bytes: 0, cached: 0 };
  /** Of this isolate's files. */
  readonly number: number;
  readonly #bucket: Bucket;
  readonly #ports: Ports;
  readonly #cache: BlockCache | null;
  readonly #etag: string;
  /** Whether a block has differed from its hash. */
  isDamaged = false;
  /** The end of the file, from the hashes of the blocks on, all of it checked. */
  #tail = new Uint8Array();
  /** How many blocks have a hash: those before the tail. */
  #hashed = 0;

  static #opened = 0;

  private constructor(bucket: Bucket, head: R2Object, ports: Ports, cache: BlockCache | null) {
    this.number = ++RemoteFile.#opened;
    this.#bucket = bucket;
    this.key = head.key;
    this.size = head.size;
    this.#etag = head.etag;
    this.#ports = ports;
    this.#cache = cache;
  }

  /** Null where there is none. Throws where it cannot be read, and where it does not end as a snapshot does. With
   * `trusted`, throws WrongSignature for one that none of these keys signed. */
  static async open(
    bucket: Bucket,
    key: string,
    ports: Ports,
    { cache, trusted }: { cache: BlockCache | null; trusted: TrustedKeys | null },
  ): Promise<RemoteFile | null> {
    const read = await bucket.read(key, { range: { suffix: TAIL_BYTES } }, async (object) => {
      if (!('body' in object)) throw new WrongObject(`${key} has no content`);
      return { object, tail: new Uint8Array(await object.arrayBuffer()) };
    });
    if (read === null) return null;
    const file = new RemoteFile(bucket, read.object, ports, cache);
    file.#count(1, read.tail.length);
    await file.#checkSignature(read.tail, trusted);
    await file.#readTail(read.tail);
    return file;
  }

  /** Those blocks of the runs that are `wanted`, by number. Throws where one cannot be had or differs from its hash. */
  async read(runs: Run[], wanted: ReadonlySet<number>): Promise<Map<number, Uint8Array>> {
    ++this.counts.fetches;
    const blocks = new Map<number, Uint8Array>();
    const cache = runs.length <= CACHED_RUNS_MAX ? this.#cache : null;
    for (let at = 0; at < runs.length; at += READS_AT_ONCE) {
      const round = runs.slice(at, at + READS_AT_ONCE).filter((run) => !this.#isInTail(run, blocks));
      if (round.length > 0) ++this.counts.rounds;
      await Promise.all(
        round.map(async (run) => {
          const read = await this.#readRun(run, run.count <= CACHED_RUN_MAX ? cache : null);
          // Copies: a block does not keep the others that came with it.
          for (const [number, block] of read) if (wanted.has(number)) blocks.set(number, block.slice());
        }),
      );
    }
    return blocks;
  }

  #count(reads: number, bytes: number): void {
    this.counts.reads += reads;
    this.counts.bytes += bytes;
  }

  /** Gives a run that the tail holds. */
  #isInTail({ first, count }: Run, blocks: Map<number, Uint8Array>): boolean {
    if (first < this.#hashed) return false;
    for (let number = first; number < first + count; ++number) {
      const at = (number - this.#hashed) * BLOCK_BYTES;
      blocks.set(number, this.#tail.subarray(at, at + BLOCK_BYTES));
    }
    return true;
  }

  async #readRun(run: Run, cache: BlockCache | null): Promise<Map<number, Uint8Array>> {
    const blocks = new Map<number, Uint8Array>();
    const last = Math.min(run.first + run.count, this.#hashed);
    if (last < run.first + run.count) this.#isInTail({ first: last, count: run.first + run.count - last }, blocks);
    if (cache !== null && (await this.#readCached(cache, run.first, last, blocks))) return blocks;
    const length = (last - run.first) * BLOCK_BYTES;
    const bytes = await this.#get({ offset: run.first * BLOCK_BYTES, length });
    this.#count(1, length);
    for (let number = run.first; number < last; ++number) {
      const at = (number - run.first) * BLOCK_BYTES;
      const block = bytes.subarray(at, at + BLOCK_BYTES);
      if (!this.#isRight(number, block)) {
        this.isDamaged = true;
        throw new Error(`block ${number} of ${this.key} differs from its hash`);
      }
      blocks.set(number, block);
      cache?.put(this.#address(number), new Response(block.slice()));
    }
    return blocks;
  }

  async #get(range: { offset: number; length: number }): Promise<Uint8Array> {
    const options = { range, onlyIf: { etagMatches: this.#etag } };
    const bytes = await this.#bucket.read(this.key, options, async (object) => {
      if (!('body' in object)) throw new WrongObject(`${this.key} was written again`);
      return new Uint8Array(await object.arrayBuffer());
    });
    if (bytes === null) throw new Error(`${this.key} is gone`);
    if (bytes.length !== range.length) throw new Error(`${this.key} is shorter than it was`);
    return bytes;
  }

  /** True: all of them were there. One that is not what it should be counts as missing, and so do all that come late. */
  async #readCached(cache: BlockCache, first: number, last: number, blocks: Map<number, Uint8Array>): Promise<boolean> {
    const numbers = Array.from({ length: last - first }, (_, i) => first + i);
    const looked = numbers.map(async (number) => {
      const response = await cache.match(this.#address(number));
      const block = response === undefined ? new Uint8Array() : new Uint8Array(await response.arrayBuffer());
      return this.#isRight(number, block) ? block : null;
    });
    const found = await inTime(this.#ports, Promise.all(looked)).catch(() => [null]);
    if (found.some((block) => block === null)) return false;
    found.forEach((block, i) => block !== null && blocks.set(first + i, block));
    this.counts.cached += found.length;
    return true;
  }

  #address(number: number): string {
    return `https://snapshots.tonearm.invalid/${encodeURIComponent(this.key)}/${this.#etag}/${number}`;
  }

  #isRight(number: number, block: Uint8Array): boolean {
    const hash = this.#tail.subarray(number * HASH_BYTES, (number + 1) * HASH_BYTES);
    return block.length === BLOCK_BYTES && equal(this.#ports.sha256(block), hash);
  }

  /** HOST-31. What is signed is the footer, which proves all that is read of the file. */
  async #checkSignature(read: Uint8Array, trusted: TrustedKeys | null): Promise<void> {
    if (trusted === null) return;
    if (read.length < END_BYTES) throw new WrongSignature(`${this.key} does not end as a snapshot does`);
    const end = read.slice(read.length - END_BYTES);
    const message = new Uint8Array(SIGNED_PREFIX.length + FOOTER_BYTES);
    message.set(SIGNED_PREFIX);
    message.set(end.subarray(SIGNATURE_BYTES), SIGNED_PREFIX.length);
    const claim = { publicKey: end.slice(0, KEY_BYTES), signature: end.slice(KEY_BYTES, SIGNATURE_BYTES), message };
    const refusal = await trusted.refusal(claim);
    if (refusal !== null) throw new WrongSignature(`${this.key} is refused: ${refusal}`);
  }

  /** The footer proves the directory, the directory the hashes, the hashes the blocks. */
  async #readTail(read: Uint8Array): Promise<void> {
    const damaged = () => new Error(`${this.key} does not end as a snapshot does`);
    if (read.length < END_BYTES) throw damaged();
    const footer = read.subarray(read.length - FOOTER_BYTES);
    const numbers = new DataView(footer.buffer, footer.byteOffset, FOOTER_BYTES);
    const number = (at: number) => Number(numbers.getBigUint64(at, true));
    const directoryAt = number(16);
    const directorySize = number(24);
    const isWhole =
      new TextDecoder().decode(footer.subarray(0, 8)) === MAGIC &&
      number(8) === this.size &&
      directoryAt + directorySize + END_BYTES === this.size;
    // The hashes of so many whole blocks lie before the directory.
    this.#hashed = directoryAt / (BLOCK_BYTES + HASH_BYTES);
    if (!isWhole || !Number.isSafeInteger(this.#hashed)) throw damaged();
    const begin = this.#hashed * BLOCK_BYTES;
    if (this.size - begin > read.length) {
      const length = this.size - begin - read.length;
      this.#tail = new Uint8Array(this.size - begin);
      this.#tail.set(await this.#get({ offset: begin, length }));
      this.#tail.set(read, length);
      this.#count(1, length);
    } else {
      this.#tail = read.slice(read.length - (this.size - begin));
    }
    ++this.counts.rounds;
    const hashes = this.#tail.subarray(0, directoryAt - begin);
    const directory = this.#tail.subarray(directoryAt - begin, this.#tail.length - END_BYTES);
    if (!equal(this.#ports.sha256(directory), footer.subarray(32))) throw damaged();
    const pieces = Math.ceil(hashes.length / BLOCK_BYTES);
    const upper = directory.subarray(directory.length - pieces * HASH_BYTES);
    for (let piece = 0; piece < pieces; ++piece) {
      const hash = this.#ports.sha256(hashes.subarray(piece * BLOCK_BYTES, (piece + 1) * BLOCK_BYTES));
      if (!equal(hash, upper.subarray(piece * HASH_BYTES, (piece + 1) * HASH_BYTES))) throw damaged();
    }
  }
}
