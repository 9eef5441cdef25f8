// Who is signed in, as the server says.

import { signal } from '@preact/signals';
import type { Session } from './types';

export const session = signal<Session | null>(null);

let loading: Promise<void> | null = null;

/** Asks for the session; several callers share one call. Without a server it stays null. */
export function loadSession(): Promise<void> {
  loading ??= (async () => {
    try {
      const response = await fetch('/site/session');
      if (response.ok) session.value = (await response.json()) as Session;
    } catch {
      // The views say so where they need it.
    } finally {
      loading = null;
    }
  })();
  return loading;
}
