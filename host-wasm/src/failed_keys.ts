// Addresses that present keys which are not in force. Only keys of this deployment are counted, because others wake no
// object; what is over the limit wakes none either. Each isolate counts for itself.

const FAILURES_MAX = 120;
const WINDOW_MS = 60_000;
const ADDRESSES_MAX = 10_000;

interface Failures {
  beganMs: number;
  count: number;
}

export class FailedKeys {
  readonly #byAddress = new Map<string, Failures>();

  /** For how many seconds more the address is refused; 0: it is not. */
  waitS(address: string, nowMs: number): number {
    const failures = this.#byAddress.get(address);
    if (failures === undefined || failures.count < FAILURES_MAX) return 0;
    return Math.max(0, Math.ceil((failures.beganMs + WINDOW_MS - nowMs) / 1000));
  }

  note(address: string, nowMs: number): void {
    const failures = this.#byAddress.get(address);
    if (failures !== undefined && nowMs - failures.beganMs < WINDOW_MS) {
      ++failures.count;
      return;
    }
    this.#byAddress.delete(address);
    // The one that failed first goes: addresses stand in that order.
    const [first] = this.#byAddress.keys();
    if (this.#byAddress.size >= ADDRESSES_MAX && first !== undefined) this.#byAddress.delete(first);
    this.#byAddress.set(address, { beganMs: nowMs, count: 1 });
  }
}
