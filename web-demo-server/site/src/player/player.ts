// Plays one track at a time. The audio element outlives the views, so music continues while the person browses.

import { computed, signal } from '@preact/signals';
import { savePreference, loadPreference } from '../calls/storage';
import type { Track } from '../calls/types';
import { t } from '../shell/texts';
import { notify } from '../shell/notices';
import { site } from '../shell/router';
import { safeUrl } from '../tracks/license';

/** The server renders pages with this module, but it plays nothing. */
const audio = () => Object.assign(typeof Audio === 'undefined' ? ({ addEventListener() {} } as unknown as HTMLAudioElement) : new Audio(), { preload: 'auto' });
const media = audio();
const sample = audio(); // for previews

export const playing = signal(false);
export const waiting = signal(false);
export const current = signal<Track | null>(null);
export const elapsed = signal(0);
export const length = signal(0);
export const volume = signal(Math.min(1, Math.max(0, Number(loadPreference('volume') ?? 0.8) || 0)));
export const looping = signal(loadPreference('loop') === 'yes');
export const previewOnHover = signal(loadPreference('preview') !== 'no');
export const previewed = signal<string | null>(null); // id of the track

const queue = signal<readonly Track[]>([]);
export const queueIndex = computed(() => queue.value.findIndex((track) => track.id === current.value?.id));
export const hasNext = computed(() => queueIndex.value >= 0 && queueIndex.value < queue.value.length - 1);
export const hasPrevious = computed(() => queueIndex.value > 0);

/** The audio element, which the waveform follows. */
export const element = (): HTMLMediaElement => media;

/** Only audio of this site may be fetched before the person presses play. */
export const isSameOrigin = (url: string | null) => url !== null && new URL(url).origin === site.value;

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
  failed(current.value);
});

/** Offers the track's page at its source, where it may play. */
function failed(track: Track) {
  const source = safeUrl(track.source_page);
  const action = source ? { action: { label: t('track.source', { host: new URL(source).host }), run: () => void window.open(source, '_blank', 'noopener,noreferrer') } } : {};
  notify(t('player.failed', { title: track.title.slice(0, 80) }), { tone: 'error', ...action });
}

async function start() {
  endPreview();
  try {
    await media.play();
  } catch {
    playing.value = false; // the browser requires a click first, or another track was started
  }
}

/** The address of a track's audio, and its host if that is another site. */
export function soundOf(track: Track): { url: string; host: string | null } | null {
  const url = safeUrl(track.preview_url) ?? safeUrl(track.original_url);
  if (!url) return null;
  return { url, host: isSameOrigin(url) ? null : new URL(url).host };
}

/** A track that waits for the person's consent to play from another site. */
export const awaitingConsent = signal<{ track: Track; list: readonly Track[]; host: string } | null>(null);
const CONSENT = 'foreign-audio';

export function giveConsent() {
  savePreference(CONSENT, 'yes');
  const waiting = awaitingConsent.value;
  awaitingConsent.value = null;
  if (waiting) toggle(waiting.track, waiting.list);
}

function load(track: Track) {
  const sound = soundOf(track);
  if (!sound) {
    notify(t('player.noSound'));
    return false;
  }
  if (sound.host !== null && loadPreference(CONSENT) !== 'yes') {
    awaitingConsent.value = { track, list: queue.value, host: sound.host };
    return false;
  }
  current.value = track;
  elapsed.value = 0;
  length.value = track.duration_s;
  waiting.value = true;
  media.src = sound.url;
  updateMediaSession(track);
  return true;
}

/** Plays a track, or pauses it if it is playing. Next and previous step through `list`. */
export function toggle(track: Track, list: readonly Track[] = [track]) {
  queue.value = list;
  if (current.value?.id !== track.id) {
    if (load(track)) void start();
  } else {
    playOrPause();
  }
}

/** Plays a track from a position. */
export function playFrom(track: Track, list: readonly Track[], seconds: number) {
  if (current.value?.id !== track.id) toggle(track, list);
  else if (media.paused) void start();
  if (current.value?.id !== track.id) return; // waits for consent
  if (media.readyState > 0) seekTo(seconds);
  else media.addEventListener('loadedmetadata', () => seekTo(seconds), { once: true });
}

export function playOrPause() {
  if (!current.value) return;
  if (media.paused) void start();
  else media.pause();
}

export function step(by: 1 | -1) {
  const next = queue.value[queueIndex.value + by];
  if (next && load(next)) void start();
}

/** Extends the queue when more of its list has been loaded. */
export function extendQueue(before: readonly Track[], list: readonly Track[]) {
  if (queue.value === before) queue.value = list;
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
  savePreference('volume', String(volume.value));
}

export function setLooping(on: boolean) {
  looping.value = on;
  media.loop = on;
  savePreference('loop', on ? 'yes' : 'no');
}

export function setPreviewOnHover(on: boolean) {
  previewOnHover.value = on;
  savePreference('preview', on ? 'yes' : 'no');
  if (!on) endPreview();
}

export function close() {
  media.pause();
  media.removeAttribute('src');
  media.load();
  current.value = null;
}

// Previews ------------------------------------------------------------------------------------------------------------

const ownSound = (track: Track) => {
  const sound = soundOf(track);
  return sound?.host === null ? sound.url : null;
};

/** Preloads a preview, so that it starts immediately. */
export function preload(track: Track) {
  const url = ownSound(track);
  if (url && sample.src !== url && !previewed.value) sample.src = url;
}

/** Plays a preview until endPreview, unless the player is playing. */
export function preview(track: Track) {
  const url = ownSound(track);
  if (!url || playing.value) return;
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

// Media keys of the system and of headphones ---------------------------------------------------------------------------

function updateMediaSession(track: Track) {
  if (!('mediaSession' in navigator)) return;
  navigator.mediaSession.metadata = new MediaMetadata({ title: track.title, artist: track.artist });
  navigator.mediaSession.setActionHandler('nexttrack', () => step(1));
  navigator.mediaSession.setActionHandler('previoustrack', () => step(-1));
}
