// One instance of the core's WebAssembly module (host-wasm/README.md). A run of a call is synchronous: between two runs the
// instance is free. After a trap it is unusable: `broken` is set then.

import { type Around, importsOf } from './imports.ts';
import { MessageReader, MessageWriter } from './message.ts';
import type { Ports } from './ports.ts';
import type { Storage } from './storage.ts';

export type { Around };

export const LAYOUT = 9;
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
  /** Of the calls that ended with the answer; none: no bytes. */
  records: Uint8Array;
  account: string;
  state: Uint8Array;
}

export interface Start {
  keySecret: string;
  /** SHA-256 of the admin token. */
  adminTokenHash: Uint8Array;
  /** How much of whole catalog answers is kept. */
  answerCacheBytes: number;
  /** How many blocks of the snapshot are kept. */
  blocksMax: number;
  /** Of which epoch the directory is (HOST-11). */
  directoryEpoch: number;
}

/** Of a reader of the catalog instead of a service: it has no keys and no accounts. */
export type ReaderStart = Pick<Start, 'answerCacheBytes' | 'blocksMax'>;

/** One export, the message that it finds, and its further numbers. */
export interface Call {
  name: `tonearm_${string}`;
  message?: Uint8Array;
  numbers?: number[];
}

/** Around what needs one run and no blocks. */
export function aroundOne(ports: Ports, storage: Storage | null = null): Around {
  return {
    storage,
    nowMs: () => ports.nowMs(),
    random: (out) => ports.random(out),
    take() {
      throw new Error('this call may need no blocks');
    },
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

function serviceStart({ keySecret, adminTokenHash, answerCacheBytes, blocksMax, directoryEpoch }: Start): Call {
  const message = new MessageWriter().number(LAYOUT).text(keySecret).bytes(adminTokenHash);
  message.number(answerCacheBytes).number(blocksMax).number(directoryEpoch);
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
  #around: Around;
  /** What the run under way tells the operator. */
  #lines: string[] = [];
  broken = false;

  constructor(module: WebAssembly.Module, ports: Ports, start: Start | ReaderStart) {
    this.#ports = ports;
    this.#around = aroundOne(ports);
    const surroundings = {
      ports: { ...ports, log: (line: string) => void this.#lines.push(line) },
      around: () => this.#around,
      memory: (at: number, size: number) => this.#memory(at, size),
      runTransaction: (transaction: number) => this.#exports.tonearm_run_transaction(transaction) !== 0,
    };
    this.#exports = new WebAssembly.Instance(module, importsOf(surroundings)).exports as unknown as Exports;
    this.#exports._initialize();
    if (this.#exports.tonearm_layout() !== LAYOUT) throw new Error('the WebAssembly module is of another version');
    this.#instance = this.#exports.tonearm_make();
    const started = this.run('keySecret' in start ? serviceStart(start) : readerStart(start));
    if (started.answer.status !== 200) throw new Error('the core cannot be started');
  }

  get memoryBytes(): number {
    return this.#exports.memory.buffer.byteLength;
  }

  /** Runs a call, all of it before this returns. */
  run({ name, message, numbers = [] }: Call, around: Around = aroundOne(this.#ports)): Outcome {
    if (this.broken) throw new Error('the core has trapped before');
    const exported = this.#exports[name];
    if (exported === undefined) throw new Error(`the WebAssembly module has no ${name}`);
    this.#around = around;
    try {
      if (message !== undefined) this.#send(message);
      const outcome = this.#outcomeAt(exported(this.#instance, ...numbers));
      if (isReplay(outcome)) this.#lines = []; // the last run says what there is to say
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
    // A message beyond the bound leaves an empty one behind, which the core refuses.
    if (at !== 0) this.#memory(at, message.length).set(message);
  }

  #outcomeAt(at: number): Outcome {
    const reader = new MessageReader(this.#exports.memory.buffer, at >>> 0);
    if (reader.number() !== LAYOUT) throw new Error('an answer of another layout');
    const status = reader.number();
    // All at once: each text that is decoded has its price.
    const headers = reader.text().split('\n').slice(0, -1).map(fieldOf);
    const answer = { status, headers, body: reader.bytes() };
    return { answer, account: reader.text(), state: reader.bytes(), records: reader.bytes() };
  }

  #memory(at: number, size: number): Uint8Array {
    return new Uint8Array(this.#exports.memory.buffer, at >>> 0, size >>> 0);
  }
}
