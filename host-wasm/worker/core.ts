// The calls of the core that the workers and their objects use, and their messages (README.md). All of them are synchronous
// except `answer`, which may need blocks of the snapshot.

import { type Answer, type Call, LAYOUT, type Outcome } from '../../core-js/src/instance';
import { decodeText, joinBytes, MessageWriter } from '../../core-js/src/message';
import { BlocksUnavailable } from '../../core-js/src/pins';
import type { Runs } from '../../core-js/src/replayed_core';
import { type CoreRequest, type Head, requestMessage } from '../../core-js/src/request';

export type { Answer, CoreRequest, Head };

const NEXT_STEP_MAX = 99;
const HERE = 0;
const IN_SHARD = 1;
const IN_SHARD_WRITES = 3;
/** Within the size of a message. */
const RECORDS_PER_WRITE = 500;

export const BODY_BYTES_MAX = 262_144;

/** An answer with the call records that it completes; empty if there are none. */
export interface RecordedAnswer {
  answer: Answer;
  records: Uint8Array;
}

/** Allows an isolate without state to answer an admitted call. */
export type AdmissionTicket = Uint8Array;
export type Admitted = RecordedAnswer | { ticket: AdmissionTicket };
export interface AdmittedMessage {
  ticket: AdmissionTicket;
  /** Whether only the shard can answer, and whether it then writes more than it deletes. */
  inShard: boolean;
  writes: boolean;
}
/** An answer, or the shard that admits the call and whether it also answers it. No account: this isolate answers. */
export type Routed = { answer: Answer } | { account: string; inShard: boolean };

/** A change of an account for its shard. */
export interface AccountChange {
  account: string;
  replica: Uint8Array;
  change: Uint8Array;
}

/** Whose state a call uses, numbered as in tonearm/shard_service.h. */
export enum ShardRole {
  stateless,
  account,
  directory,
}

/** The result of applying a replica, numbered as in tonearm/shard_service.h. */
export enum ReplicaOutcome {
  applied,
  removed,
  newerHere,
  behind,
}

/** Reasons for which the host itself refuses a call. */
export enum Refusal {
  internalError,
  unavailable,
  brokenBody,
  failedKeys,
  lateBody,
  full,
}

const bytesMessage = (bytes: Uint8Array | string) => new MessageWriter().number(LAYOUT).text(bytes).finish();

export function expectOk(outcome: Outcome): Outcome {
  if (outcome.answer.status !== 200) throw new Error(decodeText(outcome.answer.body));
  return outcome;
}

function routed({ answer, account }: Outcome): Routed {
  return answer.status > NEXT_STEP_MAX ? { answer } : { account, inShard: answer.status === IN_SHARD };
}

/** The call that takes these tracks down, and no others. */
export const takeDownCall = (trackIds: string[]): Call => ({ name: 'tonearm_take_down', message: bytesMessage(trackIds.join('\n')) });

/** The calls of the core, with one storage or none. */
export class Core {
  readonly #runs: Runs;

  constructor(runs: Runs) {
    this.#runs = runs;
  }

  route(head: Head): Routed {
    return routed(this.#runs.once({ name: 'tonearm_route', message: requestMessage(head) }));
  }

  routeAdmin(head: Head): Routed {
    return routed(this.#runs.once({ name: 'tonearm_route_admin', message: requestMessage(head) }));
  }

  takeDown(trackIds: string[]): void {
    expectOk(this.#runs.once(takeDownCall(trackIds)));
  }

  admit(role: ShardRole, head: Head): Admitted {
    const outcome = this.#runs.once({ name: 'tonearm_admit', message: requestMessage(head), numbers: [role] });
    return outcome.answer.status > NEXT_STEP_MAX ? outcome : { ticket: outcome.state };
  }

  /** Counts an admitted request to /mcp by its body. Returns a response that refuses it, or a ticket with which `answer` does not count it
   * again. */
  admitMessage(role: ShardRole, ticket: AdmissionTicket, request: CoreRequest): RecordedAnswer | AdmittedMessage {
    const outcome = this.#runs.once({ name: 'tonearm_admit_message', message: requestMessage(request, ticket), numbers: [role] });
    const { status } = outcome.answer;
    return status > NEXT_STEP_MAX ? outcome : { ticket: outcome.state, inShard: status !== HERE, writes: status === IN_SHARD_WRITES };
  }

  /** Answers a call; a public path has no ticket. If the catalog cannot be read, or is not `hasCatalog`, the answer of a route that needs it
   * is an error. */
  async answer(role: ShardRole, ticket: AdmissionTicket | undefined, request: CoreRequest, hasCatalog = true): Promise<RecordedAnswer> {
    const callOf = (waitedMs: number): Call => ({
      name: 'tonearm_answer',
      message: requestMessage(request, ticket, waitedMs),
      numbers: [role, 1],
    });
    try {
      if (hasCatalog) return await this.#runs.replayed(callOf);
    } catch (error) {
      if (!(error instanceof BlocksUnavailable)) throw error;
    }
    // CHECK-6: some routes do not need the catalog. The others answer that it cannot be read.
    return this.#runs.withoutBlocks({ ...callOf(0), numbers: [role, 0] });
  }

  /** Ends an admitted call that cannot continue. */
  refuse(role: ShardRole, ticket: AdmissionTicket | undefined, head: Head, refusal: Refusal): RecordedAnswer {
    const { method, target, headers } = head;
    const message = requestMessage({ method, target, headers }, ticket);
    return this.#runs.once({ name: 'tonearm_refuse', message, numbers: [role, refusal] });
  }

  /** Returns the answer and the account that it has changed, or an empty string. */
  handleAdmin(role: ShardRole, request: CoreRequest): { answer: Answer; account: string } {
    return this.#runs.once({ name: 'tonearm_handle_admin', message: requestMessage(request), numbers: [role] });
  }

  /** `waitS` is the number of seconds for Retry-After. */
  refusal(refusal: Refusal, waitS = 0): Answer {
    return this.#runs.once({ name: 'tonearm_refusal', numbers: [refusal, waitS] }).answer;
  }

  /** Creates or migrates the tables of the storage. */
  openState(): void {
    expectOk(this.#runs.once({ name: 'tonearm_open_state' }));
  }

  /** Writes call records to the storage, in several transactions if there are many; existing ones are not written again. */
  writeRecords(records: Uint8Array[]): void {
    for (let at = 0; at < records.length; at += RECORDS_PER_WRITE) {
      this.#send('tonearm_write_records', joinBytes(records.slice(at, at + RECORDS_PER_WRITE)));
    }
  }

  /** Stores the storage's unwritten counts, unless the last record contains them. */
  writeCounts(): void {
    expectOk(this.#runs.once({ name: 'tonearm_write_counts' }));
  }

  /** Applies a replica: sets the plan and the keys of the shard. */
  applyReplica(replica: Uint8Array): ReplicaOutcome {
    return Number(decodeText(this.#send('tonearm_apply_replica', replica).answer.body));
  }

  /** Writes the tombstone of a removal to an empty storage. */
  storeTombstone(removal: Uint8Array): void {
    this.#send('tonearm_save_tombstone', removal);
  }

  /** Returns the account of the shard if its replica has an earlier epoch, else an empty string. */
  outdatedAccount(): string {
    return decodeText(expectOk(this.#runs.once({ name: 'tonearm_outdated_account' })).answer.body);
  }

  /** Returns the first change in the directory's outbox after the account `after`, or null. */
  nextChange(after: string): AccountChange | null {
    return this.#changeFrom('tonearm_next_change', after);
  }

  /** Returns the change of one account in the outbox, or null. */
  changeOf(account: string): AccountChange | null {
    return this.#changeFrom('tonearm_change_of', account);
  }

  /** After `openState` of the directory: in a new epoch all accounts have a shard. */
  beginEpoch(): void {
    expectOk(this.#runs.once({ name: 'tonearm_begin_epoch' }));
  }

  /** Gives an account a shard, unless it has one: the outbox then has its whole replica. */
  addShard(account: string): void {
    this.#send('tonearm_add_shard', account);
  }

  /** Returns whether the account exists and has a shard: a replica was made for it. */
  hasShard(account: string): boolean {
    return this.#send('tonearm_has_shard', account).answer.body.length > 0;
  }

  /** Returns the whole replica of an account from the directory; empty if there is no such account. */
  wholeReplica(account: string): Uint8Array {
    return this.#send('tonearm_whole_replica', account).answer.body;
  }

  /** Records that the shard has applied the change. */
  acknowledge({ change }: AccountChange): void {
    this.#send('tonearm_acknowledge', change);
  }

  /** Runs one retention step. Returns whether more remain. */
  retainStep(): boolean {
    return expectOk(this.#runs.once({ name: 'tonearm_retain_step' })).answer.body.length > 0;
  }

  /** Deletes some of the oldest call records. Returns false if there are none. */
  deleteOldestRecordsStep(): boolean {
    return expectOk(this.#runs.once({ name: 'tonearm_free_space_step' })).answer.body.length > 0;
  }

  #changeFrom(name: Call['name'], account: string): AccountChange | null {
    const { answer, account: changed, state } = this.#send(name, account);
    return changed === '' ? null : { account: changed, replica: answer.body, change: state };
  }

  #send(name: Call['name'], bytes: Uint8Array | string): Outcome {
    return expectOk(this.#runs.once({ name, message: bytesMessage(bytes) }));
  }
}
