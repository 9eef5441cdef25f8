// The directory: the only shard that contains all accounts and keys, and the only place that changes them. The core writes
// each change to an outbox in the same transaction. The directory replicates it to the account's shard before it answers,
// separately for each account and with a deadline, so that no shard delays another one. Changes that a shard has not
// acknowledged stay in the outbox, and the alarm retries them. Versions prevent an older replica from replacing a newer one.
// An account has no shard until its first call, whose shard asks for the whole replica (HOST-60).

import { DurableObject } from 'cloudflare:workers';

import { decodeText } from '../../core-js/src/message';
import { checkLayout, type DirectoryShardRpc, type Env, LAYOUT } from './bindings';
import { type AccountChange, type Answer, type Core, type CoreRequest, Refusal, ReplicaOutcome, ShardRole } from './core';
import { withDeadline } from './deadline';
import type { Edge } from './edge';
import { ObjectStorage } from './storage';
import { publishTakeDowns } from './takedowns';

const CREATED = 201;
const RETAIN_STEPS_MAX = 50;
/** The number of changes that one alarm replicates, and how many of them concurrently. */
const CHANGES_PER_ALARM = 5_000;
const CONCURRENT_CHANGES = 16;

/** Returns the account whose keys are imported, or null. */
const importedAccount = ({ method, target }: CoreRequest) =>
  method === 'POST' ? (/^\/admin\/accounts\/([^/]+)\/import\/keys(\?|$)/.exec(target)?.[1] ?? null) : null;
const changesTakeDowns = ({ method, target }: CoreRequest) => method !== 'GET' && /^\/admin\/takedowns(\/|\?|$)/.test(target);

export abstract class DirectoryShard extends DurableObject<Env> implements DirectoryShardRpc {
  protected abstract readonly edge: Edge;
  #storage: ObjectStorage | null = null;
  #isOpen = false;
  /** The epoch that has begun here. */
  #epoch: number | null = null;
  #publishing: Promise<void> = Promise.resolve();
  /** Whether an alarm is known to be set. */
  #hasAlarm = false;

  async handleAdmin(layout: number, request: CoreRequest): Promise<Answer> {
    checkLayout(layout);
    const imported = importedAccount(request);
    // An earlier change comes first: a deletion, or an import that this request repeats.
    if (imported !== null && !(await this.#isReplicated(imported))) return this.#call((core) => core.refusal(Refusal.unavailable));
    const [answer, change] = await this.#call((core) => {
      const { answer, account } = core.handleAdmin(ShardRole.directory, request);
      if (account === '') return [answer, null] as const;
      // The object of an imported account may have a tombstone (RECORD-6), so it gets the account at once.
      if (imported !== null && answer.status === CREATED) core.addShard(account);
      return [answer, core.changeOf(account)] as const;
    });
    if (changesTakeDowns(request) && !(await this.#publishTakeDowns(request))) return this.#call((core) => core.refusal(Refusal.unavailable));
    if (change === null) {
      if (!this.#hasAlarm) await this.#ensureAlarmIn(this.edge.times.retainMs);
      return answer;
    }
    // If this object ends now, the alarm replicates the change.
    await this.#ensureAlarmIn(this.edge.times.replicationRetryMs);
    const isInForce = await this.#replicate(change);
    return isInForce ? answer : this.#call((core) => core.refusal(Refusal.unavailable));
  }

  /** Publishes the list for all isolates, also if this change was refused: an earlier one may not have been published. Returns false if
   * that fails; then the operator repeats the request. One after the other, so that the last list is the newest. */
  #publishTakeDowns(request: CoreRequest): Promise<boolean> {
    const published = this.#publishing.then(async () => {
      const trackIds: string[] = [];
      for (let cursor: string | null = ''; cursor !== null; ) {
        const target: string = `/admin/takedowns${cursor && `?cursor=${encodeURIComponent(cursor)}`}`;
        const { answer } = await this.#call((core) => core.handleAdmin(ShardRole.directory, { ...request, method: 'GET', target, body: new Uint8Array() }));
        const page = JSON.parse(decodeText(answer.body)) as { takedowns: { track_id: string }[]; cursor: string | null };
        trackIds.push(...page.takedowns.map(({ track_id }) => track_id));
        cursor = page.cursor;
      }
      await publishTakeDowns(this.env.SNAPSHOTS, trackIds);
    });
    this.#publishing = published.catch((error: unknown) => this.edge.ports.log(`cannot publish the take-downs: ${String(error)}`));
    return published.then(
      () => true,
      () => false,
    );
  }

  handleWithoutShard(layout: number, account: string, request: CoreRequest): Promise<Answer | null> {
    checkLayout(layout);
    return this.#call((core) => (core.hasShard(account) ? null : core.handleAdmin(ShardRole.directory, request).answer));
  }

  claimReplica(layout: number, account: string): Promise<Uint8Array> {
    checkLayout(layout);
    return this.#call((core) => core.wholeReplica(account));
  }

  replicaOf(layout: number, account: string): Promise<Uint8Array> {
    return this.claimReplica(layout, account);
  }

  /** Throws only if the next alarm cannot be set; then the platform retries. The platform gives up after several errors. */
  override async alarm(): Promise<void> {
    this.#hasAlarm = false;
    const { replicationRetryMs, retainMs, alarmRetryMs } = this.edge.times;
    let inMs = alarmRetryMs;
    try {
      const isAllReplicated = await this.#replicateAll();
      const more = await this.#call((core) => {
        for (let step = 0; step < RETAIN_STEPS_MAX; ++step) if (!core.retainStep()) return false;
        return true;
      });
      inMs = more || !isAllReplicated ? replicationRetryMs : retainMs;
    } catch (error) {
      this.edge.ports.log(`the alarm of the directory failed: ${String(error)}`);
    }
    await this.#setAlarm(inMs);
  }

  /** Replicates the changes in the outbox. Returns whether all of them have been acknowledged. */
  async #replicateAll(): Promise<boolean> {
    let after = '';
    let left = CHANGES_PER_ALARM;
    let isAll = true;
    const next = () =>
      this.#call((core) => {
        const change = core.nextChange(after);
        after = change?.account ?? after;
        return change;
      });
    const replicateSome = async () => {
      for (let change = await next(); change !== null; change = await next()) {
        if (!(await this.#replicate(change)) || --left <= 0) isAll = false;
        if (left <= 0) return;
      }
    };
    await Promise.all(Array.from({ length: CONCURRENT_CHANGES }, replicateSome));
    return isAll;
  }

  /** Replicates what the outbox has of an account. Returns whether nothing is left. */
  async #isReplicated(account: string): Promise<boolean> {
    const change = await this.#call((core) => core.changeOf(account));
    return change === null || this.#replicate(change);
  }

  /** Returns whether the change, or a later one of the account, is in force in its shard. */
  async #replicate(change: AccountChange): Promise<boolean> {
    try {
      await withDeadline(this.edge.times.replicaMs, this.#send(change), `the shard of ${change.account}`);
      await this.#call((core) => core.acknowledge(change));
      return true;
    } catch (error) {
      this.edge.ports.log(`cannot replicate a change of an account yet: ${String(error)}`);
      return false;
    }
  }

  /** Throws if the shard does not apply the change. */
  async #send({ account, replica }: AccountChange): Promise<void> {
    const shard = this.edge.shardOf(this.env, account);
    const isApplied = (outcome: ReplicaOutcome) => outcome === ReplicaOutcome.applied || outcome === ReplicaOutcome.removed;
    if (isApplied(await shard.applyReplica(LAYOUT, replica))) return;
    // The shard is behind, or it has a later change. The current whole account is correct in both cases.
    const whole = await this.#call((core) => core.wholeReplica(account));
    if (whole.length > 0 && isApplied(await shard.applyReplica(LAYOUT, whole))) return;
    throw new Error(
      `the shard of ${account} has a newer replica than the directory: if the directory was set back, raise DIRECTORY_EPOCH`,
    );
  }

  /** Sets an alarm unless an earlier one is set. */
  async #ensureAlarmIn(inMs: number): Promise<void> {
    const set = await this.ctx.storage.getAlarm();
    if (set === null || Date.now() + inMs < set) await this.#setAlarm(inMs);
    this.#hasAlarm = true;
  }

  async #setAlarm(inMs: number): Promise<void> {
    await this.ctx.storage.setAlarm(Date.now() + inMs);
    this.#hasAlarm = true;
  }

  #call<T>(body: (core: Core) => T): Promise<T> {
    this.#storage ??= new ObjectStorage(this.ctx.storage, this.edge.ports.nowMs);
    return this.edge.core.run({ storage: this.#storage }, (core) => {
      if (!this.#isOpen) core.openState();
      this.#isOpen = true;
      const { directoryEpoch } = this.edge;
      if (this.#epoch !== directoryEpoch) core.beginEpoch();
      this.#epoch = directoryEpoch;
      return body(core);
    });
  }
}
