// The film that the page listens to: its worker, its requests and what was found. It stays while a person visits other pages.

import { signal } from '@preact/signals';
import { call, CallError } from '../calls/server';
import { loadSession } from '../calls/session';
import type { FilmHead, FilmMessage, Piece, Problem } from './messages';
import { withUses } from './track_uses';
import type { RecognizeAnswer, RecognizedTrack } from './track_uses';

/** Whether this build has the WebAssembly module (film_build.ts). */
declare const FILM_IS_BUILT: boolean;
export const isFilmBuilt = FILM_IS_BUILT;

const PIECES_PER_CALL = 4; // CREDIT-29
const TRIES_MAX = 10;

export interface Film {
  name: string;
  state: 'listening' | 'done' | 'canceled' | 'stopped';
  head: FilmHead | null;
  heard_s: number;
  tracks: readonly RecognizedTrack[];
  problem: Problem | null;
  /** An error of a request. `state` is then `stopped`, and `resume` sends the request again. */
  error: unknown;
  /** The seconds until the next request if the server limits them, else 0. */
  wait_s: number;
}

export const film = signal<Film | null>(null);

/** What listens to the film now; a new film or a cancellation ends it. */
class Listening {
  private readonly pieces: Piece[] = [];
  private readonly abort = new AbortController();
  private worker: Worker | null = null;
  private hasEnded = false;
  private isSending = false;

  async start(file: File) {
    if (!FILM_IS_BUILT) return;
    try {
      const { startWorker } = await import('./client');
      if (this.abort.signal.aborted) return;
      this.worker = startWorker(file, (message) => this.receive(message));
    } catch (error) {
      this.change({ state: 'done', problem: { name: 'failed', detail: String(error), at_s: 0 } });
    }
  }

  stop() {
    this.abort.abort();
    this.worker?.terminate();
  }

  /** Sends the request again that failed. Its token may have been replaced by a sign-in in another tab. */
  async resume() {
    this.change({ state: 'listening', error: null });
    await loadSession().catch(() => undefined); // the request reports an error
    await this.send();
  }

  private change(more: Partial<Film>) {
    if (!this.abort.signal.aborted && film.value) film.value = { ...film.value, ...more };
  }

  private receive({ head, heard_s, pieces, end }: FilmMessage) {
    if (head) this.change({ head });
    if (heard_s !== undefined) this.change({ heard_s });
    this.pieces.push(...(pieces ?? []));
    if (end) {
      this.hasEnded = true;
      this.change({ problem: end.problem });
      this.worker?.terminate();
    }
    void this.send();
  }

  /** Sends the pieces that are known, and ends when all are sent. */
  private async send() {
    if (this.isSending || film.peek()?.state !== 'listening') return;
    this.isSending = true;
    try {
      // Until the film has ended, requests are full.
      while (this.pieces.length >= (this.hasEnded ? 1 : PIECES_PER_CALL)) {
        const some = this.pieces.slice(0, PIECES_PER_CALL);
        const answer = await this.recognize(some);
        this.pieces.splice(0, some.length);
        this.change({ tracks: withUses(film.value?.tracks ?? [], some, answer) });
      }
      if (this.hasEnded) this.change({ state: 'done' });
    } catch (error) {
      this.change({ state: 'stopped', error, wait_s: 0 });
    } finally {
      this.isSending = false;
    }
  }

  /** Waits if the server asks for it. */
  private async recognize(pieces: readonly Piece[]): Promise<RecognizeAnswer> {
    const body = { pieces: pieces.map(({ fingerprint }) => ({ fingerprint })) };
    for (let tries = 1; ; tries += 1) {
      try {
        return await call<RecognizeAnswer>('credits/recognize', { method: 'POST', body, signal: this.abort.signal });
      } catch (error) {
        const wait_s = error instanceof CallError && [429, 503].includes(error.status) ? error.retryAfter : 0;
        if (wait_s === 0 || tries === TRIES_MAX) throw error;
        this.change({ wait_s });
        await new Promise((done) => { setTimeout(done, wait_s * 1000); });
        this.abort.signal.throwIfAborted();
        this.change({ wait_s: 0 });
      }
    }
  }
}

let listening: Listening | null = null;

export function listenTo(file: File) {
  listening?.stop();
  film.value = { name: file.name, state: 'listening', head: null, heard_s: 0, tracks: [], problem: null, error: null, wait_s: 0 };
  listening = new Listening();
  void listening.start(file);
}

export function cancelListening() {
  listening?.stop();
  if (film.value) film.value = { ...film.value, state: 'canceled', wait_s: 0 };
}

export const resumeListening = () => void listening?.resume();
