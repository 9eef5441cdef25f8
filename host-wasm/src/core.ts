// One instance of the core's WebAssembly module, and its messages (README.md). It answers one call at a time: what may
// need blocks of the snapshot with a promise, all else synchronously. After a trap it is unusable: `broken` is set then.

import { type Blocks, type Fetched, importsOf } from './imports';
import { decodeText, MessageReader, MessageWriter } from './message';
import type { Ports } from './ports';
import type { RemoteFile } from './remote_file';
import type { Storage } from './storage';

const LAYOUT = 4;
const GO_ON_MAX = 99;
const AT_HOME = 1;
const AGAIN = 2;
const FAULT = 500;
/** A collection of 500 tracks takes some 15. */
const ATTEMPTS_MAX = 200;

export const BODY_BYTES_MAX = 65_536;

/** Pairs of a name and a value. */
export type Fields = string[][];

/** The head of a request; `target` is the origin form. */
export interface Head {
  method: string;
  target: string;
  headers: Fields;
}

/** Of a body, one byte more than BODY_BYTES_MAX is enough. */
export interface CoreRequest extends Head {
  body?: Uint8Array;
}

export interface Answer {
  status: number;
  headers: Fields;
  body: Uint8Array;
}

/** An answer, and the records of the calls that ended with it; none: no bytes. */
export interface Recorded {
  answer: Answer;
  records: Uint8Array;
}

/** The leave to answer, for an instance of the core. */
export type Leave = Uint8Array;
export type Admitted = Recorded | { leave: Leave };
/** An answer, or where to go on; no account: here. */
export type Located = { answer: Answer } | { account: string; atHome: boolean };

/** A change of an account that its home is to get; no copy: it is gone. */
export interface AccountChange {
  account: string;
  copy: Uint8Array;
  change: Uint8Array;
}

/** Whose state is meant, as tonearm/home.h numbers them. */
export enum Home {
  nobody,
  account,
  directory,
}

/** What the host refuses by itself. */
export enum Refusal {
  fault,
  unavailable,
  brokenBody,
  failedKeys,
}

export interface Start {
  keySecret: string;
  /** SHA-256 of the admin token. */
  adminTokenHash: Uint8Array;
  /** How much of whole catalog answers is kept. */
  answerCacheBytes: number;
}

interface Outcome extends Recorded {
  account: string;
  state: Uint8Array;
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

/** Random bytes that a call which runs again draws again: kept from its begin to its end, and no longer. */
class RandomTape {
  readonly #draw: (out: Uint8Array) => void;
  #drawn: number[] | null = null;
  #at = 0;

  constructor(draw: (out: Uint8Array) => void) {
    this.#draw = draw;
  }

  fill(out: Uint8Array): void {
    if (this.#drawn === null) {
      this.#draw(out);
      return;
    }
    const again = this.#drawn.slice(this.#at, this.#at + out.length);
    const fresh = new Uint8Array(out.length - again.length);
    if (fresh.length > 0) this.#draw(fresh);
    out.set(again);
    out.set(fresh, again.length);
    this.#drawn.push(...fresh);
    this.#at += out.length;
  }

  begin(): void {
    this.#drawn = [];
    this.#at = 0;
  }

  rewind(): void {
    this.#at = 0;
  }

  end(): void {
    this.#drawn = null;
  }
}

function fieldOf(line: string): string[] {
  const colon = line.indexOf(':');
  if (colon < 1) throw new Error('a header field without a name');
  return [line.slice(0, colon), line.slice(colon + 1)];
}

export class Core {
  readonly #exports: Exports;
  readonly #instance: number;
  readonly #suspends: boolean;
  readonly #random: RandomTape;
  readonly #log: (line: string) => void;
  readonly #files = new Map<number, RemoteFile>();
  /** Where the module is not suspended: what came for it, and what it missed. */
  readonly #arrived = new Map<number, Uint8Array | null>();
  readonly #missed: Fetched[] = [];
  #nextFile = 1;
  #openFile = 0;
  /** The home that the calls are about from now on. */
  storage: Storage | null = null;
  broken = false;

  /** `suspends`: the module is suspended while blocks come; otherwise a call that misses some runs again. */
  constructor(module: WebAssembly.Module, ports: Ports, suspends: boolean) {
    const core = this;
    this.#suspends = suspends;
    this.#random = new RandomTape((out) => ports.random(out));
    this.#log = (line) => ports.log(line);
    const around = {
      ports: { ...ports, random: (out: Uint8Array) => this.#random.fill(out) },
      suspends,
      get storage() {
        return core.storage;
      },
      memory: (at: number, size: number) => core.#memory(at, size),
      fetch: (fetched: Fetched) => core.#fetch(fetched),
      arrived: (fetched: Fetched) => core.#takeArrived(fetched),
      runTransaction: (transaction: number) => core.#exports.tonearm_run_transaction(transaction) !== 0,
    };
    this.#exports = new WebAssembly.Instance(module, importsOf(around)).exports as unknown as Exports;
    this.#exports._initialize();
    if (this.#exports.tonearm_layout() !== LAYOUT) throw new Error('the WebAssembly module is of another version');
    this.#instance = this.#exports.tonearm_make();
  }

  start({ keySecret, adminTokenHash, answerCacheBytes }: Start): void {
    const message = new MessageWriter().number(LAYOUT).text(keySecret).bytes(adminTokenHash).number(answerCacheBytes);
    this.#send(message.finish());
    this.#expectDone(this.#call('tonearm_start'));
  }

  /** The one in force. */
  get snapshot(): RemoteFile | null {
    return this.#files.get(this.#openFile) ?? null;
  }

  get memoryBytes(): number {
    return this.#exports.memory.buffer.byteLength;
  }

  /** Takes up a snapshot; gives its version. On a fault the one in force stays. */
  async openSnapshot(file: RemoteFile, { allowEvaluation = false } = {}): Promise<string> {
    const number = this.#nextFile++;
    this.#files.set(number, file);
    try {
      const outcome = await this.#callForBlocks('tonearm_open_snapshot', number, file.size, allowEvaluation ? 1 : 0);
      const version = decodeText(this.#expectDone(outcome).answer.body);
      this.#files.delete(this.#openFile);
      this.#openFile = number;
      return version;
    } catch (fault) {
      this.#files.delete(number);
      throw fault;
    }
  }

  locate(head: Head): Located {
    return this.#located('tonearm_locate', head);
  }

  locateAdmin(head: Head): Located {
    return this.#located('tonearm_locate_admin', head);
  }

  admit(home: Home, head: Head): Admitted {
    const outcome = this.#ask('tonearm_admit', head, undefined, home);
    return outcome.answer.status > GO_ON_MAX ? outcome : { leave: outcome.state };
  }

  /** No leave: a public path. */
  answer(home: Home, leave: Leave | undefined, request: CoreRequest): Promise<Recorded> {
    this.#sendRequest(request, leave);
    return this.#callForBlocks('tonearm_answer', home);
  }

  /** Instead of `answer`, where an admitted call cannot go on. */
  refuse(home: Home, leave: Leave | undefined, head: Head, refusal: Refusal): Recorded {
    return this.#ask('tonearm_refuse', head, leave, home, refusal);
  }

  handleAdmin(home: Home, request: CoreRequest): Answer {
    return this.#ask('tonearm_handle_admin', request, undefined, home).answer;
  }

  /** `waitS`: for how many seconds more. */
  refusal(refusal: Refusal, waitS = 0): Answer {
    return this.#call('tonearm_refusal', refusal, waitS).answer;
  }

  /** Makes or migrates the tables of the current storage. */
  openState(home: Home): void {
    this.#expectDone(this.#call('tonearm_open_state', home));
  }

  /** Into the current storage. Records that are there already change nothing. */
  writeRecords(records: Uint8Array): void {
    this.#give('tonearm_write_records', records);
  }

  /** From now on plan and keys of the current home are those of the copy. */
  takeCopy(copy: Uint8Array): void {
    this.#give('tonearm_take_copy', copy);
  }

  /** The first change in the current directory, by account behind `after`; null: all homes are up to date. */
  nextChange(after: string): AccountChange | null {
    const { answer, account, state } = this.#give('tonearm_next_change', after);
    return account === '' ? null : { account, copy: answer.body, change: state };
  }

  delivered({ change }: AccountChange): void {
    this.#give('tonearm_delivered', change);
  }

  /** One step of retention in the current storage; true while more remains. */
  retainStep(home: Home): boolean {
    return this.#expectDone(this.#call('tonearm_retain_step', home)).answer.body.length > 0;
  }

  #located(name: `tonearm_${string}`, head: Head): Located {
    const { answer, account } = this.#ask(name, head);
    return answer.status > GO_ON_MAX ? { answer } : { account, atHome: answer.status === AT_HOME };
  }

  #ask(name: `tonearm_${string}`, request: CoreRequest, leave?: Leave, ...numbers: number[]): Outcome {
    this.#sendRequest(request, leave);
    return this.#call(name, ...numbers);
  }

  #sendRequest(request: CoreRequest, leave: Leave = new Uint8Array()): void {
    const { method, target, headers, body = new Uint8Array() } = request;
    const message = new MessageWriter().number(LAYOUT).text(leave).text(method).text(target).number(headers.length);
    for (const [field = '', value = ''] of headers) message.text(field).text(value);
    this.#send(message.text(body).finish());
  }

  #give(name: `tonearm_${string}`, bytes: Uint8Array | string): Outcome {
    this.#send(new MessageWriter().number(LAYOUT).text(bytes).finish());
    return this.#expectDone(this.#call(name));
  }

  #send(message: Uint8Array): void {
    const at = this.#guarded(() => this.#exports.tonearm_reserve(this.#instance, message.length));
    // A message beyond the bound leaves an empty one behind, which the core refuses.
    if (at !== 0) this.#memory(at, message.length).set(message);
  }

  #call(name: `tonearm_${string}`, ...numbers: number[]): Outcome {
    return this.#outcomeAt(this.#guarded(() => this.#exports[name](this.#instance, ...numbers)));
  }

  /** A call that may need blocks. It is made within one transaction where it may have to run again. */
  async #callForBlocks(name: `tonearm_${string}`, ...numbers: number[]): Promise<Outcome> {
    if (this.#suspends) return this.#callSuspended(name, ...numbers);
    this.#random.begin();
    try {
      for (let attempts = 0; attempts < ATTEMPTS_MAX; ++attempts) {
        const outcome = this.#attempt(name, ...numbers);
        if (outcome.answer.status !== AGAIN) return outcome;
        await this.#fetchMissed();
        this.#random.rewind();
      }
      throw new Error('a call did not end for want of blocks');
    } finally {
      this.#arrived.clear();
      this.#missed.length = 0;
      this.#random.end();
    }
  }

  /** What a call wrote that has to run again, or that failed, is undone. */
  #attempt(name: `tonearm_${string}`, ...numbers: number[]): Outcome {
    if (this.storage === null) return this.#call(name, ...numbers);
    let outcome: Outcome | null = null;
    this.storage.transact(() => {
      outcome = this.#call(name, ...numbers);
      return outcome.answer.status !== AGAIN && outcome.answer.status < FAULT;
    });
    if (outcome === null) throw new Error('the storage ran no transaction');
    return outcome;
  }

  async #callSuspended(name: `tonearm_${string}`, ...numbers: number[]): Promise<Outcome> {
    if (this.broken) throw new Error('the core has trapped before');
    try {
      return this.#outcomeAt(await WebAssembly.promising(this.#exports[name])(this.#instance, ...numbers));
    } catch (fault) {
      this.broken = true;
      throw fault;
    }
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

  #guarded<T>(call: () => T): T {
    if (this.broken) throw new Error('the core has trapped before');
    try {
      return call();
    } catch (fault) {
      this.broken = true;
      throw fault;
    }
  }

  #expectDone(outcome: Outcome): Outcome {
    if (outcome.answer.status !== 200) throw new Error(decodeText(outcome.answer.body));
    return outcome;
  }

  async #fetch({ snapshot, runs, numbers }: Fetched): Promise<Blocks> {
    const file = this.#files.get(snapshot);
    if (file === undefined) throw new Error('there is no such snapshot');
    return file.read(runs, new Set(numbers));
  }

  /** What cannot be had is left missing, and said so to the module. */
  async #fetchMissed(): Promise<void> {
    for (const fetched of this.#missed.splice(0)) {
      try {
        // Copies: a block does not keep the run that it came with.
        for (const [number, block] of await this.#fetch(fetched)) this.#arrived.set(number, block.slice());
      } catch (fault) {
        this.#log(`the snapshot cannot be read: ${String(fault)}`);
        for (const number of fetched.numbers) this.#arrived.set(number, null);
      }
    }
  }

  /** What came since it was missed; null: not all of it is there, and it is missed now. Throws where it cannot be had. */
  #takeArrived(fetched: Fetched): Blocks | null {
    const blocks: Blocks = new Map();
    for (const number of fetched.numbers) {
      const block = this.#arrived.get(number);
      if (block === undefined) {
        this.#missed.push(fetched);
        return null;
      }
      if (block === null) throw new Error(`block ${number} cannot be had`);
      blocks.set(number, block);
    }
    for (const number of fetched.numbers) this.#arrived.delete(number);
    return blocks;
  }

  #memory(at: number, size: number): Uint8Array {
    return new Uint8Array(this.#exports.memory.buffer, at >>> 0, size >>> 0);
  }
}
