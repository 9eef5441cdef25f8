// Answers requests for the catalog on the server or in this browser; views do not depend on which.

import { signal } from '@preact/signals';
import { answerOf, keepAnswer } from '../calls/answers';
import { call, CallError } from '../calls/server';
import type { SearchAnswer } from '../calls/types';

/** Answers API requests in the browser (src/offline/client.ts). */
export interface OfflineEngine {
  request(path: string): Promise<{ status: number; body: unknown }>;
  stop(): void;
}

export const offline = signal<OfflineEngine | null>(null);

/** Returns the answer to a path below /v1. */
export async function request<Body>(path: string, signal?: AbortSignal): Promise<Body> {
  const engine = offline.value;
  if (!engine) return call<Body>(path, signal ? { signal } : {});
  const { status, body } = await engine.request(`/v1/${path}`);
  signal?.throwIfAborted();
  if (status === 200) return body as Body;
  const { error, message } = body as { error: string; message: string };
  throw new CallError(status, error, message);
}

/** Returns the answer to the path of a search (query.ts). */
export async function search(path: string, signal?: AbortSignal): Promise<SearchAnswer> {
  const kept = answerOf<SearchAnswer>(path);
  if (kept) return kept;
  const answer = await request<SearchAnswer>(path, signal);
  if (answer.total > 0) keepAnswer(path, { status: 200, body: answer });
  return answer;
}
