// The collections of the signed-in person: requests and revision conflicts.

import { signal } from '@preact/signals';
import { call, CallError } from '../calls/server';
import type { Collection, CollectionSummary, Item } from '../calls/types';

export const summaries = signal<readonly CollectionSummary[] | null>(null);
const TRACKS_PER_CALL = 25;

const path = (id: string, rest = '') => `collections/${encodeURIComponent(id)}${rest}`;

export async function loadSummaries() {
  const { collections } = await call<{ collections: CollectionSummary[] }>('collections');
  summaries.value = collections;
}

export const loadCollection = (id: string) => call<Collection>(path(id));

export async function createCollection(name: string, commercial: boolean): Promise<Collection> {
  const made = await call<Collection>('collections', { method: 'POST', body: { name, commercial } });
  await loadSummaries();
  return made;
}

export const changeCollection = (now: Collection, body: { name?: string; commercial?: boolean }) =>
  call<Collection>(path(now.id), { method: 'PATCH', body: { ...body, revision: now.revision } });

export const deleteCollection = (id: string) => call(path(id, '?confirm=true'), { method: 'DELETE' });

interface Added {
  collection: Collection;
  added: number;
}

/** Adds tracks in as many requests as needed. Throws at the first one that is rejected. */
export async function addTracks(id: string, tracks: readonly string[]): Promise<Added> {
  let collection: Collection | null = null;
  let added = 0;
  for (let from = 0; from < tracks.length; from += TRACKS_PER_CALL) {
    const answer: Collection & { results?: { already_present: boolean }[] } = await call(path(id, '/items'), {
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
  call<Collection>(path(now.id, `/items/${encodeURIComponent(track)}`), { method: 'PATCH', body: { ...body, revision: now.revision } });

export const removeItem = (now: Collection, track: string) =>
  call<Collection>(path(now.id, `/items/${encodeURIComponent(track)}?revision=${now.revision}`), { method: 'DELETE' });

export const orderItems = (now: Collection, tracks: readonly string[]) =>
  call<Collection>(path(now.id, '/order'), { method: 'PUT', body: { tracks, revision: now.revision } });

/** Restores a removed item at its position, with its note and modifications. Its license is recorded again. */
export async function restoreItem(now: Collection, item: Item): Promise<Collection> {
  const body: Record<string, unknown> = { track: item.track_id };
  if (item.note) body.note = item.note;
  if (item.modifications) body.modifications = item.modifications;
  const added = await call<Collection>(path(now.id, '/items'), { method: 'POST', body });
  return changeItem(added, item.track_id, { position: item.position });
}

export const isStale = (error: unknown) => error instanceof CallError && error.code === 'stale_revision';
export const isNonCommercial = (item: Item) => !item.license_record.terms.commercial || item.track?.terms.commercial === false;
