// The selected tracks, and those to add to a collection. The dialog is loaded when it opens.

import { signal } from '@preact/signals';
import type { Track } from '../calls/types';

/** Tracks that are selected in a list. */
export const selectedTracks = signal<readonly Track[]>([]);
/** Tracks of the open dialog; null if it is closed. */
export const tracksToAdd = signal<readonly Track[] | null>(null);

export function setSelected(track: Track, on: boolean) {
  const others = selectedTracks.value.filter((other) => other.id !== track.id);
  selectedTracks.value = on ? [...others, track] : others;
}

export function openAddDialog(tracks: readonly Track[]) {
  tracksToAdd.value = tracks;
}
