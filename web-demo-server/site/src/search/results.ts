// The displayed results. An older response never replaces a newer one. The previous results stay until there are new ones,
// or until a pause in typing confirms that there are none.

import { batch, signal } from '@preact/signals';
import { answerOf, keepAnswer } from '../calls/answers';
import type { FacetValue, SearchAnswer, Suggestion, Track } from '../calls/types';
import { visibleTracks } from '../player/keys';
import { extendQueue, soundOf } from '../player/player';
import { notifyError } from '../shell/notices';
import { address, historyState, saveHistoryState } from '../shell/router';
import { cacheLabels, forgetLabels } from './labels';
import { offline, request, search } from './engine';
import { countsPath, firstPath, isPlayableFirst, kindOf, optionPath, OPTIONS, PAGE, searchPath, withChanges } from './query';
import type { OptionGroup } from './query';

const ROW_PX = 92; // a row is at least so high
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
/** How many tracks there are with an option, by `name=value`. Undefined if that is not known. */
export const totals = signal<Record<string, number | undefined>>({});
export const searching = signal(false);
export const loadingMore = signal(false);
/** The results whose continuation failed. The list stays, and only the person tries again. */
export const stuck = signal<Shown | null>(null);
export const failure = signal<unknown>(null);

let latest = 0;
let running: string | null = null;
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

/** The first results. `isRest`: the results go on with tracks that cannot be played. `isPart`: more of them will be shown. */
interface First extends SearchAnswer {
  isRest: boolean;
  isPart?: boolean;
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

async function searchFirst(query: URLSearchParams, signal: AbortSignal, more: Record<string, string> = {}): Promise<First> {
  const first = await search(firstPath(query, more), signal);
  if (isComplete(query, first)) return { ...first, isRest: !isPlayableFirst(query) };
  return joined(first, await search(searchPath(query), signal));
}

const isShown = (query: URLSearchParams) => failure.value === null && shown.value?.query.toString() === query.toString();
const withMeant = (query: URLSearchParams, meant: string | null) => (meant === null ? query : withChanges(query, { q: meant }));

function show(query: URLSearchParams, answer: First, meant: string | null = null) {
  batch(() => {
    shown.value = {
      query, meant,
      tracks: answer.tracks, total: totalOf(query, answer), next: answer.isPart ? null : nextAfter(withMeant(query, meant), answer.cursor, answer.isRest),
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

interface Completion {
  text: string;
}

/** The best completion of words, or null if there is none, or none that differs. */
async function completionOf(query: URLSearchParams, signal: AbortSignal): Promise<string | null> {
  const words = query.get('q')?.trim() ?? '';
  if (!words || address.value.searchParams.has('exact')) return null;
  const path = `complete?${new URLSearchParams({ q: words, kind: kindOf(query), limit: '1' })}`;
  const { completions } = await request<{ completions: Completion[] }>(path, signal).catch(() => ({ completions: [] as Completion[] }));
  const best = completions[0]?.text ?? null;
  return best?.toLowerCase() === words.toLowerCase() ? null : best;
}

/** Searches for the words; if no track has all of them, for their best completion (WEB-25). */
async function searchMeant(query: URLSearchParams, signal: AbortSignal, more: Record<string, string>): Promise<{ answer: First; meant: string | null }> {
  // The server completes at the same time; the browser has one worker, in which the search comes first.
  const completing = offline.value ? null : completionOf(query, signal);
  const answer = await searchFirst(query, signal, more);
  const hasAllWords = answer.total > 0 && (answer.words ?? 0) === (answer.matched?.[0]?.words ?? 0);
  const meant = hasAllWords ? null : await (completing ?? completionOf(query, signal));
  const instead = meant === null ? null : await searchFirst(withMeant(query, meant), signal, more);
  return instead && instead.total > 0 ? { answer: instead, meant } : { answer, meant: null };
}

/** Returns when the next frame is on the screen: the one after it has begun. */
const painted = () => new Promise((done) => { requestAnimationFrame(() => requestAnimationFrame(done)); });

/** How many rows can be seen at once. */
const rowsOnScreen = () => Math.min(PAGE, Math.ceil(window.innerHeight / ROW_PX));

/**
 * Runs a search and shows its results, unless the same search is running. Rows that fit on the screen are painted before the rest.
 * `beforeShow` is called just before the page changes.
 */
export async function runSearch(query: URLSearchParams, beforeShow: () => void = () => undefined) {
  const key = `${query} ${address.value.searchParams.has('exact')}`;
  if (key === running) return;
  running = key;
  const number = ++latest;
  const isLatest = () => number === latest;
  aborting?.abort();
  aborting = new AbortController();
  const { signal } = aborting;
  searching.value = true;
  try {
    const isKnown = answerOf(firstPath(query)) !== null || (historyState().shown ?? 0) > PAGE || (historyState().y ?? 0) > 0;
    // In the browser, every row may need another block of the snapshot.
    const isPart = offline.value !== null && !isKnown;
    const { answer, meant } = await searchMeant(query, signal, isPart ? { limit: String(rowsOnScreen()) } : {});
    const rest = EMPTY_AFTER_MS - (performance.now() - typedAtMs);
    if (answer.total === 0 && rest > 0 && shown.value && typedAtMs > 0) await sleep(rest);
    if (!isLatest()) return;
    beforeShow();
    if (!isKnown && answer.total > 0) {
      const first = answer.tracks.slice(0, rowsOnScreen());
      show(query, { ...answer, tracks: first, isPart: true }, meant);
      await painted();
      const whole = isPart ? await searchFirst(withMeant(query, meant), signal) : answer;
      if (!isLatest()) return;
      show(query, whole, meant);
      extendQueue(first, whole.tracks);
    } else if (!isShown(query) || shown.value?.meant !== meant) {
      show(query, answer, meant);
    }
    await restoreLoaded(isLatest);
    const counted = withMeant(query, meant);
    if (!answerOf(countsPath(counted))) await sleep(Math.max(COUNTS_AFTER_MS, typedAtMs > 0 ? COUNTS_AFTER_TYPING_MS - (performance.now() - typedAtMs) : 0));
    if (isLatest()) await count(counted, signal);
  } catch (error) {
    if (!signal.aborted && isLatest()) {
      beforeShow();
      showFailure(query, error);
    }
  } finally {
    if (isLatest()) {
      running = null;
      searching.value = false;
    }
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

const openGroups = new Set<OptionGroup>(['rights']);

/** The options to count: those that can be seen. */
const optionsOf = (query: URLSearchParams) =>
  (Object.keys(OPTIONS) as OptionGroup[]).flatMap((group) => (openGroups.has(group) || OPTIONS[group].some(([name]) => query.has(name)) ? OPTIONS[group] : []));

/** Shows the counts of a search that are known. */
function showCounts(query: URLSearchParams) {
  const counted = answerOf<SearchAnswer>(countsPath(query));
  if (!counted) return;
  batch(() => {
    if (counted.facets && counts.value !== counted.facets) {
      cacheLabels(counted.facets);
      counts.value = counted.facets;
    }
    totals.value = Object.fromEntries(optionsOf(query).map(([name, value]) => [`${name}=${value}`, answerOf<SearchAnswer>(optionPath(query, name, value))?.total]));
    const now = shown.value;
    if (now && isPlayableFirst(now.query) && now.total !== counted.total) shown.value = { ...now, total: counted.total };
  });
}

/** Counts values of filters, one request at a time so that they do not delay the next search, and shows the counts. Results stay if that fails. */
async function count(query: URLSearchParams, signal: AbortSignal) {
  try {
    for (const path of [countsPath(query), ...optionsOf(query).map(([name, value]) => optionPath(query, name, value))]) {
      if (answerOf(path) === null) keepAnswer(path, { status: 200, body: await request<SearchAnswer>(path, signal) });
    }
  } catch {
    // Filters without counts work as well.
  }
  if (!signal.aborted) showCounts(query);
}

/** Counts the options of a group that has been opened. */
export function openGroup(group: OptionGroup) {
  if (openGroups.has(group)) return;
  openGroups.add(group);
  const now = shown.value;
  if (now && aborting && !searching.value) void count(withMeant(now.query, now.meant), aborting.signal);
}

/** The server renders many pages with one state: a page must not show what another one has loaded. */
export function forgetResults() {
  batch(() => {
    shown.value = null;
    counts.value = {};
    totals.value = {};
    failure.value = null;
    searching.value = false;
    forgetLabels();
  });
}

/** Shows what is known of a search at once. Returns whether that includes results. */
export function showKnown(query: URLSearchParams): boolean {
  if (isShown(query)) return true;
  try {
    const answer = knownFirst(query);
    if (answer) show(query, answer);
    showCounts(query);
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
    extendQueue(before.tracks, shown.value.tracks);
    saveHistoryState({ shown: shown.value.tracks.length });
  } catch (error) {
    if (shown.value !== before) return;
    stuck.value = before;
    notifyError(error);
  } finally {
    loadingMore.value = false;
  }
}
