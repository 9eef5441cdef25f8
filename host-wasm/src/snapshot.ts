// The snapshot in force, out of object storage: a small object `current` names the one that is.

import type { Instances } from './instances';

const POINTER_KEY = 'current';
const LOAD_LOST_MS = 30_000;

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
  #loadingSinceMs = 0;
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
    const isDue = this.#times.nowMs() - this.#checkedMs >= this.#times.checkEveryMs;
    if (this.#instances.hasSnapshot && !isDue) return;
    const loading = this.#load();
    waitUntil(loading); // others may wait for it too when this call has ended
    if (!this.#instances.hasSnapshot) await loading;
  }

  /** Of several calls that want it at once, one loads. One that the platform ended never settles: another follows it. */
  #load(): Promise<void> {
    this.#checkedMs = this.#times.nowMs();
    if (this.#loading !== null && Date.now() - this.#loadingSinceMs < LOAD_LOST_MS) return this.#loading;
    this.#loadingSinceMs = Date.now();
    const loading = this.#loadNow()
      .catch((fault: unknown) => this.#times.log(`the snapshot is not taken up: ${String(fault)}`))
      .finally(() => {
        if (this.#loading === loading) this.#loading = null;
      });
    this.#loading = loading;
    return loading;
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
