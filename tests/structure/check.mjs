// Checks the rules of the tree. Prints each broken rule and where; the exit status is 1 if any is broken.
// Usage: node tests/structure/check.mjs [BASE]      BASE: a branch; also checks the subjects of the commits that it lacks

import { dirname, join } from 'node:path';

import { commitRules } from './commits.mjs';
import { rules as treeRules } from './rules.mjs';
import { readTree, ROOT } from './tree.mjs';

process.chdir(ROOT);
const files = readTree();
const rules = [...treeRules, ...commitRules(process.argv[2])];

// The folder of the checkout and the home folder. A path that is too short would be in any text.
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
