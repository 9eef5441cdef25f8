// The switch "Search in the browser". The worker with the core is loaded when it is turned on.

import { signal } from '@preact/signals';
import { session } from '../calls/session';
import { Icon } from '../shell/icons';
import { notify } from '../shell/notices';
import { address, navigate } from '../shell/router';
import { sizeOf, t } from '../shell/texts';
import { offline } from './engine';
import { runSearch } from './results';
import { hrefOf, searchOf } from './query';

/** Whether this build includes the core (vite.config.ts). */
declare const OFFLINE_IS_BUILT: boolean;

const starting = signal(false);
const read = signal<{ bytes: number; rounds: number; whole: boolean } | null>(null);

function setView(view: 'offline' | null) {
  const next = new URL(address.value);
  if (view) next.searchParams.set('view', view);
  else next.searchParams.delete('view');
  navigate(hrefOf(searchOf(next), next), { replace: true });
}

export async function startOffline(whole: boolean) {
  if (starting.value) return;
  starting.value = true;
  try {
    if (!OFFLINE_IS_BUILT) throw new Error('');
    const { openOffline } = await import('../offline/client');
    offline.value?.stop();
    offline.value = await openOffline({ whole, progress: (progress) => { read.value = { ...progress, whole }; } });
    setView('offline');
    void runSearch(searchOf(address.value));
  } catch (error) {
    notify(t('offline.failed', { reason: error instanceof Error ? error.message : '' }), { tone: 'error' });
  } finally {
    starting.value = false;
  }
}

function stopOffline() {
  offline.value?.stop();
  offline.value = null;
  read.value = null;
  setView(null);
  void runSearch(searchOf(address.value));
}

export function OfflineSwitch() {
  const size = session.value?.offline?.size;
  if (!OFFLINE_IS_BUILT || (session.value && size === undefined)) return null;
  // Reserves the space of the button until the session is loaded, so that the layout does not shift.
  if (size === undefined) return <span class="offline unknown"><button class="quiet" type="button" disabled><Icon name="offline" /><span class="button-text">{t('offline.label')}</span></button></span>;
  const on = offline.value !== null;
  return (
    <span class="offline">
      <button class="quiet" type="button" aria-pressed={on} disabled={starting.value} onClick={() => (on ? stopOffline() : void startOffline(false))}
        aria-label={t('offline.label')} title={t('offline.explained')}>
        <Icon name="offline" /><span class="button-text">{t(starting.value ? 'offline.starting' : 'offline.label')}</span>
      </button>
      {on && read.value && (
        read.value.whole
          ? <span class="offline-read">{t('offline.whole', { size: sizeOf(read.value.bytes) })}</span>
          : <button class="link" type="button" disabled={starting.value} onClick={() => void startOffline(true)}>
              {t('offline.download', { size: sizeOf(size), read: sizeOf(read.value.bytes) })}
            </button>
      )}
    </span>
  );
}
