// The core's instances of this isolate: the one way to call one. There are two at most, each of one call at a time: one
// may be waiting for blocks of the snapshot while the other answers.

import { Core, type Start } from './core';
import type { Ports } from './ports';
import type { RemoteFile } from './remote_file';
import type { Storage } from './storage';

const INSTANCES_MAX = 2;
/** A call that the platform ended never gives its instance back: after so long another takes its place. */
const LEASE_LOST_MS = 30_000;
const LOOK_AGAIN_MS = 1_000;

/** What a call is about: the storage of the object that makes it, where one does. */
export interface Use {
  storage?: Storage;
}

export interface InstanceOptions {
  allowEvaluation?: boolean;
  /** Whether the module is suspended while blocks come. Where it is not, a call that needs some runs again. */
  suspends?: boolean | undefined;
}

export class Instances {
  readonly #module: WebAssembly.Module;
  readonly #ports: Ports;
  readonly #start: Start;
  readonly #options: Required<InstanceOptions>;
  readonly #idle: Core[] = [];
  readonly #leased = new Map<Core, number>();
  readonly #waiting: (() => void)[] = [];
  #file: RemoteFile | null = null;

  constructor(module: WebAssembly.Module, ports: Ports, start: Start, options: InstanceOptions = {}) {
    this.#module = module;
    this.#ports = ports;
    this.#start = start;
    this.#options = {
      allowEvaluation: options.allowEvaluation ?? false,
      suspends: options.suspends ?? 'Suspending' in WebAssembly,
    };
  }

  get hasSnapshot(): boolean {
    return this.#file !== null;
  }

  get snapshot(): RemoteFile | null {
    return this.#file;
  }

  /** Bytes of all instances' memories. */
  get memoryBytes(): number {
    return [...this.#idle, ...this.#leased.keys()].reduce((sum, core) => sum + core.memoryBytes, 0);
  }

  /** What `body` gives, which has the core it gets for itself until it ends. Throws what it throws. */
  async run<T>({ storage }: Use, body: (core: Core) => T | Promise<T>): Promise<T> {
    const core = this.#free() ?? (await this.#next());
    this.#leased.set(core, Date.now());
    try {
      if (this.#file !== null && core.snapshot !== this.#file) await this.#open(core, this.#file);
      core.storage = storage ?? null;
      return await body(core);
    } finally {
      core.storage = null;
      this.#giveBack(core);
    }
  }

  /** Serves another snapshot from now on. Throws where the core refuses it; calls under way end on the one before. */
  async takeUp(file: RemoteFile): Promise<void> {
    await this.run({}, (core) => this.#open(core, file));
    this.#file = file;
  }

  #open(core: Core, file: RemoteFile): Promise<string> {
    return core.openSnapshot(file, { allowEvaluation: this.#options.allowEvaluation });
  }

  #free(): Core | null {
    const idle = this.#idle.pop();
    if (idle !== undefined) return idle;
    return this.#leased.size < INSTANCES_MAX ? this.#make() : null;
  }

  #make(): Core {
    const core = new Core(this.#module, this.#ports, this.#options.suspends);
    core.start(this.#start);
    return core;
  }

  async #next(): Promise<Core> {
    while (true) {
      await Promise.race([new Promise<void>((resolve) => this.#waiting.push(resolve)), scheduler.wait(LOOK_AGAIN_MS)]);
      for (const [core, since] of this.#leased) {
        if (Date.now() - since > LEASE_LOST_MS) this.#leased.delete(core);
      }
      const core = this.#free();
      if (core !== null) return core;
    }
  }

  /** One that was taken for lost, or has trapped, is dropped. */
  #giveBack(core: Core): void {
    if (this.#leased.delete(core) && !core.broken) this.#idle.push(core);
    this.#waiting.shift()?.();
  }
}
