// Sends what a form contains, and keeps what failed.

import { useState } from 'preact/hooks';

/** Returns the handler of a form's submission. While `send` runs, the form is busy; `error` is what it failed with, or null. */
export function useSubmission(send: () => Promise<void>) {
  const [error, setError] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);
  const submit = (event: Event) => {
    event.preventDefault();
    setBusy(true);
    setError(null);
    void send().catch(setError).finally(() => setBusy(false));
  };
  return { error, busy, submit };
}
