// What the core needs from its host besides blocks and a storage.

/** All functions are synchronous. */
export interface Ports {
  /** Unix milliseconds. */
  nowMs(): number;
  random(out: Uint8Array): void;
  sha256(data: Uint8Array): Uint8Array;
  hmacSha256(key: Uint8Array, data: Uint8Array): Uint8Array;
  /** Writes a line to the operator's log. */
  log(line: string): void;
}
