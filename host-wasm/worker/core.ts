// What the workers and their objects ask of the core, and the messages of it (README.md). All are answered at once but
// `answer`, which may need blocks of the snapshot.

import { type Answer, type Call, LAYOUT, type Outcome } from '../../core-js/src/instance';
import { decodeText, MessageWriter } from '../../core-js/src/message';
import { BlocksUnavailable } from '../../core-js/src/pins';
import type { Runs } from '../../core-js/src/replayed_core';
import { type CoreRequest, type Head, requestMessage } from '../../core-js/src/request';

export type { Answer, CoreRequest, Head };

const NEXT_STEP_MAX = 99;
const IN_SHARD = 1;

export const BODY_BYTES_MAX = 262_144;

/** An answer, and the records of the calls that ended with it; none: no bytes. */
export interface RecordedAnswer {
  answer: Answer;
  records: Uint8Array;
}

/** What an admitted call is answered with. */
export type AdmissionTicket = Uint8Array;
export type Admitted = RecordedAnswer | { ticket: AdmissionTicket };
/** An answer, or which shard admits the call, and whether it answers it too; no account: answered here. */
export type Routed = { answer: Answer } | { account: string; inShard: boolean };

/** A change of an account for its shard. */
export interface AccountChange {
  account: string;
  replica: Uint8Array;
  change: Uint8Array;
}

/** On whose state a call is answered, numbered as in tonearm/shard_service.h. */
export enum ShardRole {
  stateless,
  account,
  directory,
}

/** What came of a replica, numbered as in tonearm/shard_service.h. */
export enum ReplicaOutcome {
  applied,
  removed,
  newerHere,
  behind,
}

/** What the host refuses by itself. */
export enum Refusal {
  internalError,
  unavailable,
  brokenBody,
  failedKeys,
  lateBody,
  full,
}

const bytesMessage = (bytes: Uint8Array | string) => new MessageWriter().number(LAYOUT).text(bytes).finish();

function expectOk(outcome: Outcome): Outcome {
  if (outcome.answer.status !== 200) throw new Error(decodeText(outcome.answer.body));
  return outcome;
}

function routed({ answer, account }: Outcome): Routed {
  return answer.status > NEXT_STEP_MAX ? { answer } : { account, inShard: answer.status === IN_SHARD };
}

/** The core for one use, over one storage or none. */
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

  admit(role: ShardRole, head: Head): Admitted {
    const outcome = this.#runs.once({ name: 'tonearm_admit', message: requestMessage(head), numbers: [role] });
    return outcome.answer.status > NEXT_STEP_MAX ? outcome : { ticket: outcome.state };
  }

  /** No ticket: a public path. Where the catalog cannot be read, the answer says so. */
  async answer(role: ShardRole, ticket: AdmissionTicket | undefined, request: CoreRequest): Promise<RecordedAnswer> {
    const callOf = (waitedMs: number): Call => ({
      name: 'tonearm_answer',
      message: requestMessage(request, ticket, waitedMs),
      numbers: [role, 1],
    });
    try {
      return await this.#runs.replayed(callOf);
    } catch (error) {
      if (!(error instanceof BlocksUnavailable)) throw error;
      // CHECK-6: some routes do without the catalog; of the others the answer says that it cannot be read.
      return this.#runs.withoutBlocks({ ...callOf(0), numbers: [role, 0] });
    }
  }

  /** Instead of `answer`, where an admitted call cannot go on. */
  refuse(role: ShardRole, ticket: AdmissionTicket | undefined, head: Head, refusal: Refusal): RecordedAnswer {
    const { method, target, headers } = head;
    const message = requestMessage({ method, target, headers }, ticket);
    return this.#runs.once({ name: 'tonearm_refuse', message, numbers: [role, refusal] });
  }

  /** An answer, and the account that it changed; none: an empty name. */
  handleAdmin(role: ShardRole, request: CoreRequest): { answer: Answer; account: string } {
    return this.#runs.once({ name: 'tonearm_handle_admin', message: requestMessage(request), numbers: [role] });
  }

  /** `waitS`: for how many seconds more. */
  refusal(refusal: Refusal, waitS = 0): Answer {
    return this.#runs.once({ name: 'tonearm_refusal', numbers: [refusal, waitS] }).answer;
  }

  /** Makes or migrates the tables of the storage. */
  openState(): void {
    expectOk(this.#runs.once({ name: 'tonearm_open_state' }));
  }

  /** Into the storage. Records that are there already change nothing. */
  writeRecords(records: Uint8Array): void {
    this.#send('tonearm_write_records', records);
  }

  /** From now on plan and keys of the shard are those of a replica that is applied. */
  applyReplica(replica: Uint8Array): ReplicaOutcome {
    return Number(decodeText(this.#send('tonearm_apply_replica', replica).answer.body));
  }

  /** Leaves the tombstone of a removal in the storage, which is otherwise empty. */
  storeTombstone(removal: Uint8Array): void {
    this.#send('tonearm_keep_tombstone', removal);
  }

  /** The account of the shard where its replica is of an earlier epoch; else an empty name. */
  outdatedAccount(): string {
    return decodeText(expectOk(this.#runs.once({ name: 'tonearm_outdated_account' })).answer.body);
  }

  /** The first change in the directory's outbox, by account after `after`; null: there is none. */
  nextChange(after: string): AccountChange | null {
    return this.#changeFrom('tonearm_next_change', after);
  }

  /** What waits there of one account. */
  changeOf(account: string): AccountChange | null {
    return this.#changeFrom('tonearm_change_of', account);
  }

  /** All that the directory has of an account; no bytes: it has none such. */
  wholeReplica(account: string): Uint8Array {
    return this.#send('tonearm_whole_replica', account).answer.body;
  }

  /** The shard has applied it. */
  acknowledge({ change }: AccountChange): void {
    this.#send('tonearm_acknowledge', change);
  }

  /** One step of retention in the storage; true while more remains. */
  retainStep(): boolean {
    return expectOk(this.#runs.once({ name: 'tonearm_retain_step' })).answer.body.length > 0;
  }

  /** One step towards room in the storage, from its oldest call records; false: there was none. */
  deleteOldestRecordsStep(): boolean {
    return expectOk(this.#runs.once({ name: 'tonearm_make_room_step' })).answer.body.length > 0;
  }

  #changeFrom(name: Call['name'], account: string): AccountChange | null {
    const { answer, account: changed, state } = this.#send(name, account);
    return changed === '' ? null : { account: changed, replica: answer.body, change: state };
  }

  #send(name: Call['name'], bytes: Uint8Array | string): Outcome {
    return expectOk(this.#runs.once({ name, message: bytesMessage(bytes) }));
  }
}
