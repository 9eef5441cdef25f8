// The applications that the person has connected with the account (OAUTH-9).

import { useEffect, useState } from 'preact/hooks';
import { call } from '../calls/server';
import { t } from '../shell/later_texts';
import { explain, notify, notifyError } from '../shell/notices';
import { dateOf, shortLine } from '../shell/texts';
import { placeOf } from './consent_view';
import type { Application } from './consent_view';

interface Connection extends Application {
  id: string;
  created: string;
  last_used: string;
}

function Row({ of, disconnect }: { of: Connection; disconnect: () => void }) {
  const name = shortLine(of.name, 80) || placeOf(of);
  return (
    <li>
      <bdi>{name}</bdi>
      <span class="small"><bdi>{placeOf(of)}</bdi> · {t('connections.created', { date: dateOf(of.created) })} · {t('account.keys.used', { date: dateOf(of.last_used) })}</span>
      <button class="danger" type="button" aria-label={t('connections.end.label', { name })} onClick={disconnect}>{t('connections.end')}</button>
    </li>
  );
}

export function ConnectionsPanel() {
  const [connections, setConnections] = useState<Connection[] | null>(null);
  const [error, setError] = useState<unknown>(null);
  const load = () => call<{ connections: Connection[] }>('connections').then((answer) => setConnections(answer.connections), setError);
  useEffect(() => { void load(); }, []);
  const disconnect = (id: string) =>
    call(`connections/${encodeURIComponent(id)}`, { method: 'DELETE' }).then(() => { notify(t('connections.ended')); return load(); }).catch(notifyError);
  return (
    <section class="panel" aria-labelledby="connections-title">
      <h2 id="connections-title">{t('connections.title')}</h2>
      <p>{t('connections.lead')}</p>
      {error !== null && <p class="error-text" role="alert">{explain(error)}</p>}
      {connections?.length === 0 && <p class="small">{t('connections.none')}</p>}
      {connections && connections.length > 0 && <ul class="keys-list">{connections.map((one) => <Row key={one.id} of={one} disconnect={() => void disconnect(one.id)} />)}</ul>}
    </section>
  );
}
