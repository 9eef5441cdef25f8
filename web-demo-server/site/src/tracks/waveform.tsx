// The waveform of a track: the played part is colored, and a click seeks. Without peaks it is a line.

import { useEffect, useRef, useState } from 'preact/hooks';
import type { RefObject } from 'preact';
import type { Track } from '../calls/types';
import { peaksOf } from '../player/peaks';
import type { Peaks } from '../player/peaks';
import { current, elapsed, length, playFrom, soundOf } from '../player/player';

const BAR = 4; // CSS pixels of a bar with its gap
const SETTLED_MS = 250;

/** Loads the peaks of a track when its box scrolls into view. */
export function usePeaks(track: Track, box: RefObject<HTMLElement | null>): Peaks | null {
  const [loaded, setLoaded] = useState<{ id: string; peaks: Peaks | null } | null>(null);
  useEffect(() => {
    const target = box.current;
    if (!target || !track.peaks_url) return undefined;
    let wanted = true;
    const observer = new IntersectionObserver((entries) => {
      if (!entries.some((entry) => entry.isIntersecting)) return;
      observer.disconnect();
      // Waits, so that a list that changes with every keystroke loads no waveforms.
      window.setTimeout(() => void (wanted && peaksOf(track.peaks_url).then((peaks) => wanted && setLoaded({ id: track.id, peaks }))), SETTLED_MS);
    });
    observer.observe(target);
    return () => {
      wanted = false;
      observer.disconnect();
    };
  }, [track.id]);
  return loaded?.id === track.id ? loaded.peaks : null; // the box may show another track by now
}

/** Draws bars in the colors of the canvas: its `color`, and its `accent-color` up to `played`. */
function draw(canvas: HTMLCanvasElement, peaks: Peaks, played: number) {
  const scale = window.devicePixelRatio > 1 ? 2 : 1;
  const width = (canvas.width = canvas.clientWidth * scale);
  const height = (canvas.height = canvas.clientHeight * scale);
  const context = canvas.getContext('2d');
  if (!context || width === 0) return;
  const { color, accentColor } = getComputedStyle(canvas);
  const rectangle = (x: number, wide: number, high: number) => {
    context.fillStyle = (x + wide / 2) / width < played ? accentColor : color;
    context.fillRect(x, (height - high) / 2, wide, high);
  };
  const bars = Math.max(16, Math.floor(canvas.clientWidth / BAR));
  const loudest = Math.max(0.05, ...peaks.high);
  for (let bar = 0; bar < bars; bar++) {
    const from = Math.floor((bar * peaks.high.length) / bars);
    const to = Math.max(from + 1, Math.floor(((bar + 1) * peaks.high.length) / bars));
    let peak = 0;
    for (let i = from; i < to; i++) peak = Math.max(peak, peaks.high[i] ?? 0, -(peaks.low[i] ?? 0));
    rectangle((bar * width) / bars, 2.5 * scale, Math.max(2 * scale, Math.min(1, peak / loudest) * height));
  }
}

function Bars({ peaks, played, seek }: { peaks: Peaks | null; played: number; seek: (event: MouseEvent) => void }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const target = canvas.current;
    if (!target || !peaks) return undefined;
    const observer = new ResizeObserver(() => draw(target, peaks, played));
    observer.observe(target); // also draws at once
    return () => observer.disconnect();
  }, [peaks, played]);
  return <canvas class="waveform" ref={canvas} aria-hidden="true" onClick={seek} />;
}

/** `list`: what the player plays after the track. The player bar has the slider for keyboards and screen readers. */
export function Waveform({ track, peaks, list }: { track: Track; peaks: Peaks | null; list: readonly Track[] }) {
  const isCurrent = current.value?.id === track.id;
  const played = isCurrent && length.value > 0 ? Math.min(1, elapsed.value / length.value) : 0;
  const seek = (event: MouseEvent) => {
    const { left, width } = (event.currentTarget as HTMLElement).getBoundingClientRect();
    playFrom(track, list, (track.duration_s * (event.clientX - left)) / width);
  };
  if (!soundOf(track)) return null; // nothing to seek in
  if (track.peaks_url) return <Bars peaks={peaks} played={played} seek={seek} />;
  return <progress class="waveform" max="1" value={played} aria-hidden="true" onClick={seek} />;
}
