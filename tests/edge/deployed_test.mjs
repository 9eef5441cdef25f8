// The two workers connected as in wrangler's configurations: the admin worker changes accounts in the objects of the API worker.
// Usage: deployed_test.mjs [--wasm FILE]. Ends with one line: N passed, M failed.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { parseArgs } from 'node:util';

import { RUNTIME, workerOptions } from '../../host-wasm/bundle.mjs';
import { root } from '../cases/build_folder.mjs';
import { runTests } from './test_run.mjs';
import { WorkerLog } from './worker_log.mjs';

const { Miniflare } = createRequire(`${root}/host-wasm/`)('miniflare');
const { values } = parseArgs({ options: { wasm: { type: 'string', default: 'build/wasm/bin/tonearm.wasm' } } });

/** Comments in these files are on separate lines. */
const configuration = (name) =>
  JSON.parse(readFileSync(`${root}/host-wasm/wrangler.${name}.jsonc`, 'utf8').replaceAll(/^\s*\/\/.*$/gm, ''));

const configurations = { api: configuration('api'), admin: configuration('admin') };
const TOKEN = 'the-admin-token-of-this-test';
const SECRETS = {
  KEY_SECRET: 'the key secret of this test',
  ADMIN_TOKEN_SHA256: createHash('sha256').update(TOKEN).digest('hex'),
};

async function worker(name, entry) {
  const { name: script, r2_buckets: buckets, durable_objects: objects, secrets } = configurations[name];
  const bound = objects.bindings.map((one) => [
    one.name,
    { className: one.class_name, useSQLite: true, ...(one.script_name && { scriptName: one.script_name }) },
  ]);
  return {
    ...(await workerOptions(entry, values.wasm)),
    name: script,
    r2Buckets: Object.fromEntries(buckets.map((one) => [one.binding, one.bucket_name])),
    durableObjects: Object.fromEntries(bound),
    bindings: Object.fromEntries(secrets.required.map((secret) => [secret, SECRETS[secret]])),
    unsafeDirectSockets: [{ entrypoint: 'default' }],
  };
}

const log = new WorkerLog();
const miniflare = new Miniflare({
  handleRuntimeStdio: log.handleRuntimeStdio,
  workers: [await worker('api', 'host-wasm/worker/worker.ts'), await worker('admin', 'host-wasm/worker/admin_worker.ts')],
});
const api = await miniflare.unsafeGetDirectURL('tonearm-api');
const adminAddress = await miniflare.unsafeGetDirectURL('tonearm-admin');

async function admin(method, path, body) {
  const headers = { Authorization: `Bearer ${TOKEN}`, ...(body && { 'Content-Type': 'application/json' }) };
  const options = { method, headers, body: body && JSON.stringify(body) };
  const response = await fetch(new URL(`/admin${path}`, adminAddress), options);
  return { status: response.status, ...(await response.json()) };
}
const statusOf = async (key, path) =>
  (await fetch(new URL(path, api), { headers: { Authorization: `Bearer ${key}` } })).status;

const tests = {
  'both workers use the runtime settings of the tests, and every class uses SQLite': () => {
    for (const { compatibility_date: date, compatibility_flags: flags } of Object.values(configurations)) {
      assert.equal(date, RUNTIME.compatibilityDate);
      assert.deepEqual(flags, RUNTIME.compatibilityFlags);
    }
    const { durable_objects: objects, migrations } = configurations.api;
    const classes = objects.bindings.map((one) => one.class_name);
    assert.deepEqual(migrations.flatMap((one) => one.new_sqlite_classes), classes);
  },
  'changes by the admin worker take effect at the API': async () => {
    const { account } = await admin('POST', '/accounts', { plan: 'free' });
    const { key, key_id: keyId } = await admin('POST', `/accounts/${account}/keys`, {});
    assert.equal(await statusOf(key, '/v1/collections'), 200);
    assert.equal((await admin('GET', `/accounts/${account}/usage`)).days[0].calls, 1);
    await admin('DELETE', `/keys/${keyId}`);
    assert.equal(await statusOf(key, '/v1/collections'), 401);
  },
  'the API has no admin interface': async () => {
    const response = await fetch(new URL('/admin/accounts', api), { headers: { Authorization: `Bearer ${TOKEN}` } });
    assert.equal(response.status, 404);
  },
};

await runTests(tests, () => miniflare.dispose(), log);
