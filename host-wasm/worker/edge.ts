// The parts that the worker and its objects share in an isolate: the core, the snapshot and the ports.

import { sharedAnswersOf } from './shared_answers';
import type { Env } from './bindings';
import { IsolateCore } from './isolate_core';
import type { Ports } from './ports';
import { platformCache, SharedCache } from './shared_cache';
import { SharedPointer, Snapshots } from './snapshot';
import { TakeDowns } from './takedowns';
import { TrustedKeys } from './trusted_keys';

/** Intervals and timeouts, in milliseconds. */
export interface Times {
  snapshotCheckMs: number;
  /** The age of the list of take-downs from which it is read again, and that from which calls wait for it. */
  takeDownsRefreshMs: number;
  takeDownsStaleMs: number;
  /** The time after which a lookup in the shared cache counts as unsuccessful. */
  cacheMs: number;
  /** The delay before a batch of call records is sent to their account's shard; 0 writes records before the answer. */
  reportMs: number;
  /** How long the session of a call stays open. The platform charges for an object with an open session. */
  sessionMs: number;
  /** The age from which an account's object stores counts although their records have not arrived (HOST-61). Longer than `reportMs`. */
  countsMs: number;
  /** The interval of retention in an object. */
  retainMs: number;
  /** The delay before the directory retries to replicate a change. */
  replicationRetryMs: number;
  /** The timeout of calls between the directory and a shard. */
  replicaMs: number;
  /** The timeout for a body after the admission of its call. */
  bodyMs: number;
  /** The delay of a 401 for a network with too many failed keys. */
  failedKeyMs: number;
  /** The delay of the next alarm after a failed one. */
  alarmRetryMs: number;
}

/** Limits within the 10 GB of an object: above the first, the oldest call records are deleted; above the second, writes are refused. */
export interface StorageLimits {
  retainFromBytes: number;
  fullBytes: number;
}

const PLATFORM_STORAGE: StorageLimits = { retainFromBytes: 8 * 2 ** 30, fullBytes: 9 * 2 ** 30 };

/** Settings that tests override. */
export interface EdgeOverrides {
  storageLimits?: StorageLimits;
  /** A prefix for the names of objects. */
  names?: string;
  answerCacheBytes?: number;
  blocksMax?: number;
  pinnedBytesMax?: number;
  runsMax?: number;
  /** Whether to use the platform's cache, and also for answers. */
  usesCache?: boolean;
  sharesAnswers?: boolean;
}

export const PLATFORM_TIMES: Times = {
  snapshotCheckMs: 30_000,
  takeDownsRefreshMs: 2_000,
  takeDownsStaleMs: 4_000,
  cacheMs: 200,
  reportMs: 1_000,
  sessionMs: 90, // costs as much as another request
  countsMs: 3_000,
  retainMs: 86_400_000,
  replicationRetryMs: 5_000,
  replicaMs: 10_000,
  bodyMs: 20_000,
  failedKeyMs: 1_000,
  alarmRetryMs: 60_000,
};

/** The size of the cache of whole catalog answers. */
const ANSWER_CACHE_BYTES = 4 * 1024 * 1024;
/** 16 MiB of frequently used blocks. */
const BLOCKS_MAX = 256;
/** For all running calls. A collection of 500 tracks needs about 32 MiB, a search 1 or 2, facets with many values 20. */
const PINNED_BYTES_MAX = 40 * 1024 * 1024;
/** A search needs at most ten runs; facets with many values need more. */
const RUNS_MAX = 64;

const DIRECTORY_NAME = 'directory';

/** Parses an integer below 2^20; missing means 0. Throws for anything else. */
function epochOf(text = '0'): number {
  if (!/^\d{1,7}$/.test(text) || Number(text) >= 2 ** 20) {
    throw new Error(`DIRECTORY_EPOCH must be an integer from 0 to ${2 ** 20 - 1}; got "${text}"`);
  }
  return Number(text);
}

/** Returns http(s)://HOST[:PORT] in the form to which clients normalize it, or an empty text for a missing binding. Throws for anything else. */
function publicUrlOf(env: Env, name: 'PUBLIC_URL' | 'AUTHORIZATION_SERVER'): string {
  const text = (env[name] ?? '').replace(/\/$/, '');
  if (text === '' || (/^https?:/.test(text) && URL.canParse(text) && new URL(text).origin === text)) return text;
  throw new Error(`${name} must be http(s)://HOST or http(s)://HOST:PORT in lower case, without a default port; got "${text}"`);
}

/** Throws unless both addresses for OAuth are given, or neither. */
function oauthAddresses(env: Env) {
  const [publicUrl, authorizationServer] = [publicUrlOf(env, 'PUBLIC_URL'), publicUrlOf(env, 'AUTHORIZATION_SERVER')];
  if ((publicUrl === '') !== (authorizationServer === '')) throw new Error('PUBLIC_URL and AUTHORIZATION_SERVER must be used together');
  return { publicUrl, authorizationServer };
}

export class Edge {
  readonly ports: Ports;
  readonly times: Times;
  readonly core: IsolateCore;
  readonly snapshots: Snapshots;
  readonly takeDowns: TakeDowns;
  readonly directoryEpoch: number;
  /** The deployed version of the worker; empty: not known. */
  readonly release: string;
  readonly storageLimits: StorageLimits;
  readonly #names: string;

  /** Throws if a binding is missing or invalid. */
  constructor(module: WebAssembly.Module, env: Env, ports: Ports, times: Times, overrides: EdgeOverrides = {}) {
    for (const name of ['KEY_SECRET', 'ADMIN_TOKEN_SHA256'] as const) {
      if (!env[name]) throw new Error(`the binding ${name} is missing`);
    }
    if (!/^[0-9a-f]{64}$/i.test(env.ADMIN_TOKEN_SHA256)) throw new Error('ADMIN_TOKEN_SHA256 must be 64 hex digits');
    const digits = env.ADMIN_TOKEN_SHA256.match(/../g) ?? [];
    this.directoryEpoch = epochOf(env.DIRECTORY_EPOCH);
    this.storageLimits = overrides.storageLimits ?? PLATFORM_STORAGE;
    const start = {
      keySecret: env.KEY_SECRET,
      adminTokenHash: Uint8Array.from(digits, (pair) => parseInt(pair, 16)),
      answerCacheBytes: overrides.answerCacheBytes ?? ANSWER_CACHE_BYTES,
      blocksMax: overrides.blocksMax ?? BLOCKS_MAX,
      directoryEpoch: this.directoryEpoch,
      ...oauthAddresses(env),
    };
    this.ports = ports;
    this.times = times;
    const { names = '', usesCache = true, sharesAnswers = true, pinnedBytesMax = PINNED_BYTES_MAX, runsMax = RUNS_MAX } = overrides;
    const allowEvaluation = env.ALLOW_EVALUATION === 'true';
    const blocks = usesCache ? platformCache() : null;
    const cacheOptions = { secret: env.KEY_SECRET, answerMs: times.cacheMs };
    const caches = blocks === null ? null : { blocks, ends: new SharedCache(blocks, ports, cacheOptions) };
    // Without a known release, an answer of older code could be served, or a snapshot of another bucket.
    this.release = env.RELEASE?.id ?? '';
    const shared = this.release === '' ? null : (caches?.ends ?? null);
    const sharedAnswers = shared === null || !sharesAnswers ? null : sharedAnswersOf(shared, this.release, ports);
    this.core = new IsolateCore(module, ports, start, { allowEvaluation, pinnedBytesMax, runsMax, sharedAnswers });
    const trusted = env.CATALOG_KEY === undefined ? null : TrustedKeys.of(env.CATALOG_KEY, ports);
    const checkEveryMs = times.snapshotCheckMs;
    const pointer = shared === null ? null : new SharedPointer(shared, ports, { release: this.release, keptMs: checkEveryMs });
    this.snapshots = new Snapshots(env.SNAPSHOTS, this.core, ports, { checkEveryMs, caches, shared: pointer, trusted });
    this.takeDowns = new TakeDowns(env.SNAPSHOTS, this.core, ports, { refreshMs: times.takeDownsRefreshMs, staleMs: times.takeDownsStaleMs });
    this.#names = names;
  }

  /** Begins to prepare a call that reads the catalog. The returned function resolves when it can: call it after the body, so that the list of
   * take-downs is recent. It resolves to false if no call may read the catalog, because the list is not known (TAKEDOWN-6). */
  prepareCatalog(waitUntil: (work: Promise<void>) => void): () => Promise<boolean> {
    const canRead = (prepared: Promise<unknown>) =>
      prepared.then(
        () => true,
        (error: unknown) => {
          this.ports.log(`the catalog cannot be read: ${String(error)}`);
          return false;
        },
      );
    const first = canRead(Promise.all([this.snapshots.ensureLoaded(waitUntil), this.takeDowns.ensureRecent(waitUntil)]));
    return async () => (await first) && canRead(this.takeDowns.ensureRecent(waitUntil));
  }

  /** Returns whether both have the same code; false if a release is not known. */
  isOfRelease(release: string | undefined): boolean {
    return this.release !== '' && release === this.release;
  }

  shardOf(env: Env, account: string) {
    return env.ACCOUNTS.get(env.ACCOUNTS.idFromName(this.#names + account));
  }

  directoryOf(env: Env) {
    return env.DIRECTORY.get(env.DIRECTORY.idFromName(this.#names + DIRECTORY_NAME));
  }
}
