// Intercepts the reads of object storage by the test build of the workers. The test decides when a read continues and when it
// times out, and can wait for reads to arrive.

import { createRequire } from 'node:module';

import { root } from '../cases/build_folder.mjs';

const { Response } = createRequire(`${root}/host-wasm/`)('miniflare');

export class Gate {
  /** All reads since the last `clear`: `{id, key, offset, decision, isHeld}`. */
  reads = [];
  /** Decides about an arriving read: 'go'; 'hold' until it is released; 'late' lets it time out. */
  decide = () => 'go';
  /** By read id: the functions that release reads, and the waiters for decisions. */
  #releases = new Map();
  #deciders = new Map();
  #watches = [];

  /** The service binding for miniflare. */
  service = async (request) => {
    const { read, pause_of: pauseOf } = await request.json();
    if (read !== undefined) return this.#read(read);
    // A read times out only if the test decides so.
    const decision = await this.#decisionOf(pauseOf);
    return decision === 'late' ? new Response('over') : new Promise(() => {});
  };

  clear() {
    this.reads = [];
    this.decide = () => 'go';
  }

  /** Resolves when `holds(reads)` is true; checked whenever a read arrives. */
  until(holds) {
    if (holds(this.reads)) return Promise.resolve();
    return new Promise((resolve) => this.#watches.push({ holds, resolve }));
  }

  get held() {
    return this.reads.filter(({ isHeld }) => isHeld);
  }

  /** Releases all held reads, and lets new ones continue. */
  releaseAll() {
    this.decide = () => 'go';
    for (const read of this.held) this.release(read);
  }

  /** Releases a held read. */
  release(read) {
    read.isHeld = false;
    this.#releases.get(read.id)();
  }

  async #read(request) {
    const decision = this.decide(request, this.reads);
    const read = { ...request, decision, isHeld: decision === 'hold' };
    this.reads.push(read);
    const released = decision === 'go' ? null : new Promise((resolve) => this.#releases.set(read.id, resolve));
    this.#announce(read.id, decision);
    this.#watches = this.#watches.filter(({ holds, resolve }) => {
      const isMet = holds(this.reads);
      if (isMet) resolve();
      return !isMet;
    });
    await released; // never, if it is late
    return new Response('go');
  }

  #decisionOf(id) {
    return new Promise((resolve) => {
      const read = this.reads.find((one) => one.id === id);
      if (read) resolve(read.decision);
      else this.#deciders.set(id, resolve);
    });
  }

  #announce(id, decision) {
    this.#deciders.get(id)?.(decision);
    this.#deciders.delete(id);
  }
}
