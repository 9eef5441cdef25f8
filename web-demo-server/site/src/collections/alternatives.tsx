// Similar tracks that may replace one whose license forbids commercial use.

import { call } from '../calls/server';
import type { SearchAnswer, Track } from '../calls/types';
import { licenseSummary } from '../tracks/license';
import { t } from '../shell/later_texts';

/** Returns similar tracks that are free for commercial use. */
export async function commercialAlternatives(track: string): Promise<readonly Track[]> {
  const answer = await call<SearchAnswer>(`tracks/${encodeURIComponent(track)}/similar?commercial=true&limit=3`);
  return answer.tracks;
}

export function Alternatives({ tracks, use }: { tracks: readonly Track[]; use: (track: Track) => void }) {
  if (tracks.length === 0) return <p class="small">{t('conflict.nc.none')}</p>;
  return (
    <ul class="offers">
      {tracks.map((track) => (
        <li key={track.id}>
          <span><bdi>{track.title}</bdi> <small><bdi>{track.artist}</bdi> · {licenseSummary(track)}</small></span>
          <button type="button" onClick={() => use(track)}>{t('conflict.nc.replace')}</button>
        </li>
      ))}
    </ul>
  );
}
