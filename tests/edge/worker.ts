// The test build of the workers: the same code with a manual clock, one seeded random stream, and call records that are written
// before the answer. Tests control it through a separate entrypoint, so that no path of the API is taken.

import { RpcTarget, WorkerEntrypoint } from 'cloudflare:workers';
import module from './tonearm.wasm';

import { AccountShard } from '../../host-wasm/worker/account_shard';
import { Admin } from '../../host-wasm/worker/admin';
import { Api } from '../../host-wasm/worker/api';
import { DirectoryShard } from '../../host-wasm/worker/directory_shard';
import { type CallSessionRpc, type Env, LAYOUT } from '../../host-wasm/worker/bindings';
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
  /** "none": no snapshot is loaded. */
  catalog: string;
  /** Real time between two alarms of an object, and of the directory while changes are pending. */
  retain_ms?: number;
  replication_retry_ms?: number;
  /** The delay of call records. The default 0 writes them before the answer. */
  report_ms?: number;
  /** How long the session of a call stays open. */
  session_ms?: number;
  /** The age of unwritten counts from which they are written without records. */
  counts_ms?: number;
  snapshot_check_ms?: number;
  /** See EdgeOverrides. */
  blocks_max?: number;
  pinned_bytes_max?: number;
  runs_max?: number;
  answer_cache_bytes?: number;
  /** Whether to use the platform's cache. */
  uses_cache?: boolean;
  /** How long the service waits for the platform's cache (default 10 s, so that a busy machine changes nothing). */
  cache_ms?: number;
  /** The deployed version of the worker; none: isolates share neither answers nor the name of the snapshot. */
  release?: string;
  /** Timeouts between the directory and a shard, and for a body. */
  replica_ms?: number;
  body_ms?: number;
  alarm_retry_ms?: number;
  /** The delay of responses to failed keys of a network over its limit (default 0). */
  failed_key_ms?: number;
  /** The storage limits of an account's object. */
  storage_limits?: { retainFromBytes: number; fullBytes: number };
  /** Increased after the directory was set back. */
  directory_epoch?: number;
  /** Keeps the objects with their storage. */
  same_objects?: boolean;
  /** Makes objects return no sessions, like those of earlier releases, so that records wait for their batch. */
  older_objects?: boolean;
}

interface Command {
  reset?: Reset;
  advance_ms?: number;
  /** Returns the tables of an account, or of the directory. */
  tables?: string;
  directory_tables?: boolean;
  /** Makes reads of object storage fail. */
  fail_reads?: boolean;
  /** Makes reads of the list of take-downs fail. */
  fail_take_downs?: boolean;
  /** Ends calls when their clients disconnect, as the platform ends calls that take too long. */
  end_with_clients?: boolean;
  /** Makes objects see workers of another release. */
  callers_are_older?: boolean;
  /** Returns the sizes of the core's memory and of the pinned blocks. */
  sizes?: boolean;
  /** What the platform's cache does with blocks, shared answers, ends of snapshots, and the name of the current one. */
  blocks?: CacheMode;
  answers?: CacheMode;
  ends?: CacheMode;
  names?: CacheMode;
  /** Returns the event counts since the last reset. */
  counts?: boolean;
  /** Sends a replica to a shard again, by its number since the reset. Returns the name of the outcome. */
  replicate_again?: { account: string; replica: number };
  /** Makes all shards reject replicas. */
  refuse_replicas?: boolean;
  /** Holds the directory's answers to objects that ask for their account. */
  hold_questions?: boolean;
  /** The account whose shard does not answer replicas; empty for none. */
  hold_replicas_of?: string;
  /** Waits until these counts are reached. */
  until?: Partial<typeof counts>;
  /** Calls the shard of an account with another layout version. Returns the result or the error. */
  other_layout?: { account: string; layout: number };
  /** Saves the storage of the directory, or restores it. */
  directory?: 'save' | 'restore';
  /** Returns whether the object of an account, or the directory, has an alarm. */
  has_alarm?: string;
  /** Returns how often each table was written since the last call. */
  written?: boolean;
  /** The number of record batches that fail from now on: before they reach their object, after it has written them, after the object of another
   * account has written some (`late`, counted as held), or never (`hang`). */
  fail_records?: { before?: number; after?: number; late?: number; hang?: number };
  /** Makes random bytes fail, which traps the core. */
  fail_random?: boolean;
  /** The storage rejects statements that contain this text; empty for none. */
  fail_statement?: string;
}

/** `lost`: entries are evicted at once; `changed`: their last byte is; `silent`: the cache does not answer; `held`: it answers once the
 * mode has changed. */
type CacheMode = 'kept' | 'lost' | 'changed' | 'silent' | 'held';
const cacheModes: Record<'blocks' | 'answers' | 'ends' | 'names', CacheMode> = { blocks: 'kept', answers: 'kept', ends: 'kept', names: 'kept' };

/** Lets the test decide what the platform's cache does. */
function controlCache(): void {
  const { default: cache } = caches;
  const match = cache.match.bind(cache);
  const put = cache.put.bind(cache);
  const isAnswer = (address: string) => address.startsWith('https://answers.');
  const isName = (address: string) => address.endsWith('/pointer-1');
  const isBlock = (address: string) => /\/\d+$/.test(address);
  const modeOf = (address: string) => {
    if (isAnswer(address)) return cacheModes.answers;
    if (isBlock(address)) return cacheModes.blocks;
    return isName(address) ? cacheModes.names : cacheModes.ends;
  };
  const controlled = {
    async match(address: string): Promise<Response | undefined> {
      while (modeOf(address) === 'held') await scheduler.wait(20);
      const mode = modeOf(address);
      if (mode === 'silent') return new Promise(() => {});
      const response = mode === 'lost' ? undefined : await match(address);
      if (response === undefined || mode === 'kept') return response;
      const bytes = new Uint8Array(await response.arrayBuffer());
      bytes.set([(bytes.at(-1) ?? 0) ^ 1], bytes.length - 1);
      return new Response(bytes);
    },
    async put(address: string, response: Response): Promise<void> {
      await put(address, response);
      if (isAnswer(address)) ++counts.shared_answers;
      if (isName(address)) ++counts.shared_names;
    },
  };
  Object.defineProperty(caches, 'default', { value: controlled });
}

const NO_SNAPSHOTS = { get: async () => null } as unknown as R2Bucket;

/** The test's process, which controls reads (gate.mjs). Without it, reads are not delayed. */
interface TestEnv extends Env {
  GATE?: Fetcher;
}

function toGate(gate: Fetcher, message: object, signal?: AbortSignal): Promise<Response> {
  return gate.fetch('http://gate/', { method: 'POST', body: JSON.stringify(message), signal });
}

let reads = 0;
/** The last read that the test controls; 0: none. `withReadTimeout` starts its pause right after the read. */
let lastRead = 0;
const controlledBucket = (bucket: R2Bucket, gate: Fetcher | undefined) =>
  ({
    async get(key: string, options: R2GetOptions) {
      if (key === 'takedowns') { // takedowns_test.mjs has the tests of the list
        if (takeDownsFail) throw new Error('unreachable, as requested by the test');
        lastRead = 0;
        return bucket.get(key, options);
      }
      ++counts.reads;
      if (readsFail) throw new Error('unreachable, as requested by the test');
      if (gate !== undefined) {
        const id = ++reads;
        lastRead = id;
        const { offset = -1 } = (options.range ?? {}) as { offset?: number };
        await toGate(gate, { read: { id, key, offset } });
      }
      return bucket.get(key, options);
    },
  }) as unknown as R2Bucket;

async function pause(gate: Fetcher | undefined, ms: number, signal: AbortSignal): Promise<void> {
  if (gate === undefined || lastRead === 0) return scheduler.wait(ms, { signal });
  await toGate(gate, { pause_of: lastRead }, signal);
}

let nowMs = 0;
let resets = 0;
let current: Isolate | null = null;
let refusesReplicas = false;
let heldAccount = '';
let holdsQuestions = false;
let readsFail = false;
let takeDownsFail = false;
let endWithClients = false;
let callersAreOlder = false;
let objectsAreOlder = false;
let randomFails = false;
let failingStatement = '';
const replicas: Uint8Array[] = [];
const failRecords = { before: 0, after: 0, late: 0, hang: 0 };
/** Event counts since the last reset. */
const counts = { batches: 0, alarms: 0, directory_alarms: 0, calls: 0, reads: 0, admitted: 0, held: 0, questions: 0, objects: 0, shared_answers: 0, shared_names: 0, messages: 0, sessions: 0, ended_sessions: 0 };
/** Written statements since the last reset, by the start of the statement. */
const written: Record<string, number> = {};

const { execute } = ObjectStorage.prototype;
ObjectStorage.prototype.execute = function (statement, parameters) {
  if (failingStatement !== '' && statement.includes(failingStatement)) throw new Error('failed, as requested by the test');
  const [, what] = /^((?:INSERT INTO|DELETE FROM|UPDATE) \w+)/.exec(statement) ?? [];
  if (what !== undefined) written[what] = (written[what] ?? 0) + 1;
  return execute.call(this, statement, parameters);
};

function isolate(): Isolate {
  if (current === null) throw new Error('the worker has not been reset yet');
  return current;
}

/** Returns the core's tables with their numbers of rows. */
function tablesOf({ sql }: DurableObjectStorage): Record<string, number> {
  const names = sql.exec("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '\\_cf\\_%' ESCAPE '\\'");
  return Object.fromEntries(Array.from(names.raw(), ([name]) => [name, [...sql.exec(`SELECT 1 FROM ${name}`).raw()].length]));
}

/** Returns the account of a replica. */
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

function restore({ sql }: DurableObjectStorage, saved: Map<string, Rows>): void {
  for (const [name, { columns, rows }] of saved) {
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
      if (randomFails) throw new Error('no random bytes, as requested by the test');
      random.fill(out);
    },
    pause: (ms: number, signal: AbortSignal) => pause(env.GATE, ms, signal),
    log: (line: string) => console.error(line),
  };
  const tokenHash = hashing.sha256(new TextEncoder().encode(admin_token));
  const bindings: Env = {
    ...env,
    SNAPSHOTS: catalog === 'none' ? NO_SNAPSHOTS : controlledBucket(env.SNAPSHOTS, env.GATE),
    KEY_SECRET: key_secret,
    DIRECTORY_EPOCH: String(wanted.directory_epoch ?? 0),
    RELEASE: wanted.release === undefined ? undefined : { id: wanted.release },
    ADMIN_TOKEN_SHA256: [...tokenHash].map((byte) => byte.toString(16).padStart(2, '0')).join(''),
  };
  // Each reset uses new objects, so that their storage is empty.
  const times = {
    cacheMs: wanted.cache_ms ?? 10_000,
    snapshotCheckMs: wanted.snapshot_check_ms ?? PLATFORM_TIMES.snapshotCheckMs,
    takeDownsRefreshMs: PLATFORM_TIMES.takeDownsRefreshMs,
    takeDownsStaleMs: PLATFORM_TIMES.takeDownsStaleMs,
    reportMs: wanted.report_ms ?? 0,
    sessionMs: wanted.session_ms ?? 60_000, // a busy machine changes nothing
    countsMs: wanted.counts_ms ?? PLATFORM_TIMES.countsMs,
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
  objectsAreOlder = wanted.older_objects ?? false;
  replicas.length = 0;
  heldAccount = '';
  for (const name of Object.keys(counts) as (keyof typeof counts)[]) counts[name] = 0;
}

controlCache();

/** A session that counts itself once it is sent, and once it is disposed. */
class CountedSession extends RpcTarget {
  readonly #session: CallSessionRpc;

  constructor(session: CallSessionRpc) {
    super();
    this.#session = session;
    ++counts.sessions;
  }

  writeRecord(layout: number, record: Uint8Array): Promise<void> {
    return this.#session.writeRecord(layout, record);
  }

  [Symbol.dispose](): void {
    ++counts.ended_sessions;
  }
}

export class AccountObject extends AccountShard {
  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    ++counts.objects;
  }

  protected get edge() {
    return isolate().edge;
  }

  override async admit(...call: Parameters<AccountShard['admit']>) {
    const admitted = await super.admit(...call);
    ++counts.admitted;
    if (!('ticket' in admitted)) return admitted;
    const { ticket, session } = admitted;
    return objectsAreOlder || session === undefined ? { ticket } : { ticket, session: new CountedSession(session) };
  }

  override async handle(...[layout, head, stream, release]: Parameters<AccountShard['handle']>) {
    const handled = await super.handle(layout, head, stream, callersAreOlder ? `before ${release}` : release);
    if ('ticket' in handled) ++counts.messages;
    return handled;
  }

  override async applyReplica(layout: number, replica: Uint8Array): Promise<ReplicaOutcome> {
    if (refusesReplicas) throw new Error('unreachable, as requested by the test');
    const account = accountOf(replica);
    if (account === heldAccount) ++counts.held;
    while (account === heldAccount) await scheduler.wait(20);
    replicas.push(replica);
    return super.applyReplica(layout, replica);
  }

  override async writeRecords(layout: number, records: Uint8Array[]): Promise<void> {
    if (failRecords.hang-- > 0) await new Promise(() => {});
    if (failRecords.late-- > 0) {
      const { batches } = counts;
      ++counts.held;
      while (counts.batches === batches) await scheduler.wait(20);
      throw new Error('not delivered, as requested by the test');
    }
    if (failRecords.before-- > 0) throw new Error('not delivered, as requested by the test');
    await super.writeRecords(layout, records);
    ++counts.batches;
    if (failRecords.after-- > 0) throw new Error('the answer is lost, as requested by the test');
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

  #saved: Map<string, Rows> = new Map();

  override async claimReplica(layout: number, account: string): Promise<Uint8Array> {
    const replica = await super.claimReplica(layout, account);
    ++counts.questions;
    while (holdsQuestions) await scheduler.wait(20);
    return replica;
  }

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

  save(): void {
    this.#saved = allRows(this.ctx.storage);
  }

  restore(): void {
    restore(this.ctx.storage, this.#saved);
  }
}

export class Control extends WorkerEntrypoint<TestEnv> {
  override async fetch(request: Request): Promise<Response> {
    const command = await request.json<Command>();
    refusesReplicas = command.refuse_replicas ?? refusesReplicas;
    holdsQuestions = command.hold_questions ?? holdsQuestions;
    readsFail = command.fail_reads ?? readsFail;
    takeDownsFail = command.fail_take_downs ?? takeDownsFail;
    endWithClients = command.end_with_clients ?? endWithClients;
    callersAreOlder = command.callers_are_older ?? callersAreOlder;
    heldAccount = command.hold_replicas_of ?? heldAccount;
    cacheModes.blocks = command.blocks ?? cacheModes.blocks;
    cacheModes.answers = command.answers ?? cacheModes.answers;
    cacheModes.ends = command.ends ?? cacheModes.ends;
    cacheModes.names = command.names ?? cacheModes.names;
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
      const result = isolate().edge.shardOf(this.env, account).admit(layout, head);
      return new Response(await result.then(() => 'answered', String));
    }
    if (command.directory) {
      const directory = isolate().edge.directoryOf(this.env) as unknown as DirectoryObject;
      await (command.directory === 'save' ? directory.save() : directory.restore());
    }
    if (command.has_alarm !== undefined) {
      const { edge } = isolate();
      const object = command.has_alarm === '' ? edge.directoryOf(this.env) : edge.shardOf(this.env, command.has_alarm);
      return Response.json(await (object as unknown as AccountObject).hasAlarm());
    }
    if (command.sizes) return Response.json(isolate().edge.core.sizes);
    randomFails = command.fail_random ?? randomFails;
    failingStatement = command.fail_statement ?? failingStatement;
    if (command.fail_records) Object.assign(failRecords, { before: 0, after: 0, late: 0, hang: 0 }, command.fail_records);
    if (command.counts) return Response.json(counts);
    if (command.directory_tables) {
      const directory = isolate().edge.directoryOf(this.env) as unknown as DirectoryObject;
      return Response.json(await directory.tables());
    }
    if (command.replicate_again) {
      const { account, replica: number } = command.replicate_again;
      const replica = replicas[number];
      if (replica === undefined) throw new Error('unknown replica');
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
