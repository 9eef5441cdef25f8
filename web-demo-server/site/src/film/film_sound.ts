// Decodes the sound of a film from its file in small parts, with Mediabunny and the decoders of the browser.

import { ADTS, AudioSampleSink, BlobSource, FLAC, Input, MATROSKA, MP3, MP4, OGG, QTFF, UnsupportedInputFormatError, WAVE, WEBM } from 'mediabunny';
import type { AudioSample, InputAudioTrack } from 'mediabunny';
import { ModuleError } from './fingerprint';
import type { FilmHead, Problem, ProblemName } from './messages';

// No playlists: they would name other files.
const FORMATS = [MP4, QTFF, MATROSKA, WEBM, MP3, WAVE, OGG, ADTS, FLAC];

export class FilmError extends Error {
  constructor(
    readonly problem: ProblemName,
    readonly detail = '',
  ) {
    super(detail || problem);
  }
}

export const reasonOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

/** An error of reading the file itself, such as one that was deleted or that the person may not read. */
const isUnreadable = (error: unknown) => error instanceof DOMException && ['NotReadableError', 'NotFoundError', 'SecurityError'].includes(error.name);

/** Runs a step of reading. Returns what is wrong with the film instead of the errors of Mediabunny. */
async function checked<Value>(step: () => Promise<Value>, problem: ProblemName): Promise<Value> {
  try {
    return await step();
  } catch (error) {
    if (error instanceof FilmError) throw error;
    if (isUnreadable(error)) throw new FilmError('unreadable', reasonOf(error));
    throw new FilmError(error instanceof UnsupportedInputFormatError ? 'notMedia' : problem, reasonOf(error));
  }
}

/** The codec's own name if Mediabunny does not know it. */
async function codecOf(track: InputAudioTrack): Promise<string> {
  const inner = await track.getInternalCodecId();
  return (await track.getCodecParameterString()) ?? (await track.getCodec()) ?? (typeof inner === 'string' ? inner.trim() : '?');
}

/** Returns the default track, or else the first. */
async function defaultOf(tracks: readonly InputAudioTrack[]): Promise<InputAudioTrack> {
  const [first] = tracks;
  if (!first) throw new FilmError('noAudio');
  for (const track of tracks) if ((await track.getDisposition()).default) return track;
  return first;
}

export interface FilmSound {
  head: FilmHead;
  /** When the film begins: its timestamps may not begin at 0. */
  start_s: number;
  samples: AsyncIterable<AudioSample>;
  /** Returns whether the file is shorter than it states, if its sound ended at `heard_s`. */
  isTruncated(heard_s: number): Promise<boolean>;
}

// As of the command line (CLI-28).
const MISSING_S_MAX = 2;
const MISSING_SHARE_MAX = 0.01;

const isShort = (end_s: number, stated_s: number) => stated_s - end_s > Math.max(MISSING_S_MAX, MISSING_SHARE_MAX * stated_s);

/** Opens a film. Throws FilmError. */
export async function openFilm(file: Blob): Promise<FilmSound> {
  const input = new Input({ source: new BlobSource(file), formats: FORMATS });
  const tracks = await checked(() => input.getAudioTracks(), 'notMedia');
  const track = await checked(() => defaultOf(tracks), 'notMedia');
  if (!(await checked(() => track.canDecode(), 'codec'))) {
    throw new FilmError(typeof AudioDecoder === 'undefined' ? 'noDecoder' : 'codec', await checked(() => codecOf(track), 'codec'));
  }
  const start_s = Math.max(0, await checked(() => input.getFirstTimestamp(), 'damaged'));
  const end_s = await checked(() => track.getDurationFromMetadata(), 'damaged');
  const duration_s = end_s === null ? null : Math.max(0, end_s - start_s);
  const statesLongestTrack = [MATROSKA, WEBM].includes(await checked(() => input.getFormat(), 'notMedia'));
  return {
    head: { number: track.number, audioTracks: tracks.length, duration_s },
    start_s,
    samples: new AudioSampleSink(track).samples(),
    async isTruncated(heard_s) {
      if (duration_s === null || !isShort(heard_s, duration_s)) return false;
      if (!statesLongestTrack) return true;
      // The picture may last longer than the sound.
      return isShort((await input.computeDuration().catch(() => 0)) - start_s, duration_s);
    },
  };
}

/** What is wrong with a film whose sound ended at `at_s` with an error. */
export function problemOf(error: unknown, at_s: number): Problem {
  if (error instanceof FilmError) return { name: error.problem, detail: error.detail, at_s };
  if (isUnreadable(error)) return { name: 'unreadable', detail: reasonOf(error), at_s };
  return { name: error instanceof ModuleError ? 'failed' : 'damaged', detail: reasonOf(error), at_s };
}
