// Replays the catalog requests of the case files on a reader, with a whole file and with HTTP ranges. The answers must be the bytes
// of the API (HOST-40, HOST-41). Usage: run_cases.mjs [--build DIR] [--wasm FILE]
// Ends with one line: N passed, M failed.

import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

import { bytesSource, CatalogReader, httpRangeSource } from '../../core-js/src/index.ts';
import { casesOfBuild, root } from '../cases/build_folder.mjs';
import { replay } from '../cases/replay.mjs';
import { startRangeServer } from './range_server.mjs';

const CATALOG_PATH = /^\/v1\/(search|complete|meta|changes|tracks(\/[^/]+(\/(similar|receipt))?)?)$/;
/** Statuses that are decided by the key, by the limits, or by a host that cannot read its catalog. */
const DECIDED_BEFORE = new Set([401, 429, 503]);
const OF_ACCOUNTS = new Set(['RateLimit', 'RateLimit-Policy']);

const NO_ROUTE = {
  status: 404,
  headers: [
    ['Content-Type', 'application/json'],
    ['Cache-Control', 'no-store'],
  ],
  body: '{"error":"not_found","message":"There is no such route."}',
};

/** Returns the expected answer of a reader for an exchange with the API. */
function expected({ admin, request, response }) {
  if (request.method !== 'GET') return null;
  if (admin || !CATALOG_PATH.test(request.target.split('?')[0])) return NO_ROUTE;
  if (DECIDED_BEFORE.has(response.status)) return null;
  return { ...response, headers: response.headers.filter(([name]) => !OF_ACCOUNTS.has(name)) };
}

const paths = casesOfBuild({ wasm: { type: 'string', default: 'build/wasm/bin/tonearm.wasm' } });
const module = await WebAssembly.compile(readFileSync(resolve(root, paths.wasm)));
const bytes = readFileSync(paths.snapshot);
const server = await startRangeServer(bytes);

async function replayOver(source) {
  const reader = await CatalogReader.open({ module, source });
  const answer = async ({ target, headers }) => {
    const { body, ...head } = await reader.answer(target, headers);
    return { ...head, body: Buffer.from(body) };
  };
  try {
    return await replay(paths.transcript, { reset: async () => {}, advance: async () => {}, expects: expected, answer });
  } finally {
    reader.close();
  }
}

try {
  const good = [await replayOver(bytesSource(bytes)), await replayOver(httpRangeSource(server.url))];
  process.exitCode = good.every(Boolean) ? 0 : 1;
} finally {
  await server.end();
}
