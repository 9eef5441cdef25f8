// The core of this isolate. All calls of the core go through it.

import type { Instance } from '../../core-js/src/instance';
import { ReplayedCore, type Use } from '../../core-js/src/replayed_core';
import { type Answer, Core, Refusal } from './core';

export class IsolateCore extends ReplayedCore {
  #unavailable: Answer | null = null;

  /** The answer if the core cannot be called: the core's own response once an instance has started. */
  get unavailable(): Answer {
    return this.#unavailable ?? { status: 503, headers: [], body: new Uint8Array() };
  }

  /** Runs `body` with the core and returns its result. */
  async run<T>(use: Use, body: (core: Core) => T | Promise<T>): Promise<T> {
    return body(new Core(this.runs(use)));
  }

  protected override onInstance(instance: Instance): void {
    this.#unavailable ??= instance.run({ name: 'tonearm_refusal', numbers: [Refusal.unavailable, 0] }).answer;
  }
}
