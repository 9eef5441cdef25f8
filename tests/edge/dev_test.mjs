// `npm --prefix host-wasm run dev`: arguments, the printed address, files, and shutdown.
// Usage: dev_test.mjs [--build DIR]. Ends with one line: N passed, M failed.

import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { copyFileSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';

import { casesOfBuild, root } from '../cases/build_folder.mjs';
import { ADMIN_TOKEN, devFolder, devLog, DevProcess } from './dev_process.mjs';
import { runTests } from './test_run.mjs';
import { buildSnapshot, makeKey } from '../support/signed_snapshots.mjs';
import { eventually } from '../support/waiting.mjs';

const paths = casesOfBuild();
const files = devFolder(paths.snapshot);
const { folder, catalog, persist, args: good } = files;

const npm = (...args) => ['--prefix', join(root, 'host-wasm'), 'run', '--silent', 'dev', '--', ...args];

/** Runs it until it exits. */
function run(...args) {
  const { status, stdout, stderr } = spawnSync('npm', npm(...args), { cwd: folder, encoding: 'utf8' });
  return { status, stdout, stderr };
}

let dev = null;
async function start() {
  await dev?.kill(); // if a previous test has failed
  dev = await DevProcess.start(files);
  return dev.base;
}

async function stop(signal) {
  const status = await dev.stop(signal);
  dev = null;
  return status;
}

/** Returns whether a file below the folder has exactly this content. The server may remove files meanwhile. */
function hasFileWith(below, words) {
  try {
    return readdirSync(below, { recursive: true, withFileTypes: true }).some(
      (entry) => entry.isFile() && readFileSync(join(entry.parentPath, entry.name)).equals(Buffer.from(words)),
    );
  } catch (error) {
    if (error.code === 'ENOENT') return false;
    throw error;
  }
}

/** Renames a file with this content onto the catalog's path. */
function replaceCatalog(words) {
  writeFileSync(`${catalog}.next`, words);
  renameSync(`${catalog}.next`, catalog);
}

/** Waits until a file with this content is the current snapshot of the bucket. */
async function publishedIs(words) {
  const version = createHash('sha256').update(words).digest('hex').slice(0, 16);
  await eventually(() => hasFileWith(join(persist, 'r2'), `{"snapshot":"catalog-${version}.sqlite"}`), `"${words}" is published`);
}

const admin = async (base, path, body) =>
  (
    await fetch(new URL(`/admin${path}`, base), {
      method: 'POST',
      headers: { Authorization: `Bearer ${ADMIN_TOKEN}`, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    })
  ).json();

let key = '';
const get = (base, path) => fetch(new URL(path, base), { headers: { Authorization: `Bearer ${key}` } });
const statusOf = async (base, path) => (await get(base, path)).status;

const tests = {
  'an invalid command line exits with 2 and names the error': () => {
    for (const [args, message] of [
      [[], /--catalog is missing/],
      [good.slice(0, 6), /--persist is missing/],
      [[...good, '--nothing'], /--nothing/],
      [[...good, '--listen', 'here'], /--listen must be ADDR:PORT; got "here"/],
      [[...good, '--listen', '127.0.0.1:99999'], /--listen must be ADDR:PORT/],
    ]) {
      const { status, stderr } = run(...args);
      assert.equal(status, 2, stderr);
      assert.match(stderr, message);
    }
  },
  'a missing token file exits with 1': () => {
    const { status, stderr } = run(...good, '--admin-token-file', 'nowhere');
    assert.equal(status, 1);
    assert.match(stderr, /nowhere/);
  },
  'prints its usage and its version': () => {
    assert.match(run('--help').stdout, /--admin-token-file FILE/);
    assert.match(run('--version').stdout, /^\d+\.\d+\.\d+\n$/);
  },
  // PROGRAM-8
  'serves API and admin interface on one address, and stops on a signal': async () => {
    const base = await start();
    assert.equal((await fetch(new URL('/readyz', base))).status, 200);
    const { account } = await admin(base, '/accounts', { plan: 'unlimited' });
    ({ key } = await admin(base, `/accounts/${account}/keys`, {}));
    assert.equal(await statusOf(base, '/v1/search?q=rain'), 200);
    assert.equal(await stop('SIGTERM'), 0);
    assert.equal(statSync(join(persist, 'key-secret')).mode & 0o777, 0o600);
  },
  'keeps accounts and keys after a restart': async () => {
    const secret = readFileSync(join(persist, 'key-secret'), 'utf8');
    const base = await start();
    assert.equal(await statusOf(base, '/v1/search?q=rain'), 200);
    assert.equal(readFileSync(join(persist, 'key-secret'), 'utf8'), secret);
    // A file that is not a catalog is not activated.
    replaceCatalog('no catalog');
    await publishedIs('no catalog');
    assert.equal(await statusOf(base, '/v1/search?q=rain'), 200);
    assert.equal(await stop('SIGINT'), 0);
  },
  'publishes a catalog at a later check if that failed': async () => {
    await start();
    const objects = join(persist, 'r2/SNAPSHOTS/blobs');
    renameSync(objects, `${objects}.away`);
    writeFileSync(objects, ''); // the bucket rejects objects
    const reported = devLog.next(/^dev: cannot activate the catalog/);
    replaceCatalog('a later catalog');
    await reported;
    rmSync(objects);
    renameSync(`${objects}.away`, objects);
    await publishedIs('a later catalog');
    assert.equal(await stop('SIGTERM'), 0);
  },
  'a signal stops a server that does not answer': async () => {
    const base = await start();
    dev.suspendServer();
    assert.equal(await stop('SIGTERM'), 0);
    await assert.rejects(fetch(new URL('/healthz', base)));
  },
  // docs/operate/edge.md: the signal goes to npm, which the user has started
  'a signal to npm stops everything': async () => {
    const npmProcess = spawn('npm', npm(...good), { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
    devLog.follow(npmProcess.stderr);
    const ended = once(npmProcess, 'exit');
    const [line] = await once(createInterface({ input: npmProcess.stdout }), 'line');
    const [, base] = /^listening on (http:\S+)/.exec(line);
    assert.equal((await fetch(new URL('/healthz', base))).status, 200);
    npmProcess.kill('SIGTERM');
    assert.deepEqual(await ended, [0, null]);
    await assert.rejects(fetch(new URL('/healthz', base)));
  },
  'activates a catalog that is renamed onto the path': async () => {
    copyFileSync(paths.snapshot, catalog);
    const base = await start();
    const lines = readFileSync(join(root, 'tests/cases/catalog.jsonl'), 'utf8').split('\n');
    writeFileSync(join(folder, 'few.jsonl'), `${lines.slice(0, 20).join('\n')}\n`);
    const words = ['build', '--input', join(folder, 'few.jsonl'), '--output', `${catalog}.next`];
    const built = spawnSync(join(dirname(paths.server), 'tonearm-catalog'), words, { encoding: 'utf8' });
    assert.equal(built.status, 0, built.stderr);
    const tracksAt = async () => {
      const { sources } = await (await get(base, '/v1/meta')).json();
      return sources.reduce((sum, { track_count: count }) => sum + count, 0);
    };
    const before = await tracksAt();
    assert.ok(before > 20);
    renameSync(`${catalog}.next`, catalog);
    await eventually(async () => (await tracksAt()) !== before, 'the new catalog is active');
    assert.equal(await stop('SIGTERM'), 0);
  },
  // PROGRAM-8
  'with --catalog-key, serves only what its key has signed': async () => {
    for (const name of ['ours', 'theirs']) makeKey(folder, name);
    const put = (key) => {
      buildSnapshot({
        catalog: join(dirname(paths.server), 'tonearm-catalog'),
        lines: join(root, 'tests/cases/catalog.jsonl'),
        folder,
        output: `${catalog}.next`,
        tracks: 20,
        key: join(folder, key),
      });
      renameSync(`${catalog}.next`, catalog);
    };
    const { status, stderr } = run(...good, '--catalog-key', catalog);
    assert.equal(status, 1);
    assert.match(stderr, /catalog\.sqlite/);

    put('theirs.key');
    dev = await DevProcess.start({ ...files, args: [...good, '--persist', 'signed', '--catalog-key', 'ours.pem'] });
    assert.equal((await fetch(new URL('/readyz', dev.base))).status, 503);
    put('ours.key');
    await eventually(async () => (await fetch(new URL('/readyz', dev.base))).status === 200, 'the signed catalog');
    assert.equal(await stop('SIGTERM'), 0);
  },
};

await runTests(tests, async () => {
  await dev?.kill();
  files.remove();
}, devLog);
