// Holds the tree against the rules of the house. Run from anywhere: node tests/structure/check.mjs
// Says each rule that is broken and where; exit status 1 when any is.

import { dirname, join } from 'node:path';

import { rules } from './rules.mjs';
import { readTree, ROOT } from './tree.mjs';

process.chdir(ROOT);
const files = readTree();

// The folder of the checkout and the home of who checks; too short a path would be found in any text.
const machinePaths = [dirname(ROOT), process.env.HOME ?? '']
  .map((path) => join(path, '/'))
  .filter((path) => path.split('/').length > 2);

let failed = 0;
for (const { name, violations } of rules) {
  const found = violations({ files, machinePaths });
  if (found.length > 0) failed += 1;
  console.log(`${found.length > 0 ? 'BROKEN' : 'ok    '}  ${name}`);
  for (const violation of found) console.log(`        ${violation}`);
}
console.log(`${rules.length - failed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;
