// The results on show. An older answer never replaces a newer one, and what is on show stays until there is something
// better: an answer with results, or none after a pause in typing.

import { batch, signal } from '@preact/signals';
import type { FacetValue, SearchAnswer, Suggestion, Track } from '../calls/types';
import { extendQueue } from '../player/player';
import { listed } from '../player/keys';
import { keep, visit } from '../shell/router';
import { COUNTED, changed, kindOf } from './query';
import { known, offline, search } from './engine';

export const PAGE = 24; // as in the pages that the server draws
const SEEN_FIRST = 8; // rows, on most screens
const EMPTY_AFTER_MS = 400; // of no key stroke
const COUNTS_AFTER_MS = 60;
const COUNTS_AFTER_TYPING_MS = 350; // counting must not be in the way of the next key stroke
const MOST_RESTORED = 200; // tracks that a return to a long list asks for again

export interface Shown {
  query: URLSearchParams;
  tracks: readonly Track[];
  total: number;
  cursor: string | null;
  suggestions: readonly Suggestion[];
  /** With match=most, because no track holds all words: how many words were asked for. */
  partly: number | null;
  ms: number;
}

export const shown = signal<Shown | null>(null);
export const counts = signal<Record<string, FacetValue[]>>({});
export const searching = signal(false);
export const loadingMore = signal(false);
export const failure = signal<unknown>(null);

let latest = 0;
let typedAt = 0;
let aborting: AbortController | null = null;

export const typed = () => { typedAt = performance.now(); };

const pageOf = (query: URLSearchParams, more: Record<string, string> = {}) => changed(query, { limit: String(PAGE), ...more });

function show(query: URLSearchParams, answer: SearchAnswer, ms: number, partly: SearchAnswer | null) {
  const from = partly ?? answer;
  batch(() => {
    shown.value = {
      query, ms,
      tracks: from.tracks, total: from.total, cursor: from.cursor,
      suggestions: answer.suggestions ?? [],
      partly: partly ? partly.words ?? 0 : null,
    };
    listed.value = from.tracks;
    failure.value = null;
    searching.value = false;
  });
}

const sleep = (ms: number) => new Promise((done) => { window.setTimeout(done, ms); });

/** Where no track holds all words: those that hold some. */
async function partlyMatching(query: URLSearchParams, signal: AbortSignal): Promise<SearchAnswer | null> {
  const words = query.get('q')?.trim().split(/\s+/).length ?? 0;
  if (words < 2 || query.get('match')) return null;
  const { answer } = await search(pageOf(query, { match: 'most' }), signal);
  return answer.total > 0 ? answer : null;
}

/** Loads as many as were on show when the visitor left. */
async function withMore(query: URLSearchParams, answer: SearchAnswer): Promise<SearchAnswer> {
  const wanted = Math.min(visit().shown ?? 0, MOST_RESTORED);
  let whole = answer;
  while (whole.cursor && whole.tracks.length < wanted) {
    const { answer: next } = await search(pageOf(query, { limit: '50', cursor: whole.cursor }));
    whole = { ...next, tracks: [...whole.tracks, ...next.tracks] };
  }
  return whole;
}

/**
 * In the page each row may lie in a block of its own, which has to be read first: those that are seen at once come first.
 * After how many milliseconds they were shown; null: they were not.
 */
async function showSeenFirst(query: URLSearchParams, isLatest: () => boolean): Promise<number | null> {
  if (!offline.value || known(pageOf(query)) || (visit().shown ?? 0) > PAGE || (visit().y ?? 0) > 0) return null;
  const { answer, ms } = await search(pageOf(query, { limit: String(SEEN_FIRST) }));
  if (!isLatest() || answer.total === 0) return null;
  batch(() => {
    show(query, { ...answer, cursor: null }, ms, null); // its rest is under way, so there is no more to ask for
    searching.value = true;
  });
  return ms;
}

/** Looks for a query and shows what it finds. */
export async function find(query: URLSearchParams) {
  const number = ++latest;
  const isLatest = () => number === latest;
  aborting?.abort();
  aborting = new AbortController();
  const { signal } = aborting;
  searching.value = true;
  try {
    const shownAfter = await showSeenFirst(query, isLatest);
    if (!isLatest()) return;
    const { answer, ms: answeredAfter } = await search(pageOf(query), signal);
    const ms = shownAfter ?? answeredAfter;
    if (!isLatest()) return;
    if (answer.total > 0 || query.get('match')) {
      const list = (visit().shown ?? 0) > PAGE ? await withMore(query, answer) : answer;
      if (!isLatest()) return;
      show(query, list, ms, null);
      if (shownAfter !== null) extendQueue(list.tracks);
    } else {
      const partly = await partlyMatching(query, signal);
      const rest = EMPTY_AFTER_MS - (performance.now() - typedAt);
      if (rest > 0 && shown.value && typedAt > 0) await sleep(rest);
      if (!isLatest()) return;
      show(query, answer, ms, partly);
    }
    await sleep(Math.max(COUNTS_AFTER_MS, typedAt > 0 ? COUNTS_AFTER_TYPING_MS - (performance.now() - typedAt) : 0));
    if (isLatest()) await count(query, isLatest);
  } catch (error) {
    if (signal.aborted || !isLatest()) return;
    batch(() => {
      failure.value = error;
      searching.value = false;
    });
  }
}

async function count(query: URLSearchParams, isLatest: () => boolean) {
  const asked = changed(query, { limit: '1', fields: 'id', facets: COUNTED[kindOf(query)].join(','), ...(shown.value?.partly == null ? {} : { match: 'most' }) });
  const { answer } = await search(asked);
  if (isLatest() && answer.facets) counts.value = answer.facets;
}

/** Shows at once what is known; true where that was so. */
export function showKnown(query: URLSearchParams): boolean {
  const answer = known(pageOf(query));
  if (!answer || answer.total === 0) return false;
  show(query, answer, 0, null);
  return true;
}

export async function loadMore() {
  const before = shown.value;
  if (!before?.cursor || loadingMore.value || searching.value) return;
  loadingMore.value = true;
  try {
    const match: Record<string, string> = before.partly === null ? {} : { match: 'most' };
    const { answer } = await search(pageOf(before.query, { ...match, cursor: before.cursor }));
    if (shown.value !== before) return;
    const have = new Set(before.tracks.map((track) => track.id));
    const tracks = [...before.tracks, ...answer.tracks.filter((track) => !have.has(track.id))];
    batch(() => {
      shown.value = { ...before, tracks, cursor: answer.cursor };
      listed.value = tracks;
    });
    extendQueue(tracks);
    keep({ shown: tracks.length });
  } catch (error) {
    failure.value = error;
  } finally {
    loadingMore.value = false;
  }
}
