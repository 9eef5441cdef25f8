// The core of this isolate, and the only way to call it.

import type { Instance } from '../../core-js/src/instance';
import { ReplayedCore, type Use } from '../../core-js/src/replayed_core';
import { type Answer, Core, Refusal } from './core';

export class IsolateCore extends ReplayedCore {
  #unavailable: Answer | null = null;

  /** What is answered where the core cannot be called: its own words, as soon as it was there once. */
  get unavailable(): Answer {
    return this.#unavailable ?? { status: 503, headers: [], body: new Uint8Array() };
  }

  /** What `body` gives, which may ask the core about this storage. Throws what it throws. */
  async run<T>(use: Use, body: (core: Core) => T | Promise<T>): Promise<T> {
    return body(new Core(this.runs(use)));
  }

  protected override onInstance(instance: Instance): void {
    this.#unavailable ??= instance.run({ name: 'tonearm_refusal', numbers: [Refusal.unavailable, 0] }).answer;
  }
}
