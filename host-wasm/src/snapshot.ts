// The snapshot in force, out of object storage: a small object `current` names the one that is.

import type { Instances } from './instances';

const POINTER_KEY = 'current';

/** The JSON of the pointer: the key of the snapshot, which holds its content's version, and is never written again. */
interface Pointer {
  snapshot: string;
}

export interface SnapshotTimes {
  nowMs(): number;
  log(line: string): void;
  /** How long the pointer is believed. */
  checkEveryMs: number;
}

export class Snapshots {
  readonly #bucket: R2Bucket;
  readonly #instances: Instances;
  readonly #times: SnapshotTimes;
  #loading: Promise<void> | null = null;
  #key = '';
  /** What the core refused is not fetched again: no snapshot is written twice under one key. */
  #refusedKey = '';
  #checkedMs = 0;

  constructor(bucket: R2Bucket, instances: Instances, times: SnapshotTimes) {
    this.#bucket = bucket;
    this.#instances = instances;
    this.#times = times;
  }

  /** C1.6: without a snapshot every call looks for one; with one, another is taken up beside the calls. */
  async ready(waitUntil: (work: Promise<void>) => void): Promise<void> {
    if (!this.#instances.hasSnapshot) return this.#load();
    if (this.#times.nowMs() - this.#checkedMs >= this.#times.checkEveryMs) waitUntil(this.#load());
  }

  /** Of several calls that want it at once, one loads. */
  #load(): Promise<void> {
    this.#checkedMs = this.#times.nowMs();
    this.#loading ??= this.#loadNow()
      .catch((fault: unknown) => this.#times.log(`the snapshot is not taken up: ${String(fault)}`))
      .finally(() => (this.#loading = null));
    return this.#loading;
  }

  async #loadNow(): Promise<void> {
    const pointer = await this.#bucket.get(POINTER_KEY);
    if (pointer === null) return;
    const { snapshot } = await pointer.json<Pointer>();
    if (snapshot === this.#key || snapshot === this.#refusedKey) return;
    const object = await this.#bucket.get(snapshot);
    if (object === null) throw new Error(`there is no ${snapshot}, which "${POINTER_KEY}" names`);
    const bytes = new Uint8Array(await object.arrayBuffer());
    this.#refusedKey = snapshot;
    this.#instances.takeUp(bytes);
    this.#refusedKey = '';
    this.#key = snapshot;
  }
}
