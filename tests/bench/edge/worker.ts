// The edge for measurements: each request has one JSON command. Does not use the core's answer cache, and the platform's cache
// only if a command asks for it.

import type { DurableObject } from 'cloudflare:workers';
import module from './tonearm.wasm';

import { AccountShard } from '../../../host-wasm/worker/account_shard';
import { Admin } from '../../../host-wasm/worker/admin';
import { Api } from '../../../host-wasm/worker/api';
import { Bucket } from '../../../host-wasm/worker/bucket';
import type { SnapshotFile } from '../../../core-js/src/snapshot_file';
import { ShardRole } from '../../../host-wasm/worker/core';
import { DirectoryShard } from '../../../host-wasm/worker/directory_shard';
import { type Env, LAYOUT } from '../../../host-wasm/worker/bindings';
import { Edge, PLATFORM_TIMES } from '../../../host-wasm/worker/edge';
import { platformPorts } from '../../../host-wasm/worker/ports';
import { openRemoteFile } from '../../../host-wasm/worker/remote_file';

interface Command {
  /** Starts a new isolate with nothing resident. */
  cold?: boolean;
  /** Sends a GET request through a new isolate with nothing resident, which opens the snapshot meanwhile. Each read of the bucket
   * takes at least `read_ms`. */
  first?: { target: string; key: string; read_ms: number; uses_cache: boolean; shares_answers: boolean };
  /** Answers a request repeatedly, without admission. */
  repeat?: { target: string; key: string; account: string; times: number };
  /** Sends a request through the whole edge. */
  call?: { method: string; target: string; key: string; body?: unknown };
  /** Sends GET requests at once through the whole edge, and waits until their records are written. */
  burst?: { target: string; key: string; calls: number; every_ms: number };
  /** Activates the snapshot with this name while the previous one is in use. */
  activate?: string;
}

let edge: Edge | null = null;
/** The previous snapshot, kept open as by a running call. */
let before: SnapshotFile | null = null;

function edgeOf(env: Env): Edge {
  edge ??= new Edge(module, env, platformPorts, { ...PLATFORM_TIMES, reportMs: 0 }, { answerCacheBytes: 0, usesCache: false });
  return edge;
}

/** Returns a new isolate's edge whose bucket is `readMs` away. */
function distantEdge(env: Env, readMs: number, usesCache: boolean, sharesAnswers: boolean): Edge {
  const get = async (key: string, options: R2GetOptions) => {
    await scheduler.wait(readMs);
    return env.SNAPSHOTS.get(key, options);
  };
  const bindings = { ...env, SNAPSHOTS: { get } as unknown as R2Bucket, RELEASE: { id: 'measured' } };
  return new Edge(module, bindings, platformPorts, PLATFORM_TIMES, { usesCache, sharesAnswers });
}

/** The cursors of all statements, which count rows. */
let cursors: SqlStorageCursor<Record<string, SqlStorageValue>>[] = [];

/** Returns the context, but stores the cursors of its statements. */
function counting(ctx: DurableObjectState): DurableObjectState {
  const { storage } = ctx;
  const sql = {
    exec(statement: string, ...parameters: unknown[]) {
      const cursor = storage.sql.exec(statement, ...parameters);
      cursors.push(cursor);
      return cursor;
    },
    get databaseSize() {
      return storage.sql.databaseSize;
    },
  };
  const bound = (target: object, name: string | symbol) => {
    const value: unknown = Reflect.get(target, name);
    return typeof value === 'function' ? value.bind(target) : value;
  };
  const counted = new Proxy(storage, { get: (target, name) => (name === 'sql' ? sql : bound(target, name)) });
  return new Proxy(ctx, { get: (target, name) => (name === 'storage' ? counted : bound(target, name)) });
}

/** Returns the class of an object that counts its statements and uses the measured edge. */
function measured<Shard extends abstract new (...parts: any[]) => DurableObject<Env>>(shard: Shard) {
  abstract class Measured extends shard {
    constructor(...parts: any[]) {
      super(...parts);
      Object.defineProperty(this, 'ctx', { value: counting(this.ctx) });
    }

    protected get edge() {
      return edgeOf(this.env);
    }
  }
  return Measured;
}

export class AccountObject extends measured(AccountShard) {}
export class DirectoryObject extends measured(DirectoryShard) {}

function counted(current: Edge) {
  const { snapshot, sizes } = current.core;
  const rows = (field: 'rowsRead' | 'rowsWritten') => cursors.reduce((sum, cursor) => sum + cursor[field], 0);
  return {
    ...snapshot?.counts,
    memory_bytes: sizes.memoryBytes,
    rows_read: rows('rowsRead'),
    rows_written: rows('rowsWritten'),
    object_requests: objectRequests,
  };
}

let objectRequests = 0;

/** Counts the requests to objects of accounts as the platform does: each call of an object, but not those in the session of one. */
class CountingEdge extends Edge {
  override shardOf(env: Env, account: string) {
    const counting = {
      get(shard: object, name: string) {
        return (...parts: unknown[]) => {
          ++objectRequests;
          return (shard as Record<string, (...parts: unknown[]) => unknown>)[name]!(...parts);
        };
      },
    };
    return new Proxy(super.shardOf(env, account), counting as ProxyHandler<DurableObjectStub<AccountShard>>);
  }
}

/** Returns the status of each call after all background work of the calls. */
async function sendBurst({ target, key, calls, every_ms: everyMs }: NonNullable<Command['burst']>, env: Env, ctx: ExecutionContext): Promise<number[]> {
  const background: Promise<unknown>[] = [];
  const awaited = { ...ctx, waitUntil: (work: Promise<unknown>) => background.push(work) } as unknown as ExecutionContext;
  const api = new Api(new CountingEdge(module, env, platformPorts, PLATFORM_TIMES, { usesCache: false }));
  const headers = { Authorization: `Bearer ${key}` };
  const send = async (_: unknown, number: number) => {
    if (everyMs > 0) await scheduler.wait(number * everyMs);
    return api.fetch(new Request(`http://edge${target}`, { headers }), env, awaited);
  };
  const responses = await Promise.all(Array.from({ length: calls }, send));
  await Promise.all(background);
  return responses.map(({ status }) => status);
}

async function run(command: Command, env: Env, ctx: ExecutionContext): Promise<unknown> {
  cursors = [];
  objectRequests = 0;
  if (command.first) {
    const { target, key, read_ms: readMs, uses_cache: usesCache, shares_answers: sharesAnswers } = command.first;
    const first = new Api(distantEdge(env, readMs, usesCache, sharesAnswers));
    const headers = { Authorization: `Bearer ${key}` };
    const response = await first.fetch(new Request(`http://edge${target}`, { headers }), env, ctx);
    await response.arrayBuffer();
    return { status: response.status };
  }
  if (command.cold) edge = null;
  const current = edgeOf(env);
  await current.snapshots.ensureLoaded((work) => ctx.waitUntil(work));
  const start = counted(current);
  if (command.activate) {
    const file = await openRemoteFile(new Bucket(env.SNAPSHOTS, platformPorts), command.activate, platformPorts, { caches: null, pointerVersion: '', trusted: null });
    if (file === null) throw new Error('there is no such snapshot');
    before = current.core.snapshot;
    await current.core.activate(file);
    return { before: before?.name, start, end: counted(current) };
  }
  if (command.call) {
    const { method, target, key, body } = command.call;
    const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
    const url = `http://edge${target}`;
    const request = new Request(url, body === undefined ? { method, headers } : { method, headers, body: JSON.stringify(body) });
    const response = target.startsWith('/admin/')
      ? await new Admin(current).fetch(request, env, ctx)
      : await new Api(current).fetch(request, env, ctx);
    return { status: response.status, body: await response.json(), start, end: counted(current) };
  }
  if (command.burst) return { statuses: await sendBurst(command.burst, env, ctx), start, end: counted(current) };
  if (command.repeat) {
    const { target, key, account, times } = command.repeat;
    const head = { method: 'GET', target, headers: [['Authorization', `Bearer ${key}`]] };
    const admitted = await current.shardOf(env, account).admit(LAYOUT, head);
    if (!('ticket' in admitted)) throw new Error(`rejected with ${admitted.answer.status}`);
    const { ticket } = admitted;
    let status = 0;
    for (let i = 0; i < times; ++i) {
      const { answer } = await current.core.run({ catalog: true }, (core) => core.answer(ShardRole.stateless, ticket, head));
      status = answer.status;
    }
    return { status, start, end: counted(current) };
  }
  return { start, end: counted(current) };
}

export default {
  async fetch(request, env, ctx) {
    try {
      return Response.json(await run(await request.json<Command>(), env, ctx));
    } catch (error) {
      return new Response(String(error instanceof Error ? error.stack : error), { status: 500 });
    }
  },
} satisfies ExportedHandler<Env>;
