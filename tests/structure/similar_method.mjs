// Checks that every change of the code that computes similar tracks was decided on: whether it gives other lists, and so needs
// another number of the method. catalog-builder/src/similar/method.h states the number, and a hash of the code.

import { createHash } from 'node:crypto';

const FOLDER = 'catalog-builder/src/similar/';
const METHOD = `${FOLDER}method.h`;

/** Returns the code without comments and white space. */
const codeOf = (text) =>
  text
    .replace(/("(?:\\.|[^"\\\n])*"|(?<!\w)'(?:\\.|[^'\\\n])*')|\/\/[^\n]*|\/\*[\s\S]*?\*\//g, (match, literal) => literal ?? ' ')
    .replace(/\s+/g, ' ');

/** Returns 16 hexadecimal digits of the SHA-256 of the folder's code, without that of method.h. */
export function hashOfMethod(files) {
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
