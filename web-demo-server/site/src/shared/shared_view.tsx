// The page of a shared collection: its tracks, its credits, and the archive. Readers need no account.

import { useEffect } from 'preact/hooks';
import { useAnswer } from '../calls/answers';
import { visibleTracks } from '../player/keys';
import { Waiting } from '../search/list';
import { Icon } from '../shell/icons';
import { Missing } from '../shell/missing';
import { copy } from '../shell/notices';
import { dateOf, lengthOf, oneLine, shortLine, t } from '../shell/texts';
import type { Track } from '../calls/types';
import { CopyCredit, LicenseBadge } from '../tracks/parts';
import { ArtistLink, PlayButton } from '../tracks/row';
import { sharedPath } from './shared_collection';
import type { SharedCollection, SharedItem } from './shared_collection';

export const sharedTitle = (item: SharedItem) => shortLine(item.track?.title || item.license_record.title, 200) || t('track.untitled');

function SharedRow({ item, list }: { item: SharedItem; list: readonly Track[] }) {
  const { track, license_record: record } = item;
  return (
    <li class="shared-item" data-item={item.track_id}>
      {track ? <PlayButton track={track} list={list} /> : <span class="play-button" aria-hidden="true" />}
      <div class="row-what">
        <h3>{track ? <a href={`/tracks/${encodeURIComponent(item.track_id)}`}><bdi>{sharedTitle(item)}</bdi></a> : <bdi>{sharedTitle(item)}</bdi>}</h3>
        <p><ArtistLink name={record.artist} />{track && <span class="facts">{lengthOf(track.duration_s)}</span>}</p>
      </div>
      <LicenseBadge of={record} />
      <CopyCredit of={record} compact />
    </li>
  );
}

/** The lines of a description, as paragraphs. */
export function Description({ text }: { text: string }) {
  return <>{text.split('\n').map(oneLine).filter((line) => line.trim()).map((line, index) => <p key={index}><bdi>{line}</bdi></p>)}</>;
}

function Loaded({ token, of }: { token: string; of: SharedCollection }) {
  const list = of.items.flatMap(({ track }) => (track ? [track] : []));
  useEffect(() => { visibleTracks.value = list; }, [of]);
  const credits = of.credits?.text ?? '';
  return (
    <div class="page shared-page">
      <header class="collection-head">
        <p class="eyebrow">{t('shared.eyebrow')}</p>
        <h1><bdi>{shortLine(of.name, 80)}</bdi></h1>
        <Description text={of.description} />
        <p class="lead">{t('collection.tracks', { count: of.track_count })} · {t('collection.updated', { date: dateOf(of.updated) })}</p>
      </header>
      <ol class="items">{of.items.map((item) => <SharedRow key={item.track_id} item={item} list={list} />)}</ol>
      {credits && (
        <section class="panel" aria-labelledby="credits-title">
          <h2 id="credits-title">{t('collection.credits')}</h2>
          <textarea class="credits-text" readOnly rows={8} value={credits} aria-label={t('collection.credits')} />
          <div class="buttons">
            <button type="button" onClick={() => void copy(credits, t('copy.done'))}><Icon name="copy" /> {t('collection.credits.copy')}</button>
            <a class="button" href={`/site/shared-archives/${token}`} download><Icon name="download" /> {t('share.archive')}</a>
          </div>
        </section>
      )}
    </div>
  );
}

export function SharedView({ parts }: { parts: string[] }) {
  const token = parts[1] ?? '';
  const { answer, error } = useAnswer<SharedCollection>(sharedPath(token));
  if (error) return <Missing text={t('shared.gone')} />;
  return answer ? <Loaded token={token} of={answer} /> : <div class="page"><Waiting rows={3} /></div>;
}
