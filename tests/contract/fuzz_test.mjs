// Sends requests generated from /openapi.json, valid ones and ones with one error, to a server. README.md has the rules.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { Description } from '../support/description.mjs';
import { LaunchedServer } from '../support/launched_server.mjs';
import { makeKey } from '../support/signed_snapshots.mjs';
import { fc, requestsOf, withQuery } from './requests.mjs';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
const bin = resolve(process.env.TONEARM_BIN ?? join(root, 'build/native/bin'));
const TOTAL = Number(process.env.TONEARM_FUZZ_REQUESTS ?? 5000);
const SEED = Number(process.env.TONEARM_FUZZ_SEED ?? Date.now() % 2 ** 31);

let folder;
let server;
let description;
let key;
const state = { tracks: [], versions: [], collections: [], members: [] };
const at = (name) => join(folder, name);

function run(program, ...words) {
  const ended = spawnSync(join(bin, program), words, { encoding: 'utf8' });
  assert.equal(ended.status, 0, ended.stderr);
  return ended.stdout;
}

function send({ method, target, body, type }) {
  return new Promise((done, failed) => {
    const headers = { Authorization: `Bearer ${key}` };
    if (body !== undefined) Object.assign(headers, { 'Content-Type': type, 'Content-Length': Buffer.byteLength(body) });
    const request = http.request(`${server.url}${target}`, { method, headers, agent: server.agent }, (response) => {
      const pieces = [];
      response.on('data', (piece) => pieces.push(piece));
      response.on('error', failed);
      response.on('end', () => {
        const { rawHeaders } = response;
        const pairs = rawHeaders.flatMap((name, i) => (i % 2 === 0 ? [[name, rawHeaders[i + 1]]] : []));
        done({ status: response.statusCode, headers: pairs, body: Buffer.concat(pieces).toString() });
      });
    });
    request.on('error', failed);
    request.end(body);
  });
}

before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tonearm-contract-'));
  const lines = join(root, 'tests/cases/catalog.jsonl');
  makeKey(folder, 'signing'); // only a signed catalog has receipts
  writeFileSync(at('fewer.jsonl'), readFileSync(lines, 'utf8').split('\n').slice(0, 30).join('\n'));
  run('tonearm-catalog', 'build', '--input', at('fewer.jsonl'), '--output', at('before.sqlite'), '--allow-share-alike');
  state.versions.push(/version ([0-9a-f]{16})/.exec(run('tonearm-catalog', 'verify', at('before.sqlite')))[1]);
  run('tonearm-catalog', 'build', '--input', lines, '--output', at('catalog.sqlite'), '--allow-share-alike', '--signing-key', at('signing.key'),
    '--changes-since', at('before.sqlite'));
  writeFileSync(at('token'), 'a token that only this test knows 1234', { mode: 0o600 });
  server = await LaunchedServer.launch(join(bin, 'tonearm-server'), [
    '--catalog', at('catalog.sqlite'), '--state', at('state.sqlite'), '--listen', '127.0.0.1:0',
    '--admin-listen', '127.0.0.1:0', '--admin-token-file', at('token'),
  ]);
  const admin = (...words) => JSON.parse(run('tonearm-admin', '--server', server.adminUrl, '--token-file', at('token'), ...words, '--json'));
  const { account } = admin('account', 'create', '--plan', 'unlimited');
  ({ key } = admin('key', 'create', account));
  const described = await send({ method: 'GET', target: '/openapi.json' });
  description = new Description(JSON.parse(described.body));
  state.tracks = readFileSync(lines, 'utf8').trimEnd().split('\n').map((line) => JSON.parse(line).id);
  const first = await send({ method: 'POST', target: '/v1/collections', body: '{"name":"First"}', type: 'application/json' });
  state.collections.push(JSON.parse(first.body).id);
});

after(async () => {
  await LaunchedServer.endAll();
  rmSync(folder, { recursive: true, force: true });
});

/** Updates the known state of the collection that a write changed. */
function remember(target, response) {
  const answer = JSON.parse(response.body);
  const id = answer.id ?? target.split(/[/?]/)[3];
  state.collections = state.collections.filter((other) => other !== id);
  state.members = state.members.filter(([collection]) => collection !== id);
  if (answer.deleted) return;
  state.collections.push(id);
  state.members.push(...answer.items.map(({ track_id: track }) => [id, track]));
}

/** Sends a request and checks its answer with the description. */
async function exchange(request) {
  const target = withQuery(request.path(), request.query);
  const response = await send({ ...request, target });
  const said = `${request.method} ${target.slice(0, 300)} ${(request.body ?? '').slice(0, 300)}: ${response.status} ${response.body.slice(0, 300)}`;
  assert.ok(response.status < 500 || response.status === 501, said);
  assert.equal(description.mismatchOf({ request: { method: request.method, target }, response }), null, said);
  if (response.status < 300 && request.method !== 'GET' && target.startsWith('/v1/collections')) remember(target, response);
  return { response, said };
}

test(`every answer is described, and every error is rejected (seed ${SEED})`, async (context) => {
  const operations = Object.entries(description.document.paths)
    .flatMap(([template, methods]) => Object.entries(methods).map(([method, operation]) => ({ template, method, operation })))
    .filter(({ template }) => template.startsWith('/v1/'));
  const runs = Math.ceil(TOTAL / operations.length / 2);
  for (const one of operations) {
    const { template, method } = one;
    const { valid, broken } = requestsOf(description, one, state);
    const settings = { numRuns: runs, seed: SEED, endOnFailure: false };
    await context.test(`${method.toUpperCase()} ${template}`, async () => {
      let succeeded = 0;
      await fc.assert(fc.asyncProperty(valid, async (request) => {
        const { response } = await exchange(request);
        if (response.status < 300) ++succeeded;
      }), settings);
      assert.ok(succeeded > 0, 'no valid request succeeded');
      await fc.assert(fc.asyncProperty(broken, async (request) => {
        const { response, said } = await exchange(request);
        if (request.status !== undefined) assert.equal(response.status, request.status, said);
      }), settings);
    });
  }
});
