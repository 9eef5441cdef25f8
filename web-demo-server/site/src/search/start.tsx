// The start page: tracks to play, and moods, scenes and sounds to begin with, all from the catalog.

import { useAnswer } from '../calls/answers';
import type { Kind, SearchAnswer, Track } from '../calls/types';
import { t } from '../shell/texts';
import { CollectedMark, LicenseBadge } from '../tracks/parts';
import { Picture } from '../tracks/picture';
import { ArtistLink, PlayButton, titleOf } from '../tracks/row';
import { labelOf } from './labels';
import { countPath, countsPath, LISTED_FIELDS } from './query';

const TILES = 6;
const PICKS = 6;

const ROWS = [
  { facet: 'mood', kind: 'music' },
  { facet: 'use', kind: 'music' },
  { facet: 'sfx', kind: 'sfx' },
] as const;

const queryOf = (kind: Kind) => new URLSearchParams(kind === 'sfx' ? { kind } : {});
/** The counts for the tiles of a kind: those of the filters if the page shows this kind. */
const countsOf = (kind: Kind, shown: Kind) =>
  (kind === shown ? countsPath(queryOf(kind)) : countPath(queryOf(kind), { facets: ROWS.filter((row) => row.kind === kind).map(({ facet }) => facet).join(',') }));
const picksPath = (kind: Kind) => `search?${new URLSearchParams({ kind, playable: 'true', seed: 'picks', limit: String(PICKS), fields: LISTED_FIELDS })}`;

/** The paths below /v1 whose answers the start page shows. */
export const startNeeds = (kind: Kind) => [picksPath(kind), countsOf('music', kind), countsOf('sfx', kind)];

function Pick({ track, list }: { track: Track; list: readonly Track[] }) {
  return (
    <li class="pick">
      <PlayButton track={track} list={list} />
      <h3><a href={`/tracks/${encodeURIComponent(track.id)}`}><bdi>{titleOf(track)}</bdi></a></h3>
      <p><CollectedMark track={track} /><ArtistLink name={track.artist} /></p>
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

function Tiles({ facet, kind, shown }: (typeof ROWS)[number] & { shown: Kind }) {
  const { answer } = useAnswer<SearchAnswer>(countsOf(kind, shown));
  const values = answer?.facets?.[facet]?.slice(0, TILES) ?? [];
  if (values.length === 0) return null;
  return (
    <section aria-labelledby={`start-${facet}`}>
      <h2 id={`start-${facet}`}>{t(`start.${facet}`)}</h2>
      <ul class="tiles">
        {values.map(({ id, label, count }) => (
          <li key={id}>
            <a class="tile" href={`/?${new URLSearchParams([...queryOf(kind), [facet, id]])}`}>
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
      {[...ROWS].sort((a, b) => Number(b.kind === kind) - Number(a.kind === kind)).map((row) => <Tiles key={row.facet} {...row} shown={kind} />)}
    </div>
  );
}
