// tonearm-admin backup (ADMIN-6) against a real server: the copy is complete and has every write that was answered before,
// or there is no copy.
// Usage: node --test tests/http/backup_test.mjs      (TONEARM_BIN: the programs' folder, by default build/native/bin)

import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { LaunchedServer } from '../support/launched_server.mjs';
import { eventually } from '../support/waiting.mjs';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
const bin = resolve(process.env.TONEARM_BIN ?? join(root, 'build/native/bin'));
const token = 'a-token-of-the-tests';
const running = new Set();
let folder;
const at = (name) => join(folder, name);

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tonearm-backup-'));
  writeFileSync(at('token'), token);
});

afterEach(async () => {
  await LaunchedServer.endAll();
  for (const child of running) child.kill('SIGKILL');
  await Promise.all([...running].map((child) => once(child, 'exit')));
  rmSync(folder, { recursive: true });
});

// A sanitizer delays freeing memory, which would count as memory of the server.
const env = { ASAN_OPTIONS: 'quarantine_size_mb=4' };

function start(command, words) {
  const child = spawn(command, words, { stdio: ['ignore', 'pipe', 'pipe'] });
  const started = { child, out: '', errors: '' };
  running.add(child);
  child.stdout.on('data', (data) => { started.out += data; });
  child.stderr.on('data', (data) => { started.errors += data; });
  started.ended = once(child, 'close').then(([status]) => { running.delete(child); return status; });
  return started;
}

const startServer = (state, ...more) => LaunchedServer.launch(join(bin, 'tonearm-server'), ['--catalog', at('none.sqlite'),
  '--state', at(state), '--listen', '127.0.0.1:0', '--admin-listen', '127.0.0.1:0', '--admin-token-file', at('token'), ...more], { env });

async function stopServer(server) {
  assert.equal(await server.stop(), 0, server.log);
}

const backupWords = (server, file, tokenFile = at('token')) =>
  ['--server', server.adminUrl, '--token-file', tokenFile, 'backup', file, '--json'];
const backup = (server, file) => start(join(bin, 'tonearm-admin'), backupWords(server, file));

async function ask(server, method, path, body) {
  const answer = await fetch(`${server.adminUrl}${path}`, {
    method, headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' }, body: body && JSON.stringify(body),
  });
  assert.ok(answer.ok, `${method} ${path}: ${answer.status}`);
  return answer.json();
}

async function call(server, key) {
  return fetch(`${server.url}/v1/nothing`, { headers: { Authorization: `Bearer ${key}` } });
}

/** Creates a state of some size. */
async function makeLargeState(name, megabytes) {
  const { DatabaseSync } = await import('node:sqlite');
  await stopServer(await startServer(name));
  const database = new DatabaseSync(at(name));
  database.exec('CREATE TABLE weight (bytes BLOB)');
  for (let i = 0; i < megabytes; i += 1) database.exec('INSERT INTO weight VALUES (randomblob(1048576))');
  database.close();
}

const partialFiles = () => readdirSync(folder).filter((name) => /\.partial-|\.tonearm-copy-/.test(name));

test('A backup under load has every write that was answered before it began, and a server starts on it', async () => {
  const { DatabaseSync } = await import('node:sqlite');
  const server = await startServer('state.sqlite');
  const { account } = await ask(server, 'POST', '/admin/accounts', { plan: 'free' });
  const { key } = await ask(server, 'POST', `/admin/accounts/${account}/keys`);
  for (let i = 0; i < 7; i += 1) assert.equal((await call(server, key)).status, 404);
  const answered = [];
  let loading = true;
  const load = async () => {
    while (loading) answered.push((await ask(server, 'POST', '/admin/accounts', { plan: 'pro' })).account);
  };
  const loads = [load(), load(), load()];
  await eventually(() => answered.length > 20, 'some writes');
  const before = [...answered];
  const admin = backup(server, at('copy.sqlite'));
  assert.equal(await admin.ended, 0, admin.errors);
  loading = false;
  await Promise.all(loads);
  assert.ok(answered.length > before.length, 'writers went on');
  assert.deepEqual(JSON.parse(admin.out), { file: at('copy.sqlite'), bytes: statSync(at('copy.sqlite')).size });
  assert.equal(statSync(at('copy.sqlite')).mode & 0o777, 0o600);
  assert.deepEqual(partialFiles(), []);
  await stopServer(server);

  const database = new DatabaseSync(at('copy.sqlite'));
  assert.deepEqual(database.prepare('PRAGMA quick_check').all().map((row) => row.quick_check), ['ok']);
  assert.equal(database.prepare('PRAGMA freelist_count').get().freelist_count, 0);
  database.close();
  const restored = await startServer('copy.sqlite');
  const { accounts } = await ask(restored, 'GET', '/admin/accounts');
  const names = new Set(accounts.map((one) => one.account));
  for (const name of before) assert.ok(names.has(name), `${name} is missing`);
  const { calls } = await ask(restored, 'GET', `/admin/accounts/${account}/calls`);
  assert.equal(calls.length, 7);
  const limited = await call(restored, key);
  assert.equal(limited.status, 404);
  assert.match(limited.headers.get('RateLimit'), /"day";r=292;/);
  await stopServer(restored);
});

// docs/operate/backup.md, "Restore"
test('A restored copy has what was revoked and deleted since, and the audit log names it', async () => {
  writeFileSync(at('key-secret'), 'the key secret of this test, 32 bytes and more');
  const words = ['--key-secret-file', at('key-secret'), '--audit-log', at('audit.jsonl')];
  const server = await startServer('state.sqlite', ...words);
  const accounts = [];
  for (const plan of ['free', 'pro']) {
    const { account } = await ask(server, 'POST', '/admin/accounts', { plan });
    accounts.push({ account, ...(await ask(server, 'POST', `/admin/accounts/${account}/keys`)) });
  }
  const admin = backup(server, at('copy.sqlite'));
  assert.equal(await admin.ended, 0, admin.errors);
  const [kept, gone] = accounts;
  await ask(server, 'DELETE', `/admin/keys/${kept.key_id}`);
  await ask(server, 'DELETE', `/admin/accounts/${gone.account}`);
  for (const { key } of accounts) assert.equal((await call(server, key)).status, 401);
  await stopServer(server);

  const found = spawnSync('grep', ['"method":"DELETE"', at('audit.jsonl')], { encoding: 'utf8' });
  const deletions = found.stdout.trimEnd().split('\n').map((line) => JSON.parse(line));
  assert.deepEqual(deletions.map(({ subject, status }) => [subject, status]), [[kept.key_id, 200], [gone.account, 200]]);

  copyFileSync(at('copy.sqlite'), at('restored.sqlite'));
  const restored = await startServer('restored.sqlite', ...words);
  for (const { key } of accounts) assert.equal((await call(restored, key)).status, 404);
  await stopServer(restored);
  // Without the secret file no key in the copy is accepted.
  const other = await startServer('copy.sqlite');
  for (const { key } of accounts) assert.equal((await call(other, key)).status, 401);
  await stopServer(other);
});

test('An existing file is refused and not changed', async () => {
  const server = await startServer('state.sqlite');
  writeFileSync(at('mine'), 'precious');
  const admin = backup(server, at('mine'));
  assert.equal(await admin.ended, 1);
  assert.match(admin.errors, /mine already exists/);
  assert.equal(readFileSync(at('mine'), 'utf8'), 'precious');
  assert.deepEqual(partialFiles(), []);
});

test('If the file cannot be created or the server refuses, there is a reason and no file', async () => {
  const server = await startServer('state.sqlite');
  for (const file of [at('none/copy.sqlite'), '/proc/copy.sqlite']) {
    const admin = backup(server, file);
    assert.equal(await admin.ended, 1);
    assert.match(admin.errors, /cannot make .*copy\.sqlite\.partial-\d+: /);
  }
  writeFileSync(at('wrong'), 'wrong');
  const admin = start(join(bin, 'tonearm-admin'), backupWords(server, at('copy.sqlite'), at('wrong')));
  assert.equal(await admin.ended, 1);
  assert.match(admin.errors, /The admin token is not the right one/);
  assert.deepEqual(readdirSync(folder).filter((name) => name.startsWith('copy')), []);
});

test('A full disk is reported and leaves no file', async () => {
  const server = await startServer('state.sqlite');
  const words = backupWords(server, at('copy.sqlite'));
  const admin = start('sh', ['-c', 'ulimit -f 16; exec "$@"', 'sh', join(bin, 'tonearm-admin'), ...words]);
  assert.equal(await admin.ended, 1);
  assert.match(admin.errors, /cannot write .*partial-\d+: File too large/);
  assert.deepEqual(readdirSync(folder).filter((name) => name.startsWith('copy')), []);
});

/** A relay to the admin interface that stops each response after about a MiB, so that its client cannot finish. Resolves to its server. */
async function stallingRelay({ adminUrl }) {
  const relay = net.createServer((client) => {
    const server = net.connect(Number(new URL(adminUrl).port), '127.0.0.1');
    client.pipe(server);
    let passed = 0;
    server.on('data', (data) => {
      client.write(data);
      passed += data.length;
      if (passed >= 1 << 20) server.pause();
    });
    for (const socket of [client, server]) {
      socket.on('error', () => {});
      socket.on('close', () => { client.destroy(); server.destroy(); });
    }
  });
  relay.listen(0, '127.0.0.1').unref();
  await once(relay, 'listening');
  return relay;
}

test('A client that is stopped midway leaves no backup, and the server keeps running', async () => {
  await makeLargeState('state.sqlite', 64);
  const server = await startServer('state.sqlite');
  const relay = await stallingRelay(server);
  const admin = backup({ adminUrl: `http://127.0.0.1:${relay.address().port}` }, at('copy.sqlite'));
  const partial = () => readdirSync(folder).find((name) => name.includes('.partial-'));
  await eventually(() => {
    assert.equal(admin.child.exitCode, null, admin.errors);
    const name = partial();
    return name && statSync(at(name)).size > 0;
  }, 'the first bytes');
  admin.child.kill('SIGKILL');
  await admin.ended;
  assert.ok(!existsSync(at('copy.sqlite')));

  const { port } = new URL(server.adminUrl);
  const socket = net.connect(Number(port), '127.0.0.1');
  socket.write(`GET /admin/backup HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${token}\r\n\r\n`);
  const [first] = await once(socket, 'data');
  assert.match(first.toString('latin1'), /^HTTP\/1\.1 200 .*\r\nContent-Length: \d{8}/s);
  socket.destroy();
  await ask(server, 'GET', '/admin/accounts');
  await eventually(() => !partialFiles().some((name) => name.includes('.tonearm-copy-')), 'no unfinished copy of the server');
  const again = backup(server, at('copy.sqlite'));
  assert.equal(await again.ended, 0, again.errors);
  await stopServer(server);
});

test('The memory of the server does not grow with the state', { skip: process.platform !== 'linux' && 'reads /proc' }, async () => {
  await makeLargeState('state.sqlite', 192);
  const server = await startServer('state.sqlite');
  const peak = (pid) => Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]);
  const before = peak(server.child.pid);
  const admin = backup(server, at('copy.sqlite'));
  assert.equal(await admin.ended, 0, admin.errors);
  assert.ok(peak(server.child.pid) - before < 96 * 1024, 'the server held the state in memory');
  await stopServer(server);
});

test('The next start removes the unfinished copy of a killed server', async () => {
  await stopServer(await startServer('state.sqlite'));
  writeFileSync(at('state.sqlite.tonearm-copy-abcdef'), 'half');
  writeFileSync(at('state.sqlite.copy-of-monday'), 'kept');
  const server = await startServer('state.sqlite');
  assert.deepEqual(partialFiles(), []);
  assert.equal(readFileSync(at('state.sqlite.copy-of-monday'), 'utf8'), 'kept');
  await stopServer(server);
});
