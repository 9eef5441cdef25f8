// The functions that the module takes from its worker (imports.h). None throws into it but where the core has ended.

import type { Ports } from './ports';
import { readParameters, type Storage, writeRows } from './storage';
import { decodeText, encodeText } from './message';

const ERRNO_NOSYS = 52;

/** What the imports look at, as it is at the time of a call. */
export interface Surroundings {
  readonly ports: Ports;
  readonly storage: Storage | null;
  /** Made anew each time: growth of the memory detaches what was made before. Addresses arrive signed. */
  memory(at: number, size: number): Uint8Array;
  file(number: number): Uint8Array | undefined;
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
  const read = (file: number, offset: number, out: number, size: number) => {
    const bytes = around.file(file);
    if (bytes === undefined) return -1;
    const part = bytes.subarray(offset, offset + size);
    around.memory(out, part.length).set(part);
    return part.length;
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
      host_size: (file: number) => around.file(file)?.length ?? -1,
      host_read: (file: number, low: number, high: number, out: number, size: number) =>
        read(file, (high >>> 0) * 2 ** 32 + (low >>> 0), out, size),
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
