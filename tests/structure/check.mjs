// Holds the tree against the rules of the house. Run from anywhere: node tests/structure/check.mjs
// Says each rule that is broken and where; exit status 1 when any is.

import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

import { rules } from './rules.mjs';

const root = resolve(import.meta.dirname, '../..');
process.chdir(root);

const files = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { encoding: 'utf8' })
  .split('\0')
  .filter((path) => path && existsSync(path))
  .map((path) => ({ path, bytes: readFileSync(path) }))
  .filter(({ bytes }) => !bytes.includes(0))
  .map(({ path, bytes }) => ({ path, text: bytes.toString('utf8') }));

// The folder of the checkout and the home of who checks; too short a path would be found in any text.
const machinePaths = [dirname(root), process.env.HOME ?? '']
  .map((path) => join(path, '/'))
  .filter((path) => path.split('/').length > 2);

let failed = 0;
for (const { name, faults } of rules) {
  const found = faults({ files, machinePaths });
  if (found.length > 0) failed += 1;
  console.log(`${found.length > 0 ? 'BROKEN' : 'ok    '}  ${name}`);
  for (const fault of found) console.log(`        ${fault}`);
}
console.log(`${rules.length - failed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;
