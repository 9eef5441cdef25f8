// The storage of state that the core uses: synchronous statements, transactions and record numbers. A catalog reader has
// none.

import { MessageReader, MessageWriter } from './message.ts';

export type SqlValue = null | number | string | Uint8Array;

/** The state of one shard. */
export interface Storage {
  /** Returns all rows of a statement. Throws if the platform rejects it. */
  execute(statement: string, parameters: SqlValue[]): SqlValue[][];
  /** Commits if `body` returns true, otherwise rolls back. Throws if the platform fails. */
  transact(body: () => boolean): void;
  /** The counts that the tables of the storage lack; empty if they have all. A transaction that is rolled back restores them. */
  unwrittenCounts: Uint8Array;
  /** Returns a number above 0 and below 2^53 that is greater than all previous ones. */
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
    // The platform has only one type of number; the state contains only integers.
    if (!Number.isSafeInteger(value)) throw new Error('a number is not an integer or is too large');
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
