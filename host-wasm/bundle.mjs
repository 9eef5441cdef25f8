// Bundles a worker's TypeScript into one module, which imports the core as `./tonearm.wasm`.

import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

import { build } from 'esbuild';

export const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');

const WASM = './tonearm.wasm';

const externalCore = {
  name: 'external-core',
  setup: ({ onResolve }) => onResolve({ filter: /\.wasm$/ }, () => ({ path: WASM, external: true })),
};

/** The runtime settings of the workers, as in wrangler's configurations. */
export const RUNTIME = { compatibilityDate: '2026-07-30', compatibilityFlags: ['nodejs_compat'] };

/** Returns the text of the bundle. `entry` is a path in the repository. */
export async function bundle(entry) {
  const { outputFiles } = await build({
    entryPoints: [resolve(root, entry)],
    bundle: true,
    write: false,
    format: 'esm',
    target: 'es2022',
    external: ['cloudflare:*', 'node:*'],
    plugins: [externalCore],
    logLevel: 'warning',
  });
  return outputFiles[0].text;
}

/** Returns the options of a worker for miniflare. `wasm` is the path of the core. With `keepsObjects`, no idle object is ended. */
export async function workerOptions(entry, wasm, { keepsObjects = false } = {}) {
  const object = { useSQLite: true, unsafePreventEviction: keepsObjects };
  return {
    ...RUNTIME,
    modules: [
      { type: 'ESModule', path: 'worker.js', contents: await bundle(entry) },
      { type: 'CompiledWasm', path: 'tonearm.wasm', contents: readFileSync(resolve(root, wasm)) },
    ],
    r2Buckets: ['SNAPSHOTS'],
    durableObjects: {
      ACCOUNTS: { className: 'AccountObject', ...object },
      DIRECTORY: { className: 'DirectoryObject', ...object },
    },
  };
}
