// Listens to a film: decodes it and fingerprints it. Sends only fingerprints and progress to the page.
/*! Mediabunny, and Chromaprint and KissFFT in fingerprint.wasm: their licenses and sources are in /assets/notices.txt. */

import type { AudioSample } from 'mediabunny';
import moduleUrl from '../../../../build/wasm/bin/fingerprint.wasm?url';
import { FilmError, openFilm, problemOf } from './film_sound';
import { Fingerprinter } from './fingerprint';
import type { FilmMessage, Problem } from './messages';

const SECONDS_MAX = 24 * 3600;
const CHANNELS_MAX = 32;
const RATE_MAX = 768_000; // in Hz
const JITTER_S = 0.05;
const PROGRESS_S = 5;

const post = (message: FilmMessage) => self.postMessage(message);

async function loadModule(): Promise<ArrayBuffer> {
  const response = await fetch(moduleUrl).catch((error: unknown) => { throw new FilmError('failed', String(error)); });
  if (!response.ok) throw new FilmError('failed', `HTTP ${response.status}`);
  return response.arrayBuffer();
}

/** Adds samples at the times of the film: gaps become silence, and what overlaps is dropped. */
class Listener {
  heard_s = 0;
  private format = '';

  constructor(
    private readonly fingerprinter: Fingerprinter,
    private readonly start_s: number,
  ) {}

  add(sample: AudioSample) {
    const { sampleRate, numberOfChannels, numberOfFrames } = sample;
    this.begin(sampleRate, numberOfChannels);
    const gap = sample.timestamp - this.start_s - this.heard_s;
    if (this.heard_s + Math.max(0, gap) > SECONDS_MAX) throw new FilmError('tooLong');
    if (gap > JITTER_S) this.addSilence(gap, sampleRate);
    const dropped = gap < -JITTER_S ? Math.min(numberOfFrames, Math.round(-gap * sampleRate)) : 0;
    const frames = numberOfFrames - dropped;
    if (frames === 0) return;
    this.fingerprinter.add(frames, (samples) => sample.copyTo(samples, { planeIndex: 0, format: 's16', frameOffset: dropped, frameCount: frames }));
    this.heard_s += frames / sampleRate;
  }

  private begin(sampleRate: number, channels: number) {
    const format = `${sampleRate} ${channels}`;
    if (format === this.format) return;
    if (channels > CHANNELS_MAX || sampleRate > RATE_MAX || !this.fingerprinter.begin(sampleRate, channels)) throw new FilmError('codec', `${sampleRate} Hz, ${channels} channels`);
    this.format = format;
  }

  private addSilence(seconds: number, sampleRate: number) {
    for (let left = Math.round(seconds * sampleRate); left > 0; left -= sampleRate) this.fingerprinter.addSilence(Math.min(left, sampleRate));
    this.heard_s += seconds;
  }
}

async function listen(file: Blob): Promise<Problem | null> {
  const film = await openFilm(file);
  post({ head: film.head });
  const fingerprinter = await Fingerprinter.start(await loadModule());
  const listener = new Listener(fingerprinter, film.start_s);
  let problem: Problem | null = null;
  let posted_s = 0;
  try {
    for await (const sample of film.samples) {
      listener.add(sample);
      sample.close();
      if (listener.heard_s - posted_s < PROGRESS_S) continue;
      posted_s = listener.heard_s;
      post({ heard_s: posted_s, pieces: fingerprinter.takePieces() });
    }
  } catch (error) {
    problem = problemOf(error, listener.heard_s);
  }
  if (problem?.name === 'failed') return problem;
  fingerprinter.end();
  post({ heard_s: listener.heard_s, pieces: fingerprinter.takePieces() });
  if (problem) return problem;
  return (await film.isTruncated(listener.heard_s)) ? { name: 'truncated', detail: '', at_s: listener.heard_s } : null;
}

self.onmessage = ({ data }: MessageEvent<File>) => {
  listen(data).then(
    (problem) => post({ end: { problem } }),
    (error: unknown) => post({ end: { problem: problemOf(error, 0) } }),
  );
};
