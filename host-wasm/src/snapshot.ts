// The snapshot in force, out of object storage: a small object `current` names the one that is.

import { waitUntil } from 'cloudflare:workers';

import type { Instances } from './instances';
import type { Ports } from './ports';
import { type BlockCache, RemoteFile } from './remote_file';

const POINTER_KEY = 'current';
const LOAD_LOST_MS = 30_000;

/** The JSON of the pointer: the key of the snapshot, which holds its content's version, and is never written again. */
interface Pointer {
  snapshot: string;
}

/** The cache of the data center, where the platform has one. */
function platformCache(): BlockCache | null {
  if (typeof caches === 'undefined') return null;
  const { default: cache } = caches;
  return {
    match: (address) => cache.match(address),
    put(address, response) {
      // The addresses name the content: it stays right as long as it is kept.
      response.headers.set('Cache-Control', 'public, max-age=31536000, immutable');
      waitUntil(cache.put(address, response).catch(() => {}));
    },
  };
}

export class Snapshots {
  readonly #bucket: R2Bucket;
  readonly #instances: Instances;
  readonly #ports: Ports;
  /** How long the pointer is believed. */
  readonly #checkEveryMs: number;
  readonly #cache: BlockCache | null;
  #loading: Promise<void> | null = null;
  #loadingSinceMs = 0;
  #key = '';
  /** What the core refused is not fetched again: no snapshot is written twice under one key. */
  #refusedKey = '';
  #checkedMs = 0;

  constructor(bucket: R2Bucket, instances: Instances, ports: Ports, checkEveryMs: number, usesCache: boolean) {
    this.#bucket = bucket;
    this.#instances = instances;
    this.#ports = ports;
    this.#checkEveryMs = checkEveryMs;
    this.#cache = usesCache ? platformCache() : null;
  }

  /** C1.6: without a snapshot every call looks for one; with one, another is taken up beside the calls. */
  async ready(waitUntil: (work: Promise<void>) => void): Promise<void> {
    const isDue = this.#ports.nowMs() - this.#checkedMs >= this.#checkEveryMs;
    if (this.#instances.hasSnapshot && !isDue) return;
    const loading = this.#load();
    waitUntil(loading); // others may wait for it too when this call has ended
    if (!this.#instances.hasSnapshot) await loading;
  }

  /** Of several calls that want it at once, one loads. One that the platform ended never settles: another follows it. */
  #load(): Promise<void> {
    this.#checkedMs = this.#ports.nowMs();
    if (this.#loading !== null && Date.now() - this.#loadingSinceMs < LOAD_LOST_MS) return this.#loading;
    this.#loadingSinceMs = Date.now();
    const loading = this.#loadNow()
      .catch((fault: unknown) => this.#ports.log(`the snapshot is not taken up: ${String(fault)}`))
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
    const file = await RemoteFile.open(this.#bucket, snapshot, this.#ports, this.#cache);
    if (file === null) throw new Error(`there is no ${snapshot}, which "${POINTER_KEY}" names`);
    try {
      await this.#instances.takeUp(file);
    } catch (fault) {
      if (!file.wasOutOfReach) this.#refusedKey = snapshot;
      throw fault;
    }
    this.#key = snapshot;
  }
}
