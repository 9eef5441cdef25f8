// Reads of object storage: each has a few seconds, and is tried once more. What stays unanswered is refused, so that no
// call waits for ever.

import type { Ports } from './ports';

export const READ_MS_MAX = 3_000;
const TRIES = 2;

/** What a read found is not what was asked for: another try would find it too. */
export class PermanentReadError extends Error {}

/** What `work` gives. Throws where that takes longer than a read may. */
export async function withReadTimeout<T>(ports: Ports, work: Promise<T>): Promise<T> {
  const answered = new AbortController();
  const late = ports.pause(READ_MS_MAX, answered.signal).then(
    () => {
      throw new Error(`object storage did not answer withDeadline ${READ_MS_MAX / 1000} s`);
    },
    () => new Promise<never>(() => {}), // the work was answered
  );
  try {
    return await Promise.race([work, late]);
  } finally {
    answered.abort();
  }
}

export class Bucket {
  readonly #bucket: R2Bucket;
  readonly #ports: Ports;

  constructor(bucket: R2Bucket, ports: Ports) {
    this.#bucket = bucket;
    this.#ports = ports;
  }

  /** What `take` makes of the object; null where there is none. Throws what `take` throws, and where no try was answered. */
  async read<T>(key: string, options: R2GetOptions, take: (object: R2ObjectBody | R2Object) => Promise<T>): Promise<T | null> {
    const read = async () => {
      const object = await this.#bucket.get(key, options);
      return object === null ? null : take(object);
    };
    for (let tries = 1; ; ++tries) {
      try {
        return await withReadTimeout(this.#ports, read());
      } catch (error) {
        if (tries === TRIES || error instanceof PermanentReadError) throw error;
      }
    }
  }
}
