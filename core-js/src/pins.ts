// Pins the blocks that were fetched for running calls, so that they are available when the calls are replayed, even if the
// core's own cache has evicted them. A block is stored once for all calls that need it.

import { BLOCK_BYTES, type Run, type SnapshotFile } from './snapshot_file.ts';

/** A call that the platform has terminated never releases its pins. They are dropped after this time without activity. */
const OWNER_LOST_MS = 60_000;

/** Blocks of a snapshot by their numbers. */
export type Blocks = Map<number, Uint8Array>;

/** Blocks that the core needs, and the reads that fetch them. */
export interface BlockRequest {
  runs: Run[];
  numbers: number[];
}

/** The blocks that a call needs are not available now. */
export class BlocksUnavailable extends Error {}

/** A call with its pins. */
interface PinOwner {
  /** The keys of its pinned blocks. */
  keys: Set<number>;
  /** The number of blocks that are being fetched for it. */
  reserved: number;
  usedMs: number;
}

const keyOf = (file: SnapshotFile, number: number) => file.number * 2 ** 32 + number;

/** The pins of all calls of an isolate. */
export class Pins {
  readonly #bytesMax: number;
  readonly #pinned = new Map<number, { block: Uint8Array; owners: number }>();
  readonly #owners = new Set<PinOwner>();

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  /** The size of the blocks that are pinned or being fetched. */
  get bytes(): number {
    const reserved = [...this.#owners].reduce((sum, owner) => sum + owner.reserved, 0);
    return (this.#pinned.size + reserved) * BLOCK_BYTES;
  }

  find(owner: PinOwner, key: number): Uint8Array | undefined {
    const pinned = this.#pinned.get(key);
    if (pinned === undefined) return undefined;
    if (!owner.keys.has(key)) ++pinned.owners;
    owner.keys.add(key);
    return pinned.block;
  }

  /** Reserves space for blocks. Throws if all calls together would pin too many. */
  reserve(owner: PinOwner, blocks: number): void {
    const nowMs = Date.now();
    for (const one of this.#owners) if (nowMs - one.usedMs > OWNER_LOST_MS) this.release(one);
    owner.usedMs = nowMs;
    this.#owners.add(owner);
    if (this.bytes + blocks * BLOCK_BYTES > this.#bytesMax) {
      throw new BlocksUnavailable('running calls have pinned the maximum number of blocks');
    }
    owner.reserved = blocks;
  }

  /** Pins the fetched blocks and ends the reservation. */
  complete(owner: PinOwner, file: SnapshotFile, blocks: Blocks): void {
    owner.reserved = 0;
    for (const [number, block] of blocks) {
      const key = keyOf(file, number);
      if (this.find(owner, key) !== undefined) continue; // already fetched for another call
      this.#pinned.set(key, { block, owners: 1 });
      owner.keys.add(key);
    }
  }

  /** Unpins all blocks of a call except these. */
  unpin(owner: PinOwner, kept: ReadonlySet<number>): void {
    for (const key of owner.keys) {
      if (kept.has(key)) continue;
      owner.keys.delete(key);
      const pinned = this.#pinned.get(key);
      if (pinned !== undefined && --pinned.owners === 0) this.#pinned.delete(key);
    }
  }

  release(owner: PinOwner): void {
    this.unpin(owner, new Set());
    owner.reserved = 0;
    this.#owners.delete(owner);
  }
}

/** Trims a run to the needed blocks; returns none if it has none of them. */
function trimRun({ first, count }: Run, numbers: number[]): Run[] {
  const inside = numbers.filter((number) => number >= first && number < first + count);
  if (inside.length === 0) return [];
  const begin = Math.min(...inside);
  return [{ first: begin, count: Math.max(...inside) - begin + 1 }];
}

/** The blocks of one call, from its first run to its last. */
export class CallBlocks {
  readonly #pins: Pins;
  readonly #owner: PinOwner = { keys: new Set(), reserved: 0, usedMs: 0 };
  #missing: (BlockRequest & { file: SnapshotFile }) | null = null;
  #hasEnded = false;
  /** The blocks that were pinned before those of the current partial result; null if there is no current one. */
  #earlier: Set<number> | null = null;
  /** Whether this run makes that result. */
  #makesResult = false;

  constructor(pins: Pins) {
    this.#pins = pins;
  }

  /** Returns all blocks, or null if some are missing; `fetch` then reads them. */
  get(file: SnapshotFile, { runs, numbers }: BlockRequest): Blocks | null {
    const found: Blocks = new Map();
    const missing: number[] = [];
    for (const number of numbers) {
      const block = this.#pins.find(this.#owner, keyOf(file, number));
      if (block === undefined) missing.push(number);
      else found.set(number, block);
    }
    // Blocks that the module had evicted meanwhile are needed before the result again.
    if (!this.#makesResult) for (const number of found.keys()) this.#earlier?.add(keyOf(file, number));
    if (missing.length === 0) return found;
    this.#missing = { file, runs: runs.flatMap((run) => trimRun(run, missing)), numbers: missing };
    return null;
  }

  /** Reads the blocks that the last run missed. Throws BlocksUnavailable or the error of the read. */
  async fetch(): Promise<void> {
    if (this.#missing === null) throw new Error('no blocks are missing');
    const { file, runs, numbers } = this.#missing;
    this.#missing = null;
    this.#pins.reserve(this.#owner, numbers.length);
    let blocks: Blocks = new Map();
    try {
      blocks = await file.read(runs, new Set(numbers));
    } finally {
      // A call may end during its reads, if it gets its answer from elsewhere.
      if (!this.#hasEnded) this.#pins.complete(this.#owner, file, blocks);
    }
  }

  /** Another run begins. */
  beginRun(): void {
    this.#makesResult = false;
  }

  /** The blocks that are fetched from now on are those of a partial result. */
  beginResult(): void {
    this.#earlier ??= new Set(this.#owner.keys);
    this.#makesResult = true;
  }

  /** Unpins the blocks of the partial result, which later runs do not need. */
  endResult(): void {
    if (this.#earlier !== null) this.#pins.unpin(this.#owner, this.#earlier);
    this.#earlier = null;
    this.#makesResult = false;
  }

  /** Releases the pins at the end of the call. */
  release(): void {
    this.#hasEnded = true;
    this.#pins.release(this.#owner);
  }
}
