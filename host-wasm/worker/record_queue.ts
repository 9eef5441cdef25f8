// Sends the records of the calls that this isolate has answered to the shards of their accounts. A record is sent in the session of its call; while
// other calls of the account are open, in a batch. What a shard did not confirm is sent again; it writes each record once (RECORD-7).

import { type CallSessionRpc, type Env, LAYOUT } from './bindings';
import { withDeadline } from './deadline';
import type { Edge } from './edge';

const RECORDS_MAX = 10_000;
/** The platform limits the calls that one request may make. */
const ACCOUNTS_PER_BATCH = 500;
/** The delays before the retries of a batch, within the 30 s that the platform allows after a response. */
const RETRY_DELAYS_MS = [1_000, 3_000, 9_000];
/** After this time a record that was sent in a session is sent again. */
const WRITE_MS = 3_000;

export type CallSession = Pick<CallSessionRpc, 'writeRecord'> & Disposable;

/** A call from before its admission until its record is written or queued. */
export class OpenCall {
  readonly account: string;
  readonly #sessionMs: number;
  #session: CallSession | null = null;
  #expiry: number | null = null;

  constructor(account: string, sessionMs: number) {
    this.account = account;
    this.#sessionMs = sessionMs;
  }

  /** Keeps the session of the admitted call for a limited time. */
  keep(session: CallSession | null): void {
    this.#session = session;
    if (session !== null) this.#expiry = setTimeout(() => this.close(), this.#sessionMs);
  }

  /** Sends the record in the session, and closes that. Returns null if there is no session. */
  write(record: Uint8Array): Promise<void> | null {
    const written = this.#session?.writeRecord(LAYOUT, record) ?? null;
    this.close(); // what was sent is still answered
    return written;
  }

  close(): void {
    clearTimeout(this.#expiry);
    this.#session?.[Symbol.dispose]();
    this.#session = null;
  }
}

/** The attempts of one request to send the queued records. */
interface Batch {
  /** Since when it waits for its first attempt; null: that has begun, and new records belong to another batch. */
  waitsSinceMs: number | null;
}

export class RecordQueue {
  readonly #edge: Edge;
  /** For each account, its open calls and the batches that are being sent. A request that the platform ended stays open, so that the account's records are
   * sent in batches. */
  readonly #open = new Map<string, number>();
  readonly #pending = new Map<string, Uint8Array[]>();
  #count = 0;
  /** The newest batch, unless it has ended. */
  #newestBatch: Batch | null = null;

  constructor(edge: Edge) {
    this.#edge = edge;
  }

  /** Begins a call. `end` must follow. */
  begin(account: string): OpenCall {
    this.#addOpen(account);
    return new OpenCall(account, this.#edge.times.sessionMs);
  }

  /** Ends a call and sends its record, which may be empty. The promise resolves once the record is written, or another request sends it. */
  async end(call: OpenCall, record: Uint8Array, env: Env): Promise<void> {
    try {
      if (record.length > 0 && !(await this.#writeInSession(call, record))) this.#enqueue(call.account, [record]);
    } finally {
      this.#removeOpen(call.account);
      call.close();
    }
    return this.#sendQueued(env);
  }

  /** Returns false if the record must be sent in a batch. A record that is older than the last one of its account costs another row, so records of calls
   * at the same time wait for each other. */
  async #writeInSession(call: OpenCall, record: Uint8Array): Promise<boolean> {
    const isOnly = this.#open.get(call.account) === 1 && !this.#pending.has(call.account);
    const written = isOnly ? call.write(record) : null;
    if (written === null) return false;
    try {
      await withDeadline(WRITE_MS, written, 'the object of an account');
      return true;
    } catch (error) {
      this.#logFailure(error);
      return false;
    }
  }

  /** Sends all records of the queue, unless another request soon does. If its timer is late, because the isolate is overloaded or the platform has ended
   * that request, this one sends at once: the object must get the counts before the platform ends it (HOST-61). */
  #sendQueued(env: Env): Promise<void> {
    if (this.#count === 0) return Promise.resolve();
    const { reportMs } = this.#edge.times;
    const nowMs = this.#edge.ports.nowMs();
    const waitsSinceMs = this.#newestBatch?.waitsSinceMs ?? null;
    const isOverdue = waitsSinceMs !== null && (nowMs < waitsSinceMs || nowMs - waitsSinceMs >= reportMs);
    if (waitsSinceMs !== null && !isOverdue) return Promise.resolve();
    const batch = { waitsSinceMs: nowMs };
    this.#newestBatch = batch;
    return this.#run(batch, env, reportMs === 0 ? [0] : [isOverdue ? 0 : reportMs, ...RETRY_DELAYS_MS]);
  }

  async #run(batch: Batch, env: Env, pausesMs: number[]): Promise<void> {
    for (const pauseMs of pausesMs) {
      if (pauseMs > 0) await scheduler.wait(pauseMs);
      this.#newestBatch ??= batch;
      if (this.#newestBatch !== batch) return; // a later batch sends everything
      batch.waitsSinceMs = null;
      await this.#sendAll(env);
      if (this.#count === 0) break;
    }
    if (this.#newestBatch === batch) this.#newestBatch = null;
  }

  async #sendAll(env: Env): Promise<void> {
    const batch = [...this.#pending].slice(0, ACCOUNTS_PER_BATCH);
    for (const [account, records] of batch) {
      this.#pending.delete(account);
      this.#count -= records.length;
    }
    await Promise.all(batch.map(([account, records]) => this.#send(env, account, records)));
  }

  async #send(env: Env, account: string, records: Uint8Array[]): Promise<void> {
    this.#addOpen(account);
    try {
      await this.#edge.shardOf(env, account).writeRecords(LAYOUT, records);
    } catch (error) {
      this.#logFailure(error);
      this.#enqueue(account, records);
    } finally {
      this.#removeOpen(account);
    }
  }

  #enqueue(account: string, records: Uint8Array[]): void {
    if (this.#count + records.length > RECORDS_MAX) {
      this.#edge.ports.log(`${records.length} call records are lost: the queue is full`);
      return;
    }
    this.#count += records.length;
    const queued = this.#pending.get(account);
    if (queued === undefined) this.#pending.set(account, records);
    else queued.push(...records);
  }

  #addOpen(account: string): void {
    this.#open.set(account, (this.#open.get(account) ?? 0) + 1);
  }

  #removeOpen(account: string): void {
    const others = (this.#open.get(account) ?? 1) - 1;
    if (others > 0) this.#open.set(account, others);
    else this.#open.delete(account);
  }

  #logFailure(error: unknown): void {
    this.#edge.ports.log(`cannot send call records yet: ${String(error)}`);
  }
}
