// Deadlines for the work of others.

/** The work did not complete in time. It may still complete later. */
export class DeadlineExceeded extends Error {}

/** Returns the result of `work`. Throws its error, or DeadlineExceeded after `ms` milliseconds. */
export async function withDeadline<T>(ms: number, work: Promise<T>, what: string): Promise<T> {
  const end = new AbortController();
  const late = async (): Promise<never> => {
    await scheduler.wait(ms, { signal: end.signal });
    throw new DeadlineExceeded(`${what} did not complete within ${ms} ms`);
  };
  try {
    return await Promise.race([work, late()]);
  } finally {
    end.abort();
  }
}
