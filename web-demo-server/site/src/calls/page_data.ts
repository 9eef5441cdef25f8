// The data that the server embeds in the HTML, so that the first view needs no requests. It is valid only for the URL that
// the page was loaded with.

import type { Kind, SearchAnswer, Track } from './types';

interface PageData {
  page?: string;
  search?: SearchAnswer | null;
  music?: SearchAnswer | null;
  sfx?: SearchAnswer | null;
  track?: Track;
  similar?: SearchAnswer | null;
}

function read(): PageData {
  const text = document.getElementById('page-data')?.textContent;
  if (!text) return {};
  try {
    const data: unknown = JSON.parse(text);
    return typeof data === 'object' && data !== null ? (data as PageData) : {};
  } catch {
    return {};
  }
}

const data = read();
const loaded = new URL(location.href);

export function initialTrack(id: string): Track | null {
  return data.track?.id === id ? data.track : null;
}

export function initialSimilar(id: string): SearchAnswer | null {
  return data.track?.id === id ? (data.similar ?? null) : null;
}

const IGNORED = ['limit', 'view', 'lang'];
const sorted = (query: URLSearchParams) =>
  [...query].filter(([name, value]) => value && !IGNORED.includes(name)).map(([name, value]) => `${name}=${value}`).sort().join('&');

/** The result of a search. */
export function initialSearch(parameters: URLSearchParams): SearchAnswer | null {
  if (!data.search || data.page !== 'search') return null;
  return sorted(loaded.searchParams) === sorted(parameters) ? data.search : null;
}

/** The tracks that the page of an artist, a tag or a category was loaded with. */
export function initialList(kind: Kind): SearchAnswer | null {
  if (loaded.pathname !== location.pathname || data.page === 'search') return null;
  return data[kind] ?? (data.search?.tracks.some((track) => track.kind === kind) ? data.search : null);
}
