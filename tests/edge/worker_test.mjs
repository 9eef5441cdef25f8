// The worker as it is deployed: its bindings, the snapshot out of R2, and what the platform's requests and answers add.
// Usage: worker_test.mjs [--build DIR] [--wasm FILE]. Ends with one line: N passed, M failed.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

import { casesOfBuild } from '../cases/build_folder.mjs';
import { startWorker } from './worker_scripts.mjs';

const ADMIN_TOKEN = 'the-admin-token-of-this-test';

const paths = casesOfBuild({ wasm: { type: 'string', default: 'build/wasm/bin/tonearm.wasm' } });
const miniflare = startWorker({
  entry: 'host-wasm/src/worker.mjs',
  wasm: paths.wasm,
  bindings: {
    KEY_SECRET: 'the key secret of this test',
    ADMIN_TOKEN_SHA256: createHash('sha256').update(ADMIN_TOKEN).digest('hex'),
  },
  unsafeDirectSockets: [{ entrypoint: 'default' }],
});

let key = '';
let base = '';
const ask = (path, options = {}) => fetch(new URL(path, base), options);
const askWithKey = (path, options = {}) => ask(path, { ...options, headers: { Authorization: `Bearer ${key}` } });

async function askAdmin(path, body) {
  const headers = { Authorization: `Bearer ${ADMIN_TOKEN}`, 'Content-Type': 'application/json' };
  const response = await ask(path, { method: 'POST', headers, body: JSON.stringify(body) });
  assert.equal(response.status, 201);
  return response.json();
}

const tests = {
  'it answers before there is a snapshot, and is not ready': async () => {
    assert.equal((await ask('/healthz')).status, 200);
    assert.equal((await ask('/readyz')).status, 503);
  },
  'its admin interface makes accounts and keys': async () => {
    const { account } = await askAdmin('/admin/accounts', { plan: 'unlimited' });
    ({ key } = await askAdmin(`/admin/accounts/${account}/keys`, {}));
    assert.match(key, /^tonearm_/);
  },
  'a catalog route is unavailable without a snapshot': async () => {
    assert.equal((await askWithKey('/v1/search')).status, 503);
  },
  'a damaged snapshot is not taken up': async () => {
    const bucket = await miniflare.getR2Bucket('SNAPSHOTS');
    await bucket.put('catalog.sqlite', readFileSync(paths.snapshot).subarray(0, 10_000));
    assert.equal((await ask('/readyz')).status, 503);
  },
  'it takes up the snapshot when it comes': async () => {
    const bucket = await miniflare.getR2Bucket('SNAPSHOTS');
    await bucket.put('catalog.sqlite', readFileSync(paths.snapshot));
    assert.equal((await ask('/readyz')).status, 200);
    const response = await askWithKey('/v1/search?q=rain&limit=1');
    assert.equal(response.status, 200);
    assert.ok((await response.json()).total > 0);
  },
  'HEAD has the length of the body and no body': async () => {
    const whole = await askWithKey('/v1/meta');
    const length = (await whole.arrayBuffer()).byteLength;
    const head = await askWithKey('/v1/meta', { method: 'HEAD' });
    assert.equal(head.headers.get('Content-Length'), String(length));
    assert.equal((await head.arrayBuffer()).byteLength, 0);
  },
  'a request id is echoed, and one that could do harm is not': async () => {
    const given = await ask('/healthz', { headers: { 'X-Request-Id': 'abc-1' } });
    assert.equal(given.headers.get('X-Request-Id'), 'abc-1');
    const made = await ask('/healthz', { headers: { 'X-Request-Id': 'a b' } });
    assert.match(made.headers.get('X-Request-Id'), /^[0-9a-f-]{36}$/);
  },
  'a body over the bound is refused, however long it is': async () => {
    const headers = { Authorization: `Bearer ${ADMIN_TOKEN}`, 'Content-Type': 'application/json' };
    for (const size of [65_537, 1_000_000]) {
      const body = `"${'x'.repeat(size - 2)}"`;
      const response = await ask('/admin/accounts', { method: 'POST', headers, body });
      assert.equal(response.status, 413);
    }
  },
  'a target over the bound is refused, and the next request is answered': async () => {
    assert.equal((await askWithKey(`/v1/search?q=${'x'.repeat(9_000)}`)).status, 400);
    assert.equal((await askWithKey('/v1/search?limit=1')).status, 200);
  },
  'many requests at once are all answered': async () => {
    const answers = await Promise.all(Array.from({ length: 50 }, () => askWithKey('/v1/search?limit=1')));
    assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200]);
  },
};

let failed = 0;
try {
  base = await miniflare.unsafeGetDirectURL();
  for (const [name, test] of Object.entries(tests)) {
    try {
      await test();
    } catch (fault) {
      ++failed;
      console.error(`FAILED  ${name}: ${fault.message}`);
    }
  }
} finally {
  await miniflare.dispose();
}
console.log(`${Object.keys(tests).length - failed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
