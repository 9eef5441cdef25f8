// The waveform in the player bar, drawn by wavesurfer.js. Loaded when the first track is played.

import WaveSurfer from 'wavesurfer.js';
import type { Track } from '../calls/types';
import { peaksOf } from './peaks';
import { element } from './player';

/** Applies the style of wavesurfer.js without a <style> element, which the content security policy blocks (wavesurfer_style.ts). */
function applyStyle(surfer: WaveSurfer) {
  const root = surfer.getWrapper().getRootNode();
  if (!(root instanceof ShadowRoot)) return;
  const template = root.querySelector<HTMLTemplateElement>('template.style');
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(template?.innerHTML ?? '');
  root.adoptedStyleSheets = [sheet];
}

const color = (name: string) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

/** Draws the waveform of a track into a box. Returns a function that removes it. */
export async function drawWaveform(box: HTMLElement, track: Track, wanted: () => boolean): Promise<() => void> {
  const peaks = await peaksOf(track.peaks_url);
  if (!wanted() || !peaks) return () => undefined;
  const surfer = WaveSurfer.create({
    container: box,
    media: element(),
    peaks: [peaks.high, peaks.low],
    duration: track.duration_s,
    height: box.clientHeight || 40,
    barWidth: 2,
    barGap: 1,
    barRadius: 1,
    cursorWidth: 1,
    normalize: true,
    hideScrollbar: true,
    waveColor: color('--waveform'),
    progressColor: color('--accent'),
    cursorColor: color('--accent'),
    dragToSeek: true,
  });
  applyStyle(surfer);
  return () => surfer.destroy();
}
