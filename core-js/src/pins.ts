// Blocks that were fetched for calls under way, and are there when these are replayed, whatever the core's own cache has
// evicted meanwhile: each block once, however many calls need it.

import { BLOCK_BYTES, type Run, type SnapshotFile } from './snapshot_file.ts';

/** A call that the platform ended never lets go: after so long without a word it is forgotten. */
const HOLDER_LOST_MS = 60_000;

/** Blocks of a snapshot by their numbers. */
export type Blocks = Map<number, Uint8Array>;

/** What the core asks for: blocks, and the reads that bring them. */
export interface Wanted {
  runs: Run[];
  numbers: number[];
}

/** The blocks that a call needs cannot be had now. */
export class BlocksUnavailable extends Error {}

/** One call. */
interface Holder {
  /** Of what it has pinned. */
  keys: Set<number>;
  /** Blocks that are on their way to it. */
  coming: number;
  usedMs: number;
}

const keyOf = (file: SnapshotFile, number: number) => file.number * 2 ** 32 + number;

/** Of one isolate. */
export class Pins {
  readonly #bytesMax: number;
  readonly #pinned = new Map<number, { block: Uint8Array; holders: number }>();
  readonly #holders = new Set<Holder>();

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  /** Of blocks that are pinned or on their way. */
  get bytes(): number {
    const coming = [...this.#holders].reduce((sum, holder) => sum + holder.coming, 0);
    return (this.#pinned.size + coming) * BLOCK_BYTES;
  }

  find(holder: Holder, key: number): Uint8Array | undefined {
    const pinned = this.#pinned.get(key);
    if (pinned === undefined) return undefined;
    if (!holder.keys.has(key)) ++pinned.holders;
    holder.keys.add(key);
    return pinned.block;
  }

  /** Throws where calls have pinned as much as they may together. */
  expect(holder: Holder, blocks: number): void {
    const nowMs = Date.now();
    for (const one of this.#holders) if (nowMs - one.usedMs > HOLDER_LOST_MS) this.release(one);
    holder.usedMs = nowMs;
    this.#holders.add(holder);
    if (this.bytes + blocks * BLOCK_BYTES > this.#bytesMax) {
      throw new BlocksUnavailable('the calls under way have pinned as many blocks as they may');
    }
    holder.coming = blocks;
  }

  /** What was expected came, or does not come. */
  arrived(holder: Holder, file: SnapshotFile, blocks: Blocks): void {
    holder.coming = 0;
    for (const [number, block] of blocks) {
      const key = keyOf(file, number);
      if (this.find(holder, key) !== undefined) continue; // it came for another call meanwhile
      this.#pinned.set(key, { block, holders: 1 });
      holder.keys.add(key);
    }
  }

  release(holder: Holder): void {
    for (const key of holder.keys) {
      const pinned = this.#pinned.get(key);
      if (pinned !== undefined && --pinned.holders === 0) this.#pinned.delete(key);
    }
    holder.keys.clear();
    holder.coming = 0;
    this.#holders.delete(holder);
  }
}

/** Of a run, from the first to the last of these blocks; none where it holds none of them. */
function partOf({ first, count }: Run, numbers: number[]): Run[] {
  const inside = numbers.filter((number) => number >= first && number < first + count);
  if (inside.length === 0) return [];
  const begin = Math.min(...inside);
  return [{ first: begin, count: Math.max(...inside) - begin + 1 }];
}

/** The blocks of one call, from its first run to its last. */
export class CallBlocks {
  readonly #pins: Pins;
  readonly #holder: Holder = { keys: new Set(), coming: 0, usedMs: 0 };
  #missed: (Wanted & { file: SnapshotFile }) | null = null;

  constructor(pins: Pins) {
    this.#pins = pins;
  }

  /** All of them; null where some are missing, which `fetch` brings then. */
  take(file: SnapshotFile, { runs, numbers }: Wanted): Blocks | null {
    const found: Blocks = new Map();
    const missing: number[] = [];
    for (const number of numbers) {
      const block = this.#pins.find(this.#holder, keyOf(file, number));
      if (block === undefined) missing.push(number);
      else found.set(number, block);
    }
    if (missing.length === 0) return found;
    this.#missed = { file, runs: runs.flatMap((run) => partOf(run, missing)), numbers: missing };
    return null;
  }

  /** Reads what the last run missed. Throws BlocksUnavailable, or why it cannot be read. */
  async fetch(): Promise<void> {
    if (this.#missed === null) throw new Error('nothing was missing');
    const { file, runs, numbers } = this.#missed;
    this.#missed = null;
    this.#pins.expect(this.#holder, numbers.length);
    let blocks: Blocks = new Map();
    try {
      blocks = await file.read(runs, new Set(numbers));
    } finally {
      this.#pins.arrived(this.#holder, file, blocks);
    }
  }

  /** The call has ended. */
  release(): void {
    this.#pins.release(this.#holder);
  }
}
