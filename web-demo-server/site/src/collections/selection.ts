// The selected tracks, those to add to a collection, and those that are in one. The dialog is loaded when it opens.

import { signal } from '@preact/signals';
import type { Track } from '../calls/types';

/** Tracks that are selected in a list. */
export const selectedTracks = signal<readonly Track[]>([]);
/** Tracks of the open dialog; null if it is closed. */
export const tracksToAdd = signal<readonly Track[] | null>(null);

/** The name and the tracks of each collection that the page has loaded, by its id. */
export const loadedCollections = signal<ReadonlyMap<string, { name: string; tracks: ReadonlySet<string> }>>(new Map());

/** The names of the loaded collections that have a track. */
export const collectionsWith = (track: string) => [...loadedCollections.value.values()].filter(({ tracks }) => tracks.has(track)).map(({ name }) => name);

export function setSelected(track: Track, on: boolean) {
  const others = selectedTracks.value.filter((other) => other.id !== track.id);
  selectedTracks.value = on ? [...others, track] : others;
}

export function openAddDialog(tracks: readonly Track[]) {
  tracksToAdd.value = tracks;
}
