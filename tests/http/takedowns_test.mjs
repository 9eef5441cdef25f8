// Tracks that the operator takes down while the server runs (docs/spec/takedowns.md), through the real programs.
// Usage: node --test tests/http/takedowns_test.mjs      (TONEARM_BIN: the programs' folder, by default build/native/bin)

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { copyFileSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, afterEach, before, test } from 'node:test';

import { eventually } from '../support/waiting.mjs';
import { bin, Scratch, ServerProcess } from './server_process.mjs';

const TRACK = 'os-101';

let scratch;
let server;

before(() => { scratch = new Scratch(); });
after(() => { scratch.remove(); });
afterEach(async () => { await server?.stop(); });

const catalogOf = (name) => scratch.at(name);

/** Runs tonearm-admin on the server, and returns its output. */
function administer(...words) {
  const ran = spawnSync(join(bin, 'tonearm-admin'), ['--server', server.adminUrl, '--token-file', scratch.at('token'), ...words], { encoding: 'utf8' });
  assert.equal(ran.status, 0, ran.stderr);
  return ran.stdout;
}

/** Returns a function that asks the API as a new account. */
async function client() {
  const key = await server.newKey();
  return async (path, { body, headers = {} } = {}) => {
    const response = await fetch(`${server.url}${path}`, {
      method: body ? 'POST' : 'GET',
      headers: { Authorization: `Bearer ${key}`, ...(body && { 'Content-Type': 'application/json' }), ...headers },
      body: body && JSON.stringify(body),
    });
    const text = await response.text();
    return { status: response.status, body: text && JSON.parse(text), etag: response.headers.get('etag'), version: response.headers.get('tonearm-catalog') };
  };
}

const ids = ({ body }) => body.tracks.map(({ id }) => id);
const everything = (kind) => `/v1/search?kind=${kind}&limit=50&fields=id&facets=license`;

test('TAKEDOWN-2, TAKEDOWN-3: a take-down applies to the next call, outlives a restart and a new snapshot, and can be removed', async () => {
  server = await ServerProcess.start(scratch);
  let ask = await client();
  const before = await ask(`/v1/tracks/${TRACK}`);
  assert.ok(before.body.preview_url);
  const kind = before.body.kind;
  const all = await ask(everything(kind));
  assert.ok(ids(all).includes(TRACK));
  const { body: collection } = await ask('/v1/collections', { body: { name: 'Film' } });
  assert.equal((await ask(`/v1/collections/${collection.id}/items`, { body: { track: TRACK } })).status, 201);

  const printed = administer('takedown', 'add', TRACK, '--reason', 'a claim with "quotes"');
  assert.match(printed, /^in_catalog +true$/m);

  const check = async () => {
    const found = await ask(everything(kind));
    assert.deepEqual(ids(found), ids(all).filter((id) => id !== TRACK));
    assert.equal(found.body.total, all.body.total - 1);
    const counted = ({ body }) => body.facets.license.reduce((sum, { count }) => sum + count, 0);
    assert.equal(counted(found), counted(all) - 1);
    assert.equal(found.version, all.version);
    assert.notEqual(found.etag, all.etag);
    const down = await ask(`/v1/tracks/${TRACK}`);
    assert.deepEqual(down.body, { ...before.body, preview_url: null, original_url: null });
    assert.equal((await ask(`/v1/tracks/${TRACK}/similar`)).body.total, 0);
    const { body: { changes, taken_down: current } } = await ask(`/v1/changes?since=${all.version}`);
    assert.deepEqual([changes, current], [[], [TRACK]], 'CHANGE-3');
    assert.equal((await ask(everything(kind), { headers: { 'If-None-Match': all.etag } })).status, 200);
    assert.equal((await ask(everything(kind), { headers: { 'If-None-Match': found.etag } })).status, 304);
  };
  await check();
  const refused = await ask(`/v1/collections/${(await ask('/v1/collections', { body: { name: 'Other' } })).body.id}/items`, { body: { track: TRACK } });
  assert.equal(refused.status, 404);
  assert.match(refused.body.message, /was taken down/);
  const item = (await ask(`/v1/collections/${collection.id}`)).body.items[0];
  assert.equal(item.track?.preview_url ?? null, null);

  const listed = JSON.parse(administer('takedown', 'list', '--json'));
  assert.deepEqual(listed.takedowns.map(({ track_id, reason }) => [track_id, reason]), [[TRACK, 'a claim with "quotes"']]);
  assert.match(administer('takedown', 'list'), new RegExp(`^track_id.*\n${TRACK} +a claim`));

  assert.equal(await server.stop(), 0);
  server = await ServerProcess.start(scratch);
  ask = await client();
  await check();

  // Another snapshot with the same tracks and another version.
  const lines = readFileSync(new URL('../cases/catalog.jsonl', import.meta.url), 'utf8');
  writeFileSync(scratch.at('other.jsonl'), `${lines.trimEnd()}\n${JSON.stringify({ ...JSON.parse(lines.split('\n').find((line) => line.includes(`"${TRACK}"`))), id: 'zz-1', title: 'Another', source_page: 'https://zz.example/1', preview_url: 'https://zz.example/1.mp3', original_url: null, sha256: undefined, fingerprint: undefined })}\n`);
  const built = spawnSync(join(bin, 'tonearm-catalog'), ['build', '--input', scratch.at('other.jsonl'), '--output', scratch.at('other.sqlite'), '--allow-share-alike'], { encoding: 'utf8' });
  assert.equal(built.status, 0, built.stderr);
  copyFileSync(catalogOf('catalog.sqlite'), scratch.at('first.sqlite'));
  renameSync(scratch.at('other.sqlite'), catalogOf('catalog.sqlite'));
  await eventually(async () => (await ask(everything(kind))).version !== all.version, 'the new snapshot');
  const renewed = await ask(everything(kind));
  assert.ok(!ids(renewed).includes(TRACK));
  assert.ok(ids(renewed).includes('zz-1'));
  renameSync(scratch.at('first.sqlite'), catalogOf('catalog.sqlite'));
  await eventually(async () => (await ask(everything(kind))).version === all.version, 'the first snapshot');

  administer('takedown', 'remove', TRACK);
  const again = await ask(everything(kind));
  assert.deepEqual(ids(again), ids(all));
  assert.equal(again.etag, all.etag);
  assert.deepEqual((await ask(`/v1/changes?since=${all.version}`)).body.taken_down, []);
  assert.ok((await ask(`/v1/tracks/${TRACK}`)).body.preview_url);
});

test('TAKEDOWN-1: a wrong take-down is refused with a reason, and changes nothing', async () => {
  server = await ServerProcess.start(scratch);
  for (const [body, reason] of [
    [{ track_id: TRACK }, /reason/],
    [{ reason: 'a claim' }, /track_id/],
    [{ track_id: '', reason: 'a claim' }, /track_id/],
    [{ track_id: 'no number', reason: 'a claim' }, /track_id must be the id of a track/],
    [{ track_id: '-1', reason: 'a claim' }, /track_id/],
    [{ track_id: `a-${'1'.repeat(63)}`, reason: 'a claim' }, /track_id/],
    [{ track_id: TRACK, reason: '' }, /reason/],
    [{ track_id: TRACK, reason: 'x'.repeat(501) }, /reason/],
    [{ track_id: TRACK, reason: 'a claim', added: 'yesterday' }, /added must be a time/],
    [{ track_id: TRACK, reason: 'a claim', until: 'tomorrow' }, /until/],
  ]) {
    const { status, body: answer } = await server.admin('POST', '/admin/takedowns', body);
    assert.equal(status, 400, JSON.stringify(body));
    assert.match(answer.message, reason);
  }
  assert.equal((await server.admin('DELETE', `/admin/takedowns/${TRACK}`)).status, 404);
  assert.deepEqual((await server.admin('GET', '/admin/takedowns')).body, { takedowns: [], total: 0, cursor: null });
  const unknown = await server.admin('POST', '/admin/takedowns', { track_id: 'no.such-7', reason: 'a claim' });
  assert.equal(unknown.body.in_catalog, false);
  assert.equal((await server.admin('DELETE', '/admin/takedowns/no.such-7')).status, 200);
});

test('TAKEDOWN-4: the next build takes the take-downs over', async () => {
  server = await ServerProcess.start(scratch);
  administer('takedown', 'add', TRACK, '--reason', 'a claim');
  writeFileSync(scratch.at('takedowns.json'), administer('takedown', 'list', '--json'));
  administer('takedown', 'remove', TRACK);
  const build = (file) => spawnSync(join(bin, 'tonearm-catalog'), ['build', '--input', new URL('../cases/catalog.jsonl', import.meta.url).pathname,
    '--output', scratch.at('next.sqlite'), '--allow-share-alike', '--take-downs', file], { encoding: 'utf8' });
  const built = build(scratch.at('takedowns.json'));
  assert.equal(built.status, 0, built.stderr);
  const compared = spawnSync(join(bin, 'tonearm-catalog'), ['diff', '--json', catalogOf('catalog.sqlite'), scratch.at('next.sqlite')], { encoding: 'utf8' });
  assert.deepEqual(JSON.parse(compared.stdout).taken_down.map(({ id }) => id), [TRACK]);
  writeFileSync(scratch.at('wrong.json'), '{"takedowns":[{"id":"os-101"}]}');
  const refused = build(scratch.at('wrong.json'));
  assert.equal(refused.status, 1);
  assert.match(refused.stderr, /wrong\.json: is not the output of/);
});
