// The URL is the state of a search: it has the search parameters of the API, plus three of the page: `view`, `lang`, and
// `exact`, which searches for the words as they are, without completing them.

import type { Kind } from '../calls/types';
import { PARAMETERS } from './parameters';

const NOT_FILTERS = ['q', 'kind', 'sort', 'seed', 'match'];

/** The facets that are counted for each kind. */
export const COUNTED_FACETS: Record<Kind, string[]> = {
  music: ['genre', 'mood', 'use', 'instrument', 'energy', 'tone', 'license', 'creator', 'source'],
  sfx: ['category', 'sfx', 'use', 'tone', 'license', 'creator', 'source'],
};
/** The facets whose values are tags of a track. */
export const TAG_FACETS: readonly string[] = ['genre', 'mood', 'use', 'instrument', 'sfx'];
const KIND_OF_FACET: Record<string, Kind> = {
  genre: 'music', mood: 'music', instrument: 'music', energy: 'music', tempo: 'music', sfx: 'sfx', category: 'sfx',
};

export const PAGE = 24; // tracks that a page shows first

/** The fields of a track that lists show. */
export const LISTED_FIELDS = 'id,title,artist,kind,duration_s,bpm,tags,license,terms,attribution,credit_line,source_page,preview_url,original_url,peaks_url,page_url';

/** Filters with fixed values. The API does not count them as facets, so each value is counted by a search of its own. */
export type OptionGroup = 'rights' | 'length' | 'more';
export const OPTIONS: Record<OptionGroup, readonly (readonly [name: string, value: string])[]> = {
  rights: [['playable', 'true'], ['commercial', 'true'], ['credit', 'optional'], ['share_alike', 'false']],
  length: [['length', 'xs'], ['length', 's'], ['length', 'm'], ['length', 'l']],
  more: [['loops', 'true'], ['quality', 'good'], ['variants', 'collapse']],
};

export const kindOf = (query: URLSearchParams): Kind => (query.get('kind') === 'sfx' ? 'sfx' : 'music');

/** Returns the non-empty search parameters of a URL. */
export function searchOf(address: URL): URLSearchParams {
  const query = new URLSearchParams();
  for (const name of PARAMETERS) {
    const value = address.searchParams.get(name);
    if (value?.trim()) query.set(name, value);
  }
  return query;
}

export function withChanges(query: URLSearchParams, changes: Record<string, string | null>): URLSearchParams {
  const next = new URLSearchParams(query);
  for (const [name, value] of Object.entries(changes)) {
    if (value) next.set(name, value);
    else next.delete(name);
  }
  if (!next.get('q')?.trim() && next.get('sort') === 'relevance') next.delete('sort');
  if (sortOf(next) !== 'shuffle') next.delete('seed');
  return next;
}

/** Switches to another kind and keeps the filters that apply to it. */
export function withKind(query: URLSearchParams, kind: Kind): URLSearchParams {
  const dropped = Object.entries(KIND_OF_FACET).filter(([, of]) => of !== kind).map(([name]) => [name, null]);
  return withChanges(query, { ...Object.fromEntries(dropped), kind: kind === 'music' ? null : kind });
}

export const sortOf = (query: URLSearchParams): string => query.get('sort') ?? (query.get('q')?.trim() ? 'relevance' : 'shuffle');

/** Whether a URL shows the start page: no words, no filters. */
export const isStart = (address: URL) => address.pathname === '/' && ['', 'kind=sfx'].includes(searchOf(address).toString());

/** Whether the tracks that can be played come first: in lists without words and without a chosen order (WEB-24). */
export const isPlayableFirst = (query: URLSearchParams) => !query.get('q')?.trim() && sortOf(query) === 'shuffle' && !query.has('playable');

/** The path below /v1 of the first results. */
export const firstPath = (query: URLSearchParams, more: Record<string, string> = {}) =>
  searchPath(query, isPlayableFirst(query) ? { playable: 'true', ...more } : more);

/** The paths below /v1 of a page of results, and of the counts beside it. */
export const searchPath = (query: URLSearchParams, more: Record<string, string> = {}) =>
  `search?${withChanges(query, { limit: String(PAGE), fields: LISTED_FIELDS, ...more })}`;
/** The path below /v1 of a count, which no order changes. */
export const countPath = (query: URLSearchParams, more: Record<string, string>) =>
  searchPath(withChanges(query, { sort: null, seed: null }), { limit: '1', fields: 'id', ...more });
export const countsPath = (query: URLSearchParams) => countPath(query, { facets: COUNTED_FACETS[kindOf(query)].join(',') });
/** The path below /v1 whose total is that of a search with an option. */
export const optionPath = (query: URLSearchParams, name: string, value: string) => countPath(query, { [name]: value });

/** Parameters with one value; all others can have several. */
const SINGLE = ['creator', 'tempo', 'exclude', 'min_bpm', 'max_bpm', 'min_seconds', 'max_seconds', 'playable', 'commercial', 'credit', 'share_alike', 'loops', 'quality', 'variants'];

export function valuesOf(query: URLSearchParams, name: string): string[] {
  const value = query.get(name);
  if (!value) return [];
  return SINGLE.includes(name) ? [value] : value.split(',').filter(Boolean);
}

/** Adds a value to a filter or removes it. */
export function withToggled(query: URLSearchParams, name: string, value: string): URLSearchParams {
  const values = valuesOf(query, name);
  const next = values.includes(value) ? values.filter((other) => other !== value) : SINGLE.includes(name) ? [value] : [...values, value];
  return withChanges(query, { [name]: next.join(',') || null });
}

export interface Chip {
  name: string;
  value: string;
}

export const chipsOf = (query: URLSearchParams): Chip[] =>
  PARAMETERS.filter((name) => !NOT_FILTERS.includes(name)).flatMap((name) => valuesOf(query, name).map((value) => ({ name, value })));

export function withoutFilters(query: URLSearchParams): URLSearchParams {
  const kept = NOT_FILTERS.flatMap((name) => (query.has(name) ? [[name, query.get(name) as string]] : []));
  return new URLSearchParams(kept as string[][]);
}

const OWN_PARAMETERS = ['view', 'lang', 'exact'];

/** Returns the URL of a search; keeps the page's own parameters. */
export function hrefOf(query: URLSearchParams, address: URL, path = '/'): string {
  const all = new URLSearchParams(query);
  for (const own of OWN_PARAMETERS) {
    const value = address.searchParams.get(own);
    if (value) all.set(own, value);
  }
  const text = all.toString();
  return text ? `${path}?${text}` : path;
}
