// The pages of an artist, a tag and a category: a heading, the tracks, and a link to the search.

import { useEffect, useState } from 'preact/hooks';
import { initialList } from '../calls/page_data';
import type { Kind, SearchAnswer, Track } from '../calls/types';
import { visibleTracks } from '../player/keys';
import { search } from '../search/engine';
import { More, Rows, Waiting } from '../search/list';
import { PAGE } from '../search/results';
import { explain } from '../shell/notices';
import { setTitle } from '../shell/router';
import { valueLabel, t } from '../shell/texts';

interface ListPage {
  eyebrow: string;
  title: string;
  parameters: Record<string, string>;
  /** Returns a better title from a track. */
  titleFrom?: (track: Track) => string | undefined;
}

function useList(parameters: Record<string, string>) {
  const query = new URLSearchParams({ ...parameters, limit: String(PAGE) });
  const [answer, setAnswer] = useState<SearchAnswer | null>(() => initialList(parameters.kind === 'sfx' ? 'sfx' : 'music'));
  const [error, setError] = useState<unknown>(null);
  const [loading, setLoading] = useState(false);
  const text = query.toString();
  useEffect(() => {
    if (!answer) search(query).then((found) => setAnswer(found.answer), setError);
  }, [text]);
  useEffect(() => {
    if (answer) visibleTracks.value = answer.tracks;
  }, [answer]);
  const more = () => {
    if (!answer?.cursor || loading) return;
    setLoading(true);
    search(new URLSearchParams({ ...parameters, limit: String(PAGE), cursor: answer.cursor }))
      .then(({ answer: next }) => setAnswer({ ...next, tracks: [...answer.tracks, ...next.tracks] }), setError)
      .finally(() => setLoading(false));
  };
  return { answer, error, loading, more };
}

function ListView({ eyebrow, title, parameters, titleFrom }: ListPage) {
  const { answer, error, loading, more } = useList(parameters);
  const first = answer?.tracks[0];
  const shownTitle = (first && titleFrom?.(first)) || title;
  useEffect(() => setTitle(shownTitle, eyebrow), [shownTitle]);
  return (
    <div class="page list-page">
      <p class="eyebrow">{eyebrow}</p>
      <h1><bdi>{shownTitle}</bdi></h1>
      {answer && (
        <p class="lead">
          {t('search.total', { count: answer.total })} · <a href={`/?${new URLSearchParams(parameters)}`}>{t('entity.search')}</a>
        </p>
      )}
      {error !== null && <p role="alert">{explain(error)}</p>}
      {!answer && error === null && <Waiting />}
      {answer && answer.total === 0 && <div class="empty"><h2>{t('entity.nothing')}</h2></div>}
      {answer && answer.total > 0 && <><h2 class="unseen">{t('search.results')}</h2><Rows tracks={answer.tracks} label={shownTitle} /></>}
      {answer?.cursor && <More load={more} loading={loading} />}
    </div>
  );
}

/** An artist or a tag may have music, effects or both. */
function BothKinds(props: Omit<ListPage, 'titleFrom'> & { kinds: readonly Kind[] }) {
  const [kind, setKind] = useState<Kind>(() => props.kinds.find((name) => (initialList(name)?.total ?? 0) > 0) ?? props.kinds[0] ?? 'music');
  const parameters: Record<string, string> = kind === 'sfx' ? { ...props.parameters, kind } : props.parameters;
  return (
    <>
      {props.kinds.length > 1 && (
        <div class="page kinds" role="group" aria-label={t('mode.label')}>
          {props.kinds.map((name) => (
            <button type="button" key={name} aria-pressed={kind === name} onClick={() => setKind(name)}>{t(`mode.${name}`)}</button>
          ))}
        </div>
      )}
      <ListView key={kind} eyebrow={props.eyebrow} title={props.title} parameters={parameters} />
    </>
  );
}

export const ArtistView = ({ parts }: { parts: string[] }) => (
  <BothKinds eyebrow={t('entity.artist')} title={parts[1] ?? ''} parameters={{ creator: parts[1] ?? '' }} kinds={['music', 'sfx']} />
);

export function TagView({ parts }: { parts: string[] }) {
  const [, facet = '', id = ''] = parts;
  const kinds = facet === 'use' ? (['music', 'sfx'] as const) : facet === 'sfx' ? (['sfx'] as const) : (['music'] as const);
  return <BothKinds eyebrow={valueLabel('filter', facet)} title={id.replace(/[-_]/g, ' ')} parameters={{ [facet]: id }} kinds={kinds} />;
}

export const CategoryView = ({ parts }: { parts: string[] }) => (
  <ListView eyebrow={t('entity.category')} title={parts[1] ?? ''} parameters={{ category: parts[1] ?? '', kind: 'sfx' }}
    titleFrom={({ category }) => (category?.id === parts[1] ? category?.label : category?.top_label)} />
);
