// What the worker and its objects share in one isolate: the core, the snapshot and the ports.

import type { Env } from './bindings';
import { IsolateCore } from './isolate_core';
import type { Ports } from './ports';
import { Snapshots } from './snapshot';
import { TrustedKeys } from './trusted_keys';

/** How long things wait, in milliseconds. */
export interface Times {
  snapshotCheckMs: number;
  /** Call records until they are sent to their account's shard; 0: they are written before the answer. */
  reportMs: number;
  /** Between two runs of retention in an object. */
  retainMs: number;
  /** Until the directory tries again to replicate a change to an account's shard. */
  replicationRetryMs: number;
  /** How long it, or a shard, waits for the other to answer. */
  replicaMs: number;
  /** How long a body may take from the admission of its call on. */
  bodyMs: number;
  /** How late the 401 comes to a network with too many failed keys. */
  failedKeyMs: number;
  /** Until an object whose alarm failed has the next one. */
  alarmRetryMs: number;
}

/** Of the 10 GB that the platform gives an object: from where on its oldest call records go, and nothing is written. */
export interface StorageLimits {
  retainFromBytes: number;
  fullBytes: number;
}

const PLATFORM_STORAGE: StorageLimits = { retainFromBytes: 8 * 2 ** 30, fullBytes: 9 * 2 ** 30 };

/** What tests set differently. */
export interface EdgeOverrides {
  storageLimits?: StorageLimits;
  /** What the names of objects begin with. */
  names?: string;
  answerCacheBytes?: number;
  blocksMax?: number;
  pinnedBytesMax?: number;
  runsMax?: number;
  /** Whether blocks are looked for in the platform's cache and left there. */
  usesCache?: boolean;
}

export const PLATFORM_TIMES: Times = {
  snapshotCheckMs: 30_000,
  reportMs: 1_000,
  retainMs: 86_400_000,
  replicationRetryMs: 5_000,
  replicaMs: 10_000,
  bodyMs: 20_000,
  failedKeyMs: 1_000,
  alarmRetryMs: 60_000,
};

/** Of whole catalog answers. */
const ANSWER_CACHE_BYTES = 4 * 1024 * 1024;
/** 16 MiB: what searches need again and again. */
const BLOCKS_MAX = 256;
/** Of calls under way. One of a collection of 500 tracks takes some 32 MiB, a search 1 or 2, facets of many values 20. */
const PINNED_BYTES_MAX = 40 * 1024 * 1024;
/** A search takes at most ten, one with facets of many values more. */
const RUNS_MAX = 64;

const DIRECTORY_NAME = 'directory';

/** A whole number below 2^20; nothing: 0. Throws for anything else. */
function epochOf(text = '0'): number {
  if (!/^\d{1,7}$/.test(text) || Number(text) >= 2 ** 20) {
    throw new Error(`DIRECTORY_EPOCH must be a whole number from 0 to ${2 ** 20 - 1}; got "${text}"`);
  }
  return Number(text);
}

export class Edge {
  readonly ports: Ports;
  readonly times: Times;
  readonly core: IsolateCore;
  readonly snapshots: Snapshots;
  readonly directoryEpoch: number;
  readonly storageLimits: StorageLimits;
  readonly #names: string;

  /** Throws where a binding is missing. */
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
    };
    this.ports = ports;
    this.times = times;
    const { names = '', usesCache = true, pinnedBytesMax = PINNED_BYTES_MAX, runsMax = RUNS_MAX } = overrides;
    const allowEvaluation = env.ALLOW_EVALUATION === 'true';
    this.core = new IsolateCore(module, ports, start, { allowEvaluation, pinnedBytesMax, runsMax });
    const trusted = env.CATALOG_KEY === undefined ? null : TrustedKeys.of(env.CATALOG_KEY, ports);
    const checkEveryMs = times.snapshotCheckMs;
    this.snapshots = new Snapshots(env.SNAPSHOTS, this.core, ports, { checkEveryMs, usesCache, trusted });
    this.#names = names;
  }

  shardOf(env: Env, account: string) {
    return env.ACCOUNTS.get(env.ACCOUNTS.idFromName(this.#names + account));
  }

  directoryOf(env: Env) {
    return env.DIRECTORY.get(env.DIRECTORY.idFromName(this.#names + DIRECTORY_NAME));
  }
}
