// The pages of the site: path, view, the answers that it shows, and its head. The server and the browser use this table.

import { h } from 'preact';
import type { ComponentChild, ComponentType } from 'preact';
import { answerOf } from '../calls/answers';
import { CallError } from '../calls/server';
import type { SearchAnswer, Track } from '../calls/types';
import { Waiting } from '../search/list';
import { countsPath, firstPath, isPlayableFirst, isStart, kindOf, optionPath, OPTIONS, searchOf, searchPath } from '../search/query';
import { startNeeds } from '../search/start';
import { SearchView } from '../search/view';
import { EmbedView } from '../shared/embed_view';
import { sharedAnswer, sharedPath } from '../shared/shared_collection';
import { SharedView } from '../shared/shared_view';
import { firstOfList, listAnswerPath, listOf, ListPage, listTitle } from '../tracks/list_page';
import { licenseSummary } from '../tracks/license';
import { similarPath, trackPath, TrackView } from '../tracks/track_view';
import { lazy } from './lazy';
import { shortLine, t } from './texts';
import type { TextKey } from './texts';

export interface PageHead {
  title: string;
  description: string;
  /** A path of this site; null for a page that search engines ignore. */
  canonical: string | null;
  /** The track that the page is about. */
  track?: Track;
}

export interface Page {
  parts: string[];
  address: URL;
}

export interface Route {
  pattern: string;
  View: ComponentType<{ parts: string[] }>;
  /** Shows a person's own data or files, so the server renders only its frame. */
  isPrivate?: boolean;
  /** The paths below /v1 whose answers the page shows. */
  needs: (page: Page) => string[];
  /** What a page says if there is nothing at its URL, if that is more specific than usual. */
  gone?: TextKey;
  /** Returns null if there is nothing at this URL. Throws CallError if an answer is an error. */
  head: (page: Page) => PageHead | null;
}

function isNotFound(error: unknown) {
  return error instanceof CallError && error.status >= 400 && error.status < 500;
}

function searchNeeds({ address }: Page) {
  const query = searchOf(address);
  return [
    firstPath(query), ...(isPlayableFirst(query) ? [searchPath(query)] : []), countsPath(query),
    ...OPTIONS.rights.map(([name, value]) => optionPath(query, name, value)), ...(isStart(address) ? startNeeds(kindOf(query)) : []),
  ];
}

function searchHead({ address }: Page): PageHead {
  const query = searchOf(address);
  const words = shortLine(query.get('q') ?? '', 80);
  const mode = t(`mode.${kindOf(query)}`);
  const title = words ? `${words} · ${mode}` : query.size > 0 ? mode : '';
  return { title, description: words ? t('head.search', { words }) : t('site.description'), canonical: address.search === '' ? '/' : null };
}

function trackHead({ parts: [, id = ''] }: Page): PageHead | null {
  const track = answerOf<Track>(trackPath(id));
  if (!track) return { title: '', description: '', canonical: null };
  const title = shortLine(track.title || t('track.untitled'), 80);
  return {
    title: track.artist ? t('track.titleBy', { title, artist: shortLine(track.artist, 80) }) : title,
    description: `${licenseSummary(track)}. ${shortLine(track.credit_line)}`,
    canonical: `/tracks/${encodeURIComponent(track.id)}`,
    track,
  };
}

function listHead({ parts }: Page): PageHead | null {
  const list = listOf(parts);
  if (!list?.name) return null;
  const answers = list.kinds.map((kind) => answerOf<SearchAnswer>(listAnswerPath(list, kind)));
  if (answers.every((answer) => answer?.total === 0)) return null;
  const title = listTitle(list);
  const track = firstOfList(list);
  const count = answers.reduce((sum, answer) => sum + (answer?.total ?? 0), 0);
  return { title: `${title} · ${list.eyebrow}`, description: t('head.list', { name: title, count }), canonical: track ? list.path : null };
}

const listNeeds = ({ parts }: Page) => {
  const list = listOf(parts);
  return list?.name ? list.kinds.map((kind) => listAnswerPath(list, kind)) : [];
};

const list = (pattern: string): Route => ({ pattern, View: ListPage, needs: listNeeds, head: listHead });

const shared = (pattern: string, View: Route['View']): Route => ({
  pattern, View, gone: 'shared.gone', needs: ({ parts: [, token = ''] }) => [sharedPath(token)],
  head: ({ parts: [, token = ''] }) => {
    const found = sharedAnswer(token);
    return { title: shortLine(found?.name ?? '', 80), description: shortLine(found?.description ?? '') || t('site.description'), canonical: null };
  },
});

type PrivateTitle = 'connect.title' | 'collection.title' | 'account.title' | 'sign.in' | 'sign.up' | 'recover.title' | 'film.title';
const own = (pattern: string, title: PrivateTitle, View: Route['View']): Route =>
  ({ pattern, View, isPrivate: true, needs: () => [], head: () => ({ title: t(title), description: t('site.description'), canonical: null }) });

type View = Route['View'];
const later = (load: () => Promise<View>) => lazy(load, () => h(Waiting, { rows: 4 }) as ComponentChild);
const CollectionsView = later(() => import('../collections/list_view').then((loaded) => loaded.CollectionsView));
const CollectionView = later(() => import('../collections/collection_view').then((loaded) => loaded.CollectionView));
const AccountView = later(() => import('../account/account_view').then((loaded) => loaded.AccountView));
const SignView = later(() => import('../account/sign_view').then((loaded) => loaded.SignView));
const ConsentView = later(() => import('../account/consent_view').then((loaded) => loaded.ConsentView));
const FilmView = later(() => import('../film/film_view').then((loaded) => loaded.FilmView));
const RecoverView = later(() => import('../account/recover_view').then((loaded) => loaded.RecoverView));

export const ROUTES: readonly Route[] = [
  { pattern: '/', View: SearchView, needs: searchNeeds, head: searchHead },
  { pattern: '/tracks/:id', View: TrackView, needs: ({ parts: [, id = ''] }) => [trackPath(id), similarPath(id)], head: trackHead, gone: 'track.gone' },
  list('/artists/:name'),
  list('/tags/:facet/:id'),
  list('/categories/:id'),
  shared('/shared/:token', SharedView),
  shared('/embed/:token', EmbedView),
  { ...own('/film', 'film.title', FilmView), head: () => ({ title: t('film.title'), description: t('head.film'), canonical: '/film' }) },
  own('/collections', 'collection.title', CollectionsView),
  own('/collections/:id', 'collection.title', CollectionView),
  own('/account', 'account.title', AccountView),
  own('/sign-in', 'sign.in', SignView),
  own('/sign-up', 'sign.up', SignView),
  own('/recover', 'recover.title', RecoverView),
  own('/oauth/authorize', 'connect.title', ConsentView),
];

const segmentsOf = (path: string) => path.split('/').filter(Boolean);

/** Returns the route of a URL and the decoded segments of its path, or null if no page has it. */
export function routeOf(address: URL): { route: Route; page: Page } | null {
  if (address.pathname.includes('//')) return null; // its links would name another host
  let parts: string[];
  try {
    parts = segmentsOf(address.pathname).map(decodeURIComponent);
  } catch {
    return null; // a malformed escape
  }
  const route = ROUTES.find(({ pattern }) => {
    const names = segmentsOf(pattern);
    return names.length === parts.length && names.every((name, index) => name.startsWith(':') || name === parts[index]);
  });
  return route ? { route, page: { parts, address } } : null;
}

/** Returns the head of a URL, or null if there is nothing. */
export function headOf(address: URL): PageHead | null {
  const found = routeOf(address);
  try {
    return found?.route.head(found.page) ?? null;
  } catch (error) {
    if (isNotFound(error)) return null;
    throw error;
  }
}

export const documentTitle = (title: string) => `${title || t('welcome.title')} · ${t('site.name')}`;
