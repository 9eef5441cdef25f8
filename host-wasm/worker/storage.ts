// The storage of a Durable Object as the core uses it: statements, transactions and numbers, all synchronous.

import { MessageReader, MessageWriter } from './message';

export type SqlValue = null | number | string | Uint8Array;

/** The state of one shard. */
export interface Storage {
  /** All rows of one statement. Throws where the platform refuses it. */
  execute(statement: string, parameters: SqlValue[]): SqlValue[][];
  /** Commits where `body` gives true, else rolls back. Throws where the platform refuses. */
  transact(body: () => boolean): void;
  /** Above 0, below 2^53, and greater than all before. */
  nextNumber(): number;
}

const NULL = 0;
const INTEGER = 1;
const TEXT = 2;
const BLOB = 3;

export function readParameters(buffer: ArrayBufferLike, at: number): SqlValue[] {
  const message = new MessageReader(buffer, at);
  return Array.from({ length: message.number() }, () => {
    switch (message.number()) {
      case INTEGER:
        return message.integer();
      case TEXT:
        return message.text();
      case BLOB:
        return message.bytes();
      default:
        return null;
    }
  });
}

function writeValue(message: MessageWriter, value: SqlValue) {
  if (value === null) {
    message.number(NULL);
  } else if (typeof value === 'string') {
    message.number(TEXT).text(value);
  } else if (typeof value === 'number') {
    // The platform has one kind of number; the state holds whole ones alone.
    if (!Number.isSafeInteger(value)) throw new Error('a number that is not whole, or too large');
    message.number(INTEGER).integer(value);
  } else {
    message.number(BLOB).text(value);
  }
}

export function writeRows(rows: SqlValue[][]): Uint8Array {
  const message = new MessageWriter().number(rows.length).number(rows[0]?.length ?? 0);
  for (const row of rows) for (const value of row) writeValue(message, value);
  return message.finish();
}

class RolledBack extends Error {}

/** 2026-01-01, in seconds. */
const EPOCH_S = 1_767_225_600;

export class ObjectStorage implements Storage {
  readonly #storage: DurableObjectStorage;
  readonly #nowMs: () => number;
  #number = 0;

  constructor(storage: DurableObjectStorage, nowMs: () => number) {
    this.#storage = storage;
    this.#nowMs = nowMs;
  }

  execute(statement: string, parameters: SqlValue[]): SqlValue[][] {
    const rows = this.#storage.sql.exec(statement, ...parameters).raw();
    return Array.from(rows, (row) => row.map((value) => (value instanceof ArrayBuffer ? new Uint8Array(value) : value)));
  }

  transact(body: () => boolean): void {
    try {
      this.#storage.transactionSync(() => {
        if (!body()) throw new RolledBack();
      });
    } catch (error) {
      if (!(error instanceof RolledBack)) throw error;
    }
  }

  /** A record is known by its time and this number, so it may start again with the object, at a later second. */
  nextNumber(): number {
    if (this.#number === 0) this.#number = Math.max(Math.floor(this.#nowMs() / 1000) - EPOCH_S, 0) * 2 ** 21;
    return ++this.#number;
  }

  /** Whether the core has tables here. Makes none. */
  hasTables(): boolean {
    const tables = "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'state_meta'";
    return [...this.#storage.sql.exec(tables).raw()].length > 0;
  }
}
