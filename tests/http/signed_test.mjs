// Signed snapshots, from a key of openssl to the server that trusts it.
// Usage: node --test tests/http/signed_test.mjs      (TONEARM_BIN: the programs' folder)

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { after, afterEach, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { buildSnapshot, makeKey, run, withSignatureOf } from '../support/signed_snapshots.mjs';
import { eventually } from '../support/waiting.mjs';
import { bin, get, Scratch, ServerProcess } from './server_process.mjs';

const lines = join(resolve(dirname(fileURLToPath(import.meta.url)), '../..'), 'tests/cases/catalog.jsonl');
const catalog = join(bin, 'tonearm-catalog');
let scratch;
let server = null;
let good;

const snapshot = (tracks, key) => buildSnapshot({
  catalog, lines, folder: scratch.folder, output: scratch.at('built.sqlite'), tracks, key: key && scratch.at(`${key}.key`),
});
const ready = async () => (await get(server, '/readyz')).status;

function publish(bytes) {
  writeFileSync(scratch.at('incoming'), bytes);
  renameSync(scratch.at('incoming'), scratch.at('catalog.sqlite'));
}

before(() => {
  scratch = new Scratch();
  for (const name of ['ours', 'theirs']) makeKey(scratch.folder, name);
  good = snapshot(20, 'ours');
});
afterEach(async () => {
  if (server !== null) assert.equal(await server.stop(), 0, server.log);
  server = null;
});
after(() => { scratch.remove(); });

const startWithKey = async () => {
  server = await ServerProcess.start(scratch, { words: ['--catalog-key', scratch.at('ours.pem')] });
};

// HOST-30
test('At the start an unsigned snapshot is refused with the reason, and the server waits for a signed one', async () => {
  publish(snapshot(20));
  await startWithKey();
  assert.equal(await ready(), 503);
  assert.match(server.log, /error the catalog \S+ is refused: it is not signed, and only signed snapshots are trusted here\n/);
  publish(good);
  await eventually(async () => (await ready()) === 200, 'the signed snapshot');
});

// HOST-30
test('Without --catalog-key, an unsigned snapshot is served, and one with a signature that does not match is refused', async () => {
  publish(withSignatureOf(snapshot(25), good));
  server = await ServerProcess.start(scratch);
  assert.equal(await ready(), 503);
  assert.match(server.log, /error the catalog \S+ is refused: its signature does not match its content/);
  publish(snapshot(20));
  await eventually(async () => (await ready()) === 200, 'the unsigned snapshot');
});

// HOST-30
test('A reload refuses snapshots that the key did not sign, the old one stays served, and /readyz stays 200', async () => {
  publish(good);
  await startWithKey();
  assert.equal(await ready(), 200);
  const key = await server.newKey();
  const tracks = async () => JSON.parse((await get(server, '/v1/search?limit=1', { key })).body).total;
  const total = await tracks();
  const next = snapshot(25, 'ours');
  const altered = Buffer.from(next);
  altered[altered.indexOf('"title":"') + 10] ^= 1;
  const refusals = [
    [snapshot(25), 'it is not signed'],
    [snapshot(25, 'theirs'), 'it is signed with the key '],
    [withSignatureOf(next, good), 'its signature does not match its content'],
    [altered, 'a block differs from its hash'],
  ];
  for (const [bytes, reason] of refusals) {
    const times = server.log.split(reason).length;
    publish(bytes);
    await server.logged(reason, times);
    assert.equal(await ready(), 200);
    assert.equal(await tracks(), total);
  }
  publish(next);
  await eventually(async () => (await tracks()) !== total, 'the next snapshot');
});

// PROGRAM-24
test('A key file that cannot be used ends the server and the builder with 1, and nothing is built', () => {
  const fails = (program, words, message) => {
    const { status, stderr } = spawnSync(join(bin, program), words, { encoding: 'utf8' });
    assert.equal(status, 1, stderr);
    assert.match(stderr, message);
  };
  const serve = ['--catalog', scratch.at('catalog.sqlite'), '--state', scratch.at('s'), '--admin-token-file', scratch.at('token'),
    '--listen', '127.0.0.1:0', '--admin-listen', '127.0.0.1:0', '--catalog-key'];
  fails('tonearm-server', [...serve, scratch.at('ours.key')], /contains a private key/);
  fails('tonearm-server', [...serve, scratch.at('nothing')], /cannot open/);
  const build = ['build', '--input', lines, '--output', scratch.at('none.sqlite'), '--signing-key'];
  fails('tonearm-catalog', [...build, scratch.at('ours.pem')], /contains no private key/);
  run('openssl', 'genpkey', '-algorithm', 'EC', '-pkeyopt', 'ec_paramgen_curve:P-256', '-out', scratch.at('other.key'));
  fails('tonearm-catalog', [...build, scratch.at('other.key')], /an Ed25519 key is required/);
  assert.throws(() => readFileSync(scratch.at('none.sqlite')));
});

// BUILD-22
test('The signature covers date and footer as in docs/snapshot-format.md, and openssl verifies it', () => {
  const signed = Buffer.concat([Buffer.from('Tonearm snapshot, signed with Ed25519\n'), good.subarray(-200, -192), good.subarray(-128)]);
  writeFileSync(scratch.at('signed.sqlite'), good);
  writeFileSync(scratch.at('message'), signed);
  writeFileSync(scratch.at('signature'), good.subarray(-192, -128));
  run('openssl', 'pkeyutl', '-verify', '-rawin', '-pubin', '-inkey', scratch.at('ours.pem'), '-in', scratch.at('message'),
    '-sigfile', scratch.at('signature'));
  const inspected = JSON.parse(run(catalog, 'inspect', '--json', scratch.at('signed.sqlite')));
  assert.equal(inspected.signature_holds, true);
  const der = spawnSync('openssl', ['pkey', '-pubin', '-in', scratch.at('ours.pem'), '-outform', 'DER']).stdout;
  assert.deepEqual(der.subarray(-32), good.subarray(-232, -200));
  assert.equal(inspected.signed_by, createHash('sha256').update(der).digest('hex').slice(0, 16));
});

// PROGRAM-25
test('verify checks the signature of a key, and detects an altered one without a key', () => {
  const path = scratch.at('verified.sqlite');
  const verify = (bytes, ...words) => {
    writeFileSync(path, bytes);
    const { status, stdout, stderr } = spawnSync(catalog, ['verify', path, ...words], { encoding: 'utf8' });
    return status === 0 ? stdout : stderr;
  };
  const key = ['--key', scratch.at('ours.pem')];
  assert.match(verify(good, ...key), /: ok, version [0-9a-f]{16}, \d+ tracks, signed with the key [0-9a-f]{16}\n$/);
  assert.match(verify(snapshot(20)), /: ok, .*, not signed\n$/);
  assert.match(verify(snapshot(20), ...key), /it is not signed/);
  assert.match(verify(snapshot(20, 'theirs'), ...key), /it is signed with the key [0-9a-f]{16}, which is not trusted here/);
  assert.match(verify(withSignatureOf(snapshot(21, 'ours'), good)), /its signature is not that of its content/);
});

const line = (id, license, title, more = {}) =>
  `${JSON.stringify({ id, kind: 'sfx', title, artist: 'Ann', duration_s: 12, license, source: 'archive.example', ...more })}\n`;

// PROGRAM-26, PROGRAM-27
test('diff prints the example in docs/operate/catalog-releases.md, and its conditions end it with 3', () => {
  const build = (name, text, policy = '') => {
    writeFileSync(scratch.at(`${name}.jsonl`), text);
    writeFileSync(scratch.at(`${name}.toml`), policy);
    run(catalog, 'build', '--input', scratch.at(`${name}.jsonl`), '--policy', scratch.at(`${name}.toml`), '--output', scratch.at(name));
  };
  const shelf = { source: 'shelf.example' };
  build('old', line('ar-1', 'cc0', 'Rain') + line('ar-2', 'cc0', 'Wind') + line('ar-3', 'cc-by-4.0', 'Door')
    + line('sh-1', 'cc0', 'Bell', shelf) + line('sh-2', 'cc0', 'Gong', shelf));
  build('new', line('ar-1', 'cc0', 'Rain') + line('ar-2', 'cc-by-4.0', 'Wind') + line('ar-3', 'cc-by-4.0', 'Door')
    + line('sh-1', 'cc0', 'Small bell', shelf) + line('ar-4', 'cc0', 'Steps'), 'taken_down = ["ar-3"]\n');
  const diff = (...words) => spawnSync(catalog, ['diff', scratch.at('old'), scratch.at('new'), ...words], { encoding: 'utf8' });
  const { status, stdout } = diff();
  assert.equal(status, 0);
  const page = readFileSync(join(lines, '../../../docs/operate/catalog-releases.md'), 'utf8');
  const [, example] = /<!-- diff -->\n```\n([^`]*)```/.exec(page);
  // The versions change with each version of the builder.
  const plain = (text) => text.replaceAll(/^from .*\n/g, '');
  assert.equal(plain(stdout), plain(example));
  const all = diff('--json', '--fail-on', 'license-change', '--fail-on', 'source-below=95', '--fail-on', 'removed-above=0');
  assert.equal(all.status, 3);
  assert.equal(JSON.parse(all.stdout).failed_conditions.length, 3);
  assert.equal(all.stderr.trim().split('\n').length, 3);
  writeFileSync(scratch.at('approved'), 'ar-2 cc0 cc-by-4.0\n');
  assert.equal(diff('--fail-on', 'license-change', '--approve', scratch.at('approved')).status, 0);
  assert.equal(diff('--fail-on', 'nothing').status, 2);
  assert.equal(diff('--approve', scratch.at('none')).status, 1);
});
