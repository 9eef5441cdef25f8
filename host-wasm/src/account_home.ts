// One account's home: its keys, counts, records and collections in the object's own storage. The core decides and writes;
// this calls it with that storage. An object without tables is nobody's: it answers as for any unknown account, and
// makes none.

import { DurableObject } from 'cloudflare:workers';

import { type Answer, type Core, type CoreRequest, type Head, Home, type Leave, type Recorded, Refusal } from './core';
import type { Edge, Env } from './edge';
import { boundedBody } from './http';
import { ObjectStorage } from './storage';

/** Steps of retention between two alarms, each a short transaction. */
const RETAIN_STEPS_MAX = 50;
const RETAIN_SOON_MS = 1_000;
/** Records that wait for a storage which refuses them, each of a call. */
const UNWRITTEN_MAX = 1_000;

export abstract class AccountHome extends DurableObject<Env> {
  protected abstract readonly edge: Edge;
  #storage: ObjectStorage | null = null;
  #isOpen = false;
  #alarmIsSet = false;
  /** Its account was deleted: an id is given once, so a copy that still comes is an old one. */
  #isGone = false;
  /** Records that could not be written yet. */
  #unwritten: Uint8Array[] = [];

  /** C1.3, C1.4. What passes is counted. */
  async admit(head: Head): Promise<{ answer: Answer } | { leave: Leave }> {
    const admitted = await this.#call((core, home) => this.#recorded(core, core.admit(home, head)));
    await this.#expectAlarm();
    return 'leave' in admitted ? { leave: admitted.leave } : { answer: admitted.answer };
  }

  /** Admits a call and answers it. The body is read once the head is admitted. */
  async handle(head: Head, stream: ReadableStream<Uint8Array> | null): Promise<Answer> {
    const admitted = await this.admit(head);
    if ('answer' in admitted) {
      await stream?.cancel();
      return admitted.answer;
    }
    const { leave } = admitted;
    let body: Uint8Array;
    try {
      body = await boundedBody(stream);
    } catch {
      return this.#answer((core, home) => core.refuse(home, leave, head, Refusal.brokenBody));
    }
    await this.edge.snapshots.ready((work) => this.ctx.waitUntil(work));
    try {
      return await this.#answer((core, home) => core.answer(home, leave, { ...head, body }));
    } catch (fault) {
      this.edge.ports.log(String(fault));
      return this.#answer((core, home) => core.refuse(home, leave, head, Refusal.fault));
    }
  }

  /** The routes of the admin interface that read what calls left. */
  handleAdmin(request: CoreRequest): Promise<Answer> {
    return this.#call((core, home) => core.handleAdmin(home, request));
  }

  /** Records of calls that were answered elsewhere; those that are there already change nothing (C8). */
  async writeRecords(records: Uint8Array[]): Promise<void> {
    await this.#call((core, home) => {
      if (home === Home.account) for (const some of records) core.writeRecords(some);
    });
    await this.#expectAlarm();
  }

  /** The directory's: plan and keys, in force when this returns. Throws where a newer copy is here. */
  async takeCopy(copy: Uint8Array): Promise<void> {
    if (this.#isGone) throw new Error('a copy of an account that is deleted');
    await this.edge.instances.run({ storage: this.#own() }, (core) => {
      this.#open(core);
      core.takeCopy(copy);
    });
    await this.#expectAlarm();
  }

  /** C9. */
  async empty(): Promise<void> {
    this.#isGone = true;
    this.#isOpen = false;
    this.#alarmIsSet = false;
    this.#unwritten = [];
    await this.ctx.storage.deleteAlarm();
    await this.ctx.storage.deleteAll();
  }

  override async alarm(): Promise<void> {
    const more = await this.#call((core, home) => {
      if (home !== Home.account) return null;
      for (let step = 0; step < RETAIN_STEPS_MAX; ++step) if (!core.retainStep(home)) return false;
      return true;
    });
    this.#alarmIsSet = more !== null;
    if (more !== null) await this.#setAlarm(more ? RETAIN_SOON_MS : this.edge.times.retainMs);
  }

  #own(): ObjectStorage {
    this.#storage ??= new ObjectStorage(this.ctx.storage, this.edge.ports.nowMs);
    return this.#storage;
  }

  #open(core: Core): void {
    if (!this.#isOpen) core.openState(Home.account);
    this.#isOpen = true;
  }

  /** Calls the core on this object's storage; without tables, on nobody's. */
  #call<T>(body: (core: Core, home: Home) => T | Promise<T>, { catalog = false } = {}): Promise<T> {
    const storage = this.#own();
    return this.edge.instances.run({ storage, catalog }, (core) => {
      if (!this.#isOpen && !storage.hasTables()) return body(core, Home.nobody);
      this.#open(core);
      return body(core, Home.account);
    });
  }

  async #answer(body: (core: Core, home: Home) => Recorded | Promise<Recorded>): Promise<Answer> {
    const recorded = async (core: Core, home: Home) => this.#recorded(core, await body(core, home));
    return (await this.#call(recorded, { catalog: true })).answer;
  }

  /** Writes what the outcome of a call records together with what the call itself wrote. */
  #recorded<T extends Recorded | { leave: Leave }>(core: Core, outcome: T): T {
    if ('records' in outcome && outcome.records.length > 0) this.#unwritten.push(outcome.records);
    if (this.#unwritten.length > UNWRITTEN_MAX) {
      this.#unwritten.shift();
      this.edge.ports.log('a call record is lost: too many wait to be written');
    }
    try {
      for (let next = this.#unwritten[0]; next !== undefined; next = this.#unwritten[0]) {
        core.writeRecords(next);
        this.#unwritten.shift();
      }
    } catch (fault) {
      this.edge.ports.log(`call records wait: ${String(fault)}`);
    }
    return outcome;
  }

  /** Every home with tables has an alarm. */
  async #expectAlarm(): Promise<void> {
    if (this.#alarmIsSet || !this.#isOpen) return;
    this.#alarmIsSet = true;
    if ((await this.ctx.storage.getAlarm()) === null) await this.#setAlarm(this.edge.times.retainMs);
  }

  #setAlarm(inMs: number): Promise<void> {
    return this.ctx.storage.setAlarm(Date.now() + inMs);
  }
}
