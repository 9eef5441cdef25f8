// Compiles every source separately, to find missing includes: other builds compile a module as one file. The WebAssembly build
// does the same for the core.
// Usage: node build-support/compile_sources.mjs product|tests [PART OF A PATH]

import { checkUnits } from './units.mjs';

const PARTS = {
  product: /^(native|audio|host-native|catalog-builder|demo-composer|command-line|web-demo-server)\//,
  tests: /^tests\//,
};

/** Splits a command line of CMake, which quotes with backslashes and double quotes. */
const wordsOf = (command) => [...command.matchAll(/(?:\\.|"(?:\\.|[^"])*"|[^\s"\\])+/g)].map(([word]) => word.replace(/\\(.)|"/g, '$1'));

const [part, wanted] = process.argv.slice(2);
await checkUnits({
  build: 'dev',
  stamps: 'dev/compiled',
  ours: PARTS[part],
  wanted,
  commandOf: ({ command, directory }) => {
    const words = wordsOf(command).filter((word) => !/ccache$|^-fsanitize|^-O\d$|^-g\d?$|^-c$/.test(word));
    words.splice(words.indexOf('-o'), 2);
    return { program: words[0], words: [...words.slice(1), '-fsyntax-only'], directory };
  },
});
