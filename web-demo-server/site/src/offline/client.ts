// The client of the worker that searches without the server.

import type { OfflineEngine } from '../search/engine';
import type { OfflineResponse, OfflineRequest, Progress } from './messages';

interface Options {
  whole: boolean;
  progress: (progress: Progress) => void;
}

/** Starts the worker and opens the snapshot. `whole` downloads the whole snapshot first. */
export function openOffline({ whole, progress }: Options): Promise<OfflineEngine> {
  const worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' });
  const pending = new Map<number, { resolve: (answer: { status: number; body: unknown }) => void; reject: (error: Error) => void }>();
  let last = 0;
  const send = (message: OfflineRequest) => worker.postMessage(message);
  const engine: OfflineEngine = {
    request: (path) =>
      new Promise((resolve, reject) => {
        pending.set(++last, { resolve, reject });
        send({ id: last, path });
      }),
    stop: () => worker.terminate(),
  };
  return new Promise((opened, failed) => {
    worker.onmessage = ({ data }: MessageEvent<OfflineResponse>) => {
      if (data.progress) progress(data.progress);
      if (data.id === 0) {
        if (data.error === undefined) opened(engine);
        else failed(new Error(data.error));
        return;
      }
      const caller = pending.get(data.id);
      pending.delete(data.id);
      if (data.error === undefined) caller?.resolve({ status: data.status ?? 500, body: data.body });
      else caller?.reject(new Error(data.error));
    };
    worker.onerror = (event) => failed(new Error(event.message));
    send({ id: 0, open: { whole } });
  });
}
