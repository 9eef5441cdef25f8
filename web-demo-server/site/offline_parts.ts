// What "Search offline" is made of: the package tonearm-core and the module it runs. Where the module is not built, as on a
// machine without Emscripten, the page is built without offline search.

import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const at = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));

export function offlineParts() {
  const core = at('core-js/src/index.ts');
  return { areThere: existsSync(at('core-js/node_modules')) && existsSync(at('build/wasm/bin/tonearm.wasm')), alias: { 'tonearm-core': core } };
}
