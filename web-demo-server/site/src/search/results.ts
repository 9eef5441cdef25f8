// The displayed results. An older response never replaces a newer one. The previous results stay until there are new ones,
// or until a pause in typing confirms that there are none.

import { batch, signal } from '@preact/signals';
import { answerOf } from '../calls/answers';
import { call } from '../calls/server';
import type { FacetValue, SearchAnswer, Suggestion, Track } from '../calls/types';
import { extendQueue } from '../player/player';
import { visibleTracks } from '../player/keys';
import { soundOf } from '../player/player';
import { notifyError } from '../shell/notices';
import { address, historyState, saveHistoryState } from '../shell/router';
import { cacheLabels, forgetLabels } from './labels';
import { countsPath, firstPath, isPlayableFirst, kindOf, PAGE, searchPath, withChanges } from './query';
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
  next: Next | null;
  suggestions: readonly Suggestion[];
  /** How many words count, and how many tracks have how many of them, most words first. Empty without words. */
  words: number;
  matched: readonly { words: number; total: number }[];
  /** The words that were searched for instead of those that were typed, or null. */
  meant: string | null;
}

/** Where the results go on. `rest`: those that cannot be played, after those that can. */
interface Next {
  query: URLSearchParams;
  cursor: string | null;
  rest: boolean;
}

export const shown = signal<Shown | null>(null);
export const counts = signal<Record<string, FacetValue[]>>({});
export const searching = signal(false);
export const loadingMore = signal(false);
/** The results whose continuation failed. The list stays, and only the person tries again. */
export const stuck = signal<Shown | null>(null);
export const failure = signal<unknown>(null);

let latest = 0;
let typedAtMs = 0;
let aborting: AbortController | null = null;

export const markTyping = () => { typedAtMs = performance.now(); };

/** The number of results. Where the tracks that can be played come first, only the counts know all. */
const totalOf = (query: URLSearchParams, answer: SearchAnswer) =>
  (isPlayableFirst(query) ? answerOf<SearchAnswer>(countsPath(query))?.total : undefined) ?? answer.total;

function nextAfter(query: URLSearchParams, cursor: string | null, rest: boolean): Next | null {
  if (cursor) return { query, cursor, rest };
  return rest ? null : { query, cursor: null, rest: true };
}

async function loadNext({ query, cursor, rest }: Next, limit = PAGE): Promise<{ tracks: Track[]; next: Next | null }> {
  const more = { limit: String(limit), ...(cursor ? { cursor } : {}) };
  const answer = await search(rest ? searchPath(query, more) : firstPath(query, more));
  const tracks = rest && isPlayableFirst(query) ? answer.tracks.filter((track) => !soundOf(track)) : answer.tracks;
  return { tracks, next: nextAfter(query, answer.cursor, rest) };
}

/** The first results. `isRest`: the results go on with tracks that cannot be played. */
interface First extends SearchAnswer {
  isRest: boolean;
}

/** All tracks that can be played, and after them the first of the others. */
const joined = (playable: SearchAnswer, all: SearchAnswer): First =>
  ({ ...all, tracks: [...playable.tracks, ...all.tracks.filter((track) => !soundOf(track))], isRest: true });

const isComplete = (query: URLSearchParams, answer: SearchAnswer) => !isPlayableFirst(query) || answer.cursor !== null;

/** Returns the first results if their answers are known. */
function knownFirst(query: URLSearchParams): First | null {
  const first = answerOf<SearchAnswer>(firstPath(query));
  if (!first) return null;
  if (isComplete(query, first)) return { ...first, isRest: !isPlayableFirst(query) };
  const all = answerOf<SearchAnswer>(searchPath(query));
  return all && joined(first, all);
}

async function searchFirst(query: URLSearchParams, signal: AbortSignal): Promise<First> {
  const first = await search(firstPath(query), signal);
  if (isComplete(query, first)) return { ...first, isRest: !isPlayableFirst(query) };
  return joined(first, await search(searchPath(query), signal));
}

function show(query: URLSearchParams, answer: First, meant: string | null = null) {
  batch(() => {
    shown.value = {
      query, meant,
      tracks: answer.tracks, total: totalOf(query, answer), next: nextAfter(meant === null ? query : withChanges(query, { q: meant }), answer.cursor, answer.isRest),
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
async function restoreLoaded(isLatest: () => boolean) {
  const wanted = Math.min(historyState().shown ?? 0, RESTORED_MAX);
  while (shown.value?.next && shown.value.tracks.length < wanted && isLatest()) {
    const before = shown.value;
    const { tracks, next } = await loadNext(before.next as Next, 50);
    if (shown.value === before) append(before, tracks, next);
  }
}

function append(before: Shown, added: readonly Track[], next: Next | null) {
  const have = new Set(before.tracks.map((track) => track.id));
  const tracks = [...before.tracks, ...added.filter((track) => !have.has(track.id))];
  const all = isPlayableFirst(before.query) ? answerOf<SearchAnswer>(countsPath(before.query))?.total : undefined;
  batch(() => {
    shown.value = { ...before, tracks, next: all !== undefined && tracks.length >= all ? null : next };
    visibleTracks.value = tracks;
  });
}

/**
 * Shows the rows that fit on the screen before loading the rest. Offline, every row may need another block of the snapshot.
 * Returns whether it showed any.
 */
async function showFirstRows(query: URLSearchParams, isLatest: () => boolean): Promise<boolean> {
  if (!offline.value || answerOf(firstPath(query)) || (historyState().shown ?? 0) > PAGE || (historyState().y ?? 0) > 0) return false;
  const answer = await search(firstPath(query, { limit: String(FIRST_ROWS) }));
  if (!isLatest() || answer.total === 0) return false;
  batch(() => {
    show(query, { ...answer, isRest: true });
    if (shown.value) shown.value = { ...shown.value, next: null }; // the rest is already being loaded
    searching.value = true;
  });
  return true;
}

interface Completion {
  text: string;
  corrected?: boolean;
}

/** The best completion of words, or null if there is none, or none that differs. */
async function completionOf(query: URLSearchParams): Promise<string | null> {
  const words = query.get('q')?.trim() ?? '';
  if (!words || offline.value || address.value.searchParams.has('exact')) return null;
  const path = `complete?${new URLSearchParams({ q: words, kind: kindOf(query), limit: '1' })}`;
  const { completions } = await call<{ completions: Completion[] }>(path).catch(() => ({ completions: [] as Completion[] }));
  const best = completions[0]?.text ?? null;
  return best?.toLowerCase() === words.toLowerCase() ? null : best;
}

/** Searches for the words; if no track has all of them, for their best completion. */
async function searchMeant(query: URLSearchParams, signal: AbortSignal): Promise<{ answer: First; meant: string | null }> {
  const answer = await searchFirst(query, signal);
  const hasAllWords = answer.total > 0 && (answer.words ?? 0) === (answer.matched?.[0]?.words ?? 0);
  if (hasAllWords) return { answer, meant: null };
  const meant = await completionOf(query);
  const instead = meant === null ? null : await search(searchPath(withChanges(query, { q: meant })), signal);
  return instead && instead.total > 0 ? { answer: { ...instead, isRest: true }, meant } : { answer, meant: null };
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
    const { answer, meant } = await searchMeant(query, signal);
    if (!isLatest()) return;
    if (answer.total > 0) {
      show(query, answer, meant);
      if (hasFirstRows) extendQueue(answer.tracks);
      await restoreLoaded(isLatest);
    } else {
      const rest = EMPTY_AFTER_MS - (performance.now() - typedAtMs);
      if (rest > 0 && shown.value && typedAtMs > 0) await sleep(rest);
      if (!isLatest()) return;
      show(query, answer);
    }
    const counted = meant === null ? query : withChanges(query, { q: meant });
    if (!answerOf(countsPath(counted))) await sleep(Math.max(COUNTS_AFTER_MS, typedAtMs > 0 ? COUNTS_AFTER_TYPING_MS - (performance.now() - typedAtMs) : 0));
    if (isLatest()) await count(counted, isLatest);
  } catch (error) {
    if (signal.aborted || !isLatest()) return;
    showFailure(query, error);
  }
}

/** Results of other words do not stay under the words that failed. */
function showFailure(query: URLSearchParams, error: unknown) {
  batch(() => {
    if (shown.value?.query.toString() !== query.toString()) shown.value = null;
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
  if (!isLatest()) return;
  showCounts(answer);
  const now = shown.value;
  if (now && isPlayableFirst(now.query) && now.total !== answer.total) shown.value = { ...now, total: answer.total };
}

/** The server renders many pages with one state: a page must not show what another one has loaded. */
export function forgetResults() {
  batch(() => {
    shown.value = null;
    counts.value = {};
    failure.value = null;
    searching.value = false;
    forgetLabels();
  });
}

/** Shows what is known of a search at once. Returns whether that includes results. */
export function showKnown(query: URLSearchParams): boolean {
  try {
    const answer = knownFirst(query);
    if (answer) show(query, answer);
    const counted = answerOf<SearchAnswer>(countsPath(query));
    if (counted) showCounts(counted);
    return answer !== null;
  } catch (error) {
    showFailure(query, error);
    return false;
  }
}

export async function loadMore() {
  const before = shown.value;
  if (!before?.next || loadingMore.value || searching.value) return;
  loadingMore.value = true;
  try {
    const { tracks, next } = await loadNext(before.next);
    if (shown.value !== before) return;
    append(before, tracks, next);
    extendQueue(shown.value.tracks);
    saveHistoryState({ shown: shown.value.tracks.length });
  } catch (error) {
    if (shown.value !== before) return;
    stuck.value = before;
    notifyError(error);
  } finally {
    loadingMore.value = false;
  }
}
