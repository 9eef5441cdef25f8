// A local workerd with one of the workers.

import { createRequire } from 'node:module';

import { workerOptions } from '../../host-wasm/bundle.mjs';
import { root } from '../cases/build_folder.mjs';

const { Miniflare } = createRequire(`${root}/host-wasm/`)('miniflare');

/** `entry`: the worker's source; `log`: a WorkerLog; `options`: miniflare's. */
export async function startWorker({ entry, wasm, log, ...options }) {
  const { handleRuntimeStdio } = log;
  return new Miniflare({ ...(await workerOptions(entry, wasm)), handleRuntimeStdio, ...options });
}

/** Puts a snapshot into the bucket, in force once the worker looks. */
export async function publish(miniflare, key, bytes) {
  const bucket = await miniflare.getR2Bucket('SNAPSHOTS');
  await bucket.put(key, bytes);
  await bucket.put('current', JSON.stringify({ snapshot: key }));
}
