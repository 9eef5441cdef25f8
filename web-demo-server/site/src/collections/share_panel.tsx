// What the owner publishes about a collection: a description, a link, code to embed it, and the archive of credits.

import { useEffect, useState } from 'preact/hooks';
import { call } from '../calls/server';
import type { Collection } from '../calls/types';
import { Icon } from '../shell/icons';
import { copy, explain, notify, notifyError } from '../shell/notices';
import { t } from '../shell/later_texts';

interface Share {
  description: string;
  token: string | null;
}

const path = (collection: Collection) => `shares/${encodeURIComponent(collection.id)}`;

const forAttribute = (text: string) => text.replace(/&/g, '&amp;').replace(/"/g, '&quot;').replace(/</g, '&lt;');
const embedCode = (token: string, name: string) => `<iframe src="${location.origin}/embed/${token}" title="${forAttribute(name)}" width="480" height="420" loading="lazy"></iframe>`;

function Copyable({ label, text }: { label: string; text: string }) {
  return (
    <div class="line">
      <label class="field"><span>{label}</span><input type="text" readOnly value={text} onFocus={(event) => event.currentTarget.select()} /></label>
      <button type="button" aria-label={`${t('collection.credits.copy')}: ${label}`} onClick={() => void copy(text, t('copy.done'))}><Icon name="copy" /></button>
    </div>
  );
}

export function SharePanel({ collection }: { collection: Collection }) {
  const [share, setShare] = useState<Share | null>(null);
  const [error, setError] = useState<unknown>(null);
  useEffect(() => { call<Share>(path(collection)).then(setShare, setError); }, [collection.id]);
  const change = (method: string, body: unknown, done: string) =>
    call<Share>(path(collection), { method, body }).then((changed) => { setShare(changed); notify(done); }, notifyError);
  return (
    <section class="panel" aria-labelledby="share-title">
      <h2 id="share-title">{t('share.title')}</h2>
      {error !== null && <p class="error-text" role="alert">{explain(error)}</p>}
      {share && (
        <>
          <label class="field"><span>{t('share.description')}</span>
            <textarea rows={3} maxLength={1000} value={share.description} onChange={(event) => void change('PUT', { description: event.currentTarget.value }, t('share.described'))} /></label>
          <p class="small">{t('share.why')}</p>
          {share.token !== null && <Copyable label={t('share.link')} text={`${location.origin}/shared/${share.token}`} />}
          {share.token !== null && <Copyable label={t('share.embed')} text={embedCode(share.token, collection.name)} />}
          <div class="buttons">
            {share.token === null
              ? <button type="button" onClick={() => void change('POST', {}, t('share.created'))}>{t('share.create')}</button>
              : <button class="danger" type="button" onClick={() => void change('DELETE', undefined, t('share.ended'))}>{t('share.end')}</button>}
            <a class="button" href={`/site/archives/${encodeURIComponent(collection.id)}`} download><Icon name="download" /> {t('share.archive')}</a>
          </div>
        </>
      )}
    </section>
  );
}
