// Keys that were found not in force, and the networks that present them (HOST-7). Only keys of this deployment come here:
// others wake no object. Each isolate remembers for itself, and holds a good key against nobody.

const FAILURES_MAX = 120;
const WINDOW_MS = 60_000;
const NETWORKS_MAX = 10_000;
const KEYS_MAX = 10_000;

interface Failures {
  startMs: number;
  count: number;
}

/** Whose failures are counted together: an IPv4 address, or the /64 network of an IPv6 address, which is one customer's. */
export function networkOf(address: string): string {
  const [, mapped] = /^::ffff:([\d.]+)$/i.exec(address) ?? [];
  if (mapped !== undefined || !address.includes(':')) return mapped ?? address;
  const [before = '', after] = address.split('::');
  const [head, tail] = [before, after ?? ''].map((part) => part.split(':').filter((group) => group !== ''));
  const zeros = after === undefined ? 0 : Math.max(0, 8 - (head?.length ?? 0) - (tail?.length ?? 0));
  const groups = [...(head ?? []), ...Array<string>(zeros).fill('0'), ...(tail ?? [])];
  return `${groups.slice(0, 4).map((group) => parseInt(group, 16).toString(16)).join(':')}::/64`;
}

/** A map of bounded size that loses first what was put into it first. */
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
  /** Hashes of keys, and when each was found not in force. A key that ended stays so, so a minute is no risk. */
  readonly #keys = new BoundedMap<number>(KEYS_MAX);

  /** Whether the key was found not in force withDeadline the last minute. */
  has(key: string, nowMs: number): boolean {
    const foundMs = this.#keys.get(key);
    return foundMs !== undefined && nowMs - foundMs < WINDOW_MS;
  }

  add(key: string, nowMs: number): void {
    this.#keys.put(key, nowMs);
  }

  /** Counts a failure; for how many seconds more the network is over the limit with it, 0: it is not. */
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
