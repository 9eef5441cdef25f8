// The bindings of the workers (docs/operate/edge.md), and what their Durable Objects can be asked from elsewhere.

import type { AdmissionTicket, Answer, CoreRequest, Head, ReplicaOutcome } from './core';

export interface Env {
  SNAPSHOTS: R2Bucket;
  ACCOUNTS: DurableObjectNamespace<AccountShardRpc>;
  DIRECTORY: DurableObjectNamespace<DirectoryShardRpc>;
  /** Of the deployment: all isolates share it (KEY-3). */
  KEY_SECRET: string;
  /** Hex. */
  ADMIN_TOKEN_SHA256: string;
  /** "true": snapshots of the profile `evaluation` are served (BUILD-3). */
  ALLOW_EVALUATION?: string;
  /** Ed25519 public keys in PEM: only what one of them signed is served (HOST-31). */
  CATALOG_KEY?: string;
  /** A whole number, raised each time that the directory was set back (HOST-11). */
  DIRECTORY_EPOCH?: string;
}

/**
 * The number of the layout of what workers and objects send to each other, first in each call: for some minutes after a
 * deployment two releases call each other. A change of it takes two releases: the first one knows both layouts and still
 * sends the old one, the next one sends the new.
 */
export const LAYOUT = 1;
const KNOWN_LAYOUTS: readonly unknown[] = [1];

/** Throws where the caller runs a release that this one does not understand. Nothing is changed then. */
export function checkLayout(layout: unknown): void {
  if (KNOWN_LAYOUTS.includes(layout)) return;
  throw new Error(`a call of another release: its layout is ${String(layout)}, and this release knows ${KNOWN_LAYOUTS.join(', ')}`);
}

/** The shard of one account. */
export interface AccountShardRpc extends Rpc.DurableObjectBranded {
  /** CHECK-3, CHECK-4. A call that is admitted is counted. */
  admit(layout: number, head: Head): Promise<{ answer: Answer } | { ticket: AdmissionTicket }>;
  /** Admits a call and answers it. The body is read once the head is admitted. */
  handle(layout: number, head: Head, stream: ReadableStream<Uint8Array> | null): Promise<Answer>;
  /** The routes of the admin interface that read call records. */
  handleAdmin(layout: number, request: CoreRequest): Promise<Answer>;
  /** Writes records of calls that were answered elsewhere; those that are there already change nothing (RECORD-7). */
  writeRecords(layout: number, records: Uint8Array[]): Promise<void>;
  /** Plan and keys of a replica that was applied are in force when this returns; of an account that was removed nothing
   * is left but a tombstone (RECORD-6). */
  applyReplica(layout: number, replica: Uint8Array): Promise<ReplicaOutcome>;
}

/** The shard with all accounts and keys. */
export interface DirectoryShardRpc extends Rpc.DurableObjectBranded {
  /** Every route of the admin interface but those that read call records. */
  handleAdmin(layout: number, request: CoreRequest): Promise<Answer>;
  /** All of an account, for its shard; no bytes: there is no such account. */
  replicaOf(layout: number, account: string): Promise<Uint8Array>;
}
