// Adapts the storage of a Durable Object to the interface that the core expects.

import type { SqlValue, Storage } from '../../core-js/src/storage';

class RolledBack extends Error {}

/** 2026-01-01, in seconds. */
const EPOCH_S = 1_767_225_600;

export class ObjectStorage implements Storage {
  readonly #storage: DurableObjectStorage;
  readonly #nowMs: () => number;
  #number = 0;
  unwrittenCounts: Uint8Array = new Uint8Array();

  constructor(storage: DurableObjectStorage, nowMs: () => number) {
    this.#storage = storage;
    this.#nowMs = nowMs;
  }

  execute(statement: string, parameters: SqlValue[]): SqlValue[][] {
    const rows = this.#storage.sql.exec(statement, ...parameters).raw();
    return Array.from(rows, (row) => row.map((value) => (value instanceof ArrayBuffer ? new Uint8Array(value) : value)));
  }

  transact(body: () => boolean): void {
    const counts = this.unwrittenCounts;
    try {
      this.#storage.transactionSync(() => {
        if (!body()) throw new RolledBack();
      });
    } catch (error) {
      this.unwrittenCounts = counts;
      if (!(error instanceof RolledBack)) throw error;
    }
  }

  /** A record is identified by its time and this number, so the number may restart with the object at a later second. */
  nextNumber(): number {
    if (this.#number === 0) this.#number = Math.max(Math.floor(this.#nowMs() / 1000) - EPOCH_S, 0) * 2 ** 21;
    return ++this.#number;
  }

  /** Returns whether the core has tables here. Creates none. */
  hasTables(): boolean {
    const tables = "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'state_meta'";
    return [...this.#storage.sql.exec(tables).raw()].length > 0;
  }
}
