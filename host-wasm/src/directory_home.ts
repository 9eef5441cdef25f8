// The directory: the one object that has all accounts and keys, and changes them. Each change is brought to the account's
// own object before it is answered; what could not be brought stays written down, and the alarm tries again.

import { DurableObject } from 'cloudflare:workers';

import { type AccountChange, type Answer, type Core, type CoreRequest, Home, Refusal } from './core';
import type { Edge, Env } from './edge';
import { ObjectStorage } from './storage';

const RETAIN_STEPS_MAX = 50;

const isSame = (one: Uint8Array, other: Uint8Array): boolean =>
  one.length === other.length && one.every((byte, index) => byte === other[index]);

/** Almost always none, or the one that was made just now. */
function waitingChanges(core: Core): AccountChange[] {
  const changes: AccountChange[] = [];
  for (let next = core.nextChange(''); next !== null; next = core.nextChange(next.account)) changes.push(next);
  return changes;
}

export abstract class DirectoryHome extends DurableObject<Env> {
  protected abstract readonly edge: Edge;
  #storage: ObjectStorage | null = null;
  #isOpen = false;
  /** Ends when all that was changed before is brought; one brings at a time, so that no older copy comes last. */
  #bringing: Promise<unknown> = Promise.resolve();

  /** Every route of the admin interface but those that read what calls left. */
  async handleAdmin(request: CoreRequest): Promise<Answer> {
    const [before, answer, changed] = await this.#call((core) => {
      const waiting = waitingChanges(core);
      const given = core.handleAdmin(Home.directory, request);
      return [waiting, given, waitingChanges(core)] as const;
    });
    const isNew = ({ account, change }: AccountChange) =>
      !before.some((known) => known.account === account && isSame(known.change, change));
    if (!changed.some(isNew)) return answer;
    // Should this object end now, the alarm brings what was changed.
    await this.#setAlarm(this.edge.times.bringAgainMs);
    const failed = await this.#bring();
    return failed.some(isNew) ? this.#call((core) => core.refusal(Refusal.unavailable)) : answer;
  }

  override async alarm(): Promise<void> {
    const failed = await this.#bring();
    const more = await this.#call((core) => {
      for (let step = 0; step < RETAIN_STEPS_MAX; ++step) if (!core.retainStep(Home.directory)) return false;
      return true;
    });
    await this.#setAlarm(more || failed.length > 0 ? this.edge.times.bringAgainMs : this.edge.times.retainMs);
  }

  /** Brings all that was changed until now; gives what could not be brought. */
  #bring(): Promise<AccountChange[]> {
    const brought = this.#bringing.then(() => this.#bringAll());
    this.#bringing = brought.catch(() => {}); // whoever asked for it hears of the fault
    return brought;
  }

  async #bringAll(): Promise<AccountChange[]> {
    const failed: AccountChange[] = [];
    for (let after = ''; ; ) {
      const change = await this.#call((core) => core.nextChange(after));
      if (change === null) return failed;
      after = change.account;
      try {
        const home = this.edge.homeOf(this.env, change.account);
        await (change.copy.length === 0 ? home.empty() : home.takeCopy(change.copy));
        await this.#call((core) => core.delivered(change));
      } catch (fault) {
        this.edge.ports.log(`a change of an account is not in force yet: ${String(fault)}`);
        failed.push(change);
      }
    }
  }

  /** An earlier one stays. */
  async #setAlarm(inMs: number): Promise<void> {
    const at = Date.now() + inMs;
    const set = await this.ctx.storage.getAlarm();
    if (set === null || at < set) await this.ctx.storage.setAlarm(at);
  }

  #call<T>(body: (core: Core) => T): Promise<T> {
    this.#storage ??= new ObjectStorage(this.ctx.storage, this.edge.ports.nowMs);
    return this.edge.instances.run({ storage: this.#storage }, (core) => {
      if (!this.#isOpen) core.openState(Home.directory);
      this.#isOpen = true;
      return body(core);
    });
  }
}
