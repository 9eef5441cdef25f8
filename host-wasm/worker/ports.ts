// The core's ports on the edge: the platform's clock and random source, and the synchronous node:crypto.

import { createHash, createHmac } from 'node:crypto';

import type { Ports as CorePorts } from '../../core-js/src/ports';

/** On this platform `nowMs` does not advance between two inputs. */
export interface Ports extends CorePorts {
  /** Rejects if it is aborted. */
  pause(ms: number, aborted: AbortSignal): Promise<void>;
}

export const hashing = {
  sha256: (data: Uint8Array) => createHash('sha256').update(data).digest(),
  hmacSha256: (key: Uint8Array, data: Uint8Array) => createHmac('sha256', key).update(data).digest(),
};

export function sha256Hex({ sha256 }: Pick<CorePorts, 'sha256'>, data: Uint8Array): string {
  return Array.from(sha256(data), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

export const platformPorts: Ports = {
  ...hashing,
  nowMs: () => Date.now(),
  random: (out) => void crypto.getRandomValues(out),
  pause: (ms, signal) => scheduler.wait(ms, { signal }),
  log: (line) => console.error(line),
};
