// The workers in their test build: the same code, with a clock turned by hand and one seeded random stream, and records
// that are written before the answer. The clock and a fresh state are asked for at an entrypoint of its own, so that no
// path of the API is taken.

import { WorkerEntrypoint } from 'cloudflare:workers';
import module from './tonearm.wasm';

import { AccountShard } from '../../host-wasm/worker/account_shard';
import { Admin } from '../../host-wasm/worker/admin';
import { Api } from '../../host-wasm/worker/api';
import { DirectoryShard } from '../../host-wasm/worker/directory_shard';
import { type Env, LAYOUT } from '../../host-wasm/worker/bindings';
import { ReplicaOutcome } from '../../host-wasm/worker/core';
import { Edge, PLATFORM_TIMES } from '../../host-wasm/worker/edge';
import { targetOf } from '../../host-wasm/worker/http';
import type { Isolate } from '../../host-wasm/worker/isolate';
import { hashing } from '../../host-wasm/worker/ports';
import { ObjectStorage } from '../../host-wasm/worker/storage';

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
  /** Real time between two alarms of an object, and of the directory while it has something to replicate. */
  retain_ms?: number;
  replication_retry_ms?: number;
  /** How long records wait; 0, which it is where nothing is said: they are written before the answer. */
  report_ms?: number;
  snapshot_check_ms?: number;
  /** As in EdgeOverrides. */
  blocks_max?: number;
  pinned_bytes_max?: number;
  runs_max?: number;
  answer_cache_bytes?: number;
  /** Whether blocks are looked for in the platform's cache. */
  uses_cache?: boolean;
  /** How long the directory and a shard wait for each other, and a body may take. */
  replica_ms?: number;
  body_ms?: number;
  alarm_retry_ms?: number;
  /** How late failed keys of a network over its limit are answered; 0 where nothing is said. */
  failed_key_ms?: number;
  /** How many bytes an account's object may have. */
  storage_limits?: { retainFromBytes: number; fullBytes: number };
  /** Raised where the directory was set back. */
  directory_epoch?: number;
  /** The objects, with what they store, are those from before. */
  same_objects?: boolean;
}

interface Command {
  reset?: Reset;
  advance_ms?: number;
  /** Of which account, or of the directory; answered with them. */
  tables?: string;
  directory_tables?: boolean;
  /** Whether object storage fails. */
  fail_reads?: boolean;
  /** Whether calls end with their clients, as the platform ends all that has taken too long. */
  end_with_clients?: boolean;
  /** Answered with the bytes of the core's memory, and of the blocks that calls have pinned. */
  sizes?: boolean;
  /** Answered with how often objects were reached, the API called and object storage read since the last reset. */
  counts?: boolean;
  /** Sends a shard a replica again, by its number since the reset; answered "applied" or "refused". */
  replicate_again?: { account: string; replica: number };
  /** Whether no shard takes a replica. */
  refuse_replicas?: boolean;
  /** The account whose shard does not answer when a replica comes; an empty name: every shard answers. */
  hold_replicas_of?: string;
  /** Waits until that was counted so often since the last reset. */
  until?: Partial<typeof counts>;
  /** Calls the shard of an account as another release does; answered with what it says. */
  other_layout?: { account: string; layout: number };
  /** Keeps what the directory stores, or sets it back to that. */
  directory?: 'keep' | 'set back';
  /** Answered with whether the object of that account, or the directory, has an alarm. */
  has_alarm?: string;
  /** Answered with how often each table was written since this was asked last. */
  written?: boolean;
  /** How many batches of records fail from now on: before they reach their object, or when it has written them. */
  fail_records?: { before?: number; after?: number };
  /** Whether the core finds no random bytes, which it does not survive. */
  fail_random?: boolean;
  /** Statements with these words are refused by the storage; none: nothing is. */
  fail_statement?: string;
}

const NO_SNAPSHOTS = { get: async () => null } as unknown as R2Bucket;

/** The test's process, which says when a read goes on and when its time is over (gate.mjs); without it nothing waits. */
interface TestEnv extends Env {
  GATE?: Fetcher;
}

function toGate(gate: Fetcher, message: object, signal?: AbortSignal): Promise<Response> {
  return gate.fetch('http://gate/', { method: 'POST', body: JSON.stringify(message), signal });
}

let reads = 0;
/** The read whose time is about to be measured: `withReadTimeout` begins the pause right after the read. */
let begun = 0;
const asWanted = (bucket: R2Bucket, gate: Fetcher | undefined) =>
  ({
    async get(key: string, options: R2GetOptions) {
      ++counts.reads;
      if (readsFail) throw new Error('out of reach, as the test wants it');
      if (gate !== undefined) {
        const id = ++reads;
        begun = id;
        const { offset = -1 } = (options.range ?? {}) as { offset?: number };
        await toGate(gate, { read: { id, key, offset } });
      }
      return bucket.get(key, options);
    },
  }) as unknown as R2Bucket;

async function pause(gate: Fetcher | undefined, ms: number, signal: AbortSignal): Promise<void> {
  if (gate === undefined) return scheduler.wait(ms, { signal });
  await toGate(gate, { pause_of: begun }, signal);
}

let nowMs = 0;
let resets = 0;
let current: Isolate | null = null;
let refusesReplicas = false;
let heldAccount = '';
let readsFail = false;
let endWithClients = false;
let randomFails = false;
let failingStatement = '';
const replicas: Uint8Array[] = [];
const failRecords = { before: 0, after: 0 };
/** Batches of records that reached their object, alarms that accounts' objects and the directory have gone through. */
const counts = { batches: 0, alarms: 0, directory_alarms: 0, calls: 0, reads: 0, admitted: 0, held: 0 };
/** Rows that shards of accounts were asked to write since the last reset, by the start of the statement. */
const written: Record<string, number> = {};

const { execute } = ObjectStorage.prototype;
ObjectStorage.prototype.execute = function (statement, parameters) {
  if (failingStatement !== '' && statement.includes(failingStatement)) throw new Error('as the test wants it');
  const [, what] = /^((?:INSERT INTO|DELETE FROM|UPDATE) \w+)/.exec(statement) ?? [];
  if (what !== undefined) written[what] = (written[what] ?? 0) + 1;
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

/** The account that a replica is of. */
function accountOf(replica: Uint8Array): string {
  const size = new DataView(replica.buffer, replica.byteOffset).getUint32(4, true);
  return new TextDecoder().decode(replica.subarray(8, 8 + size));
}

type Rows = { columns: string[]; rows: SqlStorageValue[][] };

function allRows({ sql }: DurableObjectStorage): Map<string, Rows> {
  return new Map(
    Object.keys(tablesOf({ sql } as DurableObjectStorage)).map((name) => {
      const found = sql.exec(`SELECT * FROM ${name}`);
      return [name, { columns: found.columnNames, rows: [...found.raw()] }];
    }),
  );
}

function setBack({ sql }: DurableObjectStorage, kept: Map<string, Rows>): void {
  for (const [name, { columns, rows }] of kept) {
    sql.exec(`DELETE FROM ${name}`);
    for (const row of rows) sql.exec(`INSERT INTO ${name} VALUES (${columns.map(() => '?').join(',')})`, ...row);
  }
}

function reset(env: TestEnv, wanted: Reset): void {
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
    pause: (ms: number, signal: AbortSignal) => pause(env.GATE, ms, signal),
    log: (line: string) => console.error(line),
  };
  const tokenHash = hashing.sha256(new TextEncoder().encode(admin_token));
  const bindings: Env = {
    ...env,
    SNAPSHOTS: catalog === 'none' ? NO_SNAPSHOTS : asWanted(env.SNAPSHOTS, env.GATE),
    KEY_SECRET: key_secret,
    DIRECTORY_EPOCH: String(wanted.directory_epoch ?? 0),
    ADMIN_TOKEN_SHA256: [...tokenHash].map((byte) => byte.toString(16).padStart(2, '0')).join(''),
  };
  // Objects of their own for each reset, so that their storage is fresh.
  const times = {
    snapshotCheckMs: wanted.snapshot_check_ms ?? PLATFORM_TIMES.snapshotCheckMs,
    reportMs: wanted.report_ms ?? 0,
    retainMs: wanted.retain_ms ?? PLATFORM_TIMES.retainMs,
    replicationRetryMs: wanted.replication_retry_ms ?? PLATFORM_TIMES.replicationRetryMs,
    replicaMs: wanted.replica_ms ?? PLATFORM_TIMES.replicaMs,
    failedKeyMs: wanted.failed_key_ms ?? 0,
    bodyMs: wanted.body_ms ?? PLATFORM_TIMES.bodyMs,
    alarmRetryMs: wanted.alarm_retry_ms ?? PLATFORM_TIMES.alarmRetryMs,
  };
  const edge = new Edge(module, bindings, ports, times, {
    names: `${wanted.same_objects ? resets : ++resets}/`,
    blocksMax: wanted.blocks_max,
    pinnedBytesMax: wanted.pinned_bytes_max,
    runsMax: wanted.runs_max,
    answerCacheBytes: wanted.answer_cache_bytes,
    storageLimits: wanted.storage_limits,
    usesCache: wanted.uses_cache,
  });
  current = { edge, api: new Api(edge), admin: new Admin(edge) };
  replicas.length = 0;
  heldAccount = '';
  for (const name of Object.keys(counts) as (keyof typeof counts)[]) counts[name] = 0;
}

export class AccountObject extends AccountShard {
  protected get edge() {
    return isolate().edge;
  }

  override async admit(...call: Parameters<AccountShard['admit']>) {
    const admitted = await super.admit(...call);
    ++counts.admitted;
    return admitted;
  }

  override async applyReplica(layout: number, replica: Uint8Array): Promise<ReplicaOutcome> {
    if (refusesReplicas) throw new Error('out of reach, as the test wants it');
    const account = accountOf(replica);
    if (account === heldAccount) ++counts.held;
    while (account === heldAccount) await scheduler.wait(20);
    replicas.push(replica);
    return super.applyReplica(layout, replica);
  }

  override async writeRecords(layout: number, records: Uint8Array[]): Promise<void> {
    if (failRecords.before-- > 0) throw new Error('not reached, as the test wants it');
    await super.writeRecords(layout, records);
    ++counts.batches;
    if (failRecords.after-- > 0) throw new Error('the answer is lost, as the test wants it');
  }

  override async alarm(): Promise<void> {
    try {
      await super.alarm();
    } finally {
      ++counts.alarms;
    }
  }

  tables(): Record<string, number> {
    return tablesOf(this.ctx.storage);
  }

  async hasAlarm(): Promise<boolean> {
    return (await this.ctx.storage.getAlarm()) !== null;
  }
}

export class DirectoryObject extends DirectoryShard {
  protected get edge() {
    return isolate().edge;
  }

  #kept: Map<string, Rows> = new Map();

  override async alarm(): Promise<void> {
    try {
      await super.alarm();
    } finally {
      ++counts.directory_alarms;
    }
  }

  tables(): Record<string, number> {
    return tablesOf(this.ctx.storage);
  }

  async hasAlarm(): Promise<boolean> {
    return (await this.ctx.storage.getAlarm()) !== null;
  }

  keep(): void {
    this.#kept = allRows(this.ctx.storage);
  }

  setBack(): void {
    setBack(this.ctx.storage, this.#kept);
  }
}

export class Control extends WorkerEntrypoint<TestEnv> {
  override async fetch(request: Request): Promise<Response> {
    const command = await request.json<Command>();
    refusesReplicas = command.refuse_replicas ?? refusesReplicas;
    readsFail = command.fail_reads ?? readsFail;
    endWithClients = command.end_with_clients ?? endWithClients;
    heldAccount = command.hold_replicas_of ?? heldAccount;
    if (command.until) {
      const wanted = Object.entries(command.until) as [keyof typeof counts, number][];
      while (wanted.some(([name, least]) => counts[name] < least)) await scheduler.wait(10);
    }
    if (command.written) {
      const now = { ...written };
      for (const what of Object.keys(written)) delete written[what];
      return Response.json(now);
    }
    if (command.other_layout) {
      const { account, layout } = command.other_layout;
      const head = { method: 'GET', target: '/v1/collections', headers: [] };
      const said = isolate().edge.shardOf(this.env, account).admit(layout, head);
      return new Response(await said.then(() => 'answered', String));
    }
    if (command.directory) {
      const directory = isolate().edge.directoryOf(this.env) as unknown as DirectoryObject;
      await (command.directory === 'keep' ? directory.keep() : directory.setBack());
    }
    if (command.has_alarm !== undefined) {
      const { edge } = isolate();
      const object = command.has_alarm === '' ? edge.directoryOf(this.env) : edge.shardOf(this.env, command.has_alarm);
      return Response.json(await (object as unknown as AccountObject).hasAlarm());
    }
    if (command.sizes) return Response.json(isolate().edge.core.sizes);
    randomFails = command.fail_random ?? randomFails;
    failingStatement = command.fail_statement ?? failingStatement;
    if (command.fail_records) Object.assign(failRecords, { before: 0, after: 0 }, command.fail_records);
    if (command.counts) return Response.json(counts);
    if (command.directory_tables) {
      const directory = isolate().edge.directoryOf(this.env) as unknown as DirectoryObject;
      return Response.json(await directory.tables());
    }
    if (command.replicate_again) {
      const { account, replica: number } = command.replicate_again;
      const replica = replicas[number];
      if (replica === undefined) throw new Error('there was no such replica');
      const shard = isolate().edge.shardOf(this.env, account);
      const outcome = await shard.applyReplica(LAYOUT, replica);
      return new Response(ReplicaOutcome[outcome]);
    }
    if (command.tables) {
      const shard = isolate().edge.shardOf(this.env, command.tables) as unknown as AccountObject;
      return Response.json(await shard.tables());
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
