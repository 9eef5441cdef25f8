// Tracks that the operator took down (TAKEDOWN-6). The directory publishes their ids as a small object beside the snapshots, and each
// isolate reads it again every few seconds. So no call depends on the directory.

import { Bucket } from './bucket';
import type { IsolateCore } from './isolate_core';
import type { Ports } from './ports';

const LIST_KEY = 'takedowns';

/** The ids of all tracks that are taken down. */
interface List {
  track_ids: string[];
}

/** Writes the list for all isolates. Throws if it cannot be written. */
export async function publishTakeDowns(bucket: R2Bucket, trackIds: string[]): Promise<void> {
  const list: List = { track_ids: trackIds };
  await bucket.put(LIST_KEY, JSON.stringify(list));
}

export class TakeDowns {
  readonly #bucket: Bucket;
  readonly #core: IsolateCore;
  readonly #ports: Ports;
  /** The age of the list from which it is read again in the background, and that from which calls wait for it. */
  readonly #refreshMs: number;
  readonly #staleMs: number;
  #readMs: number | null = null;
  #startedMs = 0;
  /** When the last attempt failed, if it did. */
  #failedMs = -Infinity;
  #etag = '';

  constructor(bucket: R2Bucket, core: IsolateCore, ports: Ports, { refreshMs, staleMs }: { refreshMs: number; staleMs: number }) {
    this.#bucket = new Bucket(bucket, ports);
    this.#core = core;
    this.#ports = ports;
    this.#refreshMs = refreshMs;
    this.#staleMs = staleMs;
  }

  /** Makes sure that the core has a recent list. Throws if there was none yet and it cannot be read. */
  async ensureRecent(waitUntil: (work: Promise<void>) => void): Promise<void> {
    const nowMs = this.#ports.nowMs();
    const ageMs = this.#readMs === null ? Infinity : Math.abs(nowMs - this.#readMs);
    if (ageMs < this.#refreshMs) return;
    if (ageMs < this.#staleMs) {
      if (Math.abs(nowMs - this.#startedMs) < this.#refreshMs) return; // another call reads it
      waitUntil(this.#refresh());
      return;
    }
    // After a failure, calls with an earlier list do not wait again at once.
    if (this.#readMs === null || Math.abs(nowMs - this.#failedMs) >= this.#refreshMs) await this.#refresh();
    if (this.#readMs === null) throw new Error('the take-downs cannot be read');
  }

  /** If the list cannot be read, the last one stays in force. */
  async #refresh(): Promise<void> {
    const startedMs = this.#ports.nowMs();
    this.#startedMs = startedMs;
    try {
      const options: R2GetOptions = this.#etag === '' ? {} : { onlyIf: { etagDoesNotMatch: this.#etag } };
      const read = await this.#bucket.read(LIST_KEY, options, async (object) => {
        const list = 'body' in object ? await object.json<List>() : null; // without a body, it is the same as before
        return { etag: object.etag, trackIds: list?.track_ids ?? null };
      });
      if (this.#readMs !== null && startedMs < this.#readMs) return; // a later call was faster
      if (read === null) this.#core.takeDown([]);
      else if (read.trackIds !== null) this.#core.takeDown(read.trackIds);
      this.#etag = read?.etag ?? '';
      this.#readMs = startedMs;
      this.#failedMs = -Infinity;
    } catch (error) {
      this.#failedMs = this.#ports.nowMs();
      this.#ports.log(`cannot read the take-downs: ${String(error)}`);
    }
  }
}
