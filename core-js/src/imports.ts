// The functions that the module takes from its host (host-wasm/bridge/imports.h). None throws into it but where the core has
// ended itself.

import { decodeText, encodeText } from './message.ts';
import type { Blocks, Wanted } from './pins.ts';
import type { Ports } from './ports.ts';
import { readParameters, type Storage, writeRows } from './storage.ts';

const ERRNO_NOSYS = 52;

const DONE = 0;
const REPLAY = 1;
const FAILED = -1;

/** What a run finds around it. */
export interface Around {
  /** Of the shard that the call is about. */
  readonly storage: Storage | null;
  nowMs(): number;
  random(out: Uint8Array): void;
  /** Blocks of a snapshot by its number; null where some are missing, and the call is replayed when they are there. */
  take(snapshot: number, wanted: Wanted): Blocks | null;
}

/** What the imports look at. */
export interface Surroundings {
  /** For hashing, and what the module tells the operator. */
  readonly ports: Ports;
  /** Of the run under way. */
  around(): Around;
  /** Made again each time: growth of the memory detaches what was made before. Addresses arrive signed. */
  memory(at: number, size: number): Uint8Array;
  runTransaction(transaction: number): boolean;
}

export function importsOf(surroundings: Surroundings): WebAssembly.Imports {
  const { ports, around, memory, runTransaction } = surroundings;
  let held = new Uint8Array(); // for host_take
  const hold = (bytes: Uint8Array) => {
    held = new Uint8Array(bytes);
    return held.length;
  };
  /** The size of what `host_take` will give, negative where that says why there is no result. */
  const told = (body: () => Uint8Array): number => {
    try {
      return hold(body());
    } catch (error) {
      if (error instanceof WebAssembly.RuntimeError) throw error;
      return -hold(encodeText(error instanceof Error ? error.message : String(error))) - 1;
    }
  };
  const storage = () => {
    const { storage: current } = around();
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
      const rooms = pairs(blocks, blockCount);
      const found = around().take(snapshot, {
        runs: pairs(runs, runCount).map(([first, count]) => ({ first, count })),
        numbers: rooms.map(([number]) => number),
      });
      if (found === null) return REPLAY;
      for (const [number, into] of rooms) {
        const block = found.get(number);
        if (block === undefined) throw new Error(`block ${number} did not come`);
        memory(into, block.length).set(block);
      }
      return DONE;
    } catch (error) {
      ports.log(`the snapshot cannot be read: ${String(error)}`);
      return FAILED;
    }
  };
  return {
    tonearm: {
      host_now_ms: () => around().nowMs(),
      host_random: (out: number, size: number) => around().random(memory(out, size)),
      host_sha256: (data: number, size: number, out: number) =>
        memory(out, 32).set(ports.sha256(memory(data, size))),
      host_hmac_sha256: (key: number, keySize: number, data: number, size: number, out: number) =>
        memory(out, 32).set(ports.hmacSha256(memory(key, keySize), memory(data, size))),
      host_fetch: fetchBlocks,
      host_sql: (statement: number, size: number, parameters: number) =>
        told(() => {
          const { buffer, byteOffset } = memory(parameters, 0);
          const values = readParameters(buffer, byteOffset);
          return writeRows(storage().execute(decodeText(memory(statement, size)), values));
        }),
      host_take: (out: number) => memory(out, held.length).set(held),
      host_transact: (transaction: number) =>
        told(() => {
          storage().transact(() => runTransaction(transaction));
          return new Uint8Array();
        }),
      host_next_number: () => storage().nextNumber(),
      host_log: (at: number, size: number) => ports.log(new TextDecoder().decode(memory(at, size))),
    },
    // What the C and C++ libraries ask of a system. There is no environment here.
    wasi_snapshot_preview1: {
      environ_sizes_get: (count: number, size: number) => {
        memory(count, 4).fill(0);
        memory(size, 4).fill(0);
        return 0;
      },
      environ_get: () => 0,
      proc_exit: (status: number) => {
        throw new WebAssembly.RuntimeError(`the core ended itself with ${status}`);
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
