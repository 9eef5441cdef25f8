// A year of a catalog: releases from changing sources, the comparison and its conditions each time, what a running server
// serves, and what an older collection shows.
// Usage: node --test tests/http/release_test.mjs      (TONEARM_BIN: the programs' folder)

import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { LaunchedServer } from '../support/launched_server.mjs';
import { eventually } from '../support/waiting.mjs';
import { bin, ServerProcess } from './server_process.mjs';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
const BY = 'https://creativecommons.org/licenses/by/4.0/';
const NC = 'https://creativecommons.org/licenses/by-nc/4.0/';
const ZERO = 'https://creativecommons.org/publicdomain/zero/1.0/';

let folder;
let web;
let url;
let server;
let key;
let collection;
const fetched = []; // "200 /name"

const at = (name) => join(folder, name);
const environment = { ...process.env, TONEARM_CATALOG: join(bin, 'tonearm-catalog') };

const mapping = (name) => `name = "${name}"
domain = "${name}.example"
id_prefix = "${name}"
kind = "sfx"
license_lists = ["addresses"]
[[input]]
file = "sounds.csv"
format = "csv"
key = "no"
number = '^(\\d+)$'
[input.fields]
title = { column = "title" }
artist = { constant = "The ${name} people" }
duration_s = { column = "seconds", form = "number" }
license = { column = "license" }
`;

const row = (name, license) => (_, i) => `${i + 1},${name} ${i + 1},${10 + i},${license}\n`;

/** The data of the two sources: `shore` has 60 sounds, `wood` 40. */
const shore = Array.from({ length: 60 }, row('Waves', BY));
const wood = Array.from({ length: 40 }, row('Leaves', ZERO));

function deliver(name, rows) {
  mkdirSync(at(name), { recursive: true });
  writeFileSync(at(`${name}.toml`), mapping(name));
  writeFileSync(join(at(name), 'sounds.csv'), `no,title,seconds,license\n${rows.join('')}`);
}

/** Runs a program in release/ while this process serves. */
async function release(name, ...words) {
  try {
    const { stdout, stderr } = await promisify(execFile)(join(root, 'release', name), words, { env: environment });
    return { status: 0, out: stdout, errors: stderr };
  } catch (failure) {
    return { status: failure.code, out: failure.stdout, errors: failure.stderr };
  }
}

const build = (to, ...words) => release('build-catalog', '--to', at(to), '--signing-key', at('private.pem'), '--key', at('public.pem'),
  '--log', at('log.jsonl'), ...words, '--', '--source', `${at('shore.toml')}:${at('shore')}`, '--source', `${at('wood.toml')}:${at('wood')}`,
  '--policy', at('policy.toml'), '--site-url', 'https://tonearm.example');

const conditions = () => ['--last', `${url}/current.json`, '--fail-on', 'license-change', '--fail-on', 'source-below=95'];
const difference = (to) => JSON.parse(readFileSync(join(at(to), 'diff.json'), 'utf8'));

async function publish(from) {
  const published = await release('publish-folder', at(from), at('public'));
  assert.equal(published.status, 0, published.errors);
  const brought = await release('fetch-catalog', '--key', at('public.pem'), `${url}/current.json`, at('catalog.sqlite'));
  assert.equal(brought.status, 0, brought.errors);
  return brought.out;
}

async function call(path, method = 'GET', body = undefined) {
  const response = await fetch(`${server.url}${path}`, {
    method,
    headers: { Authorization: `Bearer ${key}`, ...(body && { 'Content-Type': 'application/json' }) },
    body: body && JSON.stringify(body),
  });
  const text = await response.text();
  return { status: response.status, version: response.headers.get('tonearm-catalog'), body: text && JSON.parse(text) };
}

const total = async () => (await call('/v1/search?kind=sfx&limit=1')).body.total;
const item = (detail, id) => detail.items.find((one) => one.track_id === id);

function openssl(...words) {
  const run = spawnSync('openssl', words, { encoding: 'utf8' });
  assert.equal(run.status, 0, run.stderr);
}

before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tonearm-release-'));
  mkdirSync(at('public'));
  openssl('genpkey', '-algorithm', 'ed25519', '-out', at('private.pem'));
  openssl('pkey', '-in', at('private.pem'), '-pubout', '-out', at('public.pem'));
  writeFileSync(at('token'), 'a-token-of-the-tests\n');
  writeFileSync(at('policy.toml'), '');
  web = http.createServer((request, response) => {
    const path = join(at('public'), request.url);
    if (!existsSync(path)) return response.writeHead(404).end();
    const bytes = readFileSync(path);
    const etag = `"${bytes.length}-${bytes.subarray(0, 64).toString('hex')}"`;
    const status = request.headers['if-none-match'] === etag ? 304 : 200;
    fetched.push(`${status} ${request.url}`);
    const range = /^bytes=(\d*)-(\d*)$/.exec(request.headers.range ?? '');
    if (status === 200 && range) {
      const [begin, end] = range[1] === '' ? [Math.max(bytes.length - range[2], 0), bytes.length] : [Number(range[1]), Number(range[2]) + 1];
      response.writeHead(206, { etag, 'Content-Range': `bytes ${begin}-${end - 1}/${bytes.length}` });
      return response.end(bytes.subarray(begin, end));
    }
    return response.writeHead(status, { etag }).end(status === 200 ? bytes : undefined);
  });
  await new Promise((done) => { web.listen(0, '127.0.0.1', done); });
  url = `http://127.0.0.1:${web.address().port}`;
});

after(async () => {
  await LaunchedServer.endAll();
  web.closeAllConnections();
  await new Promise((done) => { web.close(done); });
  rmSync(folder, { recursive: true, force: true });
});

test('January: the first release is served, and a collection is made', async () => {
  deliver('shore', shore);
  deliver('wood', wood);
  assert.equal((await build('january')).status, 2, 'nothing is left uncompared by accident');
  const built = await build('january', '--first');
  assert.equal(built.status, 0, built.errors);
  assert.match(await publish('january'), /catalog\.sqlite: ok, version [0-9a-f]{16}, 100 tracks, signed with the key [0-9a-f]{16}\n$/);
  server = await ServerProcess.start({ at }, { words: ['--catalog-key', at('public.pem')] });
  key = await server.newKey('pro');
  assert.equal(await total(), 100);
  const made = await call('/v1/collections', 'POST', { name: 'Film' });
  assert.equal(made.status, 201);
  collection = made.body.id;
  for (const id of ['shore-1', 'shore-2', 'wood-1']) {
    assert.equal((await call(`/v1/collections/${collection}/items`, 'POST', { track: id })).status, 201);
  }
});

test('a poll without news requests only the name, and gets 304', async () => {
  fetched.length = 0;
  const poll = await release('fetch-catalog', '--key', at('public.pem'), `${url}/current.json`, at('catalog.sqlite'));
  assert.deepEqual([poll.status, poll.out], [0, '']);
  assert.deepEqual(fetched, ['304 /current.json']);
});

test('April: a take-down, and a changed license that stops the release until it is approved', async () => {
  writeFileSync(at('policy.toml'), 'taken_down = ["shore-1"]\n');
  deliver('shore', shore.map((line, i) => (i === 1 ? line.replace(BY, NC) : line)));
  const stopped = await build('april', ...conditions());
  assert.equal(stopped.status, 3, stopped.errors);
  assert.deepEqual(readdirSync(at('april')).sort(), ['diff.json', 'diff.txt', 'report.json']);
  const found = difference('april');
  assert.deepEqual(found.taken_down.map(({ id }) => id), ['shore-1']);
  assert.deepEqual(found.license_changes.map(({ id }) => id), ['shore-2']);
  assert.equal(await total(), 100, 'the server serves what it served');

  writeFileSync(at('approvals.txt'), 'shore-2 cc-by-4.0 cc-by-nc-4.0   # their page says so since March\n');
  const built = await build('april', ...conditions(), '--approve', at('approvals.txt'));
  assert.equal(built.status, 0, built.errors);
  await publish('april');
  await eventually(async () => (await total()) === 99, 'the release of April');

  const { body: detail } = await call(`/v1/collections/${collection}`);
  const changed = item(detail, 'shore-2');
  assert.equal(changed.license_changed, true);
  assert.equal(changed.license_record.license.id, 'cc-by-4.0', 'the evidence stays as it was');
  assert.equal(changed.track.license.id, 'cc-by-nc-4.0');
  assert.equal(item(detail, 'shore-1').track.preview_url, null);
  assert.equal((await call('/v1/license-changes')).body.total, 1);
  const again = await call('/v1/collections', 'POST', { name: 'Another film' });
  const refused = await call(`/v1/collections/${again.body.id}/items`, 'POST', { track: 'shore-1' });
  assert.equal(refused.status, 404, 'nobody adds what was taken down');
});

test('August: a source delivers a quarter of its sounds, and nothing is published', async () => {
  deliver('wood', wood.slice(0, 10));
  const before = await call('/v1/search?kind=sfx&limit=1');
  const stopped = await build('august', ...conditions());
  assert.equal(stopped.status, 3, stopped.errors);
  assert.ok(!existsSync(join(at('august'), 'current.json')));
  assert.deepEqual(difference('august').sources['wood.example'], { before: 40, after: 10 });
  assert.match(stopped.errors, /wood\.example/);

  renameSync(join(at('wood'), 'sounds.csv'), at('elsewhere.csv'));
  const failed = await build('august', ...conditions());
  assert.equal(failed.status, 1, 'a source that is not there ends the build');
  assert.match(failed.errors, /sounds\.csv/);
  assert.deepEqual((await call('/v1/search?kind=sfx&limit=1')).version, before.version);
});

test('November: a source that lost one sound passes; a collection shows the lost sound as missing, with its evidence', async () => {
  deliver('wood', wood.slice(1));
  const built = await build('november', ...conditions());
  assert.equal(built.status, 0, built.errors);
  assert.equal(difference('november').removed_count, 1);
  await publish('november');
  await eventually(async () => (await total()) === 98, 'the release of November');
  const { body: detail } = await call(`/v1/collections/${collection}`);
  const lost = item(detail, 'wood-1');
  assert.equal(lost.track, null);
  assert.equal(lost.license_record.license.id, 'cc0');
  const { body: changes } = await call('/v1/license-changes');
  assert.deepEqual(changes.changes.map((one) => [one.track_id, one.missing]).sort(), [['shore-2', false], ['wood-1', true]]);
});

test('the API lists what changed since each release (CHANGE-1, CHANGE-2)', async () => {
  const [january, april, november] = ['january', 'april', 'november'].map((month) => /catalog-([0-9a-f]{16})-/.exec(readFileSync(join(at(month), 'current.json')))[1]);
  const changes = async (query) => {
    const { status, body } = await call(`/v1/changes?since=${query}`);
    assert.equal(status, 200);
    assert.equal(body.catalog_version, november);
    return body.changes.map((one) => [one.change, one.track_id, one.catalog_version, one.license_before, one.license_after]);
  };
  const lost = ['removed', 'wood-1', november, 'cc0', null];
  const all = [['taken_down', 'shore-1', april, 'cc-by-4.0', 'cc-by-4.0'], ['license_changed', 'shore-2', april, 'cc-by-4.0', 'cc-by-nc-4.0'], lost];
  assert.deepEqual(await changes(january), all);
  assert.deepEqual(await changes(`${january}&limit=1&cursor=1`), [all[1]]);
  assert.deepEqual(await changes(april), [lost]);
  assert.deepEqual(await changes(november), []);
  const unknown = await call('/v1/changes?since=0123456789abcdef');
  assert.equal(unknown.status, 404);
  assert.match(unknown.body.message, new RegExp(`It knows those since "${january}" and later`));
});

test('the published log has the releases, and none that was stopped (RECEIPT-9)', () => {
  const log = readFileSync(join(at('public'), 'catalog-log.jsonl'), 'utf8');
  const versions = log.trimEnd().split('\n').map((line) => JSON.parse(line).catalog_version);
  const published = ['january', 'april', 'november'].map((month) => /catalog-([0-9a-f]{16})-/.exec(readFileSync(join(at(month), 'current.json')))[1]);
  assert.deepEqual(versions, published);
});

test('a snapshot with the signature of another key, an altered one, or a name that leads elsewhere is never served', async () => {
  const served = readFileSync(at('catalog.sqlite'));
  const current = readFileSync(join(at('public'), 'current.json'));
  const name = /catalog-[\w-]+\.sqlite/.exec(current)[0];
  const whole = readFileSync(join(at('public'), name));
  const fetchTo = (file) => release('fetch-catalog', '--key', at('public.pem'), `${url}/current.json`, at(file));
  const fetch_ = () => fetchTo('catalog.sqlite');
  rmSync(at('catalog.sqlite.etag'));

  const altered = Buffer.from(whole);
  altered[altered.length >> 1] ^= 1;
  writeFileSync(join(at('public'), name), altered);
  assert.match((await fetchTo('other.sqlite')).errors, /does not match its hash\n.*cannot download/);
  assert.ok(!existsSync(at('other.sqlite')));
  assert.equal((await fetch_()).status, 0, 'a block that the server has is not read');
  assert.deepEqual(readFileSync(at('catalog.sqlite')), served);
  rmSync(at('catalog.sqlite.etag'));

  openssl('genpkey', '-algorithm', 'ed25519', '-out', at('foreign.pem'));
  const foreign = spawnSync(join(bin, 'tonearm-catalog'), ['build', '--source', `${at('shore.toml')}:${at('shore')}`, '--output',
    join(at('public'), name), '--signing-key', at('foreign.pem')], { encoding: 'utf8' });
  assert.equal(foreign.status, 0, foreign.stderr);
  assert.match((await fetch_()).errors, /is refused: .*\n.*cannot download/);

  writeFileSync(join(at('public'), 'current.json'), '{"snapshot": "../token"}\n');
  assert.match((await fetch_()).errors, /does not name a snapshot/);
  writeFileSync(join(at('public'), name), whole);
  writeFileSync(join(at('public'), 'current.json'), current);
  assert.deepEqual(readFileSync(at('catalog.sqlite')), served);
  assert.equal((await fetch_()).status, 0);
});

test('a stopped build leaves nothing to publish, even if there was a release before', async () => {
  assert.ok(existsSync(join(at('november'), 'current.json')));
  deliver('wood', wood.slice(20));
  assert.equal((await build('november', ...conditions())).status, 3);
  assert.deepEqual(readdirSync(at('november')).sort(), ['diff.json', 'diff.txt', 'report.json']);
});

test('the same content under a new key is a new release', async () => {
  deliver('wood', wood.slice(1));
  const old = readFileSync(at('public.pem'), 'utf8');
  openssl('genpkey', '-algorithm', 'ed25519', '-out', at('new.pem'));
  openssl('pkey', '-in', at('new.pem'), '-pubout', '-out', at('new-public.pem'));
  writeFileSync(at('public.pem'), old + readFileSync(at('new-public.pem'), 'utf8'));
  renameSync(at('new.pem'), at('private.pem'));
  const built = await build('december', ...conditions());
  assert.equal(built.status, 0, built.errors);
  assert.match(await publish('december'), /signed with the key/);
  writeFileSync(at('public.pem'), readFileSync(at('new-public.pem')));
  const verified = spawnSync(join(bin, 'tonearm-catalog'), ['verify', '--key', at('public.pem'), at('catalog.sqlite')], { encoding: 'utf8' });
  assert.equal(verified.status, 0, verified.stderr);
});

test('old snapshots are removed from the served folder, and nothing else', async () => {
  mkdirSync(at('my folder'));
  writeFileSync(at('my'), 'precious');
  for (let i = 0; i < 5; ++i) writeFileSync(join(at('my folder'), `catalog-000000000000000${i}.sqlite`), 'old');
  const published = await release('publish-folder', at('december'), at('my folder'));
  assert.equal(published.status, 0, published.errors);
  assert.equal(readdirSync(at('my folder')).filter((name) => name.endsWith('.sqlite')).length, 3);
  assert.ok(existsSync(at('my')));
});
