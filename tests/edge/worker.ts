// The workers in their test build: the same code, with a clock turned by hand and one seeded random stream, and records
// that are written before the answer. The clock and a fresh state are asked for at an entrypoint of its own, so that no
// path of the API is taken.

import { WorkerEntrypoint } from 'cloudflare:workers';
import module from './tonearm.wasm';

import { AccountHome } from '../../host-wasm/src/account_home';
import { Admin } from '../../host-wasm/src/admin';
import { Api } from '../../host-wasm/src/api';
import { DirectoryHome } from '../../host-wasm/src/directory_home';
import { Edge, type Env, PLATFORM_TIMES } from '../../host-wasm/src/edge';
import { targetOf } from '../../host-wasm/src/http';
import type { Isolate } from '../../host-wasm/src/isolate';
import { hashing } from '../../host-wasm/src/ports';
import { ObjectStorage } from '../../host-wasm/src/storage';

const MASK = 2n ** 64n - 1n;

/** SplitMix64, as in tests/support/fakes.h. */
class SeededRandom {
  #state: bigint;

  constructor(seed: bigint) {
    this.#state = seed;
  }

  fill(out: Uint8Array): void {
    for (let i = 0; i < out.length; ++i) out[i] = Number(this.#next() >> 56n);
  }

  #next(): bigint {
    this.#state = (this.#state + 0x9e3779b97f4a7c15n) & MASK;
    let z = this.#state;
    z = ((z ^ (z >> 30n)) * 0xbf58476d1ce4e5b9n) & MASK;
    z = ((z ^ (z >> 27n)) * 0x94d049bb133111ebn) & MASK;
    return z ^ (z >> 31n);
  }
}

interface Reset {
  start_ms: number;
  seed: number;
  key_secret: string;
  admin_token: string;
  /** "none": no snapshot is looked for. */
  catalog: string;
  /** Real time between two alarms of an object, and of the directory while it has something to bring. */
  retain_ms?: number;
  bring_again_ms?: number;
  /** How long records wait; 0, which it is where nothing is said: they are written before the answer. */
  report_ms?: number;
  snapshot_check_ms?: number;
  /** Whether the core is suspended while blocks come; false: calls run again. */
  suspends?: boolean;
  /** Whether blocks are looked for in the platform's cache. */
  uses_cache?: boolean;
}

interface Command {
  reset?: Reset;
  advance_ms?: number;
  /** Of which account, or of the directory; answered with them. */
  tables?: string;
  directory_tables?: boolean;
  /** Whether object storage fails. */
  fail_reads?: boolean;
  /** How long object storage takes for each read. */
  slow_reads_ms?: number;
  /** Whether calls end with their clients, as the platform ends all that has taken too long. */
  end_with_clients?: boolean;
  /** Answered with how many instances of the core there are. */
  instances?: boolean;
  /** Answered with how often objects were reached, the API called and object storage read since the last reset. */
  counts?: boolean;
  /** Brings an account's object a copy again, the how many-th of all since the reset; answered "taken" or "refused". */
  bring_again?: { account: string; copy: number };
  /** Whether no account's object can be given a copy. */
  refuse_copies?: boolean;
  /** How many batches of records fail from now on: before they reach their object, or when it has written them. */
  fail_records?: { before?: number; after?: number };
  /** Whether the core finds no random bytes, which it does not survive. */
  fail_random?: boolean;
  /** Statements with these words are refused by the storage; none: nothing is. */
  fail_statement?: string;
}

const NO_SNAPSHOTS = { get: async () => null } as unknown as R2Bucket;
const asWanted = (bucket: R2Bucket) =>
  ({
    async get(key: string, options: R2GetOptions) {
      ++counts.reads;
      if (readsFail) throw new Error('out of reach, as the test wants it');
      if (slowReadsMs > 0) await scheduler.wait(slowReadsMs);
      return bucket.get(key, options);
    },
  }) as unknown as R2Bucket;

let nowMs = 0;
let resets = 0;
let current: Isolate | null = null;
let refusesCopies = false;
let readsFail = false;
let slowReadsMs = 0;
let endWithClients = false;
let randomFails = false;
let failingStatement = '';
const copies: Uint8Array[] = [];
const failRecords = { before: 0, after: 0 };
/** Batches of records that reached their object, alarms that accounts' objects and the directory have gone through. */
const counts = { batches: 0, alarms: 0, directory_alarms: 0, calls: 0, reads: 0 };

const { execute } = ObjectStorage.prototype;
ObjectStorage.prototype.execute = function (statement, parameters) {
  if (failingStatement !== '' && statement.includes(failingStatement)) throw new Error('as the test wants it');
  return execute.call(this, statement, parameters);
};

function isolate(): Isolate {
  if (current === null) throw new Error('reset it first');
  return current;
}

/** The core's tables, and how many rows each has. */
function tablesOf({ sql }: DurableObjectStorage): Record<string, number> {
  const names = sql.exec("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '\\_cf\\_%' ESCAPE '\\'");
  return Object.fromEntries(Array.from(names.raw(), ([name]) => [name, [...sql.exec(`SELECT 1 FROM ${name}`).raw()].length]));
}

function reset(env: Env, wanted: Reset): void {
  const { start_ms, seed, key_secret, admin_token, catalog } = wanted;
  nowMs = start_ms;
  const random = new SeededRandom(BigInt(seed));
  const ports = {
    ...hashing,
    nowMs: () => nowMs,
    random(out: Uint8Array) {
      if (randomFails) throw new Error('no random bytes, as the test wants it');
      random.fill(out);
    },
    log: (line: string) => console.error(line),
  };
  const tokenHash = hashing.sha256(new TextEncoder().encode(admin_token));
  const bindings: Env = {
    ...env,
    SNAPSHOTS: catalog === 'none' ? NO_SNAPSHOTS : asWanted(env.SNAPSHOTS),
    KEY_SECRET: key_secret,
    ADMIN_TOKEN_SHA256: [...tokenHash].map((byte) => byte.toString(16).padStart(2, '0')).join(''),
  };
  // Objects of their own for each reset, so that their storage is fresh.
  const times = {
    snapshotCheckMs: wanted.snapshot_check_ms ?? PLATFORM_TIMES.snapshotCheckMs,
    reportMs: wanted.report_ms ?? 0,
    retainMs: wanted.retain_ms ?? PLATFORM_TIMES.retainMs,
    bringAgainMs: wanted.bring_again_ms ?? PLATFORM_TIMES.bringAgainMs,
  };
  const edge = new Edge(module, bindings, ports, times, {
    names: `${++resets}/`,
    suspends: wanted.suspends,
    usesCache: wanted.uses_cache,
  });
  current = { edge, api: new Api(edge), admin: new Admin(edge) };
  copies.length = 0;
  for (const name of Object.keys(counts) as (keyof typeof counts)[]) counts[name] = 0;
}

export class AccountObject extends AccountHome {
  protected get edge() {
    return isolate().edge;
  }

  override async takeCopy(copy: Uint8Array): Promise<void> {
    if (refusesCopies) throw new Error('out of reach, as the test wants it');
    copies.push(copy);
    return super.takeCopy(copy);
  }

  override async writeRecords(records: Uint8Array[]): Promise<void> {
    if (failRecords.before-- > 0) throw new Error('not reached, as the test wants it');
    await super.writeRecords(records);
    ++counts.batches;
    if (failRecords.after-- > 0) throw new Error('the answer is lost, as the test wants it');
  }

  override async alarm(): Promise<void> {
    await super.alarm();
    ++counts.alarms;
  }

  tables(): Record<string, number> {
    return tablesOf(this.ctx.storage);
  }
}

export class DirectoryObject extends DirectoryHome {
  protected get edge() {
    return isolate().edge;
  }

  override async alarm(): Promise<void> {
    await super.alarm();
    ++counts.directory_alarms;
  }

  tables(): Record<string, number> {
    return tablesOf(this.ctx.storage);
  }
}

export class Control extends WorkerEntrypoint<Env> {
  override async fetch(request: Request): Promise<Response> {
    const command = await request.json<Command>();
    refusesCopies = command.refuse_copies ?? refusesCopies;
    readsFail = command.fail_reads ?? readsFail;
    slowReadsMs = command.slow_reads_ms ?? slowReadsMs;
    endWithClients = command.end_with_clients ?? endWithClients;
    if (command.instances) return Response.json(isolate().edge.instances.sizes.instances);
    randomFails = command.fail_random ?? randomFails;
    failingStatement = command.fail_statement ?? failingStatement;
    if (command.fail_records) Object.assign(failRecords, { before: 0, after: 0 }, command.fail_records);
    if (command.counts) return Response.json(counts);
    if (command.directory_tables) {
      const directory = isolate().edge.directoryOf(this.env) as unknown as DirectoryObject;
      return Response.json(await directory.tables());
    }
    if (command.bring_again) {
      const { account, copy } = command.bring_again;
      const [home, again] = [isolate().edge.homeOf(this.env, account), copies[copy]];
      if (again === undefined) throw new Error('there was no such copy');
      return home.takeCopy(again).then(
        () => new Response('taken'),
        () => new Response('refused'),
      );
    }
    if (command.tables) {
      const home = isolate().edge.homeOf(this.env, command.tables) as unknown as AccountObject;
      return Response.json(await home.tables());
    }
    if (command.reset) reset(this.env, command.reset);
    if (command.advance_ms) nowMs += command.advance_ms;
    return new Response('done');
  }
}

export default {
  fetch(request, env, ctx) {
    const { api, admin } = isolate();
    if (targetOf(request).startsWith('/admin/')) return admin.fetch(request, env, ctx);
    ++counts.calls;
    const waitUntil = (work: Promise<unknown>) => endWithClients || ctx.waitUntil(work);
    return api.fetch(request, env, { ...ctx, waitUntil } as ExecutionContext);
  },
} satisfies ExportedHandler<Env>;
