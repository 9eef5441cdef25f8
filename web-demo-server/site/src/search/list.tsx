// A list of tracks that loads more on scrolling, and the bar for selected tracks.

import { useEffect, useRef } from 'preact/hooks';
import type { Track } from '../calls/types';
import { openAddDialog, selectedTracks } from '../collections/selection';
import { t } from '../shell/texts';
import { TrackRow } from '../tracks/row';

/** `queue`: what the player plays after a track; by default the same tracks. Rows are reused for other tracks, which is faster than new ones while a person types. */
export function Rows({ tracks, label, queue = tracks }: { tracks: readonly Track[]; label: string; queue?: readonly Track[] }) {
  return (
    <ol class="rows" aria-label={label}>
      {tracks.map((track, index) => <li key={index}><TrackRow track={track} list={queue} /></li>)}
    </ol>
  );
}

/** Loads more before it scrolls into view, unless that has failed. It is also a button. */
export function More({ load, loading, failed }: { load: () => void; loading: boolean; failed: boolean }) {
  const box = useRef<HTMLDivElement>(null);
  const latest = useRef<(() => void) | null>(load);
  latest.current = failed ? null : load; // the observer may report once more after a failure, because effects run later
  useEffect(() => {
    if (!box.current || failed) return undefined;
    const observer = new IntersectionObserver((entries) => entries.some((entry) => entry.isIntersecting) && latest.current?.(), { rootMargin: '600px' });
    observer.observe(box.current);
    return () => observer.disconnect();
  }, [loading, failed]);
  return (
    <div class="more" ref={box}>
      <button type="button" disabled={loading} onClick={load}>{t(loading ? 'search.loadingMore' : 'search.more')}</button>
    </div>
  );
}

export function SelectionBar() {
  const tracks = selectedTracks.value;
  if (tracks.length === 0) return null;
  return (
    <div class="chosen" role="region" aria-label={t('collection.chosen', { count: tracks.length })}>
      <span>{t('collection.chosen', { count: tracks.length })}</span>
      <button class="primary" type="button" onClick={() => openAddDialog(tracks)}>{t('collection.add')}</button>
      <button type="button" onClick={() => { selectedTracks.value = []; }}>{t('collection.clear')}</button>
    </div>
  );
}

/** Placeholder rows with the height of results. */
export function Waiting({ rows = 8 }: { rows?: number }) {
  return (
    <div class="rows waiting" role="status">
      <span class="unseen">{t('search.loading')}</span>
      {Array.from({ length: rows }, (_, index) => <div class="row" key={index} aria-hidden="true" />)}
    </div>
  );
}
