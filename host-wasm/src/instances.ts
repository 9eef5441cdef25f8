// The core's instances of this isolate: the one way to call one. There are two at most, each of one call at a time: one
// may be waiting for blocks of the snapshot while the other answers. Whoever finds none free waits in line.

import { type Answer, Core, Refusal, type Start } from './core';
import type { Ports } from './ports';
import type { RemoteFile } from './remote_file';
import type { Storage } from './storage';

const INSTANCES_MAX = 2;
const WAITING_MAX = 1_000;
/** A call that the platform ended never gives its instance back: after so long another takes its place. */
const LEASE_LOST_MS = 60_000;
/** Whoever gives an instance back wakes the next, but under load another event's word does not always come. This is for
 * that too, for instances that are not given back, and for a word that went to a call which the platform had ended. */
const LOOK_AGAIN_MS = 20;

/** What a call is about. */
export interface Use {
  /** Of the object that makes it, where one does. */
  storage?: Storage;
  /** Whether it reads the catalog. */
  catalog?: boolean;
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
  /** Since when. */
  readonly #leased = new Map<Core, number>();
  /** What wakes the calls that wait. They take for themselves: one that was ended takes nothing. */
  readonly #line: (() => void)[] = [];
  #file: RemoteFile | null = null;
  #unavailable: Answer | null = null;

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

  /** What is answered where no instance can be had: the core's words, as soon as there was one. */
  get unavailable(): Answer {
    return this.#unavailable ?? { status: 503, headers: [], body: new Uint8Array() };
  }

  /** How many there are, and the bytes of their memories. */
  get sizes(): { instances: number; memoryBytes: number } {
    const cores = [...this.#idle, ...this.#leased.keys()];
    return { instances: cores.length, memoryBytes: cores.reduce((sum, core) => sum + core.memoryBytes, 0) };
  }

  /** What `body` gives, which has the core it gets for itself until it ends. Throws what it throws. */
  async run<T>({ storage, catalog = false }: Use, body: (core: Core) => T | Promise<T>): Promise<T> {
    const core = this.#take() ?? (await this.#next());
    try {
      if (catalog) await this.#follow(core);
      core.storage = storage ?? null;
      return await body(core);
    } finally {
      core.storage = null;
      this.#giveBack(core);
    }
  }

  /** Serves another snapshot from now on. Throws where the core refuses it; calls under way end on the one before. */
  async takeUp(file: RemoteFile): Promise<void> {
    await this.run({}, async (core) => {
      await this.#open(core, file);
      this.#file = file;
    });
  }

  #open(core: Core, file: RemoteFile): Promise<string> {
    return core.openSnapshot(file, { allowEvaluation: this.#options.allowEvaluation });
  }

  /** Opens the snapshot in force; where it cannot be read now, the one before goes on. */
  async #follow(core: Core): Promise<void> {
    if (this.#file === null || core.snapshot === this.#file) return;
    try {
      await this.#open(core, this.#file);
    } catch (fault) {
      if (core.snapshot === null) throw fault;
      this.#ports.log(`an instance stays with the snapshot before: ${String(fault)}`);
    }
  }

  #take(): Core | null {
    for (const [core, since] of this.#leased) {
      if (Date.now() - since > LEASE_LOST_MS) this.#leased.delete(core);
    }
    const core = this.#idle.pop() ?? (this.#leased.size < INSTANCES_MAX ? this.#make() : null);
    if (core !== null) this.#leased.set(core, Date.now());
    return core;
  }

  #make(): Core {
    const core = new Core(this.#module, this.#ports, this.#options.suspends);
    core.start(this.#start);
    this.#unavailable ??= core.refusal(Refusal.unavailable);
    return core;
  }

  async #next(): Promise<Core> {
    if (this.#line.length >= WAITING_MAX) throw new Error('too many calls wait for an instance');
    for (let place = this.#line.length; ; ) {
      let wake = () => {};
      const woken = new Promise<void>((resolve) => (wake = resolve));
      this.#line.splice(place, 0, wake);
      // The pause runs on: the platform ends a call that has nothing of its own left to wait for.
      await Promise.race([woken, scheduler.wait(LOOK_AGAIN_MS)]);
      place = Math.max(this.#line.indexOf(wake), 0); // woken by a call, it was the first
      if (this.#line[place] === wake) this.#line.splice(place, 1);
      const core = this.#take();
      if (core !== null) return core;
    }
  }

  /** One that was taken for lost, or has trapped, is dropped. */
  #giveBack(core: Core): void {
    if (this.#leased.delete(core) && !core.broken) this.#idle.push(core);
    this.#line.shift()?.();
  }
}
