// The bindings of the workers (docs/operate/edge.md), and the RPC interfaces of their Durable Objects.

import type { AdmissionTicket, Answer, CoreRequest, Head, ReplicaOutcome } from './core';

export interface Env {
  SNAPSHOTS: R2Bucket;
  ACCOUNTS: DurableObjectNamespace<AccountShardRpc>;
  DIRECTORY: DurableObjectNamespace<DirectoryShardRpc>;
  /** The secret of the deployment, shared by all isolates (KEY-3). */
  KEY_SECRET: string;
  /** In hex. */
  ADMIN_TOKEN_SHA256: string;
  /** "true" allows snapshots of the profile `evaluation` (BUILD-3). */
  ALLOW_EVALUATION?: string;
  /** Ed25519 public keys in PEM. Only snapshots that one of them has signed are served (HOST-31). */
  CATALOG_KEY?: string;
  /** An integer that the operator increases whenever the directory was set back (HOST-11). */
  DIRECTORY_EPOCH?: string;
  /** The address at which clients reach the API, and the web site with which clients of `/mcp` sign in (MCP-20). Both or neither. */
  PUBLIC_URL?: string;
  AUTHORIZATION_SERVER?: string;
  /** The deployed version of the worker, from the platform. Without it, isolates share no answers. */
  RELEASE?: { id: string };
}

/**
 * The version of the messages between workers and objects, the first argument of each call. For some minutes after a
 * deployment, two releases call each other. So a change takes two releases: the first accepts both versions and sends the old
 * one, the second sends the new one.
 */
export const LAYOUT = 1;
const KNOWN_LAYOUTS: readonly unknown[] = [1];

/** Throws if the caller uses an unknown version, before anything is changed. */
export function checkLayout(layout: unknown): void {
  if (KNOWN_LAYOUTS.includes(layout)) return;
  throw new Error(`a call of another release: its layout is ${String(layout)}, and this release knows ${KNOWN_LAYOUTS.join(', ')}`);
}

/** An admitted call for the worker to answer. */
export interface CallToAnswer {
  ticket: AdmissionTicket;
  session?: CallSessionRpc;
}

/** An admitted request to /mcp for the worker to answer. */
export interface MessageToAnswer extends CallToAnswer {
  body: Uint8Array;
}

/**
 * The session of an admitted call: the platform charges for the admission, but not for calls of this object, and keeps the account's object
 * in memory until the session is disposed. Objects of earlier releases return none.
 */
export interface CallSessionRpc extends Rpc.RpcTargetBranded {
  /** Writes the record of the call, like the method of the shard. */
  writeRecord(layout: number, record: Uint8Array): Promise<void>;
}

/** The shard of one account. */
export interface AccountShardRpc extends Rpc.DurableObjectBranded {
  /** Admits and counts a call (CHECK-3, CHECK-4). */
  admit(layout: number, head: Head): Promise<{ answer: Answer } | CallToAnswer>;
  /**
   * Admits a call and answers it. Reads the body only after the head has been admitted. If the caller has the object's `release`, and so the
   * same tools, a request to /mcp that needs only the catalog is admitted and returned with its body.
   */
  handle(layout: number, head: Head, stream: ReadableStream<Uint8Array> | null, release?: string): Promise<Answer | MessageToAnswer>;
  /** Handles the admin routes of call records, usage, limits and collections. */
  handleAdmin(layout: number, request: CoreRequest): Promise<Answer>;
  /** Writes records of calls that were answered elsewhere. Existing records are not written again (RECORD-7). */
  writeRecords(layout: number, records: Uint8Array[]): Promise<void>;
  /** Applies a replica. When this returns, its plan and keys are in force; a removed account is reduced to a tombstone
   * (RECORD-6). */
  applyReplica(layout: number, replica: Uint8Array): Promise<ReplicaOutcome>;
}

/** The shard with all accounts and keys. */
export interface DirectoryShardRpc extends Rpc.DurableObjectBranded {
  /** Handles all other admin routes. */
  handleAdmin(layout: number, request: CoreRequest): Promise<Answer>;
  /** Handles a request about an account that has no shard yet (HOST-60), or that does not exist. Returns null if it has one. */
  handleWithoutShard(layout: number, account: string, request: CoreRequest): Promise<Answer | null>;
  /** Returns the whole replica of an account; empty if there is no such account. From then on the account has a shard, which gets each
   * change. */
  claimReplica(layout: number, account: string): Promise<Uint8Array>;
  /** The same, for shards of earlier releases. Later ones call `claimReplica`, which earlier directories reject, because these would
   * not send the changes that follow. */
  replicaOf(layout: number, account: string): Promise<Uint8Array>;
}
