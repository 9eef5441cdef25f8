// Starts the worker that listens to a film.

import type { FilmMessage } from './messages';

export function startWorker(file: File, receive: (message: FilmMessage) => void): Worker {
  const worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' });
  worker.onmessage = ({ data }: MessageEvent<FilmMessage>) => receive(data);
  worker.onerror = (event) => receive({ end: { problem: { name: 'failed', detail: event.message || '', at_s: 0 } } });
  worker.postMessage(file);
  return worker;
}
