// Failures of an embedded state while a server uses it: a second server, a full disk, a removed file, a clock that jumps,
// a killed process. The tests start the programs as an operator does.
// Usage: node --test tests/http/state_test.mjs      (TONEARM_BIN: their folder, by default build/native/bin)

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { copyFileSync, linkSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, statSync, statfsSync, symlinkSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { after, afterEach, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { LaunchedServer } from '../support/launched_server.mjs';
import { eventually } from '../support/waiting.mjs';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
const bin = resolve(process.env.TONEARM_BIN ?? join(root, 'build/native/bin'));
const program = (name) => join(bin, name);
const MIB = 1024 * 1024;

let folder;
const at = (...names) => join(folder, ...names);

/** The arguments of a server on a new state, or on the given one. */
function serverWords({ state, more = [] }) {
  return ['--catalog', at('catalog.sqlite'), '--state', state, '--listen', '127.0.0.1:0', '--admin-listen', '127.0.0.1:0',
    '--admin-token-file', at('token'), ...more];
}

/** Starts a server and waits until it listens. */
const startServer = ({ state, more, env }) =>
  LaunchedServer.launch(program('tonearm-server'), serverWords({ state, more }), { env });

/** Returns the output of a server that does not start. */
function refusalOf(state) {
  const refused = spawnSync(program('tonearm-server'), serverWords({ state }), { encoding: 'utf8' });
  assert.equal(refused.status, 1);
  return refused.stderr;
}

function ask(url, agent, { method = 'GET', token, body } = {}) {
  const headers = token ? { Authorization: `Bearer ${token}` } : {};
  const bytes = body === undefined ? undefined : JSON.stringify(body);
  if (bytes !== undefined) headers['Content-Type'] = 'application/json';
  return new Promise((done, failed) => {
    const request = http.request(url, { method, headers, agent }, (response) => {
      let text = '';
      response.on('data', (data) => { text += data; });
      response.on('end', () => done({ status: response.statusCode, headers: response.headers, text }));
      response.on('error', failed);
    });
    request.on('error', failed);
    request.end(bytes);
  });
}

const call = (server, path, options) => ask(`${server.url}${path}`, server.agent, options);
const admin = (server, path, options) => ask(`${server.adminUrl}${path}`, server.agent, { token: 'a-token-of-the-tests', ...options });

async function adminJson(server, path, options) {
  const answer = await admin(server, path, options);
  assert.ok(answer.status < 300, `${path}: ${answer.status} ${answer.text}`);
  return JSON.parse(answer.text);
}

async function newKey(server, plan) {
  const { account } = await adminJson(server, '/admin/accounts', { method: 'POST', body: { plan } });
  const key = await adminJson(server, `/admin/accounts/${account}/keys`, { method: 'POST', body: {} });
  return { account, token: key.key, keyId: key.key_id };
}

const callsOf = async (server, { account }) => (await adminJson(server, `/admin/accounts/${account}/calls?limit=10000`)).calls;
const sumOf = (calls) => calls.reduce((sum, { count }) => sum + count, 0);

async function metric(server, name) {
  const { text } = await admin(server, '/metrics');
  return Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(text)[1]);
}

const makeCollection = (server, token) => call(server, '/v1/collections', { method: 'POST', token, body: { name: 'x' } });
const readiness = async (server) => (await call(server, '/readyz')).status;

before(() => {
  folder = mkdtempSync(join(tmpdir(), 'tonearm-state-'));
  writeFileSync(at('token'), 'a-token-of-the-tests\n');
  const built = spawnSync(program('tonearm-catalog'), [
    'build', '--input', join(root, 'tests/cases/catalog.jsonl'), '--output', at('catalog.sqlite'), '--allow-share-alike',
  ], { encoding: 'utf8' });
  assert.equal(built.status, 0, built.stderr);
});

afterEach(() => LaunchedServer.endAll());

after(() => {
  rmSync(folder, { recursive: true });
});

/** Creates a folder for a state. */
function stateFolder(name) {
  mkdirSync(at(name));
  return at(name);
}

// LIMIT-10
test('Neither another name of a state nor a missing lock file admits a second server', async () => {
  const own = stateFolder('second');
  const state = join(own, 'state.sqlite');
  const server = await startServer({ state });
  const inUse = new RegExp(`in use by process ${server.child.pid}\\b`);
  assert.match(refusalOf(state), inUse);
  symlinkSync(state, at('by-symlink.sqlite'));
  assert.match(refusalOf(at('by-symlink.sqlite')), inUse);
  mkdirSync(at('elsewhere'));
  linkSync(state, at('elsewhere', 'by-hard-link.sqlite'));
  assert.match(refusalOf(at('elsewhere', 'by-hard-link.sqlite')), /in use by another process/);
  rmSync(join(own, 'state.sqlite.lock'));
  assert.match(refusalOf(state), /in use by another process/);
  assert.equal((await makeCollection(server, (await newKey(server, 'pro')).token)).status, 201);
  assert.equal(await server.stop(), 0);

  // A file with two names is refused.
  assert.match(refusalOf(state), /has 2 names \(hard links\)/);
  rmSync(at('elsewhere', 'by-hard-link.sqlite'));
  assert.equal(await (await startServer({ state: at('by-symlink.sqlite') })).stop(), 0);
});

// HOST-26
test('If the file or log of a state is removed, every write stops at once', async () => {
  for (const name of ['state.sqlite', 'state.sqlite-wal']) {
    for (const deed of ['removed', 'replaced']) {
      const own = stateFolder(`gone-${name}-${deed}`);
      const server = await startServer({ state: join(own, 'state.sqlite') });
      const { token } = await newKey(server, 'pro');
      assert.equal((await makeCollection(server, token)).status, 201);
      renameSync(join(own, name), join(own, 'away'));
      if (deed === 'replaced') copyFileSync(join(own, 'away'), join(own, name));
      assert.equal((await makeCollection(server, token)).status, 503);
      assert.equal((await admin(server, '/admin/accounts', { method: 'POST', body: { plan: 'free' } })).status, 503);
      assert.equal((await admin(server, '/admin/backup')).status, 503);
      assert.equal((await call(server, '/healthz')).status, 200);
      await server.logged('removed or replaced');
      // After it is moved back, the server uses it again.
      renameSync(join(own, 'away'), join(own, name));
      assert.equal((await makeCollection(server, token)).status, 201);
      assert.equal(await server.stop(), 0);
    }
  }
});

// docs/operate/native.md: file modes, exit status
test('Only the owner can read a state, and a stop that cannot write the last records ends with 1', async () => {
  const own = stateFolder('modes');
  const state = join(own, 'state.sqlite');
  const server = await startServer({ state });
  const { token } = await newKey(server, 'pro');
  const names = ['', '-wal', '-shm', '.lock', '.reserve'];
  for (const name of names) assert.equal(statSync(`${state}${name}`).mode & 0o777, 0o600, name);
  assert.equal(readFileSync(`${state}.lock`, 'utf8').trim(), String(server.pid));
  assert.equal(statSync(`${state}.reserve`).size, 16 * MIB);
  assert.equal((await call(server, '/v1/meta', { token })).status, 200);
  renameSync(state, join(own, 'away'));
  assert.equal((await call(server, '/v1/meta', { token })).status, 200); // of an account that is in memory
  assert.equal(await server.stop(), 1);
  assert.match(server.log, / error /);
});

/** Mounts a small disk. Returns null, and the test is skipped, if this user may not mount one. */
function mountSmallDisk(t, name, mib) {
  const disk = stateFolder(name);
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${mib}m`, 'tmpfs', disk], { encoding: 'utf8' });
  if (mounted.status !== 0) {
    t.diagnostic(`left out, for no small disk can be mounted here: ${mounted.stderr}`);
    return null;
  }
  t.after(() => assert.equal(spawnSync('umount', ['--lazy', disk]).status, 0));
  return disk;
}

const freeBytes = (disk) => statfsSync(disk).bavail * statfsSync(disk).bsize;

/** Fills a disk until no more than so much is free, while the server uses and frees some. */
function fill(disk, leftBytes) {
  const ballast = join(disk, 'ballast');
  writeFileSync(ballast, '', { flag: 'a' });
  for (let taken = freeBytes(disk) - leftBytes; taken > 0; taken = freeBytes(disk) - leftBytes) {
    spawnSync('fallocate', ['--offset', String(statSync(ballast).size), '--length', String(taken), ballast]);
  }
}

// RECORD-8
test('A flood of refused calls uses one row for each key, route and minute', async () => {
  const state = join(stateFolder('flood'), 'state.sqlite');
  const server = await startServer({ state });
  const abuser = await newKey(server, 'free');
  const flood = async () => {
    for (let number = 0; number < 1_000; number += 1) await call(server, '/v1/nothing', { token: abuser.token });
  };
  await Promise.all([flood(), flood(), flood(), flood()]);
  const calls = await callsOf(server, abuser);
  assert.equal(sumOf(calls), 4_000);
  const refused = calls.filter(({ status }) => status === 429);
  const minutes = new Set(refused.map((row) => row.at));
  assert.equal(refused.length, minutes.size);
  assert.equal(sumOf(refused), 4_000 - calls.filter(({ status }) => status === 404).length);
  const shown = spawnSync(program('tonearm-admin'), ['--server', server.adminUrl, '--token-file', at('token'), 'calls', abuser.account], { encoding: 'utf8' });
  assert.match(shown.stdout, /\bcount\b/);
  assert.equal(await server.stop(), 0);
});

// RECORD-9, RECORD-10, HOST-2
test('A disk that fills up stops records first, then writes, and never the deletion of accounts', async (t) => {
  const disk = mountSmallDisk(t, 'small', 24);
  if (disk === null) return;
  const state = join(disk, 'state.sqlite');
  const words = { state, more: ['--state-reserve', '4'] };
  let server = await startServer(words);
  const abuser = await newKey(server, 'free');
  const user = await newKey(server, 'unlimited');
  const search = ({ token } = user) => call(server, '/v1/search?q=rain', { token });
  const heavy = await newKey(server, 'unlimited');
  for (let number = 0; number < 3_000; number += 1) await search(heavy);
  await search();
  assert.equal((await callsOf(server, user))[0].period_s, null);
  assert.equal(await metric(server, 'tonearm_state_short_of_room'), 0);

  fill(disk, 3 * MIB);
  await eventually(async () => (await metric(server, 'tonearm_state_short_of_room')) === 1);
  await eventually(() => server.log.includes('calls are counted by day'));
  for (let number = 0; number < 3; number += 1) assert.equal((await search()).status, 200);
  const calls = await callsOf(server, user);
  assert.deepEqual(calls.map(({ count, period_s: period }) => [count, period]).sort(), [[1, null], [3, 86_400]]);
  const kept = [];
  kept.push(JSON.parse((await makeCollection(server, user.token)).text).id);

  fill(disk, 0);
  // A checkpoint may free pages after a refusal: then further collections are stored, and the service is ready.
  await eventually(async () => {
    let made = await makeCollection(server, user.token);
    for (; made.status === 201; made = await makeCollection(server, user.token)) kept.push(JSON.parse(made.text).id);
    assert.equal(made.status, 503);
    return (await readiness(server)) === 503;
  }, 'a state without room');
  assert.equal((await call(server, '/healthz')).status, 200);
  assert.equal((await admin(server, `/admin/keys/${abuser.keyId}`, { method: 'DELETE' })).status, 200);
  assert.equal((await search()).status, 200);
  assert.equal((await call(server, '/v1/search', { token: abuser.token })).status, 401);
  for (const { account } of [heavy, abuser]) {
    assert.equal((await admin(server, `/admin/accounts/${account}`, { method: 'DELETE' })).status, 200);
  }

  // The reserve is allocated again as soon as there is space, and a server can start.
  rmSync(join(disk, 'ballast'));
  await eventually(() => statSync(`${state}.reserve`).size === MIB);
  fill(disk, 0);
  await server.stop('SIGKILL');
  server = await startServer(words);
  assert.equal((await admin(server, `/admin/accounts/${abuser.account}`)).status, 404);
  const listed = JSON.parse((await call(server, '/v1/collections', { token: user.token })).text);
  assert.deepEqual(listed.collections.map(({ id }) => id).sort(), kept.sort());

  rmSync(join(disk, 'ballast'));
  await eventually(async () => (await readiness(server)) === 200);
  assert.equal((await makeCollection(server, user.token)).status, 201);
  await eventually(async () => (await metric(server, 'tonearm_state_short_of_room')) === 0);
  assert.equal((await search()).status, 200);
  assert.equal((await callsOf(server, user))[0].period_s, null);
  assert.equal(await server.stop(), 0);
});

const DAY_S = 86_400;

// LIMIT-13, LIMIT-14
test('A clock that jumps ahead for some calls locks no account out, and an operator can reset the counts', async () => {
  const state = join(stateFolder('clock'), 'state.sqlite');
  const clock = at('clock', 'ahead');
  const move = (seconds) => {
    writeFileSync(`${clock}.new`, `${seconds}\n`);
    renameSync(`${clock}.new`, clock);
  };
  const env = { LD_PRELOAD: program('tonearm-moved-clock.so'), TONEARM_TEST_CLOCK: clock, ASAN_OPTIONS: 'verify_asan_link_order=0' };
  const server = await startServer({ state, env });
  const user = await newKey(server, 'free');
  const statuses = async (count) => {
    const seen = [];
    for (let number = 0; number < count; number += 1) seen.push((await call(server, '/v1/nothing', { token: user.token })).status);
    return seen;
  };
  const limits = async (...more) => {
    const words = ['--server', server.adminUrl, '--token-file', at('token'), 'account', 'limits', user.account, '--json', ...more];
    return JSON.parse(spawnSync(program('tonearm-admin'), words, { encoding: 'utf8' }).stdout).limits;
  };
  move(400 * DAY_S);
  assert.deepEqual([...new Set(await statuses(20))], [404]);
  const [minute] = await limits();
  assert.ok(Date.parse(minute.began) > Date.now() + 399 * DAY_S * 1000);
  move(0);
  assert.equal((await statuses(1))[0], 404);
  assert.equal((await limits())[1].calls, 1);

  // Less than an hour ahead, the later window counts, and only an operator ends it.
  move(1_800);
  while (!(await statuses(1)).includes(429));
  move(0);
  assert.equal((await statuses(1))[0], 429);
  assert.deepEqual((await limits('--reset')).map(({ calls }) => calls), [0, 0, 0]);
  assert.equal((await statuses(1))[0], 404);
  assert.equal(await server.stop(), 0);
});

// LIMIT-9
test('A server that is killed under load loses at most one second of calls', async () => {
  const state = join(stateFolder('killed'), 'state.sqlite');
  let server = await startServer({ state });
  const user = await newKey(server, 'unlimited');
  const answered = [];
  const load = async () => {
    try {
      for (;;) {
        const { status } = await call(server, '/v1/nothing', { token: user.token });
        if (status === 404) answered.push(performance.now());
      }
    } catch (failure) {
      assert.match(String(failure.code), /ECONNRESET|ECONNREFUSED|EPIPE/);
    }
  };
  const loads = Array.from({ length: 8 }, load);
  await eventually(() => answered.length > 3_000);
  server.child.kill('SIGKILL');
  const killed = performance.now();
  await server.ended;
  await Promise.all(loads);
  server = await startServer({ state });
  const recorded = sumOf(await callsOf(server, user));
  const older = answered.filter((time) => time < killed - 1_000).length;
  assert.ok(recorded >= Math.min(older, 10_000), `${recorded} of ${older}`);
  const { days } = await adminJson(server, `/admin/accounts/${user.account}/usage`);
  assert.ok(days.reduce((sum, { calls }) => sum + calls, 0) >= older);
  assert.equal(await server.stop(), 0);
});
