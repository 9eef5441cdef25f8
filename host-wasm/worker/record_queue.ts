// Queues the records of calls that this isolate has answered, and sends them in batches to the shards of their accounts.
// Failed batches are sent again; a shard writes each record once (RECORD-7).

import { type Env, LAYOUT } from './bindings';
import type { Edge } from './edge';

const RECORDS_MAX = 10_000;
/** The platform limits the calls that one request may make. */
const ACCOUNTS_PER_BATCH = 500;
/** After this time a batch counts as lost, because the platform has ended its request; another request then sends. */
const BATCH_LOST_MS = 30_000;
/** The delays before the retries of a batch, within the 30 s that the platform allows after a response. */
const RETRY_DELAYS_MS = [1_000, 3_000, 9_000];

export class RecordQueue {
  readonly #edge: Edge;
  readonly #pending = new Map<string, Uint8Array[]>();
  #count = 0;
  #batches = 0;
  #batchStartMs: number | null = null;

  constructor(edge: Edge) {
    this.#edge = edge;
  }

  /** Enqueues records. The returned promise sends them unless another request already does. */
  add(account: string, records: Uint8Array, env: Env): Promise<void> {
    if (records.length > 0) this.#enqueue(account, [records]);
    const nowMs = Date.now();
    const isAwaited = this.#batchStartMs !== null && nowMs - this.#batchStartMs < BATCH_LOST_MS;
    if (this.#count === 0 || (isAwaited && this.#edge.times.reportMs > 0)) return Promise.resolve();
    this.#batchStartMs = nowMs;
    return this.#batch(env);
  }

  async #batch(env: Env): Promise<void> {
    const number = ++this.#batches;
    const { reportMs } = this.#edge.times;
    for (const pauseMs of reportMs > 0 ? [reportMs, ...RETRY_DELAYS_MS] : [0]) {
      if (pauseMs > 0) await scheduler.wait(pauseMs);
      if (number !== this.#batches) return; // a later batch sends everything
      this.#batchStartMs = null; // new records belong to another batch
      await this.#sendAll(env);
      if (this.#count === 0) return;
    }
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
    try {
      await this.#edge.shardOf(env, account).writeRecords(LAYOUT, records);
    } catch (error) {
      this.#edge.ports.log(`cannot send call records yet: ${String(error)}`);
      this.#enqueue(account, records);
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
}
