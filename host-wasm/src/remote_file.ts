// A snapshot in object storage, read by blocks of 64 KiB, each checked against the hashes at the file's end
// (docs/snapshot-format.md, "Two readers"). What came once is left in the platform's cache for other isolates.

import type { Ports } from './ports';

export const BLOCK_BYTES = 65_536;
const HASH_BYTES = 32;
const FOOTER_BYTES = 64;
const MAGIC = 'Tonearm\n';
/** Reads under way at once: as many connections as the platform allows. */
const READS_AT_ONCE = 6;
/** As much of the end as comes with the first read: the hashes of 2 GB. */
const TAIL_BYTES = 1_179_648;
/** Longer runs, and more of them at once, are what one call reads through: not looked for in the cache, nor put there. */
const CACHED_RUN_MAX = 4;
const CACHED_RUNS_MAX = 30;
const READ_TIMEOUT_MS = 10_000;

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
  waves: number;
  reads: number;
  bytes: number;
  cached: number;
}

/** Throws where it takes too long: a read that never ends would keep an instance of the core for ever. */
async function inTime<T>(work: Promise<T>): Promise<T> {
  const timer = new AbortController();
  const late = scheduler.wait(READ_TIMEOUT_MS, { signal: timer.signal }).then(
    () => {
      throw new Error('object storage does not answer');
    },
    () => new Promise<never>(() => {}),
  );
  try {
    return await Promise.race([work, late]);
  } finally {
    timer.abort();
  }
}

const equal = (left: Uint8Array, right: Uint8Array) =>
  left.length === right.length && left.every((byte, i) => byte === right[i]);

export class RemoteFile {
  readonly key: string;
  readonly size: number;
  readonly counts: ReadCounts = { waves: 0, reads: 0, bytes: 0, cached: 0 };
  readonly #bucket: R2Bucket;
  readonly #ports: Ports;
  readonly #cache: BlockCache | null;
  readonly #etag: string;
  /** Whether a read has failed for another reason than what the file holds. */
  wasOutOfReach = false;
  /** The end of the file, from the hashes of the blocks on, all of it checked. */
  #tail = new Uint8Array();
  /** How many blocks have a hash: those before the tail. */
  #hashed = 0;

  private constructor(bucket: R2Bucket, head: R2Object, ports: Ports, cache: BlockCache | null) {
    this.#bucket = bucket;
    this.key = head.key;
    this.size = head.size;
    this.#etag = head.etag;
    this.#ports = ports;
    this.#cache = cache;
  }

  /** Null where there is none. Throws where it does not end as a snapshot does. */
  static async open(bucket: R2Bucket, key: string, ports: Ports, cache: BlockCache | null): Promise<RemoteFile | null> {
    const object = await inTime(bucket.get(key, { range: { suffix: TAIL_BYTES } }));
    if (object === null) return null;
    const file = new RemoteFile(bucket, object, ports, cache);
    const tail = new Uint8Array(await inTime(object.arrayBuffer()));
    file.#count(1, tail.length);
    await file.#readTail(tail);
    return file;
  }

  /** Those blocks of the runs that are `wanted`, by number. Throws where one cannot be had or differs from its hash. */
  async read(runs: Run[], wanted: ReadonlySet<number>): Promise<Map<number, Uint8Array>> {
    const blocks = new Map<number, Uint8Array>();
    const cache = runs.length <= CACHED_RUNS_MAX ? this.#cache : null;
    for (let at = 0; at < runs.length; at += READS_AT_ONCE) {
      const wave = runs.slice(at, at + READS_AT_ONCE).filter((run) => !this.#isInTail(run, blocks));
      if (wave.length > 0) ++this.counts.waves;
      await Promise.all(
        wave.map(async (run) => {
          const read = await this.#readRun(run, run.count <= CACHED_RUN_MAX ? cache : null);
          const some = [...read].filter(([number]) => wanted.has(number));
          // A block does not keep the others that came with it.
          for (const [number, block] of some) blocks.set(number, some.length < read.size ? block.slice() : block);
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
      if (!this.#isRight(number, block)) throw new Error(`block ${number} of ${this.key} differs from its hash`);
      blocks.set(number, block);
      cache?.put(this.#address(number), new Response(block.slice()));
    }
    return blocks;
  }

  async #get(range: { offset: number; length: number }): Promise<Uint8Array> {
    try {
      const read = async () => {
        const object = await this.#bucket.get(this.key, { range, onlyIf: { etagMatches: this.#etag } });
        if (object === null || !('body' in object)) throw new Error(`${this.key} is gone, or was written again`);
        return new Uint8Array(await object.arrayBuffer());
      };
      const bytes = await inTime(read());
      if (bytes.length !== range.length) throw new Error(`${this.key} is shorter than it was`);
      return bytes;
    } catch (fault) {
      this.wasOutOfReach = true;
      throw fault;
    }
  }

  /** True: all of them were there. One that is not what it should be counts as missing. */
  async #readCached(cache: BlockCache, first: number, last: number, blocks: Map<number, Uint8Array>): Promise<boolean> {
    const numbers = Array.from({ length: last - first }, (_, i) => first + i);
    const found = await Promise.all(
      numbers.map(async (number) => {
        const response = await cache.match(this.#address(number)).catch(() => undefined);
        const block = response === undefined ? new Uint8Array() : new Uint8Array(await response.arrayBuffer());
        return this.#isRight(number, block) ? block : null;
      }),
    );
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

  /** The footer proves the directory, the directory the hashes, the hashes the blocks. */
  async #readTail(read: Uint8Array): Promise<void> {
    const damaged = () => new Error(`${this.key} does not end as a snapshot does`);
    if (read.length < FOOTER_BYTES) throw damaged();
    const footer = read.subarray(read.length - FOOTER_BYTES);
    const numbers = new DataView(footer.buffer, footer.byteOffset, FOOTER_BYTES);
    const number = (at: number) => Number(numbers.getBigUint64(at, true));
    const directoryAt = number(16);
    const directorySize = number(24);
    const isWhole =
      new TextDecoder().decode(footer.subarray(0, 8)) === MAGIC &&
      number(8) === this.size &&
      directoryAt + directorySize + FOOTER_BYTES === this.size;
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
    ++this.counts.waves;
    const hashes = this.#tail.subarray(0, directoryAt - begin);
    const directory = this.#tail.subarray(directoryAt - begin, this.#tail.length - FOOTER_BYTES);
    if (!equal(this.#ports.sha256(directory), footer.subarray(32))) throw damaged();
    const pieces = Math.ceil(hashes.length / BLOCK_BYTES);
    const upper = directory.subarray(directory.length - pieces * HASH_BYTES);
    for (let piece = 0; piece < pieces; ++piece) {
      const hash = this.#ports.sha256(hashes.subarray(piece * BLOCK_BYTES, (piece + 1) * BLOCK_BYTES));
      if (!equal(hash, upper.subarray(piece * HASH_BYTES, (piece + 1) * HASH_BYTES))) throw damaged();
    }
  }
}
