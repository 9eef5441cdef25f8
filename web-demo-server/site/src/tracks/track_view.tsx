// The track page.

import { useEffect, useRef } from 'preact/hooks';
import { useAnswer } from '../calls/answers';
import { CallError } from '../calls/server';
import type { SearchAnswer, Track } from '../calls/types';
import { openAddDialog } from '../collections/selection';
import { soundOf } from '../player/player';
import { visibleTracks } from '../player/keys';
import { Missing } from '../shell/missing';
import { Icon } from '../shell/icons';
import { explain } from '../shell/notices';
import { labelIn, lengthOf, shortLine, t } from '../shell/texts';
import { Rows, Waiting } from '../search/list';
import { safeUrl } from './license';
import { CollectedMark, CreditButtons, LicenseSentence, Tags } from './parts';
import { ArtistLink, PlayButton, titleOf } from './row';
import { usePeaks, Waveform } from './waveform';

const SIMILAR = 8;

const categoryLabel = ({ id, label, top_id: topId, top_label: topLabel }: NonNullable<Track['category']>) =>
  `${labelIn('value.category', topId) ?? topLabel} › ${labelIn('value.category', id) ?? label}`;

function Facts({ track }: { track: Track }) {
  const facts: [string, string | null][] = [
    [t('track.kind'), t(`mode.${track.kind}`)],
    [t('track.length'), lengthOf(track.duration_s)],
    [t('track.tempo'), track.bpm === null ? null : t('track.bpm', { count: Math.round(track.bpm) })],
    [t('track.category'), track.category ? categoryLabel(track.category) : null],
  ];
  return (
    <dl class="fact-list">
      {facts.filter(([, value]) => value !== null).map(([name, value]) => <div key={name}><dt>{name}</dt><dd><bdi>{value}</bdi></dd></div>)}
    </dl>
  );
}

function LicensePanel({ track }: { track: Track }) {
  return (
    <section class="panel" aria-labelledby="license-title">
      <h2 id="license-title">{t('track.license')}</h2>
      <LicenseSentence of={track} />
      <p class="small">{t(`license.status.${track.license.status}.long`)}</p>
      <h3>{t('credit.title')}</h3>
      <p class="small">{t(`credit.${track.attribution}`)}</p>
      <p class="credit-line"><bdi>{shortLine(track.credit_line, 4000)}</bdi></p>
      <CreditButtons of={track} />
    </section>
  );
}

function Links({ track }: { track: Track }) {
  const source = safeUrl(track.source_page);
  const original = safeUrl(track.original_url);
  return (
    <div class="buttons">
      <button class="primary" type="button" onClick={() => openAddDialog([track])}><Icon name="add" /> {t('collection.add')}</button>
      {original && <a class="button" href={original} rel="noopener noreferrer" target="_blank"><Icon name="download" /> {t('track.original')}</a>}
      {source && <a class="button" href={source} rel="noopener noreferrer" target="_blank"><Icon name="external" /> {t('track.source', { host: new URL(source).host })}</a>}
    </div>
  );
}

function Hero({ track, list }: { track: Track; list: readonly Track[] }) {
  const hero = useRef<HTMLDivElement>(null);
  const peaks = usePeaks(track, hero);
  return (
    <div class="hero" ref={hero}>
      <PlayButton track={track} list={list} peaks={peaks} />
      <div class="hero-what">
        <h1><bdi>{titleOf(track)}</bdi></h1>
        <p><CollectedMark track={track} /><ArtistLink name={track.artist} /></p>
      </div>
      <Waveform track={track} peaks={peaks} list={list} />
    </div>
  );
}

function Similar({ tracks }: { tracks: readonly Track[] | null }) {
  if (tracks?.length === 0) return null;
  return (
    <section class="similar" aria-labelledby="similar-title">
      <h2 id="similar-title">{t('track.similar')}</h2>
      {tracks ? <Rows tracks={tracks} label={t('track.similar')} /> : <Waiting rows={4} />}
    </section>
  );
}

export const trackPath = (id: string) => `tracks/${encodeURIComponent(id)}`;
export const similarPath = (id: string) => `${trackPath(id)}/similar?limit=${SIMILAR}`;

export function TrackView({ parts: [, id = ''] }: { parts: string[] }) {
  const { answer, error } = useAnswer<Track>(trackPath(id));
  const { answer: found, error: noSimilar } = useAnswer<SearchAnswer>(similarPath(id));
  const track = answer ?? visibleTracks.peek().find((other) => other.id === id) ?? null; // a list has shown it already
  const similar = noSimilar ? [] : found?.tracks ?? null;
  useEffect(() => {
    if (track && similar) visibleTracks.value = [track, ...similar];
  }, [track, similar]);
  if (error) return <Missing text={error instanceof CallError && error.status === 404 ? t('track.gone') : explain(error)} />;
  if (!track) return <div class="page"><Waiting rows={3} /></div>;
  const list = [track, ...(similar ?? [])];
  return (
    <div class="page track-page">
      <Hero track={track} list={list} />
      <div class="track-columns">
        <div>
          {track.description && <p class="description"><bdi>{track.description.split('\n').map((line) => shortLine(line, 5000)).join('\n').slice(0, 5000)}</bdi></p>}
          <Facts track={track} />
          <Tags track={track} max={40} />
          {!soundOf(track) && <p class="small">{t('player.noSound')}</p>}
          <Links track={track} />
        </div>
        <LicensePanel track={track} />
      </div>
      <Similar tracks={similar} />
    </div>
  );
}
