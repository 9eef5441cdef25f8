// The list of collections.

import { useEffect, useState } from 'preact/hooks';
import { session } from '../calls/session';
import type { CollectionSummary } from '../calls/types';
import { t } from '../shell/later_texts';
import { explain } from '../shell/notices';
import { navigate } from '../shell/router';
import { dateOf } from '../shell/texts';
import { Waiting } from '../search/list';
import { FeedPanel } from './feed_panel';
import { WebhookPanel } from './webhook_panel';
import { NewCollection } from './new_collection';
import { loadSummaries, summaries } from './store';

export function SignInFirst() {
  return (
    <div class="empty page">
      <h1>{t('collection.title')}</h1>
      <p>{t('collection.lead')} {t('collection.signIn')}</p>
      <div class="buttons"><a class="button primary" href="/sign-in">{t('sign.in')}</a><a class="button" href="/sign-up">{t('sign.up')}</a></div>
    </div>
  );
}

function Card({ of }: { of: CollectionSummary }) {
  return (
    <li class="card">
      <h2><a href={`/collections/${of.id}`}><bdi>{of.name}</bdi></a></h2>
      <p>{t('collection.tracks', { count: of.track_count })} · {t('collection.updated', { date: dateOf(of.updated) })}</p>
      <p class="signs">
        {of.commercial && <span class="sign">{t('collection.commercial.yes')}</span>}
        {of.read_only && <span class="sign">{t('collection.readOnly')}</span>}
        {(of.license_changed ?? 0) > 0 && <span class="sign warn">{t('collection.changed', { count: of.license_changed ?? 0 })}</span>}
        {(of.missing ?? 0) > 0 && <span class="sign warn">{t('collection.missing', { count: of.missing ?? 0 })}</span>}
      </p>
    </li>
  );
}

export function CollectionsView() {
  const [error, setError] = useState<unknown>(null);
  const now = session.value;
  useEffect(() => {
    if (now?.signed_in) loadSummaries().catch(setError);
  }, [now?.signed_in]);
  if (!now) return <div class="page"><Waiting rows={3} /></div>;
  if (!now.signed_in) return <SignInFirst />;
  const list = summaries.value;
  return (
    <div class="page">
      <h1>{t('collection.title')}</h1>
      <p class="lead">{t('collection.lead')}</p>
      {error !== null && <p class="fault" role="alert">{explain(error)}</p>}
      {!list && error === null && <Waiting rows={3} />}
      {list?.length === 0 && <div class="empty"><h2>{t('collection.none')}</h2><p>{t('collection.none.hint')}</p></div>}
      {list && list.length > 0 && <ul class="cards">{list.map((collection) => <Card key={collection.id} of={collection} />)}</ul>}
      <NewCollection made={(collection) => navigate(`/collections/${collection.id}`)} />
      <FeedPanel />
      <WebhookPanel />
    </div>
  );
}
