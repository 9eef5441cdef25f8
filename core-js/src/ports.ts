// What the core asks of its host beside blocks and a storage.

/** All synchronous. */
export interface Ports {
  /** Unix milliseconds. */
  nowMs(): number;
  random(out: Uint8Array): void;
  sha256(data: Uint8Array): Uint8Array;
  hmacSha256(key: Uint8Array, data: Uint8Array): Uint8Array;
  /** A line for the operator. */
  log(line: string): void;
}
