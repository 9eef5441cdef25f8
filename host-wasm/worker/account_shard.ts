// The shard of one account: its keys, counts, records and collections in the object's own storage. The core decides and
// writes; this class calls it with that storage. An object without tables asks the directory for its account (HOST-60). If there is
// none, it answers like for any unknown account and creates no tables. The object of a removed account contains a tombstone.

import { DurableObject, RpcTarget } from 'cloudflare:workers';

import { type AccountShardRpc, type CallSessionRpc, type CallToAnswer, checkLayout, type Env, LAYOUT, type MessageToAnswer } from './bindings';
import {
  type AdmissionTicket,
  type Answer,
  type Core,
  type CoreRequest,
  type Head,
  type RecordedAnswer,
  Refusal,
  ReplicaOutcome,
  type Routed,
  ShardRole,
} from './core';
import { DeadlineExceeded, withDeadline } from './deadline';
import type { Edge } from './edge';
import { boundedBody, isMcp } from './http';
import { ObjectStorage } from './storage';

/** Retention steps per alarm, each a short transaction. */
const RETAIN_STEPS_MAX = 50;
const RETAIN_SOON_MS = 1_000;
/** Call records that are kept in memory while the storage rejects them. */
const PENDING_RECORDS_MAX = 1_000;

class CallSession extends RpcTarget implements CallSessionRpc {
  readonly #shard: AccountShard;

  constructor(shard: AccountShard) {
    super();
    this.#shard = shard;
  }

  writeRecord(layout: number, record: Uint8Array): Promise<void> {
    return this.#shard.writeRecords(layout, [record]);
  }
}

export abstract class AccountShard extends DurableObject<Env> implements AccountShardRpc {
  protected abstract readonly edge: Edge;
  #storage: ObjectStorage | null = null;
  #isOpen = false;
  #alarmIsSet = false;
  /** The epoch in which the replica was last checked against the directory. */
  #epoch: number | null = null;
  #isUnknown = false;
  /** The number of replicas that this object has applied since it started. */
  #appliedReplicas = 0;
  /** Call records that could not be written yet. */
  #pendingRecords: Uint8Array[] = [];
  /** Since when there are counts that are not stored. */
  #unstoredSinceMs: number | null = null;

  async admit(layout: number, head: Head): Promise<{ answer: Answer } | CallToAnswer> {
    checkLayout(layout);
    await this.#ensureReplica((core) => core.route(head));
    const admitted = await this.#call((core, role) => this.#writeRecordsOf(core, core.admit(role, head)));
    await this.#ensureAlarm();
    return 'ticket' in admitted ? { ticket: admitted.ticket, session: new CallSession(this) } : { answer: admitted.answer };
  }

  async handle(
    layout: number,
    head: Head,
    stream: ReadableStream<Uint8Array> | null,
    release?: string,
  ): Promise<Answer | MessageToAnswer> {
    const admitted = await this.admit(layout, head);
    if ('answer' in admitted) {
      await stream?.cancel();
      return admitted.answer;
    }
    let { ticket } = admitted;
    const { session } = admitted;
    const isMessage = isMcp(head.target);
    if (!isMessage && !['GET', 'HEAD', 'DELETE'].includes(head.method) && this.#isFull()) {
      await stream?.cancel();
      return this.#answer((core, role) => core.refuse(role, ticket, head, Refusal.full));
    }
    // The snapshot is opened while the body arrives. Many messages do not need it here.
    const prepareCatalog = () => this.edge.prepareCatalog((work) => this.ctx.waitUntil(work));
    const catalog = isMessage ? null : prepareCatalog();
    let body: Uint8Array;
    try {
      body = await boundedBody(stream, this.edge.times.bodyMs);
    } catch (error) {
      const refusal = error instanceof DeadlineExceeded ? Refusal.lateBody : Refusal.brokenBody;
      return this.#answer((core, role) => core.refuse(role, ticket, head, refusal));
    }
    try {
      if (isMessage) {
        const message = await this.#call((core, role) => this.#writeRecordsOf(core, core.admitMessage(role, ticket, { ...head, body })));
        if ('answer' in message) return message.answer;
        ticket = message.ticket;
        if (!message.inShard && this.edge.isOfRelease(release)) return { ticket, body, session };
        if (message.writes && this.#isFull()) return await this.#answer((core, role) => core.refuse(role, ticket, head, Refusal.full));
      }
      const hasCatalog = await (catalog ?? prepareCatalog())();
      return await this.#answer((core, role) => core.answer(role, ticket, { ...head, body }, hasCatalog));
    } catch (error) {
      this.edge.ports.log(String(error));
      return this.#answer((core, role) => core.refuse(role, ticket, head, Refusal.internalError));
    }
  }

  async handleAdmin(layout: number, request: CoreRequest): Promise<Answer> {
    checkLayout(layout);
    await this.#ensureReplica((core) => core.routeAdmin(request));
    return this.#call((core, role) => core.handleAdmin(role, request).answer);
  }

  async writeRecords(layout: number, records: Uint8Array[]): Promise<void> {
    checkLayout(layout);
    await this.#call((core, role) => {
      if (role !== ShardRole.account) return;
      try {
        this.#writeAll(core, records);
      } finally {
        this.#storeCounts(core);
      }
    });
    await this.#ensureAlarm();
  }

  async applyReplica(layout: number, replica: Uint8Array): Promise<ReplicaOutcome> {
    checkLayout(layout);
    const outcome = await this.#apply(replica);
    await this.#ensureAlarm();
    return outcome;
  }

  /** Throws only if the next alarm cannot be set; then the platform retries. The platform gives up after several errors. */
  override async alarm(): Promise<void> {
    this.#alarmIsSet = false;
    let inMs = this.edge.times.alarmRetryMs;
    try {
      const more = await this.#call((core, role) => {
        if (role !== ShardRole.account) return null;
        for (let step = 0; step < RETAIN_STEPS_MAX; ++step) if (!core.retainStep()) return this.#deleteOldestRecords(core);
        return true;
      });
      if (more === null) return;
      inMs = more ? RETAIN_SOON_MS : this.edge.times.retainMs;
    } catch (error) {
      this.edge.ports.log(`the alarm of an account failed: ${String(error)}`);
    }
    await this.#setAlarm(inMs);
  }

  /** HOST-14: a full object still accepts reads and deletions. */
  #isFull(): boolean {
    if (this.#usedBytes() <= this.edge.storageLimits.fullBytes) return false;
    this.edge.ports.log(`an account's object is full: it has ${this.#usedBytes()} bytes; the limit is ${this.edge.storageLimits.fullBytes}`);
    return true;
  }

  #usedBytes(): number {
    return this.ctx.storage.sql.databaseSize;
  }

  /** Deletes stored tracks, then the oldest call records, if the object is too large (HOST-14). Returns whether there is more to delete. */
  #deleteOldestRecords(core: Core): boolean {
    const { retainFromBytes } = this.edge.storageLimits;
    if (this.#usedBytes() <= retainFromBytes) return false;
    this.edge.ports.log(`an account's object has ${this.#usedBytes()} bytes: deleting stored tracks and its oldest call records early`);
    for (let step = 0; step < RETAIN_STEPS_MAX && this.#usedBytes() > retainFromBytes; ++step) {
      if (!core.deleteOldestRecordsStep()) return false;
    }
    return this.#usedBytes() > retainFromBytes;
  }

  #objectStorage(): ObjectStorage {
    this.#storage ??= new ObjectStorage(this.ctx.storage, this.edge.ports.nowMs);
    return this.#storage;
  }

  #open(core: Core): void {
    if (!this.#isOpen) core.openState();
    this.#isOpen = true;
  }

  /** Calls the core in the account's role. Uses the stateless role if there are no tables or the directory does not have the
   * account. */
  async #call<T>(body: (core: Core, role: ShardRole) => T | Promise<T>, { catalog = false } = {}): Promise<T> {
    await this.#ensureEpoch();
    const storage = this.#objectStorage();
    return this.edge.core.run({ storage, catalog }, (core) => {
      if (this.#isUnknown || (!this.#isOpen && !storage.hasTables())) return body(core, ShardRole.stateless);
      this.#open(core);
      return body(core, ShardRole.account);
    });
  }

  /** HOST-60: before its first call, asks the directory for the account. */
  async #ensureReplica(routeOf: (core: Core) => Routed): Promise<void> {
    if (this.#isOpen || this.#objectStorage().hasTables()) return;
    const routed = await this.edge.core.run({}, routeOf);
    if ('answer' in routed || routed.account === '') return;
    await this.#fetchReplica(routed.account);
    await this.#ensureAlarm();
  }

  /** Applies the directory's replica of the account. Returns false if the directory does not have the account. */
  async #fetchReplica(account: string): Promise<boolean> {
    const pending = this.edge.directoryOf(this.env).claimReplica(LAYOUT, account);
    const replica = await withDeadline(this.edge.times.replicaMs, pending, 'the directory');
    if (replica.length > 0) await this.#apply(replica);
    return replica.length > 0;
  }

  /** HOST-11: after the directory was set back, checks the account with the directory before anything is answered. */
  async #ensureEpoch(): Promise<void> {
    const { directoryEpoch } = this.edge;
    if (this.#epoch === directoryEpoch) return;
    const account = await this.#outdatedAccount();
    const applied = this.#appliedReplicas;
    const isKnown = account === '' || (await this.#fetchReplica(account));
    // A replica that arrived meanwhile is newer than the directory's answer.
    this.#isUnknown = !isKnown && applied === this.#appliedReplicas;
    if (isKnown && (await this.#outdatedAccount()) !== '') throw new Error('the directory has not begun the epoch yet');
    this.#epoch = directoryEpoch;
  }

  /** Returns the account if its replica is of an earlier epoch, else an empty string. */
  #outdatedAccount(): Promise<string> {
    const storage = this.#objectStorage();
    return this.edge.core.run({ storage }, (core) => {
      if (!this.#isOpen && !storage.hasTables()) return '';
      this.#open(core);
      return core.outdatedAccount();
    });
  }

  /** Applies a replica. A rejected replica creates no tables. */
  async #apply(replica: Uint8Array): Promise<ReplicaOutcome> {
    const storage = this.#objectStorage();
    const outcome = await this.edge.core.run({ storage }, (core) => {
      let applied: ReplicaOutcome = ReplicaOutcome.newerHere as ReplicaOutcome;
      let keepsTables = this.#isOpen || storage.hasTables();
      storage.transact(() => {
        if (!this.#isOpen) core.openState();
        applied = core.applyReplica(replica);
        keepsTables ||= applied === ReplicaOutcome.applied || applied === ReplicaOutcome.removed;
        return keepsTables;
      });
      this.#isOpen = keepsTables;
      return applied;
    });
    if (outcome === ReplicaOutcome.applied) {
      this.#isUnknown = false;
      ++this.#appliedReplicas;
    }
    if (outcome === ReplicaOutcome.removed) await this.#reduceToTombstone(replica);
    return outcome;
  }

  /** Deletes everything except a tombstone (RECORD-6). The directory sends the removal again until that succeeds. */
  async #reduceToTombstone(removal: Uint8Array): Promise<void> {
    this.#isOpen = false;
    this.#alarmIsSet = false;
    this.#pendingRecords = [];
    this.#objectStorage().unwrittenCounts = new Uint8Array();
    await this.ctx.storage.deleteAlarm();
    await this.ctx.storage.deleteAll();
    await this.edge.core.run({ storage: this.#objectStorage() }, (core) => core.storeTombstone(removal));
  }

  async #answer(body: (core: Core, role: ShardRole) => RecordedAnswer | Promise<RecordedAnswer>): Promise<Answer> {
    const recorded = async (core: Core, role: ShardRole) => this.#writeRecordsOf(core, await body(core, role));
    return (await this.#call(recorded, { catalog: true })).answer;
  }

  /** Writes the call records of an outcome in the transaction of the call. */
  #writeRecordsOf<T extends RecordedAnswer | { ticket: AdmissionTicket }>(core: Core, outcome: T): T {
    if ('records' in outcome && outcome.records.length > 0) this.#pendingRecords.push(outcome.records);
    if (this.#pendingRecords.length > PENDING_RECORDS_MAX) {
      this.#pendingRecords.shift();
      this.edge.ports.log('a call record is lost: too many records are pending');
    }
    try {
      this.#writeAll(core, this.#pendingRecords);
      this.#pendingRecords = [];
    } catch (error) {
      this.edge.ports.log(`cannot write call records yet: ${String(error)}`);
    }
    if ('records' in outcome) this.#storeCounts(core);
    else this.#storeOverdueCounts(core);
    return outcome;
  }

  /** Writes all of these records or none, so that no shared record counts a call twice (RECORD-7). */
  #writeAll(core: Core, records: Uint8Array[]): void {
    if (records.length === 0) return;
    this.#objectStorage().transact(() => {
      core.writeRecords(records);
      return true;
    });
  }

  /** Stores the counts, unless the last record contains them (HOST-61). There is no timer, because the platform charges for an object that
   * waits for one. */
  #storeCounts(core: Core): void {
    try {
      if (this.#objectStorage().unwrittenCounts.length > 0) core.writeCounts();
      this.#unstoredSinceMs = null;
    } catch (error) {
      this.edge.ports.log(`cannot store the counts of an account yet: ${String(error)}`);
    }
  }

  /** Stores counts whose records have not arrived: the process that has them may have ended. */
  #storeOverdueCounts(core: Core): void {
    if (this.#objectStorage().unwrittenCounts.length === 0) {
      this.#unstoredSinceMs = null;
      return;
    }
    const nowMs = this.edge.ports.nowMs();
    this.#unstoredSinceMs ??= nowMs;
    const waitedMs = nowMs - this.#unstoredSinceMs;
    if (waitedMs < 0 || waitedMs >= this.edge.times.countsMs) this.#storeCounts(core);
  }

  /** Sets an alarm if the shard has tables and no alarm. */
  async #ensureAlarm(): Promise<void> {
    if (!this.#isOpen) return;
    if (this.#usedBytes() > this.edge.storageLimits.retainFromBytes) return this.#scheduleDeletion();
    if (this.#alarmIsSet) return;
    try {
      if ((await this.ctx.storage.getAlarm()) === null) await this.#setAlarm(this.edge.times.retainMs);
      this.#alarmIsSet = true;
    } catch (error) {
      this.edge.ports.log(`cannot set the alarm of an account yet: ${String(error)}`); // the next call tries again
    }
  }

  async #scheduleDeletion(): Promise<void> {
    const set = await this.ctx.storage.getAlarm();
    if (set === null || set > Date.now() + RETAIN_SOON_MS) await this.#setAlarm(RETAIN_SOON_MS);
  }

  async #setAlarm(inMs: number): Promise<void> {
    await this.ctx.storage.setAlarm(Date.now() + inMs);
    this.#alarmIsSet = true;
  }
}
