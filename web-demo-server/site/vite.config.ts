// Builds the page into build/site: files with hashed names below assets/, a manifest for the server, and compressed variants.

import { defineConfig } from 'vite';
import { compressed } from './compressed.ts';
import { isFilmBuilt } from './film_build.ts';
import { offlineBuild } from './offline_build.ts';
import { wavesurferStyle } from './wavesurfer_style.ts';

const offline = offlineBuild();
/** The modules of the first page, in one file: each further file costs a request before the first painting. */
const FIRST_PAGE =
  /node_modules.(@?preact)|site.(texts.en\.json|src.(calls|search|tracks|collections.selection|player.(keys|peaks|player)\.|shell.(?!german|later)))/;

export default defineConfig({
  base: '/',
  plugins: [wavesurferStyle(), compressed()],
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  define: {
    OFFLINE_IS_BUILT: String(offline.isAvailable), FILM_IS_BUILT: String(isFilmBuilt()),
    __VUE_OPTIONS_API__: 'true', __VUE_PROD_DEVTOOLS__: 'false', __VUE_PROD_HYDRATION_MISMATCH_DETAILS__: 'false',
  },
  resolve: { alias: offline.alias },
  worker: { format: 'es' },
  build: {
    outDir: '../../build/site',
    emptyOutDir: true,
    manifest: true,
    target: 'es2022',
    assetsInlineLimit: 0, // the content security policy forbids data: URLs for scripts and styles
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 4000,
    rolldownOptions: { input: ['src/main.tsx', 'src/docs.ts'], output: { codeSplitting: { groups: [{ name: 'page', test: FIRST_PAGE }] } } },
  },
});
