// The page's end of the worker that searches without the server.

import type { OfflineEngine } from '../search/engine';
import type { Answered, Asked, Progress } from './messages';

interface Options {
  whole: boolean;
  progress: (progress: Progress) => void;
}

/** Starts the worker and opens the snapshot. `whole` downloads all of it first. */
export function openOffline({ whole, progress }: Options): Promise<OfflineEngine> {
  const worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' });
  const waiting = new Map<number, { resolve: (answer: { status: number; body: unknown }) => void; reject: (error: Error) => void }>();
  let last = 0;
  const send = (message: Asked) => worker.postMessage(message);
  const engine: OfflineEngine = {
    ask: (path) =>
      new Promise((resolve, reject) => {
        waiting.set(++last, { resolve, reject });
        send({ id: last, path });
      }),
    stop: () => worker.terminate(),
  };
  return new Promise((opened, failed) => {
    worker.onmessage = ({ data }: MessageEvent<Answered>) => {
      if (data.progress) progress(data.progress);
      if (data.id === 0) {
        if (data.error === undefined) opened(engine);
        else failed(new Error(data.error));
        return;
      }
      const caller = waiting.get(data.id);
      waiting.delete(data.id);
      if (data.error === undefined) caller?.resolve({ status: data.status ?? 500, body: data.body });
      else caller?.reject(new Error(data.error));
    };
    worker.onerror = (event) => failed(new Error(event.message));
    send({ id: 0, open: { whole } });
  });
}
