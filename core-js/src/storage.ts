// A storage of state as the core uses it: statements, transactions and numbers, all synchronous. A reader of the catalog
// has none.

import { MessageReader, MessageWriter } from './message.ts';

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
