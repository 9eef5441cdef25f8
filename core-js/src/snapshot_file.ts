// A snapshot over a byte source, read in blocks of 64 KiB. Each block is checked against the hashes at the end of the file
// (docs/snapshot-format.md, "Two readers").

import type { ByteSource } from './byte_source.ts';

export const BLOCK_BYTES = 65_536;
const HASH_BYTES = 32;
/** The footer at the end of the file, which authenticates all hashes. The public key, the date and the signature precede it. */
const FOOTER_BYTES = 128;
export const SIGNATURE_BYTES = 104;
export const END_BYTES = SIGNATURE_BYTES + FOOTER_BYTES;
const MAGIC = 'Tonearm\n';
/** The number of connections that workerd and browsers allow. */
const CONCURRENT_READS = 6;
/** The default size of the first read, at the end of the file: enough for the hashes of 268 MB. */
export const TAIL_BYTES = 131_072;
/** Longer runs, or more of them at once, belong to a scan and bypass the cache. */
const CACHED_RUN_MAX = 4;
const CACHED_RUNS_MAX = 30;

/** Adjacent blocks. */
export interface Run {
  first: number;
  count: number;
}

/** A cache of blocks of one file that outlives this process. It may evict blocks at any time; they are checked like all others. */
export interface BlockCache {
  /** Returns the blocks from `first` to before `end`, null for missing ones. Rejects if that takes too long. */
  find(first: number, end: number): Promise<(Uint8Array | null)[]>;
  put(number: number, block: Uint8Array): void;
}

/** Counts of reads so far. */
export interface ReadCounts {
  /** Requests for blocks, one for each replay of a call. */
  fetches: number;
  rounds: number;
  reads: number;
  bytes: number;
  cached: number;
}

export interface SnapshotFileOptions {
  /** Its name in error messages. */
  name: string;
  sha256(data: Uint8Array): Uint8Array;
  /** The end of the file, if it has already been read. */
  tail?: Uint8Array;
  cache?: BlockCache | null;
}

export const equalBytes = (left: Uint8Array, right: Uint8Array) =>
  left.length === right.length && left.every((byte, i) => byte === right[i]);

export class SnapshotFile {
  readonly name: string;
  readonly size: number;
  readonly counts: ReadCounts = { fetches: 0, rounds: 0, reads: 0, bytes: 0, cached: 0 };
  /** Unique within this process. */
  readonly number: number;
  readonly #source: ByteSource;
  readonly #sha256: (data: Uint8Array) => Uint8Array;
  readonly #cache: BlockCache | null;
  /** Whether a block has not matched its hash. */
  isDamaged = false;
  /** The checked end of the file, starting at the hashes of the blocks. */
  #tail = new Uint8Array();
  /** The number of blocks before the tail, which have a hash each. */
  #hashed = 0;

  static #opened = 0;

  private constructor(source: ByteSource, { name, sha256, cache = null }: SnapshotFileOptions) {
    this.number = ++SnapshotFile.#opened;
    this.#source = source;
    this.name = name;
    this.size = source.size;
    this.#sha256 = sha256;
    this.#cache = cache;
  }

  /** Throws if the file cannot be read or has no valid footer. */
  static async open(source: ByteSource, options: SnapshotFileOptions): Promise<SnapshotFile> {
    const file = new SnapshotFile(source, options);
    if (options.tail === undefined) {
      const length = Math.min(TAIL_BYTES, source.size);
      await file.#readTail(await file.#get(source.size - length, length));
    } else {
      file.#count(options.tail.length);
      await file.#readTail(options.tail);
    }
    return file;
  }

  /** Reads the `wanted` blocks of the runs, by number. Throws if one cannot be read or does not match its hash. */
  async read(runs: Run[], wanted: ReadonlySet<number>): Promise<Map<number, Uint8Array>> {
    ++this.counts.fetches;
    const blocks = new Map<number, Uint8Array>();
    const cache = runs.length <= CACHED_RUNS_MAX ? this.#cache : null;
    const missing = runs.filter((run) => !this.#readFromTail(run, blocks));
    this.counts.rounds += Math.ceil(missing.length / CONCURRENT_READS);
    // Each reader takes the next run. An error in one ends the generator and so the others, too.
    const next = (function* () { yield* missing; })();
    const reader = async () => {
      for (const run of next) {
        const read = await this.#readRun(run, run.count <= CACHED_RUN_MAX ? cache : null);
        // Copies, so that a block does not keep the memory of its neighbors alive.
        for (const [number, block] of read) if (wanted.has(number)) blocks.set(number, block.slice());
      }
    };
    await Promise.all(Array.from({ length: CONCURRENT_READS }, reader));
    return blocks;
  }

  #count(bytes: number): void {
    ++this.counts.reads;
    this.counts.bytes += bytes;
  }

  /** Returns whether the run is in the tail, and adds its blocks. */
  #readFromTail({ first, count }: Run, blocks: Map<number, Uint8Array>): boolean {
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
    if (last < run.first + run.count) this.#readFromTail({ first: last, count: run.first + run.count - last }, blocks);
    if (cache !== null && (await this.#readCached(cache, run.first, last, blocks))) return blocks;
    const length = (last - run.first) * BLOCK_BYTES;
    const bytes = await this.#get(run.first * BLOCK_BYTES, length);
    for (let number = run.first; number < last; ++number) {
      const at = (number - run.first) * BLOCK_BYTES;
      const block = bytes.subarray(at, at + BLOCK_BYTES);
      if (!this.#matchesHash(number, block)) {
        this.isDamaged = true;
        throw new Error(`block ${number} of ${this.name} does not match its hash`);
      }
      blocks.set(number, block);
      cache?.put(number, block);
    }
    return blocks;
  }

  async #get(offset: number, length: number): Promise<Uint8Array> {
    const bytes = await this.#source.read(offset, length);
    if (bytes.length !== length) throw new Error(`a read of ${length} bytes of ${this.name} returned ${bytes.length}`);
    this.#count(length);
    return bytes;
  }

  /** Returns whether the cache has all blocks. Blocks that do not match their hash, or arrive late, count as missing. */
  async #readCached(cache: BlockCache, first: number, last: number, blocks: Map<number, Uint8Array>): Promise<boolean> {
    const cached = await cache.find(first, last).catch(() => [null]);
    const found = cached.map((block, i) => (block !== null && this.#matchesHash(first + i, block) ? block : null));
    if (found.some((block) => block === null)) return false;
    found.forEach((block, i) => block !== null && blocks.set(first + i, block));
    this.counts.cached += found.length;
    return true;
  }

  #matchesHash(number: number, block: Uint8Array): boolean {
    const hash = this.#tail.subarray(number * HASH_BYTES, (number + 1) * HASH_BYTES);
    return block.length === BLOCK_BYTES && equalBytes(this.#sha256(block), hash);
  }

  /** Checks the tail: the footer authenticates the directory, the directory the hashes, and the hashes the blocks. */
  async #readTail(read: Uint8Array): Promise<void> {
    const damaged = () => new Error(`${this.name} does not end like a snapshot`);
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
    // The directory follows that many blocks and their hashes.
    this.#hashed = directoryAt / (BLOCK_BYTES + HASH_BYTES);
    if (!isWhole || !Number.isSafeInteger(this.#hashed)) throw damaged();
    const begin = this.#hashed * BLOCK_BYTES;
    if (this.size - begin > read.length) {
      const length = this.size - begin - read.length;
      this.#tail = new Uint8Array(this.size - begin);
      this.#tail.set(await this.#get(begin, length));
      this.#tail.set(read, length);
    } else {
      this.#tail = read.slice(read.length - (this.size - begin));
    }
    ++this.counts.rounds;
    const hashes = this.#tail.subarray(0, directoryAt - begin);
    const directory = this.#tail.subarray(directoryAt - begin, this.#tail.length - END_BYTES);
    if (!equalBytes(this.#sha256(directory), footer.subarray(32, 32 + HASH_BYTES))) throw damaged();
    const pieces = Math.ceil(hashes.length / BLOCK_BYTES);
    const upper = directory.subarray(directory.length - pieces * HASH_BYTES);
    for (let piece = 0; piece < pieces; ++piece) {
      const hash = this.#sha256(hashes.subarray(piece * BLOCK_BYTES, (piece + 1) * BLOCK_BYTES));
      if (!equalBytes(hash, upper.subarray(piece * HASH_BYTES, (piece + 1) * HASH_BYTES))) throw damaged();
    }
  }
}
