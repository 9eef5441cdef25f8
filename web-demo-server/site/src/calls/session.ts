// The session of this browser: the CSRF token, and the person who is signed in.

import { signal } from '@preact/signals';
import type { Session } from './types';

export const session = signal<Session | null>(null);

let loading: Promise<void> | null = null;

/** Loads the session; concurrent callers share one request. It stays null if the server cannot be reached. */
export function loadSession(): Promise<void> {
  loading ??= (async () => {
    try {
      const response = await fetch('/site/session');
      if (response.ok) session.value = (await response.json()) as Session;
    } catch {
      // Views that need the session report the error.
    } finally {
      loading = null;
    }
  })();
  return loading;
}
