// The functions that the module takes from its worker (imports.h). None throws into it but where the core has ended.

import type { Ports } from './ports';
import type { Run } from './remote_file';
import { readParameters, type Storage, writeRows } from './storage';
import { decodeText, encodeText } from './message';

const ERRNO_NOSYS = 52;

/** Blocks of a snapshot by their numbers. */
export type Blocks = Map<number, Uint8Array>;

export interface Fetched {
  snapshot: number;
  runs: Run[];
  numbers: number[];
}

const DONE = 0;
const AGAIN = 1;
const FAILED = -1;

/** What the imports look at, as it is at the time of a call. */
export interface Surroundings {
  readonly ports: Ports;
  readonly storage: Storage | null;
  /** Made anew each time: growth of the memory detaches what was made before. Addresses arrive signed. */
  memory(at: number, size: number): Uint8Array;
  /** Whether the module is suspended while blocks come. */
  readonly suspends: boolean;
  fetch(fetched: Fetched): Promise<Blocks>;
  /** Where it is not: what came already, or null, which means that it comes. */
  arrived(fetched: Fetched): Blocks | null;
  runTransaction(transaction: number): boolean;
}

export function importsOf(around: Surroundings): WebAssembly.Imports {
  let left = new Uint8Array(); // what host_take gives
  const leave = (bytes: Uint8Array) => {
    left = new Uint8Array(bytes);
    return left.length;
  };
  /** The size of what is left to be taken, negative where it says why not. */
  const told = (body: () => Uint8Array): number => {
    try {
      return leave(body());
    } catch (fault) {
      if (fault instanceof WebAssembly.RuntimeError) throw fault;
      return -leave(encodeText(fault instanceof Error ? fault.message : String(fault))) - 1;
    }
  };
  const storage = () => {
    if (around.storage === null) throw new Error('no storage is current');
    return around.storage;
  };
  const pairs = (at: number, count: number) => {
    const memory = around.memory(at, count * 8);
    const view = new DataView(memory.buffer, memory.byteOffset, memory.byteLength);
    return Array.from({ length: count }, (_, i): [number, number] => [
      view.getUint32(i * 8, true),
      view.getUint32(i * 8 + 4, true),
    ]);
  };
  /** What is asked for, and how it is given. */
  const asked = (snapshot: number, runs: number, runCount: number, blocks: number, blockCount: number) => {
    const rooms = pairs(blocks, blockCount);
    const fetched: Fetched = {
      snapshot,
      runs: pairs(runs, runCount).map(([first, count]) => ({ first, count })),
      numbers: rooms.map(([number]) => number),
    };
    const give = (found: Blocks) => {
      for (const [number, into] of rooms) {
        const block = found.get(number);
        if (block === undefined) throw new Error(`block ${number} did not come`);
        around.memory(into, block.length).set(block);
      }
      return DONE;
    };
    const failed = (fault: unknown) => {
      around.ports.log(`the snapshot cannot be read: ${String(fault)}`);
      return FAILED;
    };
    return { fetched, give, failed };
  };
  type Place = [snapshot: number, runs: number, runCount: number, blocks: number, blockCount: number];
  const fetchSuspended = async (...place: Place) => {
    const { fetched, give, failed } = asked(...place);
    try {
      return give(await around.fetch(fetched));
    } catch (fault) {
      return failed(fault);
    }
  };
  const fetchArrived = (...place: Place) => {
    const { fetched, give, failed } = asked(...place);
    try {
      const found = around.arrived(fetched);
      return found === null ? AGAIN : give(found);
    } catch (fault) {
      return failed(fault);
    }
  };
  const { ports } = around;
  return {
    tonearm: {
      host_now_ms: () => ports.nowMs(),
      host_random: (out: number, size: number) => ports.random(around.memory(out, size)),
      host_sha256: (data: number, size: number, out: number) =>
        around.memory(out, 32).set(ports.sha256(around.memory(data, size))),
      host_hmac_sha256: (key: number, keySize: number, data: number, size: number, out: number) =>
        around.memory(out, 32).set(ports.hmacSha256(around.memory(key, keySize), around.memory(data, size))),
      host_fetch: around.suspends ? new WebAssembly.Suspending(fetchSuspended) : fetchArrived,
      host_sql: (statement: number, size: number, parameters: number) =>
        told(() => {
          const memory = around.memory(parameters, 0);
          const values = readParameters(memory.buffer, memory.byteOffset);
          return writeRows(storage().execute(decodeText(around.memory(statement, size)), values));
        }),
      host_take: (out: number) => around.memory(out, left.length).set(left),
      host_transact: (transaction: number) =>
        told(() => {
          storage().transact(() => around.runTransaction(transaction));
          return new Uint8Array();
        }),
      host_next_number: () => storage().nextNumber(),
      host_log: (at: number, size: number) => ports.log(new TextDecoder().decode(around.memory(at, size))),
    },
    // What the C and C++ libraries ask of a system. There is no environment here.
    wasi_snapshot_preview1: {
      environ_sizes_get: (count: number, size: number) => {
        around.memory(count, 4).fill(0);
        around.memory(size, 4).fill(0);
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
