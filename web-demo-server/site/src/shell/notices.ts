// Short notices at the bottom of the page, some with an action such as Undo.

import { signal } from '@preact/signals';
import { CallError } from '../calls/server';
import { t } from './texts';

export interface Notice {
  id: number;
  text: string;
  tone: 'plain' | 'error';
  action?: { label: string; run: () => void };
}

export const notices = signal<Notice[]>([]);
let last = 0;

export function dismiss(id: number) {
  notices.value = notices.value.filter((notice) => notice.id !== id);
}

export function notify(text: string, more: { tone?: Notice['tone']; action?: NonNullable<Notice['action']>; ms?: number } = {}) {
  const { tone = 'plain', action, ms = action ? 10_000 : 4000 } = more;
  const id = ++last;
  notices.value = [...notices.value.slice(-2), { id, text, tone, ...(action ? { action } : {}) }];
  window.setTimeout(() => dismiss(id), ms);
}

/** Explains an error. Uses the server's message if it is more specific. */
export function explain(error: unknown): string {
  if (!(error instanceof CallError)) return t('error.page');
  if (error.status === 0) return t('error.unreachable');
  if (error.status === 429) return t('error.busy', { count: Math.max(1, error.retryAfter) });
  if (error.status === 401 && error.code === 'signed_out') return t('error.signedOut');
  if (error.status === 503) return t('error.unavailable');
  return error.message || t('error.server');
}

export const notifyError = (error: unknown) => notify(explain(error), { tone: 'error', ms: 8000 });

export async function copy(text: string, done: string) {
  try {
    await navigator.clipboard.writeText(text);
    notify(done);
  } catch {
    notify(t('copy.refused'), { tone: 'error' });
  }
}
