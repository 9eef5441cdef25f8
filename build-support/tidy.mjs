// Runs clang-tidy over every unit of the tidy build: a file, or a module that is compiled as one file
// (docs/adr/0047-modules-are-compiled-as-one-file.md).
// Usage: node build-support/tidy.mjs product|tests [PART OF A PATH]

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { checkUnits, root } from './units.mjs';

const PRODUCT = 'core|native|audio|host-native|catalog-builder|demo-composer|command-line|web-demo-server';
const OURS = { product: PRODUCT, tests: 'tests' };
const [part, wanted] = process.argv.slice(2);
const buildDir = join(root, 'build/tidy');

await checkUnits({
  build: 'tidy',
  stamps: 'tidy/clean',
  ours: new RegExp(`^(build/tidy/)?(${OURS[part]})/`),
  wanted,
  settings: readFileSync(join(root, '.clang-tidy'), 'utf8'),
  // Ignores compiler warnings, because clang has other ones with the names of g++'s. A unit includes sources, whose findings count too.
  commandOf: ({ file }) => ({
    program: 'clang-tidy',
    words: ['--quiet', '-p', buildDir, '--extra-arg=-Wno-everything', '--checks=-bugprone-suspicious-include', `--header-filter=${root}/(${PRODUCT}|tests|host-wasm)/.*\\.(h|cpp)$`, file],
    directory: root,
  }),
});
