// Whole answers that several processes share, so that a process with nothing resident need not read blocks for a query that
// another one has answered. Only calls that miss blocks use them: all other calls are answered sooner without them.

import { equalBytes } from './snapshot_file.ts';

/** A cache outside this process. It may evict entries at any time, and returns only what `store` was given. */
export interface SharedAnswers {
  /** Returns null if there is no entry, or if the cache does not answer soon. */
  find(key: Uint8Array): Promise<Uint8Array | null>;
  /** Must not throw. */
  store(key: Uint8Array, entry: Uint8Array): void;
}

interface Entry {
  key: Uint8Array;
  bytes: Uint8Array;
}

/** The answer of one call, from its first run to its last. */
export class CallAnswer {
  readonly #shared: SharedAnswers;
  #wanted: Uint8Array | null = null;
  /** Whether a run has missed blocks. */
  #hasMissed = false;
  #hasLookedUp = false;
  #found: Entry | null = null;
  #made: Entry | null = null;

  constructor(shared: SharedAnswers) {
    this.#shared = shared;
  }

  find(key: Uint8Array): Uint8Array | null {
    if (this.#found !== null && equalBytes(this.#found.key, key)) return this.#found.bytes;
    if (!this.#hasLookedUp) this.#wanted = key.slice();
    return null;
  }

  /** Copies the answer, which may be in the core's memory, if the call will share it. */
  store(key: Uint8Array, bytes: Uint8Array): void {
    if (this.#hasMissed) this.#made = { key: key.slice(), bytes: bytes.slice() };
  }

  /** After a run that missed blocks: looks up the answer that it did not find, once in a call. Returns whether there is one; never rejects. */
  async lookUp(): Promise<boolean> {
    this.#hasMissed = true;
    const key = this.#wanted;
    this.#wanted = null;
    if (key === null) return false;
    this.#hasLookedUp = true;
    const bytes = await this.#shared.find(key).catch(() => null);
    if (bytes === null) return false;
    this.#found = { key, bytes };
    return true;
  }

  /** Shares the answer that the last run made, if it made one after an earlier run had missed blocks. */
  share(): void {
    if (this.#made !== null) this.#shared.store(this.#made.key, this.#made.bytes);
  }
}
