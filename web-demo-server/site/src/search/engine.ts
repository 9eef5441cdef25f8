// Who answers a search: the server, or the worker in the page. The views do not know which.

import { signal } from '@preact/signals';
import { call, CallError } from '../calls/server';
import { givenSearch } from '../calls/page_data';
import type { SearchAnswer } from '../calls/types';

export interface Timed {
  answer: SearchAnswer;
  ms: number;
}

/** Answers requests of the API in the page. src/offline/client.ts */
export interface OfflineEngine {
  ask(path: string): Promise<{ status: number; body: unknown }>;
  stop(): void;
}

export const offline = signal<OfflineEngine | null>(null);

const KEPT = 60;
const kept = new Map<string, SearchAnswer>();

function keepAnswer(query: string, answer: SearchAnswer) {
  kept.delete(query);
  kept.set(query, answer);
  if (kept.size > KEPT) kept.delete(kept.keys().next().value as string);
}

/** An answer that needs no waiting: from the HTML or from before. */
export function known(query: URLSearchParams): SearchAnswer | null {
  return kept.get(query.toString()) ?? givenSearch(query);
}

async function ask(query: URLSearchParams, signal?: AbortSignal): Promise<SearchAnswer> {
  const engine = offline.value;
  if (!engine) return call<SearchAnswer>(`search?${query}`, signal ? { signal } : {});
  const { status, body } = await engine.ask(`/v1/search?${query}`);
  if (status === 200) return body as SearchAnswer;
  const { error, message } = body as { error: string; message: string };
  throw new CallError(status, error, message);
}

export async function search(query: URLSearchParams, signal?: AbortSignal): Promise<Timed> {
  const begun = performance.now();
  const answer = known(query) ?? (await ask(query, signal));
  if (answer.total > 0) keepAnswer(query.toString(), answer);
  return { answer, ms: performance.now() - begun };
}
