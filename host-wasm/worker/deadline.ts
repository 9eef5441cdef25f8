// An end to waiting for what others do.

/** It was not there in time. What was waited for may still happen. */
export class TooLate extends Error {}

/** What `work` gives. Throws what it throws, and TooLate where it takes longer than `ms` milliseconds. */
export async function within<T>(ms: number, work: Promise<T>, what: string): Promise<T> {
  const end = new AbortController();
  const late = async (): Promise<never> => {
    await scheduler.wait(ms, { signal: end.signal });
    throw new TooLate(`${what} did not come within ${ms} ms`);
  };
  try {
    return await Promise.race([work, late()]);
  } finally {
    end.abort();
  }
}
