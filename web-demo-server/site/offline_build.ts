// The parts of "Search in the browser": the package tonearm-core and its WebAssembly module. If the module is not built, for example
// on a machine without Emscripten, the page is built without it.

import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const at = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));

export function offlineBuild() {
  const core = at('core-js/src/index.ts');
  return { isAvailable: existsSync(at('core-js/node_modules')) && existsSync(at('build/wasm/bin/tonearm.wasm')), alias: { 'tonearm-core': core } };
}
