// The programs of the native host, started as an operator starts them: tonearm-server, tonearm-admin and the
// snapshots of tonearm-catalog.
// Usage: node --test tests/http/server_test.mjs      (TONEARM_BIN: their folder, by default build/native/bin)

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  appendFileSync, closeSync, copyFileSync, futimesSync, mkdtempSync, openSync, readFileSync, readSync, renameSync, rmSync,
  statSync, writeFileSync, writeSync,
} from 'node:fs';
import http from 'node:http';
import net from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, afterEach, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { LaunchedServer } from '../support/launched_server.mjs';
import { eventually } from '../support/waiting.mjs';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
const bin = resolve(process.env.TONEARM_BIN ?? join(root, 'build/native/bin'));
const program = (name) => join(bin, name);
/** A program that runs this long instead of ending hangs. */
const HANG_MS = 600_000;

let folder;
const at = (name) => join(folder, name);

/** Two snapshots: of all lines, and of all but the last. */
function buildSnapshots() {
  const lines = readFileSync(join(root, 'tests/cases/catalog.jsonl'), 'utf8').trimEnd().split('\n');
  for (const [name, kept] of [['one', lines], ['two', lines.slice(0, -1)]]) {
    writeFileSync(at(`${name}.jsonl`), `${kept.join('\n')}\n`);
    const built = spawnSync(program('tonearm-catalog'), [
      'build', '--input', at(`${name}.jsonl`), '--output', at(`${name}.sqlite`), '--allow-share-alike',
    ], { encoding: 'utf8' });
    assert.equal(built.status, 0, built.stderr);
  }
}

/** Renames a copy of a file onto the catalog's path, as a publisher does. */
function publish(source) {
  copyFileSync(source, at('incoming'));
  renameSync(at('incoming'), at('catalog.sqlite'));
}

function serverArguments(...more) {
  return ['--catalog', at('catalog.sqlite'), '--state', at('state.sqlite'), '--listen', '127.0.0.1:0',
    '--admin-listen', '127.0.0.1:0', '--admin-token-file', at('token'), ...more];
}

/** Starts a server and waits until it listens. */
const startServer = (...more) => LaunchedServer.launch(program('tonearm-server'), serverArguments(...more));

const adminWords = (server, ...words) => ['--server', server.adminUrl, '--token-file', at('token'), ...words];

const runAdmin = (server, ...words) =>
  spawnSync(program('tonearm-admin'), adminWords(server, ...words), { encoding: 'utf8' });

function admin(server, ...words) {
  const result = runAdmin(server, ...words);
  assert.equal(result.status, 0, result.stderr);
  return result.stdout;
}

const adminJson = (server, ...words) => JSON.parse(admin(server, ...words, '--json'));

function newKey(server) {
  const { account } = adminJson(server, 'account', 'create', '--plan', 'unlimited');
  return { account, ...adminJson(server, 'key', 'create', account) };
}

function get(server, path, { key, agent } = {}) {
  const headers = key ? { Authorization: `Bearer ${key}` } : {};
  return new Promise((done, failed) => {
    http.get(`${server.url}${path}`, { headers, agent }, (response) => {
      let body = '';
      response.on('data', (data) => { body += data; });
      response.on('end', () => done({ status: response.statusCode, headers: response.headers, body }));
      response.on('error', failed);
    }).on('error', failed);
  });
}

/** A request with a JSON body. */
async function send(server, method, path, body, key) {
  const response = await fetch(`${server.url}${path}`, {
    method,
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  return { status: response.status, body: await response.text() };
}

/** Changes one byte of a track's text. */
function damagedCopy(bytes) {
  const copy = Buffer.from(bytes);
  const place = copy.indexOf('"title":"') + 10;
  assert.ok(place > 10);
  copy[place] ^= 1;
  return copy;
}

/** Control characters other than the program's line breaks. */
const steering = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/;

const isReady = (server, status = 200) => async () => (await get(server, '/readyz')).status === status;

before(() => {
  folder = mkdtempSync(join(tmpdir(), 'tonearm-server-'));
  writeFileSync(at('token'), 'a-token-of-the-tests\n');
  buildSnapshots();
});

afterEach(() => LaunchedServer.endAll());

after(() => {
  rmSync(folder, { recursive: true });
});

// PROGRAM-6, HOST-8
test('The server starts without a catalog, reports that, and activates one that appears', async () => {
  const server = await startServer();
  const { key } = newKey(server);
  assert.equal((await get(server, '/healthz')).status, 200);
  assert.equal((await get(server, '/readyz')).status, 503);
  const early = await get(server, '/v1/search', { key });
  assert.equal(early.status, 503);
  assert.equal(JSON.parse(early.body).error, 'unavailable');
  publish(at('one.sqlite'));
  await eventually(isReady(server), 'the catalog');
  assert.equal((await get(server, '/v1/search', { key })).status, 200);
  assert.equal(await server.stop(), 0);
});

// HOST-8, SERVICE-9
test('A new snapshot is activated under load without a failed request', async () => {
  publish(at('one.sqlite'));
  const server = await startServer();
  const { key } = newKey(server);
  const agent = new http.Agent({ keepAlive: true });
  const versions = new Map();
  const failures = [];
  let loading = true;
  const load = async (path) => {
    while (loading) {
      const response = await get(server, path, { key, agent }).catch((error) => ({ status: String(error) }));
      if (response.status === 200) {
        const version = response.headers['tonearm-catalog'];
        versions.set(version, (versions.get(version) ?? 0) + 1);
      } else {
        failures.push(response.status);
      }
    }
  };
  const loads = ['/v1/search?q=rain', '/v1/search?kind=sfx', '/v1/meta', '/v1/search?sort=quality'].map(load);
  for (const name of ['two', 'one', 'two']) {
    const seen = new Map(versions);
    publish(at(`${name}.sqlite`));
    await eventually(() => {
      const grown = [...versions].filter(([version, count]) => count > (seen.get(version) ?? 0));
      return versions.size === 2 && grown.length > 0 && server.log.split('tracks\n').length > 2;
    });
    const answered = () => [...versions.values()].reduce((sum, count) => sum + count);
    const before = answered();
    await eventually(() => answered() > before + 200, 'answers after the exchange');
  }
  loading = false;
  await Promise.all(loads);
  agent.destroy();
  assert.deepEqual(failures, []);
  assert.equal(versions.size, 2);
  assert.equal(await server.stop(), 0);
});

test('An invalid snapshot is refused, and the old one stays', async () => {
  publish(at('one.sqlite'));
  const server = await startServer();
  const { key } = newKey(server);
  await eventually(isReady(server), 'the catalog');
  const { headers } = await get(server, '/v1/search', { key });
  const torn = readFileSync(at('two.sqlite'));
  const damaged = damagedCopy(torn);
  const bad = ['this is no snapshot', torn.subarray(0, torn.length / 2), Buffer.concat([torn, Buffer.alloc(1)]), damaged];
  for (const bytes of bad) {
    const refusals = server.log.split('is refused').length;
    writeFileSync(at('bad'), bytes);
    publish(at('bad'));
    await eventually(() => server.log.split('is refused').length > refusals, 'the refusal');
  }
  const later = await get(server, '/v1/search', { key });
  assert.equal(later.status, 200);
  assert.equal(later.headers['tonearm-catalog'], headers['tonearm-catalog']);
  rmSync(at('catalog.sqlite'));
  await eventually(() => server.log.includes('there is no catalog'), 'the line about the missing file');
  assert.equal((await get(server, '/v1/search', { key })).status, 200);
  assert.equal(await server.stop(), 0);
});

// HOST-27
test('A damaged snapshot is never served: it is verified before the server prints its addresses', async () => {
  writeFileSync(at('bad'), damagedCopy(readFileSync(at('one.sqlite'))));
  publish(at('bad'));
  const server = await startServer();
  assert.match(server.log, /is refused: the snapshot is damaged/);
  assert.equal((await get(server, '/readyz')).status, 503);
  publish(at('one.sqlite'));
  await eventually(isReady(server), 'the sound snapshot');
  assert.equal(await server.stop(), 0);
});

test('A database with another purpose is refused as a state and not changed', () => {
  publish(at('one.sqlite'));
  const before = readFileSync(at('catalog.sqlite'));
  const words = serverArguments();
  words[words.indexOf('--state') + 1] = at('catalog.sqlite');
  const refused = spawnSync(program('tonearm-server'), words, { encoding: 'utf8', timeout: HANG_MS });
  assert.equal(refused.status, 1);
  assert.match(refused.stderr, /not a state of accounts/);
  assert.deepEqual(readFileSync(at('catalog.sqlite')), before);
});

test('A snapshot that is changed in place is not served until another is renamed there', async () => {
  publish(at('one.sqlite'));
  const server = await startServer();
  const { key } = newKey(server);
  await eventually(isReady(server), 'the catalog');
  appendFileSync(at('catalog.sqlite'), 'x');
  await eventually(isReady(server, 503), 'the end of the changed snapshot');
  await eventually(() => server.log.includes('changed in place'), 'the line about the changed file');
  assert.equal((await get(server, '/v1/search', { key })).status, 503);
  publish(at('two.sqlite'));
  await eventually(isReady(server), 'the new snapshot');
  assert.equal(await server.stop(), 0);
});

// HOST-27
test('No response and no license record has bytes that were changed in place', async (t) => {
  publish(at('one.sqlite'));
  const server = await startServer('--answer-cache', '0');
  const { key } = newKey(server);
  const path = '/v1/search?kind=sfx&limit=50';
  const right = await get(server, path, { key });
  assert.equal(right.status, 200);
  const [track] = JSON.parse(right.body).tracks;
  const { id } = JSON.parse((await send(server, 'POST', '/v1/collections', { name: 'Kept' }, key)).body);
  const wrong = [];
  let refused = 0;
  let answered = 0;
  let loading = true;
  const load = async () => {
    const agent = new http.Agent({ keepAlive: true });
    while (loading) {
      const answer = await get(server, path, { key, agent });
      if (answer.status === 503) refused += 1;
      else if (answer.body === right.body) answered += 1;
      else wrong.push(answer);
    }
    agent.destroy();
  };
  const loads = [load(), load()];
  const place = readFileSync(at('catalog.sqlite')).indexOf(JSON.stringify(track).slice(0, 40)) + 20;
  assert.ok(place > 20);
  for (let round = 0; round < 3; round += 1) {
    const { atime, mtime } = statSync(at('catalog.sqlite'));
    const file = openSync(at('catalog.sqlite'), 'r+');
    const old = Buffer.alloc(1);
    readSync(file, old, 0, 1, place);
    writeSync(file, Buffer.from([old[0] ^ 1]), 0, 1, place);
    futimesSync(file, atime, mtime);
    assert.equal((await get(server, path, { key })).status, 503);
    assert.equal((await get(server, '/readyz')).status, 503);
    const added = await send(server, 'POST', `/v1/collections/${id}/items`, { tracks: [track.id] }, key);
    assert.equal(added.status, 503);
    await eventually(() => server.log.split('is refused: the snapshot is damaged').length > round + 1, 'the refusal of the changed file');
    assert.equal((await get(server, '/readyz')).status, 503);
    writeSync(file, old, 0, 1, place);
    closeSync(file);
    await eventually(isReady(server), 'the bytes that are right again');
  }
  loading = false;
  await Promise.all(loads);
  t.diagnostic(`${answered} right answers, ${refused} refusals, ${wrong.length} altered answers`);
  assert.deepEqual(wrong, []);
  assert.ok(refused > 0);
  const kept = await get(server, `/v1/collections/${id}`, { key });
  assert.equal(JSON.parse(kept.body).track_count, 0);
  assert.equal(await server.stop(), 0);
});

// HOST-28, HOST-9
test('Hostile snapshots block neither a server nor the builder, and SIGTERM ends a server that reads one', async () => {
  const sound = at('small.sqlite');
  writeFileSync(at('small.jsonl'), readFileSync(join(root, 'tests/cases/catalog.jsonl'), 'utf8').split('\n').slice(0, 20).join('\n'));
  const built = spawnSync(program('tonearm-catalog'), [
    'build', '--input', at('small.jsonl'), '--output', sound, '--allow-share-alike',
  ], { encoding: 'utf8' });
  assert.equal(built.status, 0, built.stderr);
  const written = spawnSync(program('tonearm-hostile'), [sound, folder], { encoding: 'utf8' });
  assert.equal(written.status, 0, written.stderr);
  const rows = written.stdout.trimEnd().split('\n').map((row) => row.split(' '));
  const names = rows.map(([name]) => name);
  assert.ok(names.length > 20, names.join(' '));
  const read = (...words) => spawnSync(program('tonearm-catalog'), words, { encoding: 'utf8' });
  for (const [name, word] of rows) {
    const verified = read('verify', at(name));
    assert.equal(verified.status, word === 'sound' ? 0 : 1, `${name}: ${verified.stderr}`);
    for (const { status, stdout, stderr } of [verified, read('inspect', at(name)), read('inspect', '--json', at(name))]) {
      assert.ok([0, 1].includes(status), name);
      assert.doesNotMatch(stdout + stderr, steering, name);
      assert.equal(stderr.split('\n').length, status === 0 ? 1 : 2, stderr);
    }
  }
  assert.match(read('inspect', at('steering-manifest')).stdout, /^  site_url  \\u001b\[2J\\u000d\\u000a\\u009b31m\\u007f\\u202eevil\\u2066\\u2028$/m);
  const ofVerify = ['words-fan', 'relations-fan'];  // tables that only verify reads
  const fans = names.filter((name) => name.endsWith('-fan') && !ofVerify.includes(name));
  assert.equal(fans.length, 4);
  publish(sound);
  const server = await startServer();
  for (const name of [...fans, 'steering-format']) {
    const refusals = server.log.split('is refused').length;
    publish(at(name));
    await eventually(() => server.log.split('is refused').length > refusals, `the refusal of ${name}`);
    assert.equal((await get(server, '/readyz')).status, 200);
  }
  assert.equal(await server.stop(), 0);
  assert.match(server.log, /format version \\u001b\[2J/);
  assert.doesNotMatch(server.log, steering);
  for (const name of fans) {
    publish(at(name));
    const starting = await startServer();
    assert.match(starting.log, /is refused/);
    assert.equal((await get(starting, '/readyz')).status, 503);
    assert.equal(await starting.stop(), 0);
  }
});

// HOST-28
test('A FIFO at the path of the catalog is refused with a message, without blocking', async () => {
  rmSync(at('catalog.sqlite'), { force: true });
  assert.equal(spawnSync('mkfifo', [at('catalog.sqlite')]).status, 0);
  const server = await startServer();
  assert.match(server.log, /is not a regular file but a FIFO/);
  assert.equal((await get(server, '/healthz')).status, 200);
  const verified = spawnSync(program('tonearm-catalog'), ['verify', at('catalog.sqlite')], { encoding: 'utf8' });
  assert.equal(verified.status, 1);
  assert.match(verified.stderr, /is not a regular file but a FIFO/);
  rmSync(at('catalog.sqlite'));
  publish(at('one.sqlite'));
  await eventually(isReady(server), 'the catalog');
  assert.equal(await server.stop(), 0);
});

// LIMIT-10
test('A second server on the same state ends with status 1 and the reason', async () => {
  const server = await startServer();
  const second = spawnSync(program('tonearm-server'), serverArguments(), { encoding: 'utf8', timeout: HANG_MS });
  assert.equal(second.status, 1);
  assert.match(second.stderr, new RegExp(`in use by process ${server.child.pid}\\b`));
  assert.equal(await server.stop(), 0);
});

// HOST-9, LIMIT-9
test('SIGTERM and SIGINT finish running requests and lose no call record', async () => {
  publish(at('one.sqlite'));
  let server = await startServer();
  const { key, account } = newKey(server);
  let answered = 0;
  for (const signal of ['SIGTERM', 'SIGINT']) {
    const broken = [];
    let stopping = false;
    const load = async () => {
      const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
      while (!stopping) {
        const response = await get(server, '/v1/search?q=rain', { key, agent }).catch((error) => ({ error }));
        if (response.status === 200) answered += 1;
        else broken.push(response.error ?? response.status);
      }
      agent.destroy();
    };
    const loads = [load(), load(), load()];
    const before = answered;
    await eventually(() => answered > before + 50, 'some answers');
    stopping = true;
    assert.equal(await server.stop(signal), 0);
    await Promise.all(loads);
    assert.deepEqual(broken, []);
    server = await startServer();
  }
  const { calls } = adminJson(server, 'calls', account, '--limit', '1000');
  assert.ok(calls.length === Math.min(answered, 1000), `${calls.length} records of ${answered} answers`);
  assert.equal(await server.stop(), 0);
});

test('A call with an incomplete body is answered with its limits, and recorded', async () => {
  const server = await startServer();
  const { account } = adminJson(server, 'account', 'create', '--plan', 'free');
  const { key } = adminJson(server, 'key', 'create', account);
  const { port } = new URL(server.url);
  for (const rest of ['Content-Length: 10\r\n\r\nhalf', 'Transfer-Encoding: chunked\r\n\r\nnot a size\r\n']) {
    const socket = net.connect(Number(port), '127.0.0.1');
    socket.end(`POST /v1/search HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${key}\r\n${rest}`);
    const answer = await text(socket);
    assert.match(answer, /^HTTP\/1.1 400 /);
    assert.match(answer, /\r\nRateLimit: "minute";r=/);
  }
  const { calls } = adminJson(server, 'calls', account);
  assert.deepEqual(calls.map(({ method, status }) => `${method} ${status}`), ['POST 400', 'POST 400']);
  assert.equal(await server.stop(), 0);
});

test('The admin address serves metrics with its token', async () => {
  const server = await startServer();
  const metrics = (headers) => fetch(`${server.adminUrl}/metrics`, { headers });
  assert.equal((await metrics({})).status, 401);
  assert.equal((await metrics({ Authorization: 'Bearer wrong' })).status, 401);
  const answer = await metrics({ Authorization: 'Bearer a-token-of-the-tests' });
  assert.equal(answer.status, 200);
  assert.match(await answer.text(), /^tonearm_connections \d+$/m);
  assert.equal((await get(server, '/metrics')).status, 404);
  assert.equal(await server.stop(), 0);
});

test('tonearm-admin runs every command that it lists', async () => {
  const server = await startServer();
  const { account, key, key_id: keyId } = newKey(server);
  assert.match(account, /^acc_/);
  assert.match(key, /^tonearm_/);
  assert.match(admin(server, 'account', 'list'), new RegExp(account));
  assert.match(admin(server, 'account', 'show', account), /plan\s+unlimited/);
  assert.equal(adminJson(server, 'account', 'plan', account, 'free').plan, 'free');
  assert.match(admin(server, 'key', 'list', account), new RegExp(keyId));
  const session = adminJson(server, 'session', 'create', account, '--ttl', '60');
  assert.equal((await get(server, '/v1/nothing', { key: session.key })).status, 404);
  assert.equal((await get(server, '/v1/nothing', { key })).status, 404);
  assert.equal(adminJson(server, 'calls', account).calls.length, 2);
  const { days } = adminJson(server, 'usage', account);
  assert.deepEqual(days.map(({ calls, succeeded, first_party: firstParty }) => [calls, succeeded, firstParty]), [[2, 0, 1]]);
  assert.match(admin(server, 'usage', account), /^day +calls +succeeded +first_party\n/);
  for (const words of [['calls', account, '--limit', '0'], ['session', 'create', account, '--ttl', '0']]) {
    const refused = runAdmin(server, ...words);
    assert.equal(refused.status, 1);
    assert.match(refused.stderr, /must be a whole number from 1 to/);
  }
  admin(server, 'calls', account);
  assert.equal(adminJson(server, 'key', 'revoke', keyId).revoked, true);
  assert.equal((await get(server, '/v1/nothing', { key })).status, 401);
  assert.equal(adminJson(server, 'account', 'delete', account).deleted, true);
  const gone = runAdmin(server, 'account', 'show', account);
  assert.equal(gone.status, 1);
  assert.notEqual(gone.stderr, '');
  assert.equal(await server.stop(), 0);
});

// PROGRAM-4
test('Errors of the command line end with 2, failures with 1 and a reason', () => {
  const run = (name, ...words) => spawnSync(program(name), words, { encoding: 'utf8', timeout: HANG_MS });
  assert.equal(run('tonearm-server', '--help').status, 0);
  assert.match(run('tonearm-server', '--version').stdout, /^tonearm-server \d/);
  assert.equal(run('tonearm-server', '--nonsense').status, 2);
  assert.equal(run('tonearm-server').status, 2);
  assert.equal(run('tonearm-admin').status, 2);
  writeFileSync(at('empty'), ' \n');
  const empty = run('tonearm-server', ...serverArguments().map((word) => (word === at('token') ? at('empty') : word)));
  assert.equal(empty.status, 1);
  assert.match(empty.stderr, /is empty/);
  const taken = run('tonearm-server', ...serverArguments().map((word) => (word === '127.0.0.1:0' ? '192.0.2.1:9' : word)));
  assert.equal(taken.status, 1);
  assert.match(taken.stderr, /cannot listen on 192\.0\.2\.1:9/);
  const nobody = run('tonearm-admin', '--server', 'http://127.0.0.1:9', '--token-file', at('token'), 'account', 'list');
  assert.equal(nobody.status, 1);
  assert.match(nobody.stderr, /cannot connect to 127\.0\.0\.1:9: connection refused/);
});
