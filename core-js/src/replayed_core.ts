// The core of a process: one instance of the module, which every call borrows for single runs. A run is synchronous. One
// that misses blocks of the snapshot ends, changes nothing, and leaves their list; the call's own request fetches them, and
// the call is replayed from its start. So nothing waits for another call, and no call wakes another, which workerd
// forbids.

import { type Around, aroundOne, type Call, Instance, isReplay, type Outcome, type ReaderStart, type Start } from './instance.ts';
import { decodeText } from './message.ts';
import { BlocksUnavailable, CallBlocks, Pins } from './pins.ts';
import type { Ports } from './ports.ts';
import type { SnapshotFile } from './snapshot_file.ts';
import type { Storage } from './storage.ts';

const INTERNAL_ERROR = 500;

/** What a call is about. */
export interface Use {
  /** Of the object that makes it, where one does. */
  storage?: Storage;
  /** Whether it reads the catalog. */
  catalog?: boolean;
}

export interface CoreOptions {
  allowEvaluation: boolean;
  /** Of blocks that calls under way have fetched, together. */
  pinnedBytesMax: number;
  /** How often a call runs at most. */
  runsMax: number;
}

/** How calls run. */
export interface Runs {
  /** In one run. */
  once(call: Call): Outcome;
  /** In as many runs as blocks are missing, each told how long the call has waited for them. Throws BlocksUnavailable. */
  replayed(callOf: (waitedMs: number) => Call): Promise<Outcome>;
  /** In one run, which may need no blocks. What it wrote is rolled back where it fails. */
  withoutBlocks(call: Call): Outcome;
}

/** What all runs of one call have in common. */
class Replays {
  readonly blocks: CallBlocks;
  readonly nowMs: number;
  readonly #draw: (out: Uint8Array) => void;
  readonly #drawn: number[] = [];
  #at = 0;

  constructor(pins: Pins, ports: Ports) {
    this.blocks = new CallBlocks(pins);
    this.nowMs = ports.nowMs();
    this.#draw = (out) => ports.random(out);
  }

  /** The next run draws the same random bytes again. */
  rewind(): void {
    this.#at = 0;
  }

  random(out: Uint8Array): void {
    const known = this.#drawn.slice(this.#at, this.#at + out.length);
    const fresh = new Uint8Array(out.length - known.length);
    if (fresh.length > 0) this.#draw(fresh);
    out.set(known);
    out.set(fresh, known.length);
    this.#drawn.push(...fresh);
    this.#at += out.length;
  }
}

export class ReplayedCore {
  readonly #module: WebAssembly.Module;
  readonly #ports: Ports;
  readonly #start: Start | ReaderStart;
  readonly #options: CoreOptions;
  readonly #pins: Pins;
  readonly #files = new Map<number, SnapshotFile>();
  #instance: Instance | null = null;
  /** By the instance; after a trap the next one has to open the snapshot again. */
  #opened: SnapshotFile | null = null;
  #file: SnapshotFile | null = null;

  constructor(module: WebAssembly.Module, ports: Ports, start: Start | ReaderStart, options: CoreOptions) {
    this.#module = module;
    this.#ports = ports;
    this.#start = start;
    this.#options = options;
    this.#pins = new Pins(options.pinnedBytesMax);
  }

  get hasSnapshot(): boolean {
    return this.#file !== null;
  }

  /** The one in force. */
  get snapshot(): SnapshotFile | null {
    return this.#file;
  }

  /** Of the module's memory, and of the blocks that calls under way have pinned. */
  get sizes(): { memoryBytes: number; pinnedBytes: number } {
    return { memoryBytes: this.#instance?.memoryBytes ?? 0, pinnedBytes: this.#pins.bytes };
  }

  /** For one use. */
  runs({ storage, catalog = false }: Use): Runs {
    return {
      once: (call) => this.#current().run(call, aroundOne(this.#ports, storage)),
      replayed: (callOf) => this.#replayed(storage ?? null, catalog, callOf),
      withoutBlocks: (call) => this.#attempt(storage ?? null, call, aroundOne(this.#ports, storage)),
    };
  }

  /** Serves another snapshot from now on. Throws where the core refuses it, and BlocksUnavailable; the one before stays. */
  async activate(file: SnapshotFile): Promise<void> {
    await this.#open(file, () => true);
    const before = this.#file;
    this.#file = file;
    if (before !== null && before !== file) this.#files.delete(before.number);
  }

  /** Is told of each instance. */
  protected made(_instance: Instance): void {}

  /** The one that is whole, or a new one. */
  #current(): Instance {
    if (this.#instance === null || this.#instance.broken) {
      this.#opened = null;
      this.#instance = new Instance(this.#module, this.#ports, this.#start);
      this.made(this.#instance);
    }
    return this.#instance;
  }

  #around(storage: Storage | null, replays: Replays): Around {
    return {
      storage,
      nowMs: () => replays.nowMs,
      random: (out) => replays.random(out),
      take: (snapshot, wanted) => {
        const file = this.#files.get(snapshot);
        if (file === undefined) throw new Error('there is no such snapshot');
        return replays.blocks.take(file, wanted);
      },
    };
  }

  async #replayed(storage: Storage | null, catalog: boolean, callOf: (waitedMs: number) => Call): Promise<Outcome> {
    return this.#untilThere(async (replays, waitedMs) => {
      if (catalog) await this.#reopen();
      const outcome = this.#attempt(storage, callOf(waitedMs), this.#around(storage, replays));
      return isReplay(outcome) ? null : outcome;
    });
  }

  /** A new instance opens the snapshot in force; another one has it open. */
  async #reopen(): Promise<void> {
    const file = this.#file;
    this.#current();
    if (file !== null && this.#opened === null) await this.#open(file, () => this.#file === file);
  }

  async #open(file: SnapshotFile, isWanted: () => boolean): Promise<void> {
    this.#files.set(file.number, file);
    const numbers = [file.number, file.size, this.#options.allowEvaluation ? 1 : 0];
    try {
      await this.#untilThere(async (replays) => {
        const instance = this.#current();
        if (this.#opened === file || !isWanted()) return true;
        const outcome = instance.run({ name: 'tonearm_open_snapshot', numbers }, this.#around(null, replays));
        if (isReplay(outcome)) return null;
        if (outcome.answer.status !== 200) throw new Error(decodeText(outcome.answer.body));
        this.#opened = file;
        return true;
      });
    } catch (error) {
      if (file !== this.#file && file !== this.#opened) this.#files.delete(file.number);
      throw error;
    }
  }

  /** Runs `attempt` until it gives something else than null, which says that blocks are missing. */
  async #untilThere<T>(attempt: (replays: Replays, waitedMs: number) => Promise<T | null>): Promise<T> {
    const replays = new Replays(this.#pins, this.#ports);
    try {
      for (let runs = 0; runs < this.#options.runsMax; ++runs) {
        const given = await attempt(replays, Math.max(this.#ports.nowMs() - replays.nowMs, 0));
        if (given !== null) return given;
        await this.#fetch(replays.blocks);
        replays.rewind();
      }
      throw this.#refused(`blocks are missing after ${this.#options.runsMax} runs`);
    } finally {
      replays.blocks.release();
    }
  }

  async #fetch(blocks: CallBlocks): Promise<void> {
    const file = this.#file;
    try {
      await blocks.fetch();
    } catch (error) {
      // Those of a snapshot that is no longer in force are not needed any more.
      if (file !== this.#file) return;
      throw this.#refused(error instanceof Error ? error.message : String(error));
    }
  }

  #refused(why: string): BlocksUnavailable {
    this.#ports.log(`the snapshot cannot be read for a call: ${why}`);
    return new BlocksUnavailable(why);
  }

  /** Rolls back what the call wrote where it has to be replayed, or failed. */
  #attempt(storage: Storage | null, call: Call, around: Around): Outcome {
    const instance = this.#current();
    if (storage === null) return instance.run(call, around);
    let outcome: Outcome | null = null;
    storage.transact(() => {
      outcome = instance.run(call, around);
      return !isReplay(outcome) && outcome.answer.status < INTERNAL_ERROR;
    });
    if (outcome === null) throw new Error('the storage ran no transaction');
    return outcome;
  }
}
