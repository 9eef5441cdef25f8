// Runs a worker on a local workerd.

import { createRequire } from 'node:module';

import { workerOptions } from '../../host-wasm/bundle.mjs';
import { root } from '../cases/build_folder.mjs';

const { Miniflare } = createRequire(`${root}/host-wasm/`)('miniflare');

/** `entry` is the source of the worker, `log` a WorkerLog, and `options` are those of miniflare. */
export async function startWorker({ entry, wasm, log, ...options }) {
  const { handleRuntimeStdio } = log;
  return new Miniflare({ ...(await workerOptions(entry, wasm)), handleRuntimeStdio, ...options });
}

/** Uploads a snapshot to the bucket and points to it. */
export async function publish(miniflare, key, bytes) {
  const bucket = await miniflare.getR2Bucket('SNAPSHOTS');
  await bucket.put(key, bytes);
  await bucket.put('current', JSON.stringify({ snapshot: key }));
}
