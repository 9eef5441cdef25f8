// The notices of the libraries in the module and the worker that listen to films: their licenses require them beside the copies that
// the site serves. Those of the module are in the sources that build-support/setup unpacks.

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import licenses from 'spdx-license-list/full.js';

const read = (path: string) => readFileSync(fileURLToPath(new URL(path, import.meta.url)), 'utf8').trim();

/** The upstream version of a line of source-packages.txt. */
function versionOf(name: string) {
  const version = new RegExp(`^${name} (\\S+) `, 'm').exec(read('../../build-support/source-packages.txt'))?.[1];
  if (version === undefined) throw new Error(`source-packages.txt has no ${name}`);
  return version;
}

export function filmNotices() {
  const mediabunny = (JSON.parse(read('node_modules/mediabunny/package.json')) as { version: string }).version;
  const lesser = licenses['LGPL-2.1-or-later']?.licenseText;
  if (lesser === undefined) throw new Error('spdx-license-list has no LGPL-2.1-or-later');
  const sections = [
    `The page of Tonearm that listens to films contains the libraries below. Tonearm is under the Apache License 2.0.

Chromaprint contains code of FFmpeg under the GNU Lesser General Public License 2.1 or later. You may change it and build the page again
with the source of this version of Tonearm: run \`build-support/setup\`, change build/sources, and run \`./run --offline-search\`.`,
    `Chromaprint ${versionOf('chromaprint')}, in fingerprint-*.wasm
Source: \`apt-get source chromaprint\` on Debian 12

${read('../../build/sources/chromaprint/LICENSE.md')}`,
    `KissFFT ${versionOf('kissfft')}, in fingerprint-*.wasm
Source: \`apt-get source kissfft\` on Debian 12

${read('../../build/sources/kissfft/COPYING')}

${read('../../build/sources/kissfft/LICENSES/BSD-3-Clause')}`,
    `Mediabunny ${mediabunny}, in worker-*.js
Source: \`npm pack mediabunny@${mediabunny}\`

${read('node_modules/mediabunny/LICENSE')}`,
    `The GNU Lesser General Public License 2.1

${lesser.trim()}`,
  ];
  return `${sections.join(`\n\n${'='.repeat(100)}\n`)}\n`;
}
