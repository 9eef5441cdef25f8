// The collections of the signed-in person: requests and revision conflicts.

import { effect, signal } from '@preact/signals';
import { call, CallError } from '../calls/server';
import type { CallOptions } from '../calls/server';
import { session } from '../calls/session';
import { loadedCollections } from './selection';
import type { Collection, CollectionSummary, Item } from '../calls/types';

export const summaries = signal<readonly CollectionSummary[] | null>(null);
const TRACKS_PER_CALL = 25;

const MARKED_MAX = 3; // collections whose tracks are marked before the person opens them

effect(() => {
  if (session.value?.signed_in) return;
  summaries.value = null; // of another person
  loadedCollections.value = new Map();
});

/** Replaces what is known of a collection, for the marks of its tracks. */
function keep(id: string, collection: Collection | null) {
  if (!session.peek()?.signed_in) return; // signed out meanwhile
  const next = new Map(loadedCollections.peek());
  if (collection) next.set(id, { name: collection.name, tracks: new Set(collection.items.map((item) => item.track_id)) });
  else next.delete(id);
  loadedCollections.value = next;
}

async function callOn<Answer extends Collection>(at: string, options: CallOptions = {}): Promise<Answer> {
  const answer = await call<Answer>(at, options);
  keep(answer.id, answer);
  return answer;
}

const path = (id: string, rest = '') => `collections/${encodeURIComponent(id)}${rest}`;

export async function loadSummaries() {
  const { collections } = await call<{ collections: CollectionSummary[] }>('collections');
  summaries.value = collections;
}

/** Loads the collections that changed last, to mark their tracks in lists (WEB-41). */
export async function loadMarks() {
  await loadSummaries();
  for (const { id } of summaries.value?.slice(0, MARKED_MAX) ?? []) if (!loadedCollections.value.has(id)) await loadCollection(id);
}

export const loadCollection = (id: string) => callOn(path(id));

export async function createCollection(name: string, commercial: boolean): Promise<Collection> {
  const made = await callOn('collections', { method: 'POST', body: { name, commercial } });
  await loadSummaries();
  return made;
}

export const changeCollection = (now: Collection, body: { name?: string; commercial?: boolean }) =>
  callOn(path(now.id), { method: 'PATCH', body: { ...body, revision: now.revision } });

export async function deleteCollection(id: string) {
  await call(path(id, '?confirm=true'), { method: 'DELETE' });
  keep(id, null);
}

interface Added {
  collection: Collection;
  added: number;
}

/** Adds tracks in as many requests as needed. Throws at the first one that is rejected. */
export async function addTracks(id: string, tracks: readonly string[]): Promise<Added> {
  let collection: Collection | null = null;
  let added = 0;
  for (let from = 0; from < tracks.length; from += TRACKS_PER_CALL) {
    const answer = await callOn<Collection & { results?: { already_present: boolean }[] }>(path(id, '/items'), {
      method: 'POST', body: { tracks: tracks.slice(from, from + TRACKS_PER_CALL) },
    });
    collection = answer;
    added += (answer.results ?? []).filter((result) => !result.already_present).length;
  }
  if (!collection) throw new CallError(400, 'invalid_request', '');
  return { collection, added };
}

export type ItemChange = Partial<Pick<Item, 'note' | 'modifications' | 'position'>>;

export const changeItem = (now: Collection, track: string, body: ItemChange) =>
  callOn(path(now.id, `/items/${encodeURIComponent(track)}`), { method: 'PATCH', body: { ...body, revision: now.revision } });

export const removeItem = (now: Collection, track: string) =>
  callOn(path(now.id, `/items/${encodeURIComponent(track)}?revision=${now.revision}`), { method: 'DELETE' });

export const orderItems = (now: Collection, tracks: readonly string[]) =>
  callOn(path(now.id, '/order'), { method: 'PUT', body: { tracks, revision: now.revision } });

/** Restores a removed item at its position, with its note and modifications. Its license is recorded again. */
export async function restoreItem(now: Collection, item: Item): Promise<Collection> {
  const body: Record<string, unknown> = { track: item.track_id };
  if (item.note) body.note = item.note;
  if (item.modifications) body.modifications = item.modifications;
  const added = await callOn(path(now.id, '/items'), { method: 'POST', body });
  return changeItem(added, item.track_id, { position: item.position });
}

export const isStale = (error: unknown) => error instanceof CallError && error.code === 'stale_revision';
export const isNonCommercial = (item: Item) => !item.license_record.terms.commercial || item.track?.terms.commercial === false;
