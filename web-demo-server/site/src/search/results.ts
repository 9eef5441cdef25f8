// The displayed results. An older response never replaces a newer one. The previous results stay until there are new ones,
// or until a pause in typing confirms that there are none.

import { batch, signal } from '@preact/signals';
import { answerOf } from '../calls/answers';
import type { FacetValue, SearchAnswer, Suggestion, Track } from '../calls/types';
import { extendQueue } from '../player/player';
import { visibleTracks } from '../player/keys';
import { historyState, saveHistoryState } from '../shell/router';
import { cacheLabels } from './labels';
import { countsPath, PAGE, searchPath } from './query';
import { offline, search } from './engine';

const FIRST_ROWS = 8; // rows that fit on most screens
const EMPTY_AFTER_MS = 400; // after the last keystroke
const COUNTS_AFTER_MS = 60;
const COUNTS_AFTER_TYPING_MS = 350; // counting must not delay the next keystroke
const RESTORED_MAX = 200; // tracks to reload on returning to a long list

export interface Shown {
  query: URLSearchParams;
  tracks: readonly Track[];
  total: number;
  cursor: string | null;
  suggestions: readonly Suggestion[];
  /** How many words count, and how many tracks have how many of them, most words first. Empty without words. */
  words: number;
  matched: readonly { words: number; total: number }[];
}

export const shown = signal<Shown | null>(null);
export const counts = signal<Record<string, FacetValue[]>>({});
export const searching = signal(false);
export const loadingMore = signal(false);
export const failure = signal<unknown>(null);

let latest = 0;
let typedAtMs = 0;
let aborting: AbortController | null = null;

export const markTyping = () => { typedAtMs = performance.now(); };

function show(query: URLSearchParams, answer: SearchAnswer) {
  batch(() => {
    shown.value = {
      query,
      tracks: answer.tracks, total: answer.total, cursor: answer.cursor,
      suggestions: answer.suggestions ?? [],
      words: answer.words ?? 0, matched: answer.matched ?? [],
    };
    visibleTracks.value = answer.tracks;
    failure.value = null;
    searching.value = false;
  });
}

const sleep = (ms: number) => new Promise((done) => { window.setTimeout(done, ms); });

/** Loads as many results as were displayed when the person left the list. */
async function restoreLoaded(query: URLSearchParams, answer: SearchAnswer): Promise<SearchAnswer> {
  const wanted = Math.min(historyState().shown ?? 0, RESTORED_MAX);
  let whole = answer;
  while (whole.cursor && whole.tracks.length < wanted) {
    const next = await search(searchPath(query, { limit: '50', cursor: whole.cursor }));
    whole = { ...next, tracks: [...whole.tracks, ...next.tracks] };
  }
  return whole;
}

/**
 * Shows the rows that fit on the screen before loading the rest. Offline, every row may need another block of the snapshot.
 * Returns whether it showed any.
 */
async function showFirstRows(query: URLSearchParams, isLatest: () => boolean): Promise<boolean> {
  if (!offline.value || answerOf(searchPath(query)) || (historyState().shown ?? 0) > PAGE || (historyState().y ?? 0) > 0) return false;
  const answer = await search(searchPath(query, { limit: String(FIRST_ROWS) }));
  if (!isLatest() || answer.total === 0) return false;
  batch(() => {
    show(query, { ...answer, cursor: null }); // the rest is already being loaded
    searching.value = true;
  });
  return true;
}

/** Runs a search and shows its results. */
export async function runSearch(query: URLSearchParams) {
  const number = ++latest;
  const isLatest = () => number === latest;
  aborting?.abort();
  aborting = new AbortController();
  const { signal } = aborting;
  searching.value = true;
  try {
    const hasFirstRows = await showFirstRows(query, isLatest);
    if (!isLatest()) return;
    const answer = await search(searchPath(query), signal);
    if (!isLatest()) return;
    if (answer.total > 0) {
      const list = (historyState().shown ?? 0) > PAGE ? await restoreLoaded(query, answer) : answer;
      if (!isLatest()) return;
      show(query, list);
      if (hasFirstRows) extendQueue(list.tracks);
    } else {
      const rest = EMPTY_AFTER_MS - (performance.now() - typedAtMs);
      if (rest > 0 && shown.value && typedAtMs > 0) await sleep(rest);
      if (!isLatest()) return;
      show(query, answer);
    }
    if (!answerOf(countsPath(query))) await sleep(Math.max(COUNTS_AFTER_MS, typedAtMs > 0 ? COUNTS_AFTER_TYPING_MS - (performance.now() - typedAtMs) : 0));
    if (isLatest()) await count(query, isLatest);
  } catch (error) {
    if (signal.aborted || !isLatest()) return;
    showFailure(error);
  }
}

function showFailure(error: unknown) {
  batch(() => {
    failure.value = error;
    searching.value = false;
  });
}

function showCounts({ facets }: SearchAnswer) {
  if (!facets) return;
  cacheLabels(facets);
  counts.value = facets;
}

async function count(query: URLSearchParams, isLatest: () => boolean) {
  const answer = await search(countsPath(query));
  if (isLatest()) showCounts(answer);
}

/** Shows what is known of a search at once. Returns whether that includes results. */
export function showKnown(query: URLSearchParams): boolean {
  try {
    const answer = answerOf<SearchAnswer>(searchPath(query));
    if (answer) show(query, answer);
    const counted = answerOf<SearchAnswer>(countsPath(query));
    if (counted) showCounts(counted);
    return answer !== null;
  } catch (error) {
    showFailure(error);
    return false;
  }
}

export async function loadMore() {
  const before = shown.value;
  if (!before?.cursor || loadingMore.value || searching.value) return;
  loadingMore.value = true;
  try {
    const answer = await search(searchPath(before.query, { cursor: before.cursor }));
    if (shown.value !== before) return;
    const have = new Set(before.tracks.map((track) => track.id));
    const tracks = [...before.tracks, ...answer.tracks.filter((track) => !have.has(track.id))];
    batch(() => {
      shown.value = { ...before, tracks, cursor: answer.cursor };
      visibleTracks.value = tracks;
    });
    extendQueue(tracks);
    saveHistoryState({ shown: tracks.length });
  } catch (error) {
    failure.value = error;
  } finally {
    loadingMore.value = false;
  }
}
