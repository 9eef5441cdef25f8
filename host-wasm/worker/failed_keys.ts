// Keys that were found invalid, and the networks that send them (HOST-7). Only keys that this deployment has issued are
// counted; others never reach an object. Each isolate counts for itself. Valid keys are never affected.

const FAILURES_MAX = 120;
const WINDOW_MS = 60_000;
const NETWORKS_MAX = 10_000;
const KEYS_MAX = 10_000;

interface Failures {
  startMs: number;
  count: number;
}

/** Returns the network whose failures are counted together: an IPv4 address, or the /64 of an IPv6 address. */
export function networkOf(address: string): string {
  const [, mapped] = /^::ffff:([\d.]+)$/i.exec(address) ?? [];
  if (mapped !== undefined || !address.includes(':')) return mapped ?? address;
  const [before = '', after] = address.split('::');
  const [head, tail] = [before, after ?? ''].map((part) => part.split(':').filter((group) => group !== ''));
  const zeros = after === undefined ? 0 : Math.max(0, 8 - (head?.length ?? 0) - (tail?.length ?? 0));
  const groups = [...(head ?? []), ...Array<string>(zeros).fill('0'), ...(tail ?? [])];
  return `${groups.slice(0, 4).map((group) => parseInt(group, 16).toString(16)).join(':')}::/64`;
}

/** A map with a maximum size that evicts the oldest entry. */
class BoundedMap<Value> {
  readonly #values = new Map<string, Value>();
  readonly #max: number;

  constructor(max: number) {
    this.#max = max;
  }

  get(name: string): Value | undefined {
    return this.#values.get(name);
  }

  put(name: string, value: Value): void {
    this.#values.delete(name);
    const [first] = this.#values.keys();
    if (this.#values.size >= this.#max && first !== undefined) this.#values.delete(first);
    this.#values.set(name, value);
  }
}

export class FailedKeys {
  readonly #byNetwork = new BoundedMap<Failures>(NETWORKS_MAX);
  /** Hashes of invalid keys, with the time when each was found. An invalid key never becomes valid again. */
  readonly #keys = new BoundedMap<number>(KEYS_MAX);

  /** Returns whether the key was found invalid within the last minute. */
  has(key: string, nowMs: number): boolean {
    const foundMs = this.#keys.get(key);
    return foundMs !== undefined && nowMs - foundMs < WINDOW_MS;
  }

  add(key: string, nowMs: number): void {
    this.#keys.put(key, nowMs);
  }

  /** Counts a failure. Returns for how many more seconds the network is over the limit, or 0. */
  recordFailure(network: string, nowMs: number): number {
    const failures = this.#byNetwork.get(network);
    if (failures === undefined || nowMs - failures.startMs >= WINDOW_MS) {
      this.#byNetwork.put(network, { startMs: nowMs, count: 1 });
      return 0;
    }
    ++failures.count;
    return failures.count <= FAILURES_MAX ? 0 : Math.ceil((failures.startMs + WINDOW_MS - nowMs) / 1000);
  }
}
