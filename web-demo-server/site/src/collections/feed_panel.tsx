// The address of the person's feed of license changes.

import { useEffect, useState } from 'preact/hooks';
import { call } from '../calls/server';
import { Icon } from '../shell/icons';
import { copy, explain, notify, notifyError } from '../shell/notices';
import { t } from '../shell/later_texts';

interface Feed {
  path: string | null;
}

export function FeedPanel() {
  const [feed, setFeed] = useState<Feed | null>(null);
  const [error, setError] = useState<unknown>(null);
  useEffect(() => { call<Feed>('feed').then(setFeed, setError); }, []);
  const change = (method: 'POST' | 'DELETE', done: string) =>
    call<Feed>('feed', { method }).then((changed) => { setFeed(changed); notify(done); }, notifyError);
  const address = feed?.path ? location.origin + feed.path : null;
  return (
    <section class="panel" aria-labelledby="feed-title">
      <h2 id="feed-title">{t('feed.title')}</h2>
      <p class="small">{t('feed.why')}</p>
      {error !== null && <p class="error-text" role="alert">{explain(error)}</p>}
      {address && (
        <div class="line">
          <label class="field"><span>{t('feed.address')}</span><input type="text" readOnly value={address} onFocus={(event) => event.currentTarget.select()} /></label>
          <button type="button" aria-label={`${t('collection.credits.copy')}: ${t('feed.address')}`} onClick={() => void copy(address, t('copy.done'))}><Icon name="copy" /></button>
        </div>
      )}
      {feed && (
        <div class="buttons">
          <button type="button" onClick={() => void change('POST', t('feed.created'))}>{t(address ? 'feed.renew' : 'feed.create')}</button>
          {address && <button class="danger" type="button" onClick={() => void change('DELETE', t('feed.ended'))}>{t('feed.end')}</button>}
        </div>
      )}
    </section>
  );
}
