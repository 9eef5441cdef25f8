// What is to be added to a collection. The dialog that asks where to is loaded when it is opened.

import { signal } from '@preact/signals';
import type { Track } from '../calls/types';

/** Tracks that are ticked in a list. */
export const chosen = signal<readonly Track[]>([]);
/** Tracks that the open dialog is about. */
export const adding = signal<readonly Track[] | null>(null);

export function choose(track: Track, on: boolean) {
  const others = chosen.value.filter((other) => other.id !== track.id);
  chosen.value = on ? [...others, track] : others;
}

export function addToCollection(tracks: readonly Track[]) {
  adding.value = tracks;
}
