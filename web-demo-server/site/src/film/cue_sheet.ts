// The cue sheet of a film, as `tonearm credits FILM --format cue-sheet` prints it (CLI-26).

import { SCORE_MIN } from './track_uses';
import type { RecognizedTrack } from './track_uses';

const COLUMNS = 'cue,time_in,time_out,duration,file,verdict,track_id,title,artist,license_id,license_name,source_page,credit_line';

export type Verdict = 'allowed' | 'not_allowed' | 'unknown';

export function verdictOf({ track, score }: RecognizedTrack, isCommercial: boolean): Verdict {
  if (score < SCORE_MIN) return 'unknown';
  return isCommercial && !track.terms.commercial ? 'not_allowed' : 'allowed';
}

/** 00:01:02.345 */
function timeOf(seconds: number): string {
  const ms = Math.round(seconds * 1000);
  const digits = (number: number, size = 2) => String(Math.floor(number)).padStart(size, '0');
  return `${digits(ms / 3_600_000)}:${digits((ms / 60_000) % 60)}:${digits((ms / 1000) % 60)}.${digits(ms % 1000, 3)}`;
}

const CONTROLS = /(?![\t\n\r])[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;

/** A cell that spreadsheets read as data (CREDIT-10). */
function cellOf(value: string): string {
  const text = value.replace(/[\u000b\u000c\u0085\u2028\u2029]/g, '\n').replace(CONTROLS, '').replace(/^[=+\-@\t\r]/, "'$&");
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Returns a row for each use of a track, by time. */
export function cueSheet(file: string, tracks: readonly RecognizedTrack[], isCommercial: boolean): string {
  const cues = tracks.flatMap((found) => found.times.map((time) => ({ ...time, found }))).sort((a, b) => a.begin_s - b.begin_s);
  const rows = cues.map(({ begin_s, end_s, found }, index) => {
    const { track } = found;
    const verdict = verdictOf(found, isCommercial);
    const known = [track.id, track.title, track.artist, track.license.id, track.license.name, track.source_page ?? '', track.credit_line];
    return [String(index + 1), timeOf(begin_s), timeOf(end_s), timeOf(end_s - begin_s), file, verdict, ...(verdict === 'unknown' ? known.map(() => '') : known)];
  });
  return [COLUMNS, ...rows.map((row) => row.map(cellOf).join(','))].map((line) => `${line}\r\n`).join('');
}
