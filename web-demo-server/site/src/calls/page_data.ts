// What the server put into the HTML, so that the first view asks for nothing. It holds for the address that the page was
// loaded with.

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

export function givenTrack(id: string): Track | null {
  return data.track?.id === id ? data.track : null;
}

export function givenSimilar(id: string): SearchAnswer | null {
  return data.track?.id === id ? (data.similar ?? null) : null;
}

const NOT_ASKED = ['limit', 'view', 'lang'];
const sorted = (query: URLSearchParams) =>
  [...query].filter(([name, value]) => value && !NOT_ASKED.includes(name)).map(([name, value]) => `${name}=${value}`).sort().join('&');

/** The answer to a search. With words the server's answer is to another question (match=most). */
export function givenSearch(parameters: URLSearchParams): SearchAnswer | null {
  if (!data.search || data.page !== 'search' || loaded.searchParams.get('q')) return null;
  return sorted(loaded.searchParams) === sorted(parameters) ? data.search : null;
}

/** What the page of an artist, a tag or a category was loaded with. */
export function givenList(kind: Kind): SearchAnswer | null {
  if (loaded.pathname !== location.pathname || data.page === 'search') return null;
  return data[kind] ?? (data.search?.tracks.some((track) => track.kind === kind) ? data.search : null);
}
