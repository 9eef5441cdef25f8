// The page of an artist, a tag or a category: a heading, its tracks, and a link to the search.

import { useEffect, useState } from 'preact/hooks';
import { answerOf, useAnswer } from '../calls/answers';
import { call } from '../calls/server';
import type { Kind, SearchAnswer } from '../calls/types';
import { visibleTracks } from '../player/keys';
import { More, Rows, Waiting } from '../search/list';
import { COUNTED_FACETS, LISTED_FIELDS, PAGE, TAG_FACETS } from '../search/query';
import { explain, notifyError } from '../shell/notices';
import { labelIn, shortLine, t, valueLabel } from '../shell/texts';

/** What a URL lists. `path` is that of the page. */
export interface TrackList {
  eyebrow: string;
  name: string;
  path: string;
  kinds: readonly Kind[];
  parameters: Record<string, string>;
}

const KINDS: readonly Kind[] = ['music', 'sfx'];

/** Returns what the segments of a path list, or null if they list nothing. */
export function listOf([first = '', second = '', third = '']: readonly string[]): TrackList | null {
  const path = `/${[first, second, third].filter(Boolean).map(encodeURIComponent).join('/')}`;
  if (first === 'artists') return { eyebrow: t('entity.artist'), name: second, path, kinds: KINDS, parameters: { creator: second } };
  if (first === 'categories') return { eyebrow: t('entity.category'), name: second, path, kinds: ['sfx'], parameters: { category: second } };
  const kinds = KINDS.filter((kind) => COUNTED_FACETS[kind].includes(second));
  return TAG_FACETS.includes(second) ? { eyebrow: valueLabel('filter', second), name: third, path, kinds, parameters: { [second]: third, facets: second } } : null;
}

const parametersOf = ({ parameters }: TrackList, kind: Kind): Record<string, string> => ({ kind, ...parameters });
export const listAnswerPath = (list: TrackList, kind: Kind, more: Record<string, string> = {}) =>
  `search?${new URLSearchParams({ ...parametersOf(list, kind), limit: String(PAGE), fields: `${LISTED_FIELDS},category`, ...more })}`;

/** The label of a tag or a category, as the answer states it, else its id. */
function titleOf({ name, parameters }: TrackList, answer: SearchAnswer | null): string {
  const facet = parameters.facets;
  const own = labelIn(`value.${facet ?? 'category'}`, name);
  if (own !== null && !parameters.creator) return own;
  if (facet) return answer?.facets?.[facet]?.find(({ id }) => id === name)?.label ?? name.replace(/[-_]/g, ' ');
  const category = parameters.category ? answer?.tracks[0]?.category : null;
  return category ? (category.id === name ? category.label : category.top_label) : name;
}

const firstAnswer = (list: TrackList) => list.kinds.map((kind) => answerOf<SearchAnswer>(listAnswerPath(list, kind))).find((answer) => (answer?.total ?? 0) > 0) ?? null;

/** The title of the page if its tracks are known, else what the URL says. */
export const listTitle = (list: TrackList) => shortLine(titleOf(list, firstAnswer(list)), 80);

/** The first track of the list, or null if it is empty or not loaded. */
export const firstOfList = (list: TrackList) => firstAnswer(list)?.tracks[0] ?? null;

function List({ list, kind }: { list: TrackList; kind: Kind }) {
  const { answer: first, error } = useAnswer<SearchAnswer>(listAnswerPath(list, kind));
  const [rest, setRest] = useState<SearchAnswer | null>(null);
  const [loading, setLoading] = useState(false);
  const [failed, setFailed] = useState(false);
  const tracks = [...(first?.tracks ?? []), ...(rest?.tracks ?? [])];
  const cursor = rest ? rest.cursor : first?.cursor;
  useEffect(() => { visibleTracks.value = tracks; }, [tracks.length]);
  const more = () => {
    if (!cursor || loading) return;
    setLoading(true);
    setFailed(false);
    call<SearchAnswer>(listAnswerPath(list, kind, { cursor }))
      .then((next) => setRest({ ...next, tracks: [...(rest?.tracks ?? []), ...next.tracks] }), (problem: unknown) => { setFailed(true); notifyError(problem); })
      .finally(() => setLoading(false));
  };
  if (error !== null) return <p role="alert">{explain(error)}</p>;
  if (!first) return <Waiting />;
  if (first.total === 0) return <div class="empty"><h2>{t('entity.nothing')}</h2></div>;
  const { facets: _, ...search } = parametersOf(list, kind);
  return (
    <>
      <p class="lead">
        {t('search.total', { count: first.total })} · <a href={`/?${new URLSearchParams(search)}`}>{t('entity.search')}</a>
      </p>
      <h2 class="unseen">{t('search.results')}</h2>
      <Rows tracks={tracks} label={titleOf(list, first)} />
      {cursor && <More load={more} loading={loading} failed={failed} />}
    </>
  );
}

export function ListPage({ parts }: { parts: string[] }) {
  const list = listOf(parts) as TrackList; // the route has checked it
  const withTracks = list.kinds.find((kind) => (answerOf<SearchAnswer>(listAnswerPath(list, kind))?.total ?? 0) > 0);
  const [chosen, setChosen] = useState<Kind | null>(null);
  const kind = chosen ?? withTracks ?? list.kinds[0] ?? 'music';
  return (
    <div class="page list-page">
      <p class="eyebrow">{list.eyebrow}</p>
      <h1><bdi>{listTitle(list)}</bdi></h1>
      {list.kinds.length > 1 && (
        <div class="kinds" role="group" aria-label={t('mode.label')}>
          {list.kinds.map((name) => (
            <button type="button" key={name} aria-pressed={kind === name} onClick={() => setChosen(name)}>{t(`mode.${name}`)}</button>
          ))}
        </div>
      )}
      <List key={kind} list={list} kind={kind} />
    </div>
  );
}
