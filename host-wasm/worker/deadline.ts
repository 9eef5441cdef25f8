// An end to waiting for what others do.

/** It was not there in time. What was waited for may still happen. */
export class DeadlineExceeded extends Error {}

/** What `work` gives. Throws what it throws, and DeadlineExceeded where it takes longer than `ms` milliseconds. */
export async function withDeadline<T>(ms: number, work: Promise<T>, what: string): Promise<T> {
  const end = new AbortController();
  const late = async (): Promise<never> => {
    await scheduler.wait(ms, { signal: end.signal });
    throw new DeadlineExceeded(`${what} did not come withDeadline ${ms} ms`);
  };
  try {
    return await Promise.race([work, late()]);
  } finally {
    end.abort();
  }
}
