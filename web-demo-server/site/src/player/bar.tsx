// The player bar: current track, waveform, controls. It stays while views change.

import { useEffect, useRef } from 'preact/hooks';
import type { Track } from '../calls/types';
import { Icon } from '../shell/icons';
import { clock, t } from '../shell/texts';
import { CopyCredit, LicenseBadge } from '../tracks/parts';
import { openAddDialog } from '../collections/selection';
import '../style/player.css';
import {
  close, current, elapsed, hasNext, hasPrevious, length, looping, playing, playOrPause, previewOnHover, seekTo, setLooping,
  setPreviewOnHover, setVolume, step, volume, waiting,
} from './player';

function Waveform({ track }: { track: Track }) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    let wanted = true;
    let remove = () => {};
    void import('./waveform').then(async ({ drawWaveform }) => {
      if (!box.current || !wanted) return;
      remove = await drawWaveform(box.current, track, () => wanted);
      if (!wanted) remove();
    });
    return () => {
      wanted = false;
      remove();
    };
  }, [track.id]);
  return <div class="bar-waveform" ref={box} aria-hidden="true" />;
}

function Seek() {
  const max = length.value || 1;
  return (
    <input class="bar-seek" type="range" min="0" max={max} step="0.1" value={Math.min(elapsed.value, max)}
      aria-label={t('player.seek')} aria-valuetext={t('player.position', { at: clock(elapsed.value), of: clock(max) })}
      onInput={(event) => seekTo(Number(event.currentTarget.value))} />
  );
}

function Controls() {
  const label = t(playing.value ? 'player.pause' : 'player.play');
  return (
    <div class="bar-controls">
      <button class="icon" type="button" aria-label={t('player.previous')} title={`${t('player.previous')} (K)`} disabled={!hasPrevious.value}
        onClick={() => step(-1)}><Icon name="previous" /></button>
      <button class="icon play" type="button" aria-label={label} title={label} data-waiting={waiting.value || undefined}
        onClick={playOrPause}><Icon name={playing.value ? 'pause' : 'play'} /></button>
      <button class="icon" type="button" aria-label={t('player.next')} title={`${t('player.next')} (J)`} disabled={!hasNext.value}
        onClick={() => step(1)}><Icon name="next" /></button>
      <button class="icon wide-only" type="button" aria-label={t('player.loop')} title={`${t('player.loop')} (L)`} aria-pressed={looping.value}
        onClick={() => setLooping(!looping.value)}><Icon name="loop" /></button>
    </div>
  );
}

function Volume() {
  return (
    <label class="bar-volume wide-only">
      <Icon name={volume.value > 0 ? 'volume' : 'muted'} />
      <span class="unseen">{t('player.volume')}</span>
      <input type="range" min="0" max="1" step="0.02" value={volume.value} onInput={(event) => setVolume(Number(event.currentTarget.value))} />
    </label>
  );
}

export function PlayerBar() {
  const track = current.value;
  if (!track) return null;
  return (
    <section class="bar" aria-label={t('player.label')}>
      <Controls />
      <div class="bar-what">
        <a class="bar-title" href={`/tracks/${encodeURIComponent(track.id)}`}><bdi>{track.title || t('track.untitled')}</bdi></a>
        <span class="bar-artist"><bdi>{track.artist || t('track.noArtist')}</bdi></span>
      </div>
      <div class="bar-line">
        <span class="time">{clock(elapsed.value)}</span>
        <div class="bar-waveform-box">
          <Waveform track={track} />
          <Seek />
        </div>
        <span class="time">{clock(length.value)}</span>
      </div>
      <div class="bar-license wide-only"><LicenseBadge of={track} /></div>
      <div class="bar-actions">
        <CopyCredit of={track} compact />
        <button class="icon" type="button" aria-label={t('collection.add')} title={t('collection.add')}
          onClick={() => openAddDialog([track])}><Icon name="add" /></button>
        <button class="icon wide-only" type="button" aria-pressed={previewOnHover.value} aria-label={t('player.hover')} title={t('player.hover')}
          onClick={() => setPreviewOnHover(!previewOnHover.value)}><Icon name="hover" /></button>
        <Volume />
        <button class="icon" type="button" aria-label={t('player.close')} title={t('player.close')} onClick={close}><Icon name="close" /></button>
      </div>
    </section>
  );
}
