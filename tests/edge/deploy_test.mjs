// A deployment to an empty account as in docs/operate/edge.md, an upgrade and a rollback. The pinned wrangler runs against a
// simulated platform API. The uploaded workers run on a workerd whose objects outlive each version.
// Usage: deploy_test.mjs. Ends with one line: N passed, M failed.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { root } from '../cases/build_folder.mjs';
import { PlatformApi } from './platform_api.mjs';
import { runTests } from './test_run.mjs';
import { WorkerLog } from './worker_log.mjs';

const log = new WorkerLog();
const { Miniflare } = createRequire(`${root}/host-wasm/`)('miniflare');
const WORKERS = ['tonearm-api', 'tonearm-admin'];
const TOKEN = 'the-admin-token-of-this-test';

const folder = mkdtempSync(join(tmpdir(), 'tonearm-deploy-'));
const platform = await PlatformApi.start();
const secrets = {
  KEY_SECRET: randomBytes(32).toString('hex'),
  ADMIN_TOKEN_SHA256: createHash('sha256').update(TOKEN).digest('hex'),
};

function write(name, text) {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}
const secretsFile = (values) => write('secrets.env', Object.entries(values).map(([name, value]) => `${name}=${value}\n`).join(''));

/** Runs a program that can reach only the simulated platform. Returns `{status, output}`. */
const run = (program, ...args) => runCommand(process.execPath, program, ...args);

async function runCommand(command, ...args) {
  const env = {
    PATH: process.env.PATH,
    HOME: folder,
    TMPDIR: folder,
    CI: 'true',
    CLOUDFLARE_API_BASE_URL: platform.address,
    CLOUDFLARE_ACCOUNT_ID: platform.account,
    CLOUDFLARE_API_TOKEN: 'the platform token of this test',
    WRANGLER_HIDE_BANNER: 'true',
    WRANGLER_SEND_METRICS: 'false',
    WRANGLER_SEND_ERROR_REPORTS: 'false',
    WRANGLER_LOG_PATH: join(folder, 'logs'),
  };
  const child = spawn(command, args, { cwd: `${root}/host-wasm`, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const parts = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part) => parts.push(part));
  const status = await new Promise((resolve, reject) => child.on('error', reject).on('close', resolve));
  return { status, output: Buffer.concat(parts).toString('utf8') };
}
async function done(...command) {
  const { status, output } = await run(...command);
  assert.equal(status, 0, output);
  return output;
}
const wrangler = (...args) => done('node_modules/wrangler/bin/wrangler.js', ...args);
const deploy = (...args) => done('deploy.mjs', ...args);

const versionsOf = (name) => platform.workers.get(name)?.versions.length ?? 0;
const bindingOf = (name, wanted) => platform.deployed(name).bindings.find((binding) => binding.name === wanted);

/** Runs the deployed versions with objects that outlive them. */
async function withDeployed(body) {
  const workers = WORKERS.map((name) => {
    const { main, date, flags, modules, bindings } = platform.deployed(name);
    const of = (type) => bindings.filter((binding) => binding.type === type);
    const sorted = modules.toSorted((a, b) => Number(b.name === main) - Number(a.name === main)); // the entry comes first
    return {
      name,
      compatibilityDate: date,
      compatibilityFlags: flags,
      modules: sorted.map((one) => ({
        type: one.name.endsWith('.wasm') ? 'CompiledWasm' : 'ESModule',
        path: one.name.replace(/^\.\//, ''),
        contents: one.name.endsWith('.wasm') ? one.contents : one.contents.toString('utf8'),
      })),
      r2Buckets: Object.fromEntries(of('r2_bucket').map((one) => [one.name, one.bucket_name])),
      durableObjects: Object.fromEntries(
        of('durable_object_namespace').map((one) => [
          one.name,
          { className: one.class_name, useSQLite: true, ...(one.script_name && { scriptName: one.script_name }) },
        ]),
      ),
      bindings: Object.fromEntries([...of('secret_text'), ...of('plain_text')].map((one) => [one.name, one.text])),
      unsafeDirectSockets: [{ entrypoint: 'default' }],
    };
  });
  const miniflare = new Miniflare({
    workers,
    durableObjectsPersist: join(folder, 'objects'),
    handleRuntimeStdio: log.handleRuntimeStdio,
  });
  try {
    const [api, admin] = await Promise.all(WORKERS.map((name) => miniflare.unsafeGetDirectURL(name)));
    await body({
      statusOf: async (key) => (await fetch(new URL('/v1/collections', api), { headers: { Authorization: `Bearer ${key}` } })).status,
      admin: async (method, path, content) => {
        const headers = { Authorization: `Bearer ${TOKEN}`, ...(content && { 'Content-Type': 'application/json' }) };
        const response = await fetch(new URL(`/admin${path}`, admin), { method, headers, body: content && JSON.stringify(content) });
        assert.ok(response.ok, await response.clone().text());
        return response.json();
      },
    });
  } finally {
    await miniflare.dispose();
  }
}

let first = {};
let second = {};
let made = {};

const tests = {
  'a first deployment without secrets uploads nothing and names the missing secrets': async () => {
    await wrangler('r2', 'bucket', 'create', 'tonearm-snapshots');
    const { status, output } = await run('deploy.mjs');
    assert.notEqual(status, 0);
    assert.match(output, /KEY_SECRET, ADMIN_TOKEN_SHA256/);
    assert.match(output, /--secrets-file/);
    assert.equal(versionsOf('tonearm-api') + versionsOf('tonearm-admin'), 0);
  },
  'an invalid secrets file is rejected, and no secret is printed': async () => {
    const wrongFiles = [
      [{ KEY_SECRET: secrets.KEY_SECRET }, /has no ADMIN_TOKEN_SHA256/],
      [{ ...secrets, KEY_SECRET: 'short' }, /KEY_SECRET .* 32 to 1,024 characters/],
      [{ ...secrets, ADMIN_TOKEN_SHA256: TOKEN }, /ADMIN_TOKEN_SHA256 .* 64 hex digits/],
      [{ ...secrets, KEY_SECRETS: 'x' }, /KEY_SECRETS, which is not a known secret/],
    ];
    for (const [values, message] of wrongFiles) {
      const { status, output } = await run('deploy.mjs', '--secrets-file', secretsFile(values));
      assert.equal(status, 1);
      assert.match(output, message);
      for (const value of Object.values(values)) if (value.length > 10) assert.ok(!output.includes(value));
    }
    const { status, output } = await run('deploy.mjs', '--secrets-file', join(folder, 'nothing'));
    assert.equal(status, 1);
    assert.match(output, /cannot read the secrets file/);
    assert.equal(versionsOf('tonearm-api'), 0);
  },
  'deploys both workers to an empty account': async () => {
    const name = 'catalog-0123456789abcdef.sqlite';
    write(name, 'the deployment does not read the catalog');
    write('current.json', `{"snapshot": "${name}"}\n`);
    write('catalog-log.jsonl', '{}\n');
    const published = await runCommand(join(root, 'release/publish-edge'), folder, 'tonearm-snapshots');
    assert.equal(published.status, 0, published.output);
    await deploy('--secrets-file', secretsFile(secrets));
    first = Object.fromEntries(WORKERS.map((name) => [name, platform.deployed(name).id]));
    assert.deepEqual([...platform.buckets.get('tonearm-snapshots').keys()], [name, 'catalog-log.jsonl', 'current', 'current.json']);
    for (const name of WORKERS) {
      for (const [secret, value] of Object.entries(secrets)) assert.equal(bindingOf(name, secret).text, value);
    }
    await withDeployed(async ({ statusOf, admin }) => {
      const { account } = await admin('POST', '/accounts', { plan: 'free' });
      made = { account, ...(await admin('POST', `/accounts/${account}/keys`, {})) };
      assert.equal(await statusOf(made.key), 200);
    });
  },
  // HOST-10
  'the admin worker has no public address, and no worker has preview addresses': () => {
    assert.deepEqual(platform.workers.get('tonearm-admin').subdomain, { enabled: false, previews_enabled: false });
    assert.deepEqual(platform.workers.get('tonearm-api').subdomain, { enabled: true, previews_enabled: false });
  },
  'an upgrade keeps secrets, accounts and keys': async () => {
    await deploy();
    second = Object.fromEntries(WORKERS.map((name) => [name, platform.deployed(name).id]));
    for (const name of WORKERS) {
      assert.notEqual(second[name], first[name]);
      for (const [secret, value] of Object.entries(secrets)) assert.equal(bindingOf(name, secret).text, value);
    }
    await withDeployed(async ({ statusOf }) => assert.equal(await statusOf(made.key), 200));
  },
  'a rollback restores the previous version with the same accounts and keys': async () => {
    for (const name of ['admin', 'api']) await wrangler('rollback', '-c', `wrangler.${name}.jsonc`, '--message', 'back', '--yes');
    for (const name of WORKERS) assert.equal(platform.deployed(name).id, first[name]);
    await withDeployed(async ({ statusOf, admin }) => {
      assert.equal(await statusOf(made.key), 200);
      await admin('DELETE', `/keys/${made.key_id}`);
      assert.equal(await statusOf(made.key), 401);
    });
  },
  'the deployment sends no unknown request to the platform': () => {
    assert.deepEqual(platform.unknown, []);
  },
};

await runTests(tests, async () => {
  await platform.end();
  rmSync(folder, { recursive: true, force: true });
}, log);
