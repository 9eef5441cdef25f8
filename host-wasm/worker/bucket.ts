// Reads object storage. Each read has a timeout of a few seconds and is retried once, so that no call waits forever.

import type { Ports } from './ports';

export const READ_MS_MAX = 3_000;
const TRIES = 2;

/** An error that a retry would not fix: the object is not the expected one. */
export class PermanentReadError extends Error {}

/** Returns the result of `work`. Throws if it takes longer than a read may take. */
export async function withReadTimeout<T>(ports: Ports, work: Promise<T>): Promise<T> {
  const answered = new AbortController();
  const late = ports.pause(READ_MS_MAX, answered.signal).then(
    () => {
      throw new Error(`object storage did not answer within ${READ_MS_MAX / 1000} s`);
    },
    () => new Promise<never>(() => {}), // the work has completed
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

  /** Returns the object converted by `convert`, or null if it does not exist. Throws errors of `convert` and of the last try. */
  async read<T>(key: string, options: R2GetOptions, convert: (object: R2ObjectBody | R2Object) => Promise<T>): Promise<T | null> {
    const read = async () => {
      const object = await this.#bucket.get(key, options);
      return object === null ? null : convert(object);
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
