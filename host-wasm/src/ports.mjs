// The core's ports on the edge: the platform's clock and random source, and node:crypto, which is synchronous there.

import { createHash, createHmac, getRandomValues } from 'node:crypto';

export const hashing = {
  sha256: (data) => createHash('sha256').update(data).digest(),
  hmacSha256: (key, data) => createHmac('sha256', key).update(data).digest(),
};

export const platformPorts = {
  ...hashing,
  nowMs: () => Date.now(),
  random: (out) => getRandomValues(out),
  log: (line) => console.error(line),
};
