// API keys. A new key is shown once, is not stored in the page, and disappears when the view closes.

import { useEffect, useState } from 'preact/hooks';
import { call } from '../calls/server';
import { t } from '../shell/later_texts';
import { explain, notify, notifyError } from '../shell/notices';
import { dateOf } from '../shell/texts';
import { ShownOnce } from './shown_once';

interface Key {
  key_id: string;
  created: string;
  last_used: string | null;
}

const KEYS_MAX = 5;

function Row({ of, revoke }: { of: Key; revoke: () => void }) {
  return (
    <li>
      <code>{of.key_id}</code>
      <span class="small">{t('account.keys.created', { date: dateOf(of.created) })} · {of.last_used ? t('account.keys.used', { date: dateOf(of.last_used) }) : t('account.keys.unused')}</span>
      <button class="danger" type="button" aria-label={t('account.keys.revoke.label', { key: of.key_id })} onClick={revoke}>{t('account.keys.revoke')}</button>
    </li>
  );
}

export function KeysPanel() {
  const [keys, setKeys] = useState<Key[] | null>(null);
  const [secret, setSecret] = useState<string | null>(null);
  const [error, setError] = useState<unknown>(null);
  const load = () => call<{ keys: Key[] }>('keys').then((answer) => setKeys(answer.keys), setError);
  useEffect(() => { void load(); }, []);
  const create = () =>
    call<{ key: string }>('keys', { method: 'POST', body: {} }).then(({ key }) => { setSecret(key); return load(); }).catch(notifyError);
  const revoke = (id: string) =>
    call(`keys/${encodeURIComponent(id)}`, { method: 'DELETE' }).then(() => { notify(t('account.keys.revoked')); return load(); }).catch(notifyError);
  return (
    <section class="panel" aria-labelledby="keys-title">
      <h2 id="keys-title">{t('account.keys')}</h2>
      <p>{t('account.keys.lead')} <a href="/docs">{t('docs.title')}</a></p>
      {error !== null && <p class="error-text" role="alert">{explain(error)}</p>}
      {secret && <ShownOnce why={t('account.keys.once')} secret={secret} copyLabel={t('account.keys.copy')} seen={() => setSecret(null)} />}
      {keys?.length === 0 && <p class="small">{t('account.keys.none')}</p>}
      {keys && keys.length > 0 && <ul class="keys-list">{keys.map((key) => <Row key={key.key_id} of={key} revoke={() => void revoke(key.key_id)} />)}</ul>}
      {keys && keys.length >= KEYS_MAX ? <p class="small">{t('account.keys.full')}</p> : <button type="button" onClick={() => void create()}>{t('account.keys.create')}</button>}
    </section>
  );
}
