// A track row, in which a person can play the track, read its license, copy its credit and add it to a collection.

import { useRef } from 'preact/hooks';
import type { Track } from '../calls/types';
import { openAddDialog, selectedTracks, setSelected } from '../collections/selection';
import type { Peaks } from '../player/peaks';
import { current, endPreview, playing, preload, preview, previewed, previewOnHover, soundOf, toggle } from '../player/player';
import { Icon } from '../shell/icons';
import { lengthOf, shortLine, t } from '../shell/texts';
import { safeUrl } from './license';
import { CollectedMark, CopyCredit, LicenseBadge, Tags } from './parts';
import { TrackPicture } from './picture';
import { usePeaks, Waveform } from './waveform';

const HOLD_MS = 200;

export const titleOf = (track: Pick<Track, 'title'>, max = 200) => shortLine(track.title, max) || t('track.untitled');

interface PlayProps {
  track: Track;
  list: readonly Track[];
  peaks?: Peaks | null;
}

/** Links to the track's page at its source, where it can be heard. */
function ListenElsewhere({ track, peaks = null }: PlayProps) {
  const source = safeUrl(track.source_page);
  const sign = <><TrackPicture track={track} peaks={peaks} /><span class="play-sign"><Icon name={source ? 'external' : 'muted'} /></span></>;
  if (!source) return <span class="play-button silent" title={t('player.noSound')}>{sign}</span>;
  const label = t('track.listenAt', { title: titleOf(track, 80), host: new URL(source).host });
  return <a class="play-button silent" href={source} target="_blank" rel="noopener noreferrer" aria-label={label} title={label}>{sign}</a>;
}

/** Plays on click; previews on hover or while pressed. */
export function PlayButton(props: PlayProps) {
  const { track, list, peaks = null } = props;
  const held = useRef({ timer: 0, long: false });
  const sound = soundOf(track);
  if (!sound) return <ListenElsewhere {...props} />;
  const isPlaying = current.value?.id === track.id && playing.value;
  const sounding = isPlaying || previewed.value === track.id;
  const label = t(isPlaying ? 'track.pause' : 'track.play', { title: titleOf(track, 80) });
  const press = () => {
    held.current.long = false;
    held.current.timer = window.setTimeout(() => { held.current.long = true; preview(track); }, HOLD_MS);
  };
  const release = () => {
    window.clearTimeout(held.current.timer);
    if (held.current.long) endPreview();
  };
  return (
    <button class="play-button" type="button" aria-label={label} title={sound.host === null ? undefined : t('track.playsFrom', { host: sound.host })} data-sounding={sounding || undefined}
      onPointerEnter={(event) => { if (event.pointerType === 'mouse' && previewOnHover.value) preview(track); }}
      onPointerLeave={() => { release(); if (previewed.value === track.id) endPreview(); }}
      onPointerDown={press} onPointerUp={release} onPointerCancel={release} onContextMenu={(event) => held.current.long && event.preventDefault()}
      onClick={() => { if (!held.current.long) toggle(track, list); held.current.long = false; }}>
      <TrackPicture track={track} peaks={peaks} />
      <span class="play-sign"><Icon name={isPlaying ? 'pause' : 'play'} /></span>
    </button>
  );
}

export function ArtistLink({ name }: { name: string }) {
  if (!name) return <span class="artist">{t('track.noArtist')}</span>;
  return <a class="artist" href={`/artists/${encodeURIComponent(name)}`}><bdi>{shortLine(name)}</bdi></a>;
}

function Facts({ track }: { track: Track }) {
  return (
    <span class="facts">
      <span>{lengthOf(track.duration_s)}</span>
      {track.bpm !== null && <span>{t('track.bpm', { count: Math.round(track.bpm) })}</span>}
    </span>
  );
}

function Actions({ track }: { track: Track }) {
  const isSelected = selectedTracks.value.some((other) => other.id === track.id);
  return (
    <div class="row-actions">
      <CopyCredit of={track} compact />
      <button class="icon" type="button" aria-label={t('collection.addTitle', { title: titleOf(track, 80) })} title={t('collection.add')}
        onClick={() => openAddDialog([track])}><Icon name="add" /></button>
      <label class="row-choose">
        <input type="checkbox" checked={isSelected} onChange={(event) => setSelected(track, event.currentTarget.checked)} />
        <span class="unseen">{t('collection.choose', { title: titleOf(track, 80) })}</span>
      </label>
    </div>
  );
}

export function TrackRow({ track, list }: { track: Track; list: readonly Track[] }) {
  const row = useRef<HTMLElement>(null);
  const peaks = usePeaks(track, row);
  const others = (track.variants ?? 1) - 1;
  return (
    <article class="row" ref={row} data-track={track.id} data-current={current.value?.id === track.id || undefined} onPointerEnter={() => preload(track)}>
      <PlayButton track={track} list={list} peaks={peaks} />
      <div class="row-what">
        <h3><a href={`/tracks/${encodeURIComponent(track.id)}`}><bdi>{titleOf(track)}</bdi></a></h3>
        <div class="row-by" data-length={lengthOf(track.duration_s)}>
          <CollectedMark track={track} />
          <ArtistLink name={track.artist} />
          {others > 0 && <span class="variants">{t('track.variants', { count: others })}</span>}
          <Tags track={track} max={3} />
        </div>
        <Waveform track={track} peaks={peaks} list={list} />
      </div>
      <Facts track={track} />
      <LicenseBadge of={track} />
      <Actions track={track} />
    </article>
  );
}
