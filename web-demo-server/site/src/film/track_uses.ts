// Joins the uses of tracks in the pieces of a film, as `tonearm credits` does (CLI-29).

import type { Track } from '../calls/types';
import type { Piece } from './messages';

const GAP_S = 3;

export interface TimeRange {
  begin_s: number;
  end_s: number;
}

/** A track that is heard in a film. */
export interface RecognizedTrack {
  track: Track;
  /** The best of its uses; below SCORE_MIN another track fits equally well. */
  score: number;
  times: readonly TimeRange[];
}

export const SCORE_MIN = 80;

/** The answer of `POST /v1/credits/recognize`. */
export interface RecognizeAnswer {
  pieces: { uses: (TimeRange & { track: Track; score: number })[] }[];
}

function joined(times: readonly TimeRange[]): TimeRange[] {
  const ranges: TimeRange[] = [];
  for (const time of times.toSorted((a, b) => a.begin_s - b.begin_s)) {
    const last = ranges.at(-1);
    if (last && time.begin_s <= last.end_s + GAP_S) last.end_s = Math.max(last.end_s, time.end_s);
    else ranges.push({ ...time });
  }
  return ranges;
}

/** Returns the tracks with the uses in further pieces, by the beginning of their first use. */
export function withUses(tracks: readonly RecognizedTrack[], pieces: readonly Piece[], { pieces: answers }: RecognizeAnswer): RecognizedTrack[] {
  const found = new Map(tracks.map((known) => [known.track.id, known]));
  answers.forEach(({ uses }, index) => {
    const offset = pieces[index]?.begin_s ?? 0;
    for (const { track, score, begin_s, end_s } of uses) {
      const known = found.get(track.id);
      const times = joined([...(known?.times ?? []), { begin_s: offset + begin_s, end_s: offset + end_s }]);
      found.set(track.id, { track: known?.track ?? track, score: Math.max(known?.score ?? 0, score), times });
    }
  });
  const begin = ({ times }: RecognizedTrack) => times[0]?.begin_s ?? 0;
  return [...found.values()].sort((a, b) => begin(a) - begin(b));
}
