// The functions that the module imports from its host (host-wasm/bridge/imports.h). None of them throws, except after the core
// has aborted.

import { decodeText, encodeText } from './message.ts';
import type { Blocks, BlockRequest } from './pins.ts';
import type { Ports } from './ports.ts';
import { readParameters, type Storage, writeRows } from './storage.ts';

const ERRNO_NOSYS = 52;

const DONE = 0;
const REPLAY = 1;
const FAILED = -1;

/** What a run of a call can use. */
export interface RunContext {
  /** The storage of the shard that the call is for. */
  readonly storage: Storage | null;
  nowMs(): number;
  random(out: Uint8Array): void;
  /** Returns blocks of the snapshot with that number; null if some are missing, so that the call must be replayed. */
  getBlocks(snapshot: number, wanted: BlockRequest): Blocks | null;
  /** Returns the result that an earlier run of the call has stored; null if there is none: then the following blocks are those of this result. */
  findResult(key: Uint8Array): Uint8Array | null;
  /** Stores a result for later runs, which no longer need its blocks. Both are in the core's memory. */
  storeResult(key: Uint8Array, result: Uint8Array): void;
  /** Returns the entry of this key in the cache that several processes share; null if there is none or it is not known yet. */
  findAnswer(key: Uint8Array): Uint8Array | null;
  /** Offers an entry to that cache. Both are in the core's memory. */
  storeAnswer(key: Uint8Array, entry: Uint8Array): void;
}

/** What the imports depend on. */
export interface Environment {
  /** For hashing and for log lines of the module. */
  readonly ports: Ports;
  /** The context of the current run. */
  context(): RunContext;
  /** A new view each time, because growing the memory detaches old views. Addresses arrive as signed numbers. */
  memory(at: number, size: number): Uint8Array;
  runTransaction(transaction: number): boolean;
}

export function importsOf(environment: Environment): WebAssembly.Imports {
  const { ports, context, memory, runTransaction } = environment;
  let pending = new Uint8Array(); // for host_take
  const setPending = (bytes: Uint8Array) => {
    pending = new Uint8Array(bytes);
    return pending.length;
  };
  /** Returns the size of the bytes for `host_take`; negative if they are an error message. */
  const result = (body: () => Uint8Array): number => {
    try {
      return setPending(body());
    } catch (error) {
      if (error instanceof WebAssembly.RuntimeError) throw error;
      return -setPending(encodeText(error instanceof Error ? error.message : String(error))) - 1;
    }
  };
  const storage = () => {
    const { storage: current } = context();
    if (current === null) throw new Error('no storage is current');
    return current;
  };
  const pairs = (at: number, count: number) => {
    const { buffer, byteOffset, byteLength } = memory(at, count * 8);
    const view = new DataView(buffer, byteOffset, byteLength);
    return Array.from({ length: count }, (_, i): [number, number] => [
      view.getUint32(i * 8, true),
      view.getUint32(i * 8 + 4, true),
    ]);
  };
  const fetchBlocks = (snapshot: number, runs: number, runCount: number, blocks: number, blockCount: number) => {
    try {
      const targets = pairs(blocks, blockCount);
      const found = context().getBlocks(snapshot, {
        runs: pairs(runs, runCount).map(([first, count]) => ({ first, count })),
        numbers: targets.map(([number]) => number),
      });
      if (found === null) return REPLAY;
      for (const [number, into] of targets) {
        const block = found.get(number);
        if (block === undefined) throw new Error(`block ${number} is missing`);
        memory(into, block.length).set(block);
      }
      return DONE;
    } catch (error) {
      ports.log(`cannot read the snapshot: ${String(error)}`);
      return FAILED;
    }
  };
  return {
    tonearm: {
      host_now_ms: () => context().nowMs(),
      host_random: (out: number, size: number) => context().random(memory(out, size)),
      host_sha256: (data: number, size: number, out: number) =>
        memory(out, 32).set(ports.sha256(memory(data, size))),
      host_hmac_sha256: (key: number, keySize: number, data: number, size: number, out: number) =>
        memory(out, 32).set(ports.hmacSha256(memory(key, keySize), memory(data, size))),
      host_fetch: fetchBlocks,
      host_find_result: (key: number, size: number) => {
        const found = context().findResult(memory(key, size));
        return found === null ? FAILED : setPending(found);
      },
      host_store_result: (key: number, keySize: number, at: number, size: number) =>
        context().storeResult(memory(key, keySize), memory(at, size)),
      host_find_answer: (key: number, size: number) => {
        const entry = context().findAnswer(memory(key, size));
        return entry === null ? FAILED : setPending(entry);
      },
      host_store_answer: (key: number, keySize: number, entry: number, size: number) =>
        context().storeAnswer(memory(key, keySize), memory(entry, size)),
      host_sql: (statement: number, size: number, parameters: number) =>
        result(() => {
          const { buffer, byteOffset } = memory(parameters, 0);
          const values = readParameters(buffer, byteOffset);
          return writeRows(storage().execute(decodeText(memory(statement, size)), values));
        }),
      host_take: (out: number) => memory(out, pending.length).set(pending),
      host_transact: (transaction: number) =>
        result(() => {
          storage().transact(() => runTransaction(transaction));
          return new Uint8Array();
        }),
      host_read_counts: () => setPending(storage().unwrittenCounts),
      host_replace_counts: (at: number, size: number) => {
        storage().unwrittenCounts = new Uint8Array(memory(at, size));
      },
      host_next_number: () => storage().nextNumber(),
      host_log: (at: number, size: number) => ports.log(new TextDecoder().decode(memory(at, size))),
    },
    // System calls of the C and C++ libraries. There is no environment and no file.
    wasi_snapshot_preview1: {
      environ_sizes_get: (count: number, size: number) => {
        memory(count, 4).fill(0);
        memory(size, 4).fill(0);
        return 0;
      },
      environ_get: () => 0,
      proc_exit: (status: number) => {
        throw new WebAssembly.RuntimeError(`the core exited with status ${status}`);
      },
      fd_write: () => ERRNO_NOSYS,
      fd_read: () => ERRNO_NOSYS,
      fd_seek: () => ERRNO_NOSYS,
      fd_close: () => ERRNO_NOSYS,
      clock_time_get: () => ERRNO_NOSYS,
    },
    env: { emscripten_notify_memory_growth: () => {} },
  };
}
