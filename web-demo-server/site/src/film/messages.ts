// The messages of the worker that listens to a film.

/** A fingerprint of a part of a film, as `POST /v1/credits/recognize` takes it. */
export interface Piece {
  begin_s: number;
  fingerprint: string;
}

/** What is wrong with a film: a key of the texts, `film.problem.*`. */
export type ProblemName = 'notMedia' | 'noAudio' | 'codec' | 'noDecoder' | 'damaged' | 'truncated' | 'tooLong' | 'unreadable' | 'failed';

export interface Problem {
  name: ProblemName;
  /** The codec, or the reason that the browser states. */
  detail: string;
  /** Where the sound ends, in seconds. */
  at_s: number;
}

/** Of several audio tracks the page decodes one. */
export interface FilmHead {
  number: number;
  audioTracks: number;
  /** When the sound ends; null: the film does not state it. */
  duration_s: number | null;
}

export interface FilmMessage {
  head?: FilmHead;
  heard_s?: number;
  pieces?: Piece[];
  /** The last message: whether the sound was heard to its end, and a problem if there was one. */
  end?: { problem: Problem | null };
}
