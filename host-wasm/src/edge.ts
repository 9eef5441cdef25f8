// What the worker and its objects share in one isolate: the core's instances, the snapshot and the ports.

import type { AccountHome } from './account_home';
import type { DirectoryHome } from './directory_home';
import { Instances } from './instances';
import type { Ports } from './ports';
import { Snapshots } from './snapshot';

/** The bindings (docs/operate/edge.md). */
export interface Env {
  SNAPSHOTS: R2Bucket;
  ACCOUNTS: DurableObjectNamespace<AccountHome>;
  DIRECTORY: DurableObjectNamespace<DirectoryHome>;
  /** Of the deployment: all isolates share it (C3.2). */
  KEY_SECRET: string;
  /** Hex. */
  ADMIN_TOKEN_SHA256: string;
  /** "true": snapshots of the profile `evaluation` are served (C10.2). */
  ALLOW_EVALUATION?: string;
}

/** How long things wait, in milliseconds. */
export interface Times {
  snapshotCheckMs: number;
  /** Call records on their way to their account's object; 0: they are there before the answer. */
  reportMs: number;
  /** Between two times that retention runs in an object. */
  retainMs: number;
  /** Until the directory tries again to bring a change to an account's object. */
  bringAgainMs: number;
}

/** What tests have otherwise. */
export interface Special {
  /** What the names of objects begin with. */
  names?: string;
  /** As in InstanceOptions. */
  suspends?: boolean;
  answerCacheBytes?: number;
  /** Whether blocks are looked for in the platform's cache and left there. */
  usesCache?: boolean;
}

export const PLATFORM_TIMES: Times = {
  snapshotCheckMs: 30_000,
  reportMs: 1_000,
  retainMs: 86_400_000,
  bringAgainMs: 5_000,
};

/** Of whole catalog answers, in each of two instances. */
const ANSWER_CACHE_BYTES = 4 * 1024 * 1024;

const DIRECTORY_NAME = 'directory';

export class Edge {
  readonly ports: Ports;
  readonly times: Times;
  readonly instances: Instances;
  readonly snapshots: Snapshots;
  readonly #names: string;

  /** Throws where a binding is missing. */
  constructor(module: WebAssembly.Module, env: Env, ports: Ports, times: Times, special: Special = {}) {
    for (const name of ['KEY_SECRET', 'ADMIN_TOKEN_SHA256'] as const) {
      if (!env[name]) throw new Error(`the binding ${name} is missing`);
    }
    if (!/^[0-9a-f]{64}$/i.test(env.ADMIN_TOKEN_SHA256)) throw new Error('ADMIN_TOKEN_SHA256 must be 64 hex digits');
    const digits = env.ADMIN_TOKEN_SHA256.match(/../g) ?? [];
    const start = {
      keySecret: env.KEY_SECRET,
      adminTokenHash: Uint8Array.from(digits, (pair) => parseInt(pair, 16)),
      answerCacheBytes: special.answerCacheBytes ?? ANSWER_CACHE_BYTES,
    };
    this.ports = ports;
    this.times = times;
    const allowEvaluation = env.ALLOW_EVALUATION === 'true';
    const { names = '', suspends, usesCache = true } = special;
    this.instances = new Instances(module, ports, start, { allowEvaluation, suspends });
    this.snapshots = new Snapshots(env.SNAPSHOTS, this.instances, ports, times.snapshotCheckMs, usesCache);
    this.#names = names;
  }

  homeOf(env: Env, account: string) {
    return env.ACCOUNTS.get(env.ACCOUNTS.idFromName(this.#names + account));
  }

  directoryOf(env: Env) {
    return env.DIRECTORY.get(env.DIRECTORY.idFromName(this.#names + DIRECTORY_NAME));
  }
}
