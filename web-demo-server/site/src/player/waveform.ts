// The waveform in the bar, by wavesurfer.js. Loaded when something is played first.

import WaveSurfer from 'wavesurfer.js';
import type { Track } from '../calls/types';
import { peaksOf } from './peaks';
import { element } from './player';

/** wavesurfer.js asks for its style in a way that the content security policy refuses. vite.config.ts */
function takeStyle(surfer: WaveSurfer) {
  const root = surfer.getWrapper().getRootNode();
  if (!(root instanceof ShadowRoot)) return;
  const template = root.querySelector<HTMLTemplateElement>('template.style');
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(template?.innerHTML ?? '');
  root.adoptedStyleSheets = [sheet];
}

const colour = (name: string) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

/** Draws the waveform of a track into a box; the result takes it away again. */
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
    waveColor: colour('--waveform'),
    progressColor: colour('--accent'),
    cursorColor: colour('--accent'),
    dragToSeek: true,
  });
  takeStyle(surfer);
  return () => surfer.destroy();
}
