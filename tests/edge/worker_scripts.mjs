// The modules of a worker as miniflare takes them.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';

import { root } from '../cases/build_folder.mjs';

const { Miniflare } = createRequire(`${root}/host-wasm/`)('miniflare');

const HOST_SCRIPTS = ['core.mjs', 'edge_host.mjs', 'http.mjs', 'ports.mjs'].map((name) => `host-wasm/src/${name}`);

/** A local workerd with the worker `entry`, which imports the module as `./tonearm.wasm`. */
export function startWorker({ entry, wasm, ...options }) {
  const module = {
    type: 'CompiledWasm',
    path: resolve(root, entry, '../tonearm.wasm'),
    contents: readFileSync(resolve(root, wasm)),
  };
  return new Miniflare({
    compatibilityDate: '2026-07-30',
    compatibilityFlags: ['nodejs_compat'],
    modulesRoot: root,
    modules: [...[entry, ...HOST_SCRIPTS].map((path) => ({ type: 'ESModule', path: resolve(root, path) })), module],
    r2Buckets: ['SNAPSHOTS'],
    ...options,
  });
}
