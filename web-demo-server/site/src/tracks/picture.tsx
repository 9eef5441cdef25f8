// The picture of a track or a tag: a record whose color follows the mood and whose outline follows the waveform. The same
// data always gives the same picture, and no file is loaded.

import type { Track } from '../calls/types';
import type { Peaks } from '../player/peaks';

const MOOD_HUES: Record<string, number> = {
  calm: 190, relaxed: 172, dreamy: 235, romantic: 345, sad: 222, somber: 228, dark: 268, mysterious: 252, eerie: 288, suspenseful: 276,
  epic: 12, intense: 2, aggressive: 356, energetic: 24, driving: 28, groovy: 34, bouncy: 320, happy: 46, bright: 52, uplifting: 58, humorous: 88,
};
const POINTS = 14;
const CENTER = 64; // of 128 by 128 units

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

/** A polygon around the center, in whole units: pages have dozens of pictures, and every digit is sent. */
function pathOf(outline: readonly number[]): string {
  const points = outline.map((loudness, index) => {
    const angle = (index / outline.length) * 2 * Math.PI;
    const radius = 24 + 26 * loudness;
    return `${Math.round(CENTER + radius * Math.cos(angle))} ${Math.round(CENTER + radius * Math.sin(angle))}`;
  });
  return `M${points.join('L')}Z`;
}

interface PictureProps {
  /** Names what the picture shows, for example by the id of a track. */
  name: string;
  tags: Track['tags'];
  isEffect?: boolean;
  peaks?: Peaks | null;
}

export function Picture({ name, tags, isEffect = false, peaks = null }: PictureProps) {
  const seed = hashOf(name);
  const hue = hueOf(tags, name) + (seed % 25) - 12;
  const color = (turn: number, saturation: number, lightness: number) => `hsl(${(hue + turn + 360) % 360} ${saturation}% ${lightness}%)`;
  const path = pathOf(outlineOf(seed, peaks));
  // Music has round corners, effects have sharp ones.
  return (
    <svg class="picture" viewBox="0 0 128 128" aria-hidden="true" focusable="false" preserveAspectRatio="xMidYMid slice" stroke-width={isEffect ? 1 : 12} stroke-linejoin="round">
      <path d="M0 0h128v128H0z" fill={color(0, 38, 36)} />
      <circle cx={CENTER} cy={CENTER} r="58" fill={color(18, 42, 25)} />
      <path d={path} fill={color(30, 58, 66)} stroke={color(30, 58, 66)} />
      <path d={path} fill={color(14, 46, 46)} stroke={color(14, 46, 46)} transform="translate(24 24) scale(.62)" />
      <circle cx={CENTER} cy={CENTER} r="12" fill={color(0, 40, 17)} />
    </svg>
  );
}

export const TrackPicture = ({ track, peaks = null }: { track: Track; peaks?: Peaks | null }) =>
  <Picture name={track.id} tags={track.tags} isEffect={track.kind === 'sfx'} peaks={peaks} />;
