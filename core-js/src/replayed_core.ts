// The core of a process: one instance of the module, which calls use for single synchronous runs. A run that misses blocks
// of the snapshot ends without changes and leaves the list of blocks. The call fetches them and is replayed from the start.
// So no call waits for another one, and no call wakes another one, which workerd forbids.

import { type RunContext, singleRunContext, type Call, Instance, isReplay, type Outcome, type ReaderStart, type Start } from './instance.ts';
import { decodeText } from './message.ts';
import { BlocksUnavailable, CallBlocks, Pins } from './pins.ts';
import type { Ports } from './ports.ts';
import { CallAnswer, type SharedAnswers } from './shared_answers.ts';
import type { SnapshotFile } from './snapshot_file.ts';
import type { Storage } from './storage.ts';

const INTERNAL_ERROR = 500;

/** What a call needs. */
export interface Use {
  /** The storage of the object that makes the call, if any. */
  storage?: Storage;
  /** Whether it reads the catalog. */
  catalog?: boolean;
}

export interface CoreOptions {
  allowEvaluation: boolean;
  /** The maximum size of all pinned blocks. */
  pinnedBytesMax: number;
  /** The maximum number of runs of a call without a further partial result. */
  runsMax: number;
  /** Answers that other processes share; null for none. */
  sharedAnswers?: SharedAnswers | null;
}

/** The ways to run a call. */
export interface Runs {
  /** Runs it once. */
  once(call: Call): Outcome;
  /** Runs it until no blocks are missing. Each run learns how long the call has waited. Throws BlocksUnavailable. */
  replayed(callOf: (waitedMs: number) => Call): Promise<Outcome>;
  /** Runs it once without blocks, and rolls back its writes if it fails. */
  withoutBlocks(call: Call): Outcome;
}

/** The state that all runs of a call share. */
class ReplayState {
  readonly blocks: CallBlocks;
  readonly answer: CallAnswer | null;
  readonly nowMs: number;
  readonly #results = new Map<string, Uint8Array>();
  readonly #random: (out: Uint8Array) => void;
  readonly #bytes: number[] = [];
  #at = 0;

  constructor(pins: Pins, ports: Ports, shared: SharedAnswers | null) {
    this.blocks = new CallBlocks(pins);
    this.answer = shared === null ? null : new CallAnswer(shared);
    this.nowMs = ports.nowMs();
    this.#random = (out) => ports.random(out);
  }

  /** The number of partial results, which are the progress that no later run repeats. */
  get resultCount(): number {
    return this.#results.size;
  }

  findResult(key: Uint8Array): Uint8Array | null {
    const found = this.#results.get(decodeText(key));
    if (found === undefined) this.blocks.beginResult();
    return found ?? null;
  }

  storeResult(key: Uint8Array, result: Uint8Array): void {
    this.#results.set(decodeText(key), result.slice());
    this.blocks.endResult();
  }

  /** Begins the next run, which gets the same random bytes again. */
  rewind(): void {
    this.#at = 0;
    this.blocks.beginRun();
  }

  random(out: Uint8Array): void {
    const known = this.#bytes.slice(this.#at, this.#at + out.length);
    const fresh = new Uint8Array(out.length - known.length);
    if (fresh.length > 0) this.#random(fresh);
    out.set(known);
    out.set(fresh, known.length);
    this.#bytes.push(...fresh);
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
  /** The snapshot that the instance has open. After a trap, the next instance must open it again. */
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

  /** The active snapshot. */
  get snapshot(): SnapshotFile | null {
    return this.#file;
  }

  /** The sizes of the memory of the module and of the pinned blocks. */
  get sizes(): { memoryBytes: number; pinnedBytes: number } {
    return { memoryBytes: this.#instance?.memoryBytes ?? 0, pinnedBytes: this.#pins.bytes };
  }

  runs({ storage, catalog = false }: Use): Runs {
    return {
      once: (call) => this.#current().run(call, singleRunContext(this.#ports, storage)),
      replayed: (callOf) => this.#replayed(storage ?? null, catalog, callOf),
      withoutBlocks: (call) => this.#runInTransaction(storage ?? null, call, singleRunContext(this.#ports, storage)),
    };
  }

  /** Activates a snapshot. Throws if the core rejects it, or BlocksUnavailable; then the previous one stays active. */
  async activate(file: SnapshotFile): Promise<void> {
    await this.#open(file, () => true);
    const before = this.#file;
    this.#file = file;
    if (before !== null && before !== file) this.#files.delete(before.number);
  }

  /** Called with each new instance. */
  protected onInstance(_instance: Instance): void {}

  /** Returns the instance; creates a new one after a trap. */
  #current(): Instance {
    if (this.#instance === null || this.#instance.broken) {
      this.#opened = null;
      this.#instance = new Instance(this.#module, this.#ports, this.#start);
      this.onInstance(this.#instance);
    }
    return this.#instance;
  }

  #context(storage: Storage | null, state: ReplayState): RunContext {
    return {
      storage,
      nowMs: () => state.nowMs,
      random: (out) => state.random(out),
      getBlocks: (snapshot, wanted) => {
        const file = this.#files.get(snapshot);
        if (file === undefined) throw new Error('unknown snapshot');
        return state.blocks.get(file, wanted);
      },
      findResult: (key) => state.findResult(key),
      storeResult: (key, result) => state.storeResult(key, result),
      findAnswer: (key) => state.answer?.find(key) ?? null,
      storeAnswer: (key, entry) => state.answer?.store(key, entry),
    };
  }

  async #replayed(storage: Storage | null, catalog: boolean, callOf: (waitedMs: number) => Call): Promise<Outcome> {
    return this.#runUntilResident(this.#options.sharedAnswers ?? null, async (state, waitedMs) => {
      if (catalog) await this.#reopen();
      const outcome = this.#runInTransaction(storage, callOf(waitedMs), this.#context(storage, state));
      if (isReplay(outcome)) return null;
      state.answer?.share();
      return outcome;
    });
  }

  /** Opens the active snapshot in a new instance. */
  async #reopen(): Promise<void> {
    const file = this.#file;
    this.#current();
    if (file !== null && this.#opened === null) await this.#open(file, () => this.#file === file);
  }

  async #open(file: SnapshotFile, isWanted: () => boolean): Promise<void> {
    this.#files.set(file.number, file);
    const numbers = [file.number, file.size, this.#options.allowEvaluation ? 1 : 0];
    try {
      await this.#runUntilResident(null, async (state) => {
        const instance = this.#current();
        if (this.#opened === file || !isWanted()) return true;
        const outcome = instance.run({ name: 'tonearm_open_snapshot', numbers }, this.#context(null, state));
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

  /** Runs `attempt` until it does not return null, which means that blocks are missing. */
  async #runUntilResident<T>(
    shared: SharedAnswers | null,
    attempt: (state: ReplayState, waitedMs: number) => Promise<T | null>,
  ): Promise<T> {
    const state = new ReplayState(this.#pins, this.#ports, shared);
    try {
      let results = 0;
      for (let runs = 0; runs < this.#options.runsMax; ++runs) {
        const result = await attempt(state, Math.max(this.#ports.nowMs() - state.nowMs, 0));
        if (result !== null) return result;
        if (state.resultCount > results) runs = 0;
        results = state.resultCount;
        await this.#fetchMissing(state);
        state.rewind();
      }
      throw this.#unavailable(`blocks are still missing after ${this.#options.runsMax} runs without progress`);
    } finally {
      state.blocks.release();
    }
  }

  /** Resolves when the next run can continue: with the blocks, or with the answer that another process has made. */
  async #fetchMissing(state: ReplayState): Promise<void> {
    const found = state.answer?.lookUp() ?? Promise.resolve(false);
    const fetched = this.#fetch(state.blocks).catch(async (error: unknown) => {
      if (!(await found)) throw error;
    });
    await Promise.race([fetched, found.then((isFound) => (isFound ? undefined : fetched))]);
  }

  async #fetch(blocks: CallBlocks): Promise<void> {
    const file = this.#file;
    try {
      await blocks.fetch();
    } catch (error) {
      // Blocks of a snapshot that is no longer active are not needed.
      if (file !== this.#file) return;
      throw this.#unavailable(error instanceof Error ? error.message : String(error));
    }
  }

  #unavailable(why: string): BlocksUnavailable {
    this.#ports.log(`cannot read the snapshot for a call: ${why}`);
    return new BlocksUnavailable(why);
  }

  /** Runs a call in a transaction, which is rolled back if the call must be replayed or has failed. */
  #runInTransaction(storage: Storage | null, call: Call, context: RunContext): Outcome {
    const instance = this.#current();
    if (storage === null) return instance.run(call, context);
    let outcome: Outcome | null = null;
    storage.transact(() => {
      outcome = instance.run(call, context);
      return !isReplay(outcome) && outcome.answer.status < INTERNAL_ERROR;
    });
    if (outcome === null) throw new Error('the storage ran no transaction');
    return outcome;
  }
}
