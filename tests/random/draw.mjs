// A seeded random generator with the same results on every platform.

export class Draw {
  #state;

  /** `seed`: a 32-bit integer. */
  constructor(seed) {
    this.#state = seed >>> 0;
  }

  /** Returns a number from 0 to below 1 (mulberry32). */
  fraction() {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** Returns an integer from `low` to `high`, inclusive. */
  between(low, high) {
    return low + Math.floor(this.fraction() * (high - low + 1));
  }

  chance(probability) {
    return this.fraction() < probability;
  }

  of(list) {
    return list[this.between(0, list.length - 1)];
  }

  /** Returns `count` different elements. */
  some(list, count) {
    return this.shuffled(list).slice(0, count);
  }

  shuffled(list) {
    const out = [...list];
    for (let i = out.length - 1; i > 0; --i) {
      const j = this.between(0, i);
      [out[i], out[j]] = [out[j], out[i]];
    }
    return out;
  }

  /** Chooses one of `[weight, value]...`. */
  weighted(choices) {
    let left = this.fraction() * choices.reduce((sum, [weight]) => sum + weight, 0);
    for (const [weight, value] of choices) {
      left -= weight;
      if (left < 0) return value;
    }
    return choices.at(-1)[1];
  }
}
