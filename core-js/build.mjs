// Bundles the package into one module for a page without a bundler. Usage: build.mjs [FILE]

import { createRequire } from 'node:module';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
// host-wasm has the only esbuild of the repository.
const { build } = createRequire(resolve(here, '../host-wasm/package.json'))('esbuild');

const outfile = resolve(process.argv[2] ?? resolve(here, '../build/core-js/tonearm-core.js'));
await build({
  entryPoints: [resolve(here, 'src/index.ts')],
  bundle: true,
  minify: true,
  outfile,
  format: 'esm',
  target: 'es2022',
  legalComments: 'eof',
  logLevel: 'warning',
});
console.log(outfile);
