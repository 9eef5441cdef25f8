// The core of this isolate. All calls of the core go through it.

import type { Instance } from '../../core-js/src/instance';
import { ReplayedCore, type Use } from '../../core-js/src/replayed_core';
import { type Answer, Core, expectOk, Refusal, takeDownCall } from './core';

export class IsolateCore extends ReplayedCore {
  #unavailable: Answer | null = null;
  #takenDown: string[] = [];

  /** The answer if the core cannot be called: the core's own response once an instance has started. */
  get unavailable(): Answer {
    return this.#unavailable ?? { status: 503, headers: [], body: new Uint8Array() };
  }

  /** Runs `body` with the core and returns its result. */
  async run<T>(use: Use, body: (core: Core) => T | Promise<T>): Promise<T> {
    return body(new Core(this.runs(use)));
  }

  /** Takes these tracks down, and no others, in all calls that follow. */
  takeDown(trackIds: string[]): void {
    if (trackIds.join() === this.#takenDown.join()) return;
    new Core(this.runs({})).takeDown(trackIds);
    this.#takenDown = trackIds;
  }

  protected override onInstance(instance: Instance): void {
    if (this.#takenDown.length > 0) expectOk(instance.run(takeDownCall(this.#takenDown)));
    this.#unavailable ??= instance.run({ name: 'tonearm_refusal', numbers: [Refusal.unavailable, 0] }).answer;
  }
}
