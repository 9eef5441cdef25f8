// Holds every answer of the API in the core's transcript against the description that the service gives of itself: the
// route and its status must be described, and the body must fit the schema. Usage: check_openapi.mjs [--build DIR] [--cases DIR]
// Ends with one line: N passed, M failed.

import { readFileSync } from 'node:fs';

import { Description } from '../support/description.mjs';
import { casesOfBuild } from './build_folder.mjs';

const paths = casesOfBuild();
const description = new Description(JSON.parse(readFileSync(paths.openapi, 'utf8')));

let passed = 0;
let failed = 0;
let file = '';
for (const text of readFileSync(paths.transcript, 'utf8').split('\n').filter(Boolean)) {
  const line = JSON.parse(text);
  if (line.reset) {
    file = line.file;
    continue;
  }
  if (line.admin) continue; // /openapi.json describes the API
  if (line.request.target === '/mcp') continue; // check_mcp.mjs
  const mismatch = description.mismatchOf(line);
  if (mismatch === null) {
    ++passed;
  } else {
    ++failed;
    console.error(`${file}:${line.line}: ${line.request.method} ${line.request.target}: ${line.response.status}: ${mismatch}`);
  }
}
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 && passed > 0 ? 0 : 1;
