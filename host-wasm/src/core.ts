// One instance of the core's WebAssembly module, and its messages (README.md). It answers one call at a time,
// synchronously. After a trap it is unusable: `broken` is set then.

import { importsOf } from './imports';
import { decodeText, MessageReader, MessageWriter } from './message';
import type { Ports } from './ports';
import type { Storage } from './storage';

const LAYOUT = 2;
const GO_ON_MAX = 99;
const AT_HOME = 1;

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

export class Core {
  readonly #exports: Exports;
  readonly #instance: number;
  readonly #files = new Map<number, Uint8Array>();
  #nextFile = 1;
  #openFile = 0;
  /** The home that the calls are about from now on. */
  storage: Storage | null = null;
  broken = false;

  constructor(module: WebAssembly.Module, ports: Ports) {
    const core = this;
    const around = {
      ports,
      get storage() {
        return core.storage;
      },
      memory: (at: number, size: number) => core.#memory(at, size),
      file: (number: number) => core.#files.get(number),
      runTransaction: (transaction: number) => core.#exports.tonearm_run_transaction(transaction) !== 0,
    };
    this.#exports = new WebAssembly.Instance(module, importsOf(around)).exports as unknown as Exports;
    this.#exports._initialize();
    if (this.#exports.tonearm_layout() !== LAYOUT) throw new Error('the WebAssembly module is of another version');
    this.#instance = this.#exports.tonearm_make();
  }

  start({ keySecret, adminTokenHash }: Start): void {
    this.#send(new MessageWriter().number(LAYOUT).text(keySecret).bytes(adminTokenHash).finish());
    this.#expectDone(this.#call('tonearm_start'));
  }

  /** Takes up a snapshot, its whole bytes; gives its version. On a fault the one in force stays. */
  openSnapshot(bytes: Uint8Array, { allowEvaluation = false } = {}): string {
    const file = this.#nextFile++;
    this.#files.set(file, bytes);
    const outcome = this.#call('tonearm_open_snapshot', file, allowEvaluation ? 1 : 0);
    this.#files.delete(outcome.answer.status === 200 ? this.#openFile : file);
    this.#expectDone(outcome);
    this.#openFile = file;
    return decodeText(outcome.answer.body);
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
  answer(home: Home, leave: Leave | undefined, request: CoreRequest): Recorded {
    return this.#ask('tonearm_answer', request, leave, home);
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

  #ask(name: `tonearm_${string}`, request: CoreRequest, leave: Leave = new Uint8Array(), ...numbers: number[]): Outcome {
    const { method, target, headers, body = new Uint8Array() } = request;
    const message = new MessageWriter().number(LAYOUT).text(leave).text(method).text(target).number(headers.length);
    for (const [field = '', value = ''] of headers) message.text(field).text(value);
    this.#send(message.text(body).finish());
    return this.#call(name, ...numbers);
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
    const at = this.#guarded(() => this.#exports[name](this.#instance, ...numbers));
    const reader = new MessageReader(this.#exports.memory.buffer, at >>> 0);
    if (reader.number() !== LAYOUT) throw new Error('an answer of another layout');
    reader.number();
    const status = reader.number();
    const fields = reader.number();
    const headers = Array.from({ length: fields }, () => [reader.text(), reader.text()]);
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

  #memory(at: number, size: number): Uint8Array {
    return new Uint8Array(this.#exports.memory.buffer, at >>> 0, size >>> 0);
  }
}
