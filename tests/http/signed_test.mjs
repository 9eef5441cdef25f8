// Signed snapshots, from openssl's key to the server that trusts it.
// Usage: node --test tests/http/signed_test.mjs      (TONEARM_BIN: the programs' folder)

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { after, afterEach, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { buildSnapshot, makeKey, run, withSignatureOf } from '../support/signed_snapshots.mjs';
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
  await server.logged(' info catalog ');
  assert.equal(await ready(), 200);
});

// HOST-30
test('At a reload what the key did not sign is refused, the old snapshot is served on, and /readyz stays 200', async () => {
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
    [withSignatureOf(next, good), 'its signature is not that of its content'],
    [altered, 'a block differs from its hash'],
  ];
  for (const [bytes, reason] of refusals) {
    const times = server.log.split(reason).length;
    publish(bytes);
    await server.logged(reason, times);
    assert.equal(await ready(), 200);
    assert.equal(await tracks(), total);
  }
  const loaded = server.log.split(' info catalog ').length;
  publish(next);
  await server.logged(' info catalog ', loaded);
  assert.notEqual(await tracks(), total);
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
  fails('tonearm-server', [...serve, scratch.at('ours.key')], /holds a private key/);
  fails('tonearm-server', [...serve, scratch.at('nothing')], /cannot open/);
  const build = ['build', '--input', lines, '--output', scratch.at('none.sqlite'), '--signing-key'];
  fails('tonearm-catalog', [...build, scratch.at('ours.pem')], /holds no private key/);
  run('openssl', 'genpkey', '-algorithm', 'EC', '-pkeyopt', 'ec_paramgen_curve:P-256', '-out', scratch.at('other.key'));
  fails('tonearm-catalog', [...build, scratch.at('other.key')], /an Ed25519 key is needed/);
  assert.throws(() => readFileSync(scratch.at('none.sqlite')));
});

// BUILD-22
test('The signature is over the footer, as docs/snapshot-format.md says, and openssl agrees', () => {
  const signed = Buffer.concat([Buffer.from('Tonearm snapshot, signed with Ed25519\n'), good.subarray(-64)]);
  writeFileSync(scratch.at('message'), signed);
  writeFileSync(scratch.at('signature'), good.subarray(-128, -64));
  run('openssl', 'pkeyutl', '-verify', '-rawin', '-pubin', '-inkey', scratch.at('ours.pem'), '-in', scratch.at('message'),
    '-sigfile', scratch.at('signature'));
  const der = spawnSync('openssl', ['pkey', '-pubin', '-in', scratch.at('ours.pem'), '-outform', 'DER']).stdout;
  assert.deepEqual(der.subarray(-32), good.subarray(-160, -128));
  assert.equal(createHash('sha256').update(der).digest('hex').length, 64);
});
