// Runs searches on the server or in the offline worker; views do not depend on which.

import { signal } from '@preact/signals';
import { call, CallError } from '../calls/server';
import { initialSearch } from '../calls/page_data';
import type { SearchAnswer } from '../calls/types';

export interface Timed {
  answer: SearchAnswer;
  ms: number;
}

/** Answers API requests in the browser (src/offline/client.ts). */
export interface OfflineEngine {
  request(path: string): Promise<{ status: number; body: unknown }>;
  stop(): void;
}

export const offline = signal<OfflineEngine | null>(null);

const CACHED_MAX = 60;
const cache = new Map<string, SearchAnswer>();

function cacheAnswer(query: string, answer: SearchAnswer) {
  cache.delete(query);
  cache.set(query, answer);
  if (cache.size > CACHED_MAX) cache.delete(cache.keys().next().value as string);
}

/** Returns a result that is available at once: from the cache or from the HTML. */
export function cached(query: URLSearchParams): SearchAnswer | null {
  return cache.get(query.toString()) ?? initialSearch(query);
}

async function fetchAnswer(query: URLSearchParams, signal?: AbortSignal): Promise<SearchAnswer> {
  const engine = offline.value;
  if (!engine) return call<SearchAnswer>(`search?${query}`, signal ? { signal } : {});
  const { status, body } = await engine.request(`/v1/search?${query}`);
  if (status === 200) return body as SearchAnswer;
  const { error, message } = body as { error: string; message: string };
  throw new CallError(status, error, message);
}

export async function search(query: URLSearchParams, signal?: AbortSignal): Promise<Timed> {
  const start = performance.now();
  const answer = cached(query) ?? (await fetchAnswer(query, signal));
  if (answer.total > 0) cacheAnswer(query.toString(), answer);
  return { answer, ms: performance.now() - start };
}
