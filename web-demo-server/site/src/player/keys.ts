// Keyboard shortcuts, which work everywhere except in text fields: space, arrows, J, K, L, M, / and ?.

import { playOrPause, seekBy, setLooping, looping, setVolume, volume, step, current, toggle, previewed } from './player';
import { signal } from '@preact/signals';
import type { Track } from '../calls/types';

export const keysShown = signal(false);

/** The tracks that the view shows. Space and J start with the first one if nothing is playing. */
export const visibleTracks = signal<readonly Track[]>([]);

const TYPING = 'input:not([type=checkbox]):not([type=radio]):not([type=range]), textarea, select, [contenteditable]';
const OWN_KEYS = `${TYPING}, button, a, summary, [role=slider], input, dialog`;

let volumeBefore = 0.8;

function mute() {
  if (volume.value > 0) volumeBefore = volume.value;
  setVolume(volume.value > 0 ? 0 : volumeBefore);
}

function playFirst() {
  const first = visibleTracks.value[0];
  if (first) toggle(first, visibleTracks.value);
}

function move(by: 1 | -1) {
  if (current.value) step(by);
  else playFirst();
}

function focusSearch() {
  document.querySelector<HTMLInputElement>('#search-box')?.focus();
}

/** Shortcuts that always work, in upper or lower case. */
const LETTERS: Record<string, () => void> = {
  j: () => move(1),
  k: () => move(-1),
  l: () => setLooping(!looping.value),
  m: mute,
  '/': focusSearch,
  '?': () => { keysShown.value = !keysShown.value; },
};

/** Shortcuts for keys that some focused controls use themselves. */
const PLAIN: Record<string, () => void> = {
  ' ': () => (current.value ? playOrPause() : playFirst()),
  ArrowRight: () => seekBy(5),
  ArrowLeft: () => seekBy(-5),
};

export function startKeys() {
  document.addEventListener('keydown', (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    const target = event.target instanceof Element ? event.target : document.body;
    if (target.closest(TYPING) || document.querySelector('dialog[open]')) return;
    const letter = LETTERS[event.key.toLowerCase()];
    const plain = target.closest(OWN_KEYS) ? undefined : PLAIN[event.key];
    const arrows = event.key.startsWith('Arrow') && target.closest('button, a') ? PLAIN[event.key] : undefined;
    const act = letter ?? plain ?? arrows;
    if (!act || ((plain || arrows) && !current.value && event.key !== ' ')) return;
    event.preventDefault();
    previewed.value = null;
    act();
  });
}
