// The start page: tracks to play, and moods, scenes and sounds to begin with, all from the catalog.

import { useAnswer } from '../calls/answers';
import type { Kind, SearchAnswer, Track } from '../calls/types';
import { t } from '../shell/texts';
import { LicenseBadge } from '../tracks/parts';
import { Picture } from '../tracks/picture';
import { ArtistLink, PlayButton, titleOf } from '../tracks/row';
import { labelOf } from './labels';
import { countsPath } from './query';

const TILES = 6;
const PICKS = 6;

const ROWS = [
  { facet: 'mood', kind: 'music' },
  { facet: 'use', kind: 'music' },
  { facet: 'sfx', kind: 'sfx' },
] as const;

const countsOf = (kind: Kind) => countsPath(new URLSearchParams(kind === 'sfx' ? { kind } : {}));
const picksPath = (kind: Kind) => `search?${new URLSearchParams({ kind, playable: 'true', seed: 'picks', limit: String(PICKS) })}`;

/** The paths below /v1 whose answers the start page shows. */
export const startNeeds = (kind: Kind) => [picksPath(kind), countsOf('music'), countsOf('sfx')];

function Pick({ track, list }: { track: Track; list: readonly Track[] }) {
  return (
    <li class="pick">
      <PlayButton track={track} list={list} />
      <h3><a href={`/tracks/${encodeURIComponent(track.id)}`}><bdi>{titleOf(track)}</bdi></a></h3>
      <p><ArtistLink name={track.artist} /></p>
      <LicenseBadge of={track} />
    </li>
  );
}

function Picks({ kind }: { kind: Kind }) {
  const { answer } = useAnswer<SearchAnswer>(picksPath(kind));
  if (answer?.tracks.length === 0) return null;
  return (
    <section aria-labelledby="picks">
      <h2 id="picks">{t('start.picks')}</h2>
      <ul class="picks">{answer?.tracks.map((track) => <Pick key={track.id} track={track} list={answer.tracks} />)}</ul>
    </section>
  );
}

function Tiles({ facet, kind }: (typeof ROWS)[number]) {
  const { answer } = useAnswer<SearchAnswer>(countsOf(kind));
  const values = answer?.facets?.[facet]?.slice(0, TILES) ?? [];
  if (values.length === 0) return null;
  return (
    <section aria-labelledby={`start-${facet}`}>
      <h2 id={`start-${facet}`}>{t(`start.${facet}`)}</h2>
      <ul class="tiles">
        {values.map(({ id, label, count }) => (
          <li key={id}>
            <a class="tile" href={`/?${new URLSearchParams({ ...(kind === 'sfx' ? { kind } : {}), [facet]: id })}`}>
              <Picture name={`${facet}/${id}`} tags={facet === 'mood' ? { mood: [id] } : {}} isEffect={kind === 'sfx'} />
              <span class="tile-words"><bdi>{labelOf(facet, id, label)}</bdi> <small>{t('search.total', { count })}</small></span>
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}

export function StartPage({ kind }: { kind: Kind }) {
  return (
    <div class="start">
      <Picks kind={kind} />
      {[...ROWS].sort((a, b) => Number(b.kind === kind) - Number(a.kind === kind)).map((row) => <Tiles key={row.facet} {...row} />)}
    </div>
  );
}
