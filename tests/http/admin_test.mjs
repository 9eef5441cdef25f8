// The admin interface of a real server: its tokens and its audit log.
// Usage: node --test tests/http/admin_test.mjs      (TONEARM_BIN: the programs' folder, by default build/native/bin)

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { writeCertificate } from '../support/certificates.mjs';
import { LaunchedServer } from '../support/launched_server.mjs';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
const bin = resolve(process.env.TONEARM_BIN ?? join(root, 'build/native/bin'));
const TOKEN = 'an-admin-token-of-the-tests';
const METRICS_TOKEN = 'a-metrics-token-of-the-tests';

let folder;
const at = (name) => join(folder, name);

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tonearm-admin-'));
  writeFileSync(at('token'), `${TOKEN}\n`);
  writeFileSync(at('metrics-token'), `${METRICS_TOKEN}\n`);
});

afterEach(async () => {
  await LaunchedServer.endAll();
  rmSync(folder, { recursive: true, force: true });
});

const settings = (...more) => ['--catalog', at('none.sqlite'), '--state', at('state.sqlite'), '--listen', '127.0.0.1:0',
  '--admin-listen', '127.0.0.1:0', '--admin-token-file', at('token'), ...more];

/** A server that runs without a catalog. */
const startServer = (...more) => LaunchedServer.launch(join(bin, 'tonearm-server'), settings(...more));

const call = (url, path, { token = TOKEN, ...rest } = {}) =>
  fetch(`${url}${path}`, { ...rest, headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json', ...rest.headers } });

const auditLines = () => readFileSync(at('audit'), 'utf8').trim().split('\n').map((line) => JSON.parse(line));

test('ADMIN-7: the audit log has a line for every act, counts plain reads, and has no secret', async () => {
  const { adminUrl: url } = await startServer('--audit-log', at('audit'));
  const account = (await (await call(url, '/admin/accounts', { method: 'POST', body: '{"plan":"pro"}' })).json()).account;
  const made = await (await call(url, `/admin/accounts/${account}/keys`, { method: 'POST' })).json();
  await call(url, `/admin/keys/${made.key_id}`, { method: 'DELETE' });
  await call(url, `/admin/accounts/acc_none`, { method: 'DELETE' });
  for (const path of ['/admin/accounts', `/admin/accounts/${account}`, `/admin/accounts/${account}/keys`, `/admin/accounts/${account}/calls`, '/admin/accounts/acc_none']) {
    await call(url, path);
  }
  await call(url, '/admin/accounts', { token: 'a wrong token that somebody tried' });
  for (const path of ['/admin/state/key-secret', `/admin/accounts/${account}/export/keys`, `/admin/accounts/${account}/export/collections`, '/admin/nothing']) {
    await call(url, path);
  }

  const lines = auditLines();
  const told = lines.map(({ method, route, subject, detail, created, status }) =>
    [method, route, subject, detail, created, status]);
  assert.deepEqual(told, [
    ['POST', '/admin/accounts', undefined, 'plan=pro', account, 201],
    ['POST', '/admin/accounts/{account}/keys', account, undefined, made.key_id, 201],
    ['DELETE', '/admin/keys/{key_id}', made.key_id, undefined, undefined, 200],
    ['DELETE', '/admin/accounts/{account}', 'acc_none', undefined, undefined, 404],
    ['GET', undefined, undefined, undefined, undefined, 401],
    ['GET', '/admin/state/key-secret', undefined, undefined, undefined, 200],
    ['GET', '/admin/accounts/{account}/export/keys', account, undefined, undefined, 200],
    ['GET', '/admin/accounts/{account}/export/collections', account, undefined, undefined, 200],
    ['GET', undefined, undefined, undefined, undefined, 404],
  ]);
  assert.deepEqual(lines.map((line) => line.reads_before ?? 0), [0, 0, 0, 0, 5, 0, 0, 0, 0]);
  for (const line of lines) {
    assert.equal(line.from, '127.0.0.1');
    assert.match(line.time, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
  }
  const start = createHash('sha256').update(TOKEN).digest('hex').slice(0, 8);
  assert.ok(lines.slice(0, 4).every(({ token }) => token === start) && lines[4].token !== start);
  const text = readFileSync(at('audit'), 'utf8');
  for (const secret of [TOKEN, made.key, 'somebody tried']) assert.ok(!text.includes(secret));
  assert.equal(statSync(at('audit')).mode & 0o777, 0o600);
});

test('ADMIN-7: without a file the audit log goes to stderr', async () => {
  const server = await startServer();
  await call(server.adminUrl, '/admin/accounts', { method: 'POST', body: '{"plan":"free"}' });
  await server.stop();
  assert.match(server.log, /audit \{"time":.*"status":201\}/);
});

test('ADMIN-7: if the disk of the audit log is full its lines go to stderr, and no act is refused', async () => {
  symlinkSync('/dev/full', at('full'));
  const server = await startServer('--audit-log', at('full'));
  assert.equal((await call(server.adminUrl, '/admin/accounts', { method: 'POST', body: '{"plan":"free"}' })).status, 201);
  await server.logged('audit {"time":');
});

test('ADMIN-5: the metrics have their own token, which opens nothing else', async () => {
  const { adminUrl: url } = await startServer('--metrics-token-file', at('metrics-token'));
  assert.equal((await call(url, '/metrics', { token: METRICS_TOKEN })).status, 200);
  assert.equal((await call(url, '/metrics')).status, 200);
  assert.equal((await call(url, '/admin/accounts', { token: METRICS_TOKEN })).status, 401);
});

test('ADMIN-8: a wrong token is answered before the body arrives', async () => {
  const { adminUrl: url } = await startServer();
  const { hostname, port } = new URL(url);
  const socket = net.connect(port, hostname);
  socket.write('POST /admin/accounts HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer wrong\r\nContent-Length: 15\r\n\r\n');
  const [data] = await new Promise((done) => { socket.once('data', (bytes) => done([String(bytes)])); });
  socket.destroy();
  assert.match(data, /^HTTP\/1\.1 401 /);
});

test('ADMIN-8: many wrong tokens are answered 429, and the right one is always accepted', async () => {
  const { adminUrl: url } = await startServer('--audit-log', at('audit'));
  const statuses = [];
  for (let i = 0; i < 60; i += 1) statuses.push((await call(url, '/admin/accounts', { token: `wrong-${i}` })).status);
  assert.deepEqual([...new Set(statuses)].sort(), [401, 429]);
  assert.equal((await call(url, '/admin/accounts', { method: 'POST', body: '{"plan":"free"}' })).status, 201);
  const lines = auditLines();
  assert.ok(lines.length <= 21, 'at most ten lines for each of two minutes, and one');
  // Acts without their own line are counted in the next one.
  const counted = lines.reduce((sum, line) => sum + (line.wrong_tokens_before ?? 0), 0);
  assert.equal(counted, statuses.filter((status) => status === 429).length);
});

for (const [what, prepare] of [
  ['that is easy to guess', () => writeFileSync(at('token'), 'secret\n')],
  ['that every user can open', () => { chmodSync(folder, 0o755); chmodSync(at('token'), 0o644); }],
]) {
  test(`PROGRAM-10: a token ${what} is refused at start, by a message that names its file`, () => {
    prepare();
    const result = spawnSync(join(bin, 'tonearm-server'), settings(), { encoding: 'utf8' });
    assert.equal(result.status, 1);
    assert.ok(result.stderr.includes(at('token')), result.stderr);
    assert.ok(!result.stdout.includes('listening'));
  });
}

test('tonearm-admin sends its token only to a server with a certificate that it trusts', async () => {
  writeCertificate({ certificate: at('tls.pem'), key: at('tls.key'), names: 'DNS:localhost' });
  const { adminUrl } = await startServer('--tls-cert', at('tls.pem'), '--tls-key', at('tls.key'), '--audit-log', at('audit'));
  const url = `https://localhost:${new URL(adminUrl).port}`;
  const admin = (server, ...words) =>
    spawnSync(join(bin, 'tonearm-admin'), ['--server', server, '--token-file', at('token'), ...words], { encoding: 'utf8' });
  const refused = [admin(url, 'account', 'list'), admin(url.replace('localhost', '127.0.0.1'), '--ca-file', at('tls.pem'), 'account', 'list')];
  for (const { status, stdout, stderr } of refused) {
    assert.deepEqual([status, stdout], [1, '']);
    assert.match(stderr, /certificate/);
  }
  const absent = admin(url, '--ca-file', at('absent.pem'), 'account', 'list');
  assert.deepEqual([absent.status, absent.stdout], [1, '']);
  assert.match(absent.stderr, /absent\.pem/);
  const trusted = (...words) => {
    const run = admin(url, '--ca-file', at('tls.pem'), ...words);
    assert.equal(run.status, 0, run.stderr);
    return run.stdout;
  };
  trusted('account', 'create', '--plan', 'pro');
  assert.match(trusted('account', 'list'), /pro/);
  trusted('backup', at('backup.sqlite'));
  assert.ok(statSync(at('backup.sqlite')).size > 0);
  trusted('export', at('exported.jsonl'));
  trusted('import', at('exported.jsonl'));
  assert.ok(auditLines().length > 0);
});
