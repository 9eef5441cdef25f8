// The core's instances of this isolate: the one way to call one. Today it is one instance, called synchronously; whoever
// calls does not count on that, and other events may come in between.

import { Core, type Start } from './core';
import type { Ports } from './ports';
import type { Storage } from './storage';

/** What a call is about: the storage of the object that makes it, where one does. */
export interface Use {
  storage?: Storage;
}

export class Instances {
  readonly #module: WebAssembly.Module;
  readonly #ports: Ports;
  readonly #start: Start;
  readonly #allowEvaluation: boolean;
  #core: Core | null = null;
  #snapshot: Uint8Array | null = null;

  constructor(module: WebAssembly.Module, ports: Ports, start: Start, { allowEvaluation = false } = {}) {
    this.#module = module;
    this.#ports = ports;
    this.#start = start;
    this.#allowEvaluation = allowEvaluation;
  }

  get hasSnapshot(): boolean {
    return this.#snapshot !== null;
  }

  /** What `body` gives, which may call the core it gets until it returns. Throws what it throws. */
  async run<T>({ storage }: Use, body: (core: Core) => T): Promise<T> {
    const core = this.#working();
    core.storage = storage ?? null;
    try {
      return body(core);
    } finally {
      core.storage = null;
    }
  }

  /** Serves another snapshot from now on, its whole bytes. Throws where the core refuses it. */
  takeUp(bytes: Uint8Array): void {
    this.#working().openSnapshot(bytes, { allowEvaluation: this.#allowEvaluation });
    this.#snapshot = bytes;
  }

  /** A new one after a trap. */
  #working(): Core {
    if (this.#core !== null && !this.#core.broken) return this.#core;
    this.#core = new Core(this.#module, this.#ports);
    this.#core.start(this.#start);
    if (this.#snapshot !== null) {
      this.#core.openSnapshot(this.#snapshot, { allowEvaluation: this.#allowEvaluation });
    }
    return this.#core;
  }
}
