// Builds the site into build/site: first the browser's files, then the server's renderer, which names them.

import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { entriesOf } from './entries.ts';

const root = fileURLToPath(new URL('.', import.meta.url));
const target = fileURLToPath(new URL('../../build/site', import.meta.url));

await build({ root, configFile: `${root}/vite.config.ts`, logLevel: 'warn' });
await build({
  root,
  configFile: false,
  logLevel: 'warn',
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  plugins: [{ name: 'no-styles', enforce: 'pre', load: (id) => (id.endsWith('.css') ? '' : null) }],
  define: { OFFLINE_IS_BUILT: 'false', ENTRIES: JSON.stringify(entriesOf(target)) },
  resolve: { alias: { 'tonearm-core': fileURLToPath(new URL('../../core-js/src/index.ts', import.meta.url)) } },
  build: {
    outDir: `${target}/server`,
    target: 'es2022',
    lib: { entry: 'src/server.tsx', formats: ['iife'], name: 'site', fileName: () => 'render.js' },
    rolldownOptions: { output: { codeSplitting: false } },
  },
});
