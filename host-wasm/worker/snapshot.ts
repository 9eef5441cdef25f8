// Loads the current snapshot from object storage. A small object `current` contains its name.

import { MessageReader, MessageWriter } from '../../core-js/src/message';
import { BlocksUnavailable } from '../../core-js/src/pins';
import type { SnapshotFile } from '../../core-js/src/snapshot_file';
import { Bucket } from './bucket';
import type { IsolateCore } from './isolate_core';
import type { Ports } from './ports';
import { openRemoteFile, type SnapshotCaches, WrongSignature } from './remote_file';
import type { SharedCache } from './shared_cache';
import type { TrustedKeys } from './trusted_keys';

const POINTER_KEY = 'current';
/** After this time a load counts as lost, because the platform may end it silently; then another one starts. */
const LOAD_LOST_MS = 30_000;
const POLL_MS = 25;

/** The pointer: the key of the snapshot. A key contains the version of the content and is never overwritten. */
interface Pointer {
  snapshot: string;
  /** The version of the pointer itself. */
  version: string;
}

/** The pointer that an isolate of the same release and data center has read lately. */
export class SharedPointer {
  readonly #cache: SharedCache;
  readonly #address: string;
  readonly #ports: Ports;
  readonly #keptMs: number;

  /** `release`: the deployed version of the worker, because another one may have another bucket. `keptMs`: the age from which the
   * pointer is not used. */
  constructor(cache: SharedCache, ports: Ports, { release, keptMs }: { release: string; keptMs: number }) {
    this.#cache = cache;
    this.#address = `https://snapshots.tonearm.invalid/${encodeURIComponent(release)}/pointer-1`;
    this.#ports = ports;
    this.#keptMs = keptMs;
  }

  /** Throws if there is none, or if it is too old. */
  async find(): Promise<Pointer> {
    const entry = await this.#cache.find(this.#address);
    if (entry === null) throw new Error('no pointer is shared');
    const reader = new MessageReader(entry.buffer, entry.byteOffset);
    if (Math.abs(this.#ports.nowMs() - reader.integer()) >= this.#keptMs) throw new Error('the shared pointer is old');
    return { snapshot: reader.text(), version: reader.text() };
  }

  put({ snapshot, version }: Pointer): void {
    const message = new MessageWriter().integer(this.#ports.nowMs()).text(snapshot).text(version);
    this.#cache.put(this.#address, message.finish(), Math.ceil(this.#keptMs / 1000));
  }
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
  readonly #shared: SharedPointer | null;
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
    { checkEveryMs, caches, shared, trusted }: {
      checkEveryMs: number; caches: SnapshotCaches | null; shared: SharedPointer | null; trusted: TrustedKeys | null;
    },
  ) {
    this.#bucket = new Bucket(bucket, ports);
    this.#core = core;
    this.#ports = ports;
    this.#checkEveryMs = checkEveryMs;
    this.#caches = caches;
    this.#shared = shared;
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
    await new Promise<void>((onFirst) => waitUntil(this.#startLoad(onFirst))); // continues if the client disconnects
  }

  /** Calls `onFirst` once there is a snapshot, at the latest when the load ends. */
  async #startLoad(onFirst: () => void): Promise<void> {
    this.#checkedMs = this.#ports.nowMs();
    const load = { sinceMs: Date.now(), hasEnded: false };
    this.#load = load;
    if (this.#core.hasSnapshot) onFirst();
    try {
      const fromBucket = this.#readPointer();
      const first = await this.#firstOf(fromBucket);
      await this.#activate(first);
      if (this.#core.hasSnapshot) onFirst();
      const current = await fromBucket;
      if (current?.version === first?.version) return;
      // An operator may have replaced the file, and written the same name again.
      this.#key = '';
      this.#rejectedKey = '';
      await this.#activate(current);
    } catch (error) {
      this.#ports.log(`cannot read the pointer to the snapshot: ${String(error)}`);
    } finally {
      load.hasEnded = true;
      onFirst();
    }
  }

  async #readPointer(): Promise<Pointer | null> {
    const pointer = await this.#bucket.read(POINTER_KEY, {}, async (object) => {
      return { ...(await (object as R2ObjectBody).json<Omit<Pointer, 'version'>>()), version: object.version };
    });
    if (pointer !== null) this.#shared?.put(pointer);
    return pointer;
  }

  /** Without a snapshot, returns the pointer that arrives first: the shared one, or that of the bucket. */
  async #firstOf(fromBucket: Promise<Pointer | null>): Promise<Pointer | null> {
    if (this.#shared === null || this.#core.hasSnapshot) return fromBucket;
    return Promise.any([this.#shared.find(), fromBucket]).catch(() => fromBucket);
  }

  /** Activates the snapshot, unless it is active or was rejected. Does not throw. */
  async #activate(pointer: Pointer | null): Promise<void> {
    if (pointer === null || pointer.snapshot === this.#key || pointer.snapshot === this.#rejectedKey) return;
    try {
      await this.#activateFile(pointer.snapshot, await this.#open(pointer));
      this.#key = pointer.snapshot;
    } catch (error) {
      this.#ports.log(`cannot activate the snapshot: ${String(error)}`);
    }
  }

  async #activateFile(key: string, file: SnapshotFile | null): Promise<void> {
    if (file === null) throw new Error(`${key}, which "${POINTER_KEY}" names, does not exist`);
    try {
      await this.#core.activate(file);
    } catch (error) {
      if (file.isDamaged || !(error instanceof BlocksUnavailable)) this.#rejectedKey = key;
      throw error;
    }
  }

  async #open({ snapshot, version: pointerVersion }: Pointer): Promise<SnapshotFile | null> {
    try {
      return await openRemoteFile(this.#bucket, snapshot, this.#ports, { caches: this.#caches, pointerVersion, trusted: this.#trusted });
    } catch (error) {
      if (error instanceof WrongSignature) this.#rejectedKey = snapshot;
      throw error;
    }
  }
}
