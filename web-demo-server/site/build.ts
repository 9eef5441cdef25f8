// Builds the site into build/site: first the browser's files, then the server's renderer, which names them, and the texts of licenses.

import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import licenses from 'spdx-license-list/full.js';
import { build } from 'vite';
import { entriesOf } from './entries.ts';
import { isFilmBuilt } from './film_build.ts';
import { filmNotices } from './notices.ts';

const root = fileURLToPath(new URL('.', import.meta.url));
const target = fileURLToPath(new URL('../../build/site', import.meta.url));

await build({ root, configFile: `${root}/vite.config.ts`, logLevel: 'warn' });
await build({
  root,
  configFile: false,
  logLevel: 'warn',
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  plugins: [{ name: 'no-styles', enforce: 'pre', load: (id) => (id.endsWith('.css') ? '' : null) }],
  define: { OFFLINE_IS_BUILT: 'false', FILM_IS_BUILT: 'false', ENTRIES: JSON.stringify(entriesOf(target)) },
  resolve: { alias: { 'tonearm-core': fileURLToPath(new URL('../../core-js/src/index.ts', import.meta.url)) } },
  build: {
    outDir: `${target}/server`,
    target: 'es2022',
    lib: { entry: 'src/server.tsx', formats: ['iife'], name: 'site', fileName: () => 'render.js' },
    rolldownOptions: { output: { codeSplitting: false } },
  },
});

if (isFilmBuilt()) writeFileSync(`${target}/assets/notices.txt`, filmNotices());

// The texts of licenses for archives of credits (WEB-31), named by their SPDX identifiers.
mkdirSync(`${target}/license-texts`, { recursive: true });
for (const [id, { licenseText }] of Object.entries(licenses)) {
  if (/^CC(0-1\.0|-BY(-NC)?(-SA)?-[34]\.0)$/.test(id)) writeFileSync(`${target}/license-texts/${id}.txt`, licenseText);
}
