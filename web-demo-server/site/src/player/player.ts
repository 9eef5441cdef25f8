// What sounds: one track at a time, whichever part of the page started it. The element outlives views, so music goes on
// while somebody browses.

import { computed, signal } from '@preact/signals';
import { remember, remembered } from '../calls/storage';
import type { Track } from '../calls/types';
import { t } from '../shell/texts';
import { notify } from '../shell/notices';
import { safeUrl } from '../tracks/license';

const media = new Audio();
media.preload = 'auto';
const sample = new Audio(); // of previews
sample.preload = 'auto';

export const playing = signal(false);
export const waiting = signal(false);
export const current = signal<Track | null>(null);
export const elapsed = signal(0);
export const length = signal(0);
export const volume = signal(Math.min(1, Math.max(0, Number(remembered('volume') ?? 0.8) || 0)));
export const looping = signal(remembered('loop') === 'yes');
export const previewOnHover = signal(remembered('preview') !== 'no');
export const previewed = signal<string | null>(null); // id of the track

const queue = signal<readonly Track[]>([]);
export const place = computed(() => queue.value.findIndex((track) => track.id === current.value?.id));
export const hasNext = computed(() => place.value >= 0 && place.value < queue.value.length - 1);
export const hasPrevious = computed(() => place.value > 0);

/** For the waveform, which follows the element itself. */
export const element = (): HTMLMediaElement => media;

/** Sound of the site itself may be fetched without a press of play; that of others may not. */
export const isOurs = (url: string | null) => url !== null && new URL(url).origin === location.origin;

media.volume = volume.value;
media.loop = looping.value;
sample.volume = volume.value;

media.addEventListener('playing', () => { playing.value = true; waiting.value = false; });
media.addEventListener('pause', () => { playing.value = false; });
media.addEventListener('waiting', () => { waiting.value = true; });
media.addEventListener('timeupdate', () => { elapsed.value = media.currentTime; });
media.addEventListener('seeking', () => { elapsed.value = media.currentTime; });
media.addEventListener('durationchange', () => { if (Number.isFinite(media.duration)) length.value = media.duration; });
media.addEventListener('ended', () => { playing.value = false; if (hasNext.value) step(1); });
media.addEventListener('error', () => {
  if (!current.value || !media.getAttribute('src')) return;
  playing.value = false;
  waiting.value = false;
  notify(t('player.failed', { title: current.value.title }), { tone: 'error' });
});

async function start() {
  endPreview();
  try {
    await media.play();
  } catch {
    playing.value = false; // the browser wants a press first, or another track came in between
  }
}

function load(track: Track) {
  const url = safeUrl(track.preview_url);
  if (!url) {
    notify(t('player.noSound'));
    return false;
  }
  current.value = track;
  elapsed.value = 0;
  length.value = track.duration_s;
  waiting.value = true;
  media.src = url;
  showToSystem(track);
  return true;
}

/** Plays a track, or pauses the one that plays. `list` is what next and previous go through. */
export function toggle(track: Track, list: readonly Track[] = [track]) {
  queue.value = list;
  if (current.value?.id !== track.id) {
    if (load(track)) void start();
  } else {
    playOrPause();
  }
}

export function playOrPause() {
  if (!current.value) return;
  if (media.paused) void start();
  else media.pause();
}

export function step(by: 1 | -1) {
  const next = queue.value[place.value + by];
  if (next && load(next)) void start();
}

/** More results came: next goes on into them. */
export function extendQueue(list: readonly Track[]) {
  if (current.value && list.some((track) => track.id === current.value?.id)) queue.value = list;
}

export function seekBy(seconds: number) {
  if (current.value) seekTo(media.currentTime + seconds);
}

export function seekTo(seconds: number) {
  media.currentTime = Math.max(0, Math.min(seconds, Number.isFinite(media.duration) ? media.duration : length.value));
}

export function setVolume(value: number) {
  volume.value = Math.min(1, Math.max(0, value));
  media.volume = volume.value;
  sample.volume = volume.value;
  remember('volume', String(volume.value));
}

export function setLooping(on: boolean) {
  looping.value = on;
  media.loop = on;
  remember('loop', on ? 'yes' : 'no');
}

export function setPreviewOnHover(on: boolean) {
  previewOnHover.value = on;
  remember('preview', on ? 'yes' : 'no');
  if (!on) endPreview();
}

export function close() {
  media.pause();
  media.removeAttribute('src');
  media.load();
  current.value = null;
}

// Previews ------------------------------------------------------------------------------------------------------------

/** Fetches the beginning, so that a preview sounds at once. */
export function prepare(track: Track) {
  const url = safeUrl(track.preview_url);
  if (url && isOurs(url) && sample.src !== url && !previewed.value) sample.src = url;
}

/** Sounds until endPreview. What plays in the bar is not interrupted. */
export function preview(track: Track) {
  const url = safeUrl(track.preview_url);
  if (!url || !isOurs(url) || playing.value) return;
  if (sample.src !== url) sample.src = url;
  sample.currentTime = 0;
  previewed.value = track.id;
  sample.play().catch(() => { if (previewed.value === track.id) previewed.value = null; });
}

export function endPreview() {
  sample.pause();
  previewed.value = null;
}
sample.addEventListener('ended', () => { previewed.value = null; });

// The keys of the system and of headphones ---------------------------------------------------------------------------

function showToSystem(track: Track) {
  if (!('mediaSession' in navigator)) return;
  navigator.mediaSession.metadata = new MediaMetadata({ title: track.title, artist: track.artist });
  navigator.mediaSession.setActionHandler('nexttrack', () => step(1));
  navigator.mediaSession.setActionHandler('previoustrack', () => step(-1));
}
