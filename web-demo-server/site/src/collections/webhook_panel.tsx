// The person's webhook: its address, its secret when it is new, and messages that were not delivered.

import { useEffect, useState } from 'preact/hooks';
import { call } from '../calls/server';
import { Icon } from '../shell/icons';
import { copy, explain, notify, notifyError } from '../shell/notices';
import { t } from '../shell/later_texts';
import { momentOf } from '../shell/texts';

interface Message {
  id: string;
  created: string;
  tries: number;
  next_try: string | null;
  error: string | null;
}

interface Webhook {
  address: string | null;
  last_delivered?: string | null;
  ended?: boolean;
  secret?: string;
  undelivered?: Message[];
}

function UndeliveredMessage({ message, resend }: { message: Message; resend: () => void }) {
  const state = message.next_try ? t('webhook.next', { when: momentOf(message.next_try) }) : t('webhook.given_up', { count: message.tries });
  return (
    <li class="line">
      <span>{momentOf(message.created)}: {message.error ?? ''} ({state})</span>
      <button type="button" onClick={resend}>{t('webhook.resend')}</button>
    </li>
  );
}

export function WebhookPanel() {
  const [webhook, setWebhook] = useState<Webhook | null>(null);
  const [typed, setTyped] = useState<string | null>(null); // null: the input shows the saved address
  const [error, setError] = useState<unknown>(null);
  const address = typed ?? webhook?.address ?? '';
  // A slow first answer replaces neither what was typed nor the answer to a change.
  useEffect(() => { call<Webhook>('webhook').then((first) => setWebhook((now) => now ?? first), setError); }, []);
  const show = (now: Webhook) => {
    setWebhook(now);
    setTyped(null);
  };
  const change = (path: string, method: string, done: string, body?: unknown) =>
    call<Webhook>(path, { method, body }).then((now) => { setError(null); show(now); notify(done); }, method === 'PUT' ? setError : notifyError);
  const save = (event: Event) => {
    event.preventDefault();
    void change('webhook', 'PUT', t('webhook.saved'), { address: address.trim() });
  };
  const { secret, undelivered = [] } = webhook ?? {};
  return (
    <details class="panel">
      <summary class="panel-title" id="webhook-title">{t('webhook.title')}</summary>
      <div class="stack webhook">
        <p class="small">{t('webhook.why')}</p>
        <form class="line" onSubmit={save}>
          <label class="field"><span>{t('webhook.address')}</span><input type="url" required placeholder="https://" value={address} onInput={(event) => setTyped(event.currentTarget.value)} /></label>
          <button type="submit">{t('webhook.save')}</button>
        </form>
        {error !== null && <p class="error-text" role="alert">{explain(error)}</p>}
        {secret && (
          <div class="line">
            <label class="field"><span>{t('webhook.secret')}</span><input type="text" readOnly value={secret} onFocus={(event) => event.currentTarget.select()} /></label>
            <button type="button" aria-label={`${t('collection.credits.copy')}: ${t('webhook.secret')}`} onClick={() => void copy(secret, t('copy.done'))}><Icon name="copy" /></button>
          </div>
        )}
        {webhook?.ended && <p class="error-text">{t('webhook.ended')}</p>}
        {webhook?.address && (
          <>
            <p class="small">{webhook.last_delivered ? t('webhook.delivered', { when: momentOf(webhook.last_delivered) }) : t('webhook.never')}</p>
            {undelivered.length > 0 && <h3>{t('webhook.undelivered')}</h3>}
            <ul class="plain">
              {undelivered.map((message) => <UndeliveredMessage key={message.id} message={message} resend={() => void change(`webhook/messages/${message.id}`, 'POST', t('webhook.tested'))} />)}
            </ul>
            <div class="buttons">
              <button type="button" disabled={webhook.ended} onClick={() => void change('webhook/test', 'POST', t('webhook.tested'))}>{t('webhook.test')}</button>
              <button class="danger" type="button" onClick={() => void change('webhook', 'DELETE', t('webhook.removed'))}>{t('webhook.remove')}</button>
            </div>
          </>
        )}
      </div>
    </details>
  );
}
