// Checks every answer of the API in the core's transcript with /openapi.json: the route and its status must be described, and
// the header fields and the body must match their schemas. In all files together each described header field must be sent.
// Usage: check_openapi.mjs [--build DIR] [--cases DIR]. The last line of the output is: N passed, M failed.

import { readFileSync } from 'node:fs';

import { Description } from '../support/description.mjs';
import { casesOfBuild } from './build_folder.mjs';

const paths = casesOfBuild();
const description = new Description(JSON.parse(readFileSync(paths.openapi, 'utf8')));

let passed = 0;
let failed = 0;
let file = '';
const lines = readFileSync(paths.transcript, 'utf8').split('\n').filter(Boolean).map((text) => JSON.parse(text));
for (const line of lines) {
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
// Hosts add these; tests/contract checks them.
const OF_HOSTS = new Set(['Content-Encoding', 'Vary', 'X-Request-Id', 'X-Content-Type-Options']);
const files = new Set(lines.filter((line) => line.reset).map((line) => line.file));
const neverSent = Object.keys(description.document.components.headers).filter((name) => !OF_HOSTS.has(name) && !description.sent.has(name));
if (files.size > 10 && neverSent.length > 0) {
  ++failed;
  console.error(`described, but in no answer: ${neverSent.join(', ')}`);
}
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 && passed > 0 ? 0 : 1;
