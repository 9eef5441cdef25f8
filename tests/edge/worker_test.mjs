// The deployed workers on one address: bindings, the snapshot in R2, HTTP details, and restarts.
// Usage: worker_test.mjs [--build DIR] [--wasm FILE]
// Ends with one line: N passed, M failed.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { casesOfBuild, root } from '../cases/build_folder.mjs';
import { publish, startWorker } from './local_worker.mjs';
import { runTests } from './test_run.mjs';
import { eventually } from '../support/waiting.mjs';
import { WorkerLog } from './worker_log.mjs';

const ADMIN_TOKEN = 'the-admin-token-of-this-test';

const paths = casesOfBuild({ wasm: { type: 'string', default: 'build/wasm/bin/tonearm.wasm' } });
const folder = mkdtempSync(join(tmpdir(), 'tonearm-edge-'));

const log = new WorkerLog();
let miniflare = null;
let base = '';
const startOwn = ({ bindings, ...options }) => startWorker({
  entry: 'host-wasm/worker/dev_worker.ts',
  wasm: paths.wasm,
  log,
  bindings: {
    KEY_SECRET: 'the key secret of this test',
    ADMIN_TOKEN_SHA256: createHash('sha256').update(ADMIN_TOKEN).digest('hex'),
    ...bindings,
  },
  unsafeDirectSockets: [{ entrypoint: 'default' }],
  ...options,
});
async function start() {
  miniflare = await startOwn({ r2Persist: join(folder, 'r2'), durableObjectsPersist: join(folder, 'objects') });
  base = await miniflare.unsafeGetDirectURL();
}

let account = '';
let key = '';
const request = (path, options = {}) => fetch(new URL(path, base), options);
const requestWithKey = (path, options = {}) =>
  request(path, { ...options, headers: { ...options.headers, Authorization: `Bearer ${key}` } });
const json = { 'Content-Type': 'application/json' };

async function adminRequest(path, body) {
  const headers = { Authorization: `Bearer ${ADMIN_TOKEN}`, ...json };
  const options = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
  const response = await request(path, { ...options, headers });
  assert.equal(response.status, body === undefined ? 200 : 201);
  return response.json();
}

const tests = {
  'answers without a snapshot, but is not ready': async () => {
    assert.equal((await request('/healthz')).status, 200);
    assert.equal((await request('/readyz')).status, 503);
  },
  // ADMIN-2
  'the admin interface creates accounts and keys': async () => {
    ({ account } = await adminRequest('/admin/accounts', { plan: 'unlimited' }));
    ({ key } = await adminRequest(`/admin/accounts/${account}/keys`, {}));
    assert.match(key, /^tonearm_/);
  },
  'a catalog route is unavailable without a snapshot': async () => {
    assert.equal((await requestWithKey('/v1/search')).status, 503);
  },
  'a damaged snapshot is not activated': async () => {
    await publish(miniflare, 'damaged.sqlite', readFileSync(paths.snapshot).subarray(0, 10_000));
    assert.equal((await request('/readyz')).status, 503);
  },
  'activates the snapshot once it is published': async () => {
    await publish(miniflare, 'catalog.sqlite', readFileSync(paths.snapshot));
    assert.equal((await request('/readyz')).status, 200);
    const response = await requestWithKey('/v1/search?q=rain&limit=1');
    assert.equal(response.status, 200);
    assert.ok((await response.json()).total > 0);
  },
  'HEAD has the length of the body but no body': async () => {
    const whole = await requestWithKey('/v1/meta');
    const length = (await whole.arrayBuffer()).byteLength;
    const head = await requestWithKey('/v1/meta', { method: 'HEAD' });
    assert.equal(head.headers.get('Content-Length'), String(length));
    assert.equal((await head.arrayBuffer()).byteLength, 0);
  },
  'a request id is echoed unless it is invalid': async () => {
    const given = await request('/healthz', { headers: { 'X-Request-Id': 'abc-1' } });
    assert.equal(given.headers.get('X-Request-Id'), 'abc-1');
    const made = await request('/healthz', { headers: { 'X-Request-Id': 'a b' } });
    assert.match(made.headers.get('X-Request-Id'), /^[0-9a-f-]{36}$/);
  },
  'a body above the limit is rejected, however long it is': async () => {
    const headers = { Authorization: `Bearer ${ADMIN_TOKEN}`, 'Content-Type': 'application/json' };
    for (const size of [65_537, 1_000_000]) {
      const body = `"${'x'.repeat(size - 2)}"`;
      const response = await request('/admin/accounts', { method: 'POST', headers, body });
      assert.equal(response.status, 413);
    }
  },
  'a target above the limit is rejected, and the next request is answered': async () => {
    assert.equal((await requestWithKey(`/v1/search?q=${'x'.repeat(9_000)}`)).status, 400);
    assert.equal((await requestWithKey('/v1/search?limit=1')).status, 200);
  },
  'many concurrent requests are all answered': async () => {
    const answers = await Promise.all(Array.from({ length: 50 }, () => requestWithKey('/v1/search?limit=1')));
    assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200]);
  },
  'a body that its route does not accept is read, and the connection stays usable': async () => {
    const body = 'x'.repeat(200_000);
    for (let tries = 0; tries < 5; ++tries) {
      assert.equal((await requestWithKey('/v1/search', { method: 'POST', body })).status, 405);
    }
  },
  'a wrong admin token is rejected': async () => {
    const response = await request('/admin/accounts', { headers: { Authorization: 'Bearer other' } });
    assert.equal(response.status, 401);
  },
  'call records arrive on their own, each once': async () => {
    const { account: other } = await adminRequest('/admin/accounts', { plan: 'unlimited' });
    const { key: otherKey } = await adminRequest(`/admin/accounts/${other}/keys`, {});
    const headers = { Authorization: `Bearer ${otherKey}` };
    const calls = 30;
    await Promise.all(
      Array.from({ length: calls }, (_, i) => request(i % 2 === 0 ? '/v1/search?q=rain' : '/v1/collections', { headers })),
    );
    const recorded = async () => (await adminRequest(`/admin/accounts/${other}/calls?limit=100`)).calls;
    await eventually(async () => (await recorded()).length >= calls);
    // A later record is in its own batch, after all earlier ones.
    await request('/v1/meta', { headers });
    await eventually(async () => (await recorded()).some(({ route }) => route === '/v1/meta'));
    assert.equal((await recorded()).length, calls + 1);
    assert.equal((await adminRequest(`/admin/accounts/${other}/usage`)).days[0].calls, calls + 1);
  },
  'a restart keeps accounts, keys, collections and the snapshot': async () => {
    const created = await requestWithKey('/v1/collections', { method: 'POST', headers: json, body: '{"name":"Kept"}' });
    assert.equal(created.status, 201);
    const before = await (await requestWithKey('/v1/collections')).text();
    await miniflare.dispose();
    await start();
    assert.equal(await (await requestWithKey('/v1/collections')).text(), before);
    assert.equal((await requestWithKey('/v1/search?q=rain')).status, 200);
    assert.ok((await adminRequest('/admin/accounts')).accounts.some((one) => one.account === account));
    assert.ok((await adminRequest(`/admin/accounts/${account}/calls`)).calls.length > 0);
  },
  // docs/operate/edge.md, "Bindings"
  'a snapshot for evaluation is served only if ALLOW_EVALUATION is true': async () => {
    const snapshot = join(folder, 'evaluation.sqlite');
    const words = ['build', '--profile', 'evaluation', '--input', join(root, 'tests/cases/catalog.jsonl'), '--output', snapshot];
    const built = spawnSync(join(dirname(paths.server), 'tonearm-catalog'), words, { encoding: 'utf8' });
    assert.equal(built.status, 0, built.stderr);
    for (const [bindings, status] of [[{}, 503], [{ ALLOW_EVALUATION: 'true' }, 200]]) {
      const own = await startOwn({ bindings });
      try {
        await publish(own, 'evaluation.sqlite', readFileSync(snapshot));
        assert.equal((await fetch(new URL('/readyz', await own.unsafeGetDirectURL()))).status, status);
      } finally {
        await own.dispose();
      }
    }
  },
};

await start();
await runTests(tests, async () => {
  await miniflare.dispose();
  rmSync(folder, { recursive: true, force: true });
}, log);
