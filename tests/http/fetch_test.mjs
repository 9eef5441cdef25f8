// `tonearm-catalog fetch`, which brings a file up to date with a catalog in object storage.
// Usage: node --test tests/http/fetch_test.mjs      (TONEARM_BIN: the programs' folder)

import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { after, afterEach, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { CREDENTIALS, environmentOf, startObjectStore } from '../support/object_store.mjs';
import { buildSnapshot } from '../support/signed_snapshots.mjs';
import { BLOCK, newBytes, versionOf, withWrongBlock } from '../support/snapshot_blocks.mjs';
import { bin } from './server_process.mjs';

const ADDRESS = 's3://music/new.sqlite';
const lines = join(resolve(dirname(fileURLToPath(import.meta.url)), '../..'), 'tests/cases/catalog.jsonl');
const catalog = join(bin, 'tonearm-catalog');

let folder;
let store;
let january;
let february;

const at = (name) => join(folder, name);

before(() => {
  folder = mkdtempSync(join(tmpdir(), 'tonearm-fetch-'));
  [january, february] = [20, 21].map((tracks) => buildSnapshot({ catalog, lines, folder, output: at('built.sqlite'), tracks }));
});

afterEach(async () => {
  await store?.end();
  store = undefined;
  for (const name of readdirSync(folder)) if (name.startsWith('fetched')) rmSync(at(name), { recursive: true });
});

after(() => rmSync(folder, { recursive: true, force: true }));

const put = (bytes) => store.put('/music/new.sqlite', bytes);
async function startStore(bytes) {
  store = await startObjectStore({ credentials: CREDENTIALS });
  put(bytes);
}

/** Runs `tonearm-catalog fetch` while this process serves. */
const fetchCatalog = (...given) => new Promise((done) => {
  const env = { ...process.env, ...environmentOf(CREDENTIALS) };
  const child = spawn(catalog, ['fetch', '--storage-endpoint', store.url, ...given], { env });
  let output = '';
  child.stdout.on('data', (data) => { output += data; });
  child.stderr.on('data', (data) => { output += data; });
  child.on('close', (code) => done(`${code} ${output}`));
});

// HOST-55
test('tonearm-catalog fetch reads what is new, and keeps the file if the store is wrong', async () => {
  await startStore(january);
  const file = at('fetched.sqlite');
  assert.match(await fetchCatalog(ADDRESS, file), new RegExp(`^0 .*: version ${versionOf(january)}, 20 tracks, replaced; `));
  assert.ok(readFileSync(file).equals(january));
  assert.match(await fetchCatalog(ADDRESS, file), /, unchanged; 131072 bytes read\n$/);
  put(february);
  store.served();
  assert.match(await fetchCatalog('--base', file, ADDRESS, at('fetched-2.sqlite')), /replaced/);
  assert.equal(store.served(), newBytes(january, february));
  put(withWrongBlock(january, february));
  assert.match(await fetchCatalog(ADDRESS, file), /^1 tonearm-catalog: block \d+ of the store does not match its hash\n$/);
  put(Buffer.from('no snapshot'));
  assert.match(await fetchCatalog(ADDRESS, file), /^1 tonearm-catalog: .*it is truncated\n$/);
  assert.match(await fetchCatalog('--size-max', '1', ADDRESS.replace('new', 'no'), file), /^1 .*404 NoSuchKey/);
  assert.match(await fetchCatalog('--key', at('absent.pem'), ADDRESS, file), /^1 .*absent\.pem/);
  assert.ok(readFileSync(file).equals(january));
});

// HOST-49
test('tonearm-catalog fetch reads over plain http only from this machine, or with a key', async () => {
  await startStore(january);
  assert.match(await fetchCatalog('http://h/c', at('fetched.sqlite')), /^2 .*without --key a catalog is read only over https/);
  const { status, stderr } = spawnSync(catalog, ['fetch', '--storage-endpoint', 'https://user:hidden@h', ADDRESS, at('fetched.sqlite')], { encoding: 'utf8' });
  assert.equal(status, 2);
  assert.doesNotMatch(stderr, /hidden/);
});

// HOST-55
test('tonearm-catalog fetch keeps the permissions of the file, and repairs damaged blocks', async () => {
  await startStore(january);
  const file = at('fetched.sqlite');
  const mask = process.umask(0o027);
  try {
    assert.match(await fetchCatalog(ADDRESS, file), /replaced/);
  } finally {
    process.umask(mask);
  }
  assert.equal(statSync(file).mode & 0o777, 0o640);
  chmodSync(file, 0o604);
  const damaged = Buffer.from(january);
  damaged[2 * BLOCK + 7] ^= 1;
  writeFileSync(file, damaged);
  store.served();
  assert.match(await fetchCatalog(ADDRESS, file), /replaced/);
  assert.equal(store.served(), 131_072 + BLOCK);
  assert.ok(readFileSync(file).equals(january));
  assert.equal(statSync(file).mode & 0o777, 0o604);
});

// HOST-52
test('On a full disk, blocks of an older download make room', async (t) => {
  await startStore(january);
  const disk = at('fetched');
  mkdirSync(disk);
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${Math.ceil(january.length / 2 ** 20) + 2}m`, 'tmpfs', disk], { encoding: 'utf8' });
  if (mounted.status !== 0) return t.diagnostic(`left out, for no small disk can be mounted here: ${mounted.stderr}`);
  try {
    mkdirSync(join(disk, 'c.download'), { mode: 0o700 });
    writeFileSync(join(disk, 'c.download/catalog.previous'), randomBytes(3 * 2 ** 20));
    assert.match(await fetchCatalog(ADDRESS, join(disk, 'c')), /^0 .*replaced/);
    assert.ok(readFileSync(join(disk, 'c')).equals(january));
    const { bavail, bsize } = statfsSync(disk);
    writeFileSync(join(disk, 'other'), randomBytes(bavail * bsize - BLOCK));
    assert.match(await fetchCatalog(ADDRESS, join(disk, 'd')), /^1 .*cannot have \d+ MiB: No space left on device\n$/);
  } finally {
    assert.equal(spawnSync('umount', ['--lazy', disk]).status, 0);
  }
});

// HOST-52
test('A folder in which others may write is refused', async () => {
  await startStore(january);
  mkdirSync(at('fetched.sqlite.download'));
  chmodSync(at('fetched.sqlite.download'), 0o777);
  assert.match(await fetchCatalog(ADDRESS, at('fetched.sqlite')), /^1 .*fetched\.sqlite\.download can be written by other users/);
});
