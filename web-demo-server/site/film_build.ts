// The module that fingerprints films in the page. If it is not built, for example on a machine without Emscripten, the page says so.

import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export const isFilmBuilt = () => existsSync(fileURLToPath(new URL('../../build/wasm/bin/fingerprint.wasm', import.meta.url)));
