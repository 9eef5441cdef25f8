// Loads the current snapshot from object storage. A small object `current` contains its name.

import { BlocksUnavailable } from '../../core-js/src/pins';
import type { SnapshotFile } from '../../core-js/src/snapshot_file';
import { Bucket } from './bucket';
import type { IsolateCore } from './isolate_core';
import type { Ports } from './ports';
import { openRemoteFile, type SnapshotCaches, WrongSignature } from './remote_file';
import type { TrustedKeys } from './trusted_keys';

const POINTER_KEY = 'current';
/** After this time a load counts as lost, because the platform may end it silently; then another one starts. */
const LOAD_LOST_MS = 30_000;
const POLL_MS = 25;

/** The pointer: the key of the snapshot. A key contains the version of the content and is never overwritten. */
interface Pointer {
  snapshot: string;
}

interface Load {
  readonly sinceMs: number;
  hasEnded: boolean;
}

const isUnderWay = (load: Load | null): load is Load =>
  load !== null && !load.hasEnded && Date.now() - load.sinceMs < LOAD_LOST_MS;

export class Snapshots {
  readonly #bucket: Bucket;
  readonly #core: IsolateCore;
  readonly #ports: Ports;
  /** The interval at which the pointer is read again. */
  readonly #checkEveryMs: number;
  readonly #caches: SnapshotCaches | null;
  /** Null if signatures are not checked. */
  readonly #trusted: TrustedKeys | null;
  #load: Load | null = null;
  #key = '';
  /** The key of a rejected snapshot, which is not fetched again, because keys are never overwritten. */
  #rejectedKey = '';
  #checkedMs = 0;

  constructor(
    bucket: R2Bucket,
    core: IsolateCore,
    ports: Ports,
    { checkEveryMs, caches, trusted }: { checkEveryMs: number; caches: SnapshotCaches | null; trusted: TrustedKeys | null },
  ) {
    this.#bucket = new Bucket(bucket, ports);
    this.#core = core;
    this.#ports = ports;
    this.#checkEveryMs = checkEveryMs;
    this.#caches = caches;
    this.#trusted = trusted;
  }

  /** CHECK-6: without a snapshot, every call tries to load one; with one, a new one is activated in the background. Only one
   * call loads at a time. The others poll with their own timers, because no call can wake another one. */
  async ensureLoaded(waitUntil: (work: Promise<void>) => void): Promise<void> {
    const isDue = this.#ports.nowMs() - this.#checkedMs >= this.#checkEveryMs;
    if (this.#core.hasSnapshot && !isDue) return;
    const load = this.#load;
    if (isUnderWay(load)) {
      while (!this.#core.hasSnapshot && isUnderWay(load)) await scheduler.wait(POLL_MS);
      if (this.#core.hasSnapshot || load.hasEnded) return;
      return this.ensureLoaded(waitUntil); // the load was lost
    }
    const loading = this.#startLoad();
    waitUntil(loading); // continues if the client disconnects
    if (!this.#core.hasSnapshot) await loading;
  }

  async #startLoad(): Promise<void> {
    this.#checkedMs = this.#ports.nowMs();
    const load = { sinceMs: Date.now(), hasEnded: false };
    this.#load = load;
    try {
      await this.#loadCurrent();
    } catch (error) {
      this.#ports.log(`cannot activate the snapshot: ${String(error)}`);
    } finally {
      load.hasEnded = true;
    }
  }

  async #loadCurrent(): Promise<void> {
    const pointer = await this.#bucket.read(POINTER_KEY, {}, async (object) => {
      return { ...(await (object as R2ObjectBody).json<Pointer>()), version: object.version };
    });
    if (pointer === null) return;
    const { snapshot, version } = pointer;
    if (snapshot === this.#key || snapshot === this.#rejectedKey) return;
    const file = await this.#open(snapshot, version);
    if (file === null) throw new Error(`${snapshot}, which "${POINTER_KEY}" names, does not exist`);
    try {
      await this.#core.activate(file);
    } catch (error) {
      if (file.isDamaged || !(error instanceof BlocksUnavailable)) this.#rejectedKey = snapshot;
      throw error;
    }
    this.#key = snapshot;
  }

  async #open(snapshot: string, pointerVersion: string): Promise<SnapshotFile | null> {
    try {
      return await openRemoteFile(this.#bucket, snapshot, this.#ports, { caches: this.#caches, pointerVersion, trusted: this.#trusted });
    } catch (error) {
      if (error instanceof WrongSignature) this.#rejectedKey = snapshot;
      throw error;
    }
  }
}
