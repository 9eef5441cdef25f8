// Stands between the test build of the workers and its object storage: the test says when a read goes on, and when its time
// is over. What the test waits for are reads that have arrived.

import { createRequire } from 'node:module';

import { root } from '../cases/build_folder.mjs';

const { Response } = createRequire(`${root}/host-wasm/`)('miniflare');

export class Gate {
  /** All that have arrived since the last `clear`: `{id, key, offset, decision, isHeld}`. */
  reads = [];
  /** What becomes of a read that arrives: 'go'; 'hold', until it is let go; 'late': its time is over before it is answered. */
  decide = () => 'go';
  /** By the reads' ids: what lets them go, and what waits for their decision. */
  #goOn = new Map();
  #decided = new Map();
  #watches = [];

  /** For miniflare. */
  service = async (request) => {
    const { read, pause_of: pauseOf } = await request.json();
    if (read !== undefined) return this.#read(read);
    // No time passes for a read but where the test says so; one without an id is not the gate's.
    const decision = await this.#decisionOf(pauseOf);
    return decision === 'late' ? new Response('over') : new Promise(() => {});
  };

  clear() {
    this.reads = [];
    this.decide = () => 'go';
  }

  /** Resolves when `holds(reads)` first gives true, looked at with each read that arrives. */
  until(holds) {
    if (holds(this.reads)) return Promise.resolve();
    return new Promise((resolve) => this.#watches.push({ holds, resolve }));
  }

  get held() {
    return this.reads.filter(({ isHeld }) => isHeld);
  }

  /** What is held goes on, and what arrives from now on. */
  letGo() {
    this.decide = () => 'go';
    for (const read of this.held) this.go(read);
  }

  /** One that is held. */
  go(read) {
    read.isHeld = false;
    this.#goOn.get(read.id)();
  }

  async #read(asked) {
    const decision = this.decide(asked, this.reads);
    const read = { ...asked, decision, isHeld: decision === 'hold' };
    this.reads.push(read);
    const goOn = decision === 'go' ? null : new Promise((resolve) => this.#goOn.set(read.id, resolve));
    this.#tell(read.id, decision);
    this.#watches = this.#watches.filter(({ holds, resolve }) => {
      const come = holds(this.reads);
      if (come) resolve();
      return !come;
    });
    await goOn; // of one that is late: never
    return new Response('go');
  }

  #decisionOf(id) {
    return new Promise((resolve) => {
      const read = this.reads.find((one) => one.id === id);
      if (read) resolve(read.decision);
      else this.#decided.set(id, resolve);
    });
  }

  #tell(id, decision) {
    this.#decided.get(id)?.(decision);
    this.#decided.delete(id);
  }
}
