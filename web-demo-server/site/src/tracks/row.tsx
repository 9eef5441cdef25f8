// A track row, in which a person can play the track, read its license, copy its credit and add it to a collection.

import { memo } from 'preact/compat';
import { useRef } from 'preact/hooks';
import type { Track } from '../calls/types';
import { openAddDialog, selectedTracks, setSelected } from '../collections/selection';
import { current, endPreview, playing, preload, preview, previewed, previewOnHover, toggle } from '../player/player';
import { Icon } from '../shell/icons';
import { lengthOf, t } from '../shell/texts';
import { CopyCredit, LicenseBadge, MiniWaveform, Tags } from './parts';

const HOLD_MS = 200;

/** Previews on hover or while pressed; plays on click. */
export function PlayButton({ track, list }: { track: Track; list: readonly Track[] }) {
  const held = useRef({ timer: 0, long: false });
  const sounding = (current.value?.id === track.id && playing.value) || previewed.value === track.id;
  const isPlaying = current.value?.id === track.id && playing.value;
  const label = t(isPlaying ? 'track.pause' : 'track.play', { title: track.title.slice(0, 80) || t('track.untitled') });
  const press = () => {
    held.current.long = false;
    held.current.timer = window.setTimeout(() => { held.current.long = true; preview(track); }, HOLD_MS);
  };
  const release = () => {
    window.clearTimeout(held.current.timer);
    if (held.current.long) endPreview();
  };
  return (
    <button class="play-button" type="button" aria-label={label} data-sounding={sounding || undefined} disabled={!track.preview_url}
      onPointerEnter={(event) => { if (event.pointerType === 'mouse' && previewOnHover.value) preview(track); }}
      onPointerLeave={() => { release(); if (previewed.value === track.id) endPreview(); }}
      onPointerDown={press} onPointerUp={release} onPointerCancel={release} onContextMenu={(event) => held.current.long && event.preventDefault()}
      onClick={() => { if (!held.current.long) toggle(track, list); held.current.long = false; }}>
      <Icon name={isPlaying ? 'pause' : 'play'} />
    </button>
  );
}

export function ArtistLink({ name }: { name: string }) {
  if (!name) return <span class="artist">{t('track.noArtist')}</span>;
  return <a class="artist" href={`/artists/${encodeURIComponent(name)}`}><bdi>{name}</bdi></a>;
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
  return (
    <div class="row-actions">
      <CopyCredit of={track} />
      <button class="quiet" type="button" aria-label={t('collection.addTitle', { title: track.title.slice(0, 80) })} title={t('collection.add')}
        onClick={() => openAddDialog([track])}><Icon name="add" /><span>{t('collection.addShort')}</span></button>
    </div>
  );
}

interface RowProps {
  track: Track;
  list: readonly Track[];
}

export const TrackRow = memo(function TrackRow({ track, list }: RowProps) {
  const title = track.title || t('track.untitled');
  const isSelected = selectedTracks.value.some((other) => other.id === track.id);
  return (
    <article class="row" data-track={track.id} data-current={current.value?.id === track.id || undefined} onPointerEnter={() => preload(track)}>
      <label class="row-choose">
        <input type="checkbox" checked={isSelected} onChange={(event) => setSelected(track, event.currentTarget.checked)} />
        <span class="unseen">{t('collection.choose', { title: track.title.slice(0, 80) })}</span>
      </label>
      <PlayButton track={track} list={list} />
      <div class="row-what">
        <h3><a href={`/tracks/${encodeURIComponent(track.id)}`}><bdi>{title}</bdi></a></h3>
        <p><ArtistLink name={track.artist} />{(track.variants ?? 1) > 1 && <span class="variants">{t('track.variants', { count: (track.variants ?? 1) - 1 })}</span>}</p>
        <Tags track={track} max={3} />
      </div>
      <MiniWaveform track={track} />
      <Facts track={track} />
      <div class="row-license"><LicenseBadge of={track} /></div>
      <Actions track={track} />
    </article>
  );
});
