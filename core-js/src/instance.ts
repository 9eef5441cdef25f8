// One instance of the core's WebAssembly module (host-wasm/README.md). A run of a call is synchronous; between runs the
// instance is free. After a trap it is unusable and `broken` is set.

import { type RunContext, importsOf } from './imports.ts';
import { MessageReader, MessageWriter } from './message.ts';
import type { Ports } from './ports.ts';
import type { Storage } from './storage.ts';

export type { RunContext };

export const LAYOUT = 15;
const REPLAY = 2;

/** Pairs of a name and a value. */
export type Fields = string[][];

export interface Answer {
  status: number;
  headers: Fields;
  body: Uint8Array<ArrayBuffer>;
}

export interface Outcome {
  answer: Answer;
  /** The call records of the answered calls; empty if there are none. */
  records: Uint8Array;
  account: string;
  state: Uint8Array;
}

export interface Start {
  keySecret: string;
  /** SHA-256 of the admin token. */
  adminTokenHash: Uint8Array;
  /** The size of the cache of whole catalog answers. */
  answerCacheBytes: number;
  /** The number of snapshot blocks to cache. */
  blocksMax: number;
  /** The epoch of the directory (HOST-11). */
  directoryEpoch: number;
  /** The address of the API for clients, and that of the authorization server (MCP-20); empty: none. */
  publicUrl?: string;
  authorizationServer?: string;
}

/** Starts a catalog reader instead of a service, without keys and accounts. */
export type ReaderStart = Pick<Start, 'answerCacheBytes' | 'blocksMax'>;

/** A call of an export: its name, its message, and its numeric arguments. */
export interface Call {
  name: `tonearm_${string}`;
  message?: Uint8Array;
  numbers?: number[];
}

/** The context of a call that needs one run and no blocks. */
export function singleRunContext(ports: Ports, storage: Storage | null = null): RunContext {
  return {
    storage,
    nowMs: () => ports.nowMs(),
    random: (out) => ports.random(out),
    getBlocks() {
      throw new Error('this call must not need blocks');
    },
    findResult: () => null,
    storeResult() {},
    findAnswer: () => null,
    storeAnswer() {},
  };
}

interface Exports {
  memory: WebAssembly.Memory;
  _initialize(): void;
  tonearm_layout(): number;
  tonearm_make(): number;
  tonearm_reserve(instance: number, size: number): number;
  tonearm_run_transaction(transaction: number): number;
  [call: `tonearm_${string}`]: (...numbers: number[]) => number;
}

function serviceStart({ keySecret, adminTokenHash, answerCacheBytes, blocksMax, directoryEpoch, publicUrl = '', authorizationServer = '' }: Start): Call {
  const message = new MessageWriter().number(LAYOUT).text(keySecret).bytes(adminTokenHash);
  message.number(answerCacheBytes).number(blocksMax).number(directoryEpoch).text(publicUrl).text(authorizationServer);
  return { name: 'tonearm_start', message: message.finish() };
}

const readerStart = ({ answerCacheBytes, blocksMax }: ReaderStart): Call => ({
  name: 'tonearm_start_reader',
  numbers: [answerCacheBytes, blocksMax],
});

function fieldOf(line: string): string[] {
  const colon = line.indexOf(':');
  if (colon < 1) throw new Error('a header field without a name');
  return [line.slice(0, colon), line.slice(colon + 1)];
}

export const isReplay = ({ answer }: Outcome): boolean => answer.status === REPLAY;

export class Instance {
  readonly #exports: Exports;
  readonly #instance: number;
  readonly #ports: Ports;
  #context: RunContext;
  /** Log lines of the current run. */
  #lines: string[] = [];
  broken = false;

  constructor(module: WebAssembly.Module, ports: Ports, start: Start | ReaderStart) {
    this.#ports = ports;
    this.#context = singleRunContext(ports);
    const environment = {
      ports: { ...ports, log: (line: string) => void this.#lines.push(line) },
      context: () => this.#context,
      memory: (at: number, size: number) => this.#memory(at, size),
      runTransaction: (transaction: number) => this.#exports.tonearm_run_transaction(transaction) !== 0,
    };
    this.#exports = new WebAssembly.Instance(module, importsOf(environment)).exports as unknown as Exports;
    this.#exports._initialize();
    if (this.#exports.tonearm_layout() !== LAYOUT) throw new Error('the WebAssembly module has a different version');
    this.#instance = this.#exports.tonearm_make();
    const started = this.run('keySecret' in start ? serviceStart(start) : readerStart(start));
    if (started.answer.status !== 200) throw new Error('cannot start the core');
  }

  get memoryBytes(): number {
    return this.#exports.memory.buffer.byteLength;
  }

  /** Runs a call synchronously. */
  run({ name, message, numbers = [] }: Call, context: RunContext = singleRunContext(this.#ports)): Outcome {
    if (this.broken) throw new Error('the core has trapped earlier');
    const exported = this.#exports[name];
    if (exported === undefined) throw new Error(`the WebAssembly module has no ${name}`);
    this.#context = context;
    try {
      if (message !== undefined) this.#send(message);
      const outcome = this.#outcomeAt(exported(this.#instance, ...numbers));
      if (isReplay(outcome)) this.#lines = []; // only the last run logs
      return outcome;
    } catch (error) {
      this.broken = true;
      throw error;
    } finally {
      for (const line of this.#lines.splice(0)) this.#ports.log(line);
    }
  }

  #send(message: Uint8Array): void {
    const at = this.#exports.tonearm_reserve(this.#instance, message.length);
    // If the message is too long, the core finds an empty one and rejects it.
    if (at !== 0) this.#memory(at, message.length).set(message);
  }

  #outcomeAt(at: number): Outcome {
    const reader = new MessageReader(this.#exports.memory.buffer, at >>> 0);
    if (reader.number() !== LAYOUT) throw new Error('the outcome has a different layout');
    const status = reader.number();
    // Decodes all header fields at once, because each decoded text has a fixed cost.
    const headers = reader.text().split('\n').slice(0, -1).map(fieldOf);
    const answer = { status, headers, body: reader.bytes() };
    return { answer, account: reader.text(), state: reader.bytes(), records: reader.bytes() };
  }

  #memory(at: number, size: number): Uint8Array {
    return new Uint8Array(this.#exports.memory.buffer, at >>> 0, size >>> 0);
  }
}
