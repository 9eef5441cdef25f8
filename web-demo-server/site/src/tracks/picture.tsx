// The picture of a track or a tag: a record whose color follows the mood and whose outline follows the waveform. The same
// data always gives the same picture, and no file is loaded.

import type { Track } from '../calls/types';
import type { Peaks } from '../player/peaks';

const MOOD_HUES: Record<string, number> = {
  calm: 190, relaxed: 172, dreamy: 235, romantic: 345, sad: 222, somber: 228, dark: 268, mysterious: 252, eerie: 288, suspenseful: 276,
  epic: 12, intense: 2, aggressive: 356, energetic: 24, driving: 28, groovy: 34, bouncy: 320, happy: 46, bright: 52, uplifting: 58, humorous: 88,
};
const POINTS = 20;
const CENTER = 32;

/** A hash that is the same on every machine (FNV-1a, 32 bits). */
function hashOf(text: string): number {
  let hash = 2166136261;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 16777619);
  return hash >>> 0;
}

/** Pseudo-random numbers from 0 to 1 (xorshift). */
function* numbersFrom(seed: number) {
  for (let state = seed || 1; ;) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    yield (state >>> 0) / 2 ** 32;
  }
}

function hueOf(tags: Track['tags'], key: string): number {
  const mood = tags.mood?.find((id) => Object.hasOwn(MOOD_HUES, id));
  if (mood !== undefined) return MOOD_HUES[mood] as number;
  return hashOf(tags.genre?.[0] ?? tags.sfx?.[0] ?? tags.use?.[0] ?? key) % 360;
}

/** The loudness around the record, from 0 to 1: that of the waveform, else of the seed. */
function outlineOf(seed: number, peaks: Peaks | null): number[] {
  const random = numbersFrom(seed);
  const loudest = peaks ? Math.max(0.05, ...peaks.high) : 1;
  return Array.from({ length: POINTS }, (_, point) => {
    if (!peaks) return random.next().value as number;
    const part = peaks.high.slice(Math.floor((point * peaks.high.length) / POINTS), Math.max(1, Math.floor(((point + 1) * peaks.high.length) / POINTS)));
    return Math.max(0, ...part) / loudest;
  });
}

function pathOf(outline: readonly number[], isSmooth: boolean): string {
  const points = outline.map((loudness, index) => {
    const angle = (index / outline.length) * 2 * Math.PI;
    const radius = 13 + 13 * loudness;
    return [CENTER + radius * Math.cos(angle), CENTER + radius * Math.sin(angle)] as const;
  });
  const text = (x: number, y: number) => `${x.toFixed(1)} ${y.toFixed(1)}`;
  const middle = (index: number) => {
    const [a, b] = [points[index % POINTS], points[(index + 1) % POINTS]] as [readonly [number, number], readonly [number, number]];
    return text((a[0] + b[0]) / 2, (a[1] + b[1]) / 2);
  };
  const draw = points.map(([x, y], index) => (isSmooth ? `Q${text(x, y)} ${middle(index)}` : `L${text(x, y)} ${middle(index)}`));
  return `M${middle(POINTS - 1)}${draw.join('')}Z`;
}

interface PictureProps {
  /** What the picture stands for, for example the id of a track. */
  name: string;
  tags: Track['tags'];
  isEffect?: boolean;
  peaks?: Peaks | null;
}

export function Picture({ name, tags, isEffect = false, peaks = null }: PictureProps) {
  const seed = hashOf(name);
  const hue = hueOf(tags, name) + (seed % 25) - 12;
  const color = (turn: number, saturation: number, lightness: number) => `hsl(${(hue + turn + 360) % 360} ${saturation}% ${lightness}%)`;
  const path = pathOf(outlineOf(seed, peaks), !isEffect);
  return (
    <svg class="picture" viewBox="0 0 64 64" aria-hidden="true" focusable="false" preserveAspectRatio="xMidYMid slice">
      <rect width="64" height="64" fill={color(0, 38, 36)} />
      <circle cx={CENTER} cy={CENTER} r="29" fill={color(18, 42, 25)} />
      <path d={path} fill={color(30, 58, 66)} />
      <path d={path} fill={color(14, 46, 46)} transform="translate(32 32) scale(.62) translate(-32 -32)" />
      <circle cx={CENTER} cy={CENTER} r="6" fill={color(0, 40, 17)} />
    </svg>
  );
}

export const TrackPicture = ({ track, peaks = null }: { track: Track; peaks?: Peaks | null }) =>
  <Picture name={track.id} tags={track.tags} isEffect={track.kind === 'sfx'} peaks={peaks} />;
