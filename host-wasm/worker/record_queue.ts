// Records of calls that were answered in this isolate, on their way to the objects of their accounts: in batches, after
// the answers. What an object did not take is sent again; it writes each record once (RECORD-7).

import { type Env, LAYOUT } from './bindings';
import type { Edge } from './edge';

const RECORDS_MAX = 10_000;
/** The platform bounds what one request may ask of others. */
const ACCOUNTS_PER_BATCH = 500;
/** A batch whose request was ended by the platform is forgotten after that, and another request sends. */
const BATCH_LOST_MS = 30_000;
/** Pauses before what its object did not take is sent again though no other call comes: withDeadline the 30 s that the platform
 * gives to what follows an answer. */
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

  /** Keeps records, and gives the work of sending them where no other request does it already. */
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
      if (number !== this.#batches) return; // a later one takes along all that waits
      this.#batchStartMs = null; // what comes from now on is another batch's
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
      this.#edge.ports.log(`call records are sent again later: ${String(error)}`);
      this.#enqueue(account, records);
    }
  }

  #enqueue(account: string, records: Uint8Array[]): void {
    if (this.#count + records.length > RECORDS_MAX) {
      this.#edge.ports.log(`${records.length} call records are lost: too many wait for their objects`);
      return;
    }
    this.#count += records.length;
    const queued = this.#pending.get(account);
    if (queued === undefined) this.#pending.set(account, records);
    else queued.push(...records);
  }
}
