// Checks that catalog-builder/src/similar/method.h states the hash of the code that computes similar tracks. So a developer who
// changes the code decides whether the lists of any catalog differ, and with them the number of the method.

import { createHash } from 'node:crypto';

import { withoutComments } from './tree.mjs';

const FOLDER = 'catalog-builder/src/similar/';
const METHOD = `${FOLDER}method.h`;

/** Returns the code without comments and the white space that a formatter may change. */
const codeOf = (text) =>
  withoutComments(text)
    .replace(/\s+/g, ' ')
    .replace(/ ?([^\w ]) ?/g, '$1');

/** Returns 16 hexadecimal digits of the SHA-256 of the folder's code, without that of method.h. */
function hashOfMethod(files) {
  const hash = createHash('sha256');
  for (const { path, text } of files) {
    if (path.startsWith(FOLDER) && /\.(cpp|h)$/.test(path) && path !== METHOD) hash.update(`${path}\0${codeOf(text)}\0`);
  }
  return hash.digest('hex').slice(0, 16);
}

export const similarMethodRules = [
  {
    name: `${METHOD} states the hash of the code that computes similar tracks`,
    violations: ({ files }) => {
      const hash = hashOfMethod(files);
      if (files.find(({ path }) => path === METHOD)?.text.includes(` ${hash}.`)) return [];
      return [`${METHOD}: increase kListMethod if the lists of any catalog differ after the change; then state the hash ${hash}`];
    },
  },
];
