// Answers of the API by their path below /v1: those that came with the page, and those that were loaded since. A view that
// finds its answer here renders at once, on the server and in the browser alike.

import { signal } from '@preact/signals';
import { useEffect, useState } from 'preact/hooks';
import { call, CallError } from './server';

export interface Answer {
  status: number;
  body: unknown;
}

const KEPT_MAX = 300;
const answers = new Map<string, Answer>();
const changes = signal(0); // subscribes readers, because the map itself is not a signal

export function keepAnswer(path: string, answer: Answer) {
  answers.delete(path);
  answers.set(path, answer);
  if (answers.size > KEPT_MAX) answers.delete(answers.keys().next().value as string);
  changes.value++;
}

/** Replaces all answers by those of a page. */
export function keepPageAnswers(ofPage: Record<string, Answer>) {
  answers.clear();
  for (const [path, answer] of Object.entries(ofPage)) keepAnswer(path, answer);
}

/** Returns the answer to a path. Throws CallError if the answer is an error; returns null if there is no answer yet. */
export function answerOf<Body>(path: string): Body | null {
  void changes.value;
  const answer = answers.get(path);
  if (!answer) return null;
  if (answer.status === 200) return answer.body as Body;
  const { error = '', message = '' } = answer.body as { error?: string; message?: string };
  throw new CallError(answer.status, error, message);
}

/** Returns the answer to a path, and loads it if there is none. `error` is what loading failed with, or null. */
export function useAnswer<Body>(path: string): { answer: Body | null; error: unknown } {
  const [failure, setFailure] = useState<{ path: string; error: unknown } | null>(null);
  let answer: Body | null = null;
  let error: unknown = failure?.path === path ? failure.error : null;
  try {
    answer = answerOf<Body>(path);
  } catch (refused) {
    error = refused;
  }
  useEffect(() => {
    if (answer === null && error === null) call<Body>(path).then((body) => keepAnswer(path, { status: 200, body }), (failed: unknown) => setFailure({ path, error: failed }));
  }, [path]);
  return { answer, error };
}
