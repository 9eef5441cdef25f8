// An account has no object until its first call, so that the platform creates the object near the caller (HOST-60). Uses the test
// build of the workers. Usage: first_calls_test.mjs [--build DIR] [--wasm FILE]. Ends with one line: N passed, M failed.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';

import { casesOfBuild } from '../cases/build_folder.mjs';
import { publish } from './local_worker.mjs';
import { runTests } from './test_run.mjs';
import { startTestWorker } from './test_worker.mjs';
import { eventually } from '../support/waiting.mjs';

const paths = casesOfBuild({ wasm: { type: 'string', default: 'build/wasm/bin/tonearm.wasm' } });
const { miniflare, log, base, command, reset, countOf, admin, call, newAccount } = await startTestWorker(paths.wasm);
await publish(miniflare, 'catalog.sqlite', readFileSync(paths.snapshot));

const tablesOf = async (account) => (await command({ tables: account })).json();
const statusOf = async (key) => (await call(key)).status;

/** Returns an account whose first call the directory does not know, because it was set back. A new epoch has begun. */
async function forgottenAccount() {
  await reset();
  const made = await newAccount();
  await command({ directory: 'save' });
  assert.equal(await statusOf(made.key), 200);
  await command({ directory: 'restore' });
  await reset({ same_objects: true, directory_epoch: 1 });
  return made;
}

async function assertRevocable({ account, key, keyId }) {
  assert.equal((await admin('DELETE', `/keys/${keyId}`)).status, 200);
  assert.equal(await statusOf(key), 401);
  assert.equal((await tablesOf(account)).api_keys, 0);
}

const tests = {
  'the admin interface makes, reads and changes an account without an object': async () => {
    await reset();
    const { account, key, keyId } = await newAccount();
    const { key_id: second } = await admin('POST', `/accounts/${account}/keys`, {});
    assert.equal((await admin('POST', `/accounts/${account}/sessions`, { ttl_s: 60 })).status, 201);
    assert.equal((await admin('DELETE', `/keys/${second}`)).status, 200);
    assert.equal((await admin('PATCH', `/accounts/${account}`, { plan: 'pro' })).status, 200);
    const { calls } = await admin('GET', `/accounts/${account}/calls`);
    assert.deepEqual(calls, []);
    const usage = await admin('GET', `/accounts/${account}/usage`);
    assert.equal(usage.status, 200);
    assert.equal(usage.days.reduce((sum, day) => sum + day.calls, 0), 0);
    const limits = await admin('GET', `/accounts/${account}/limits`);
    assert.equal(limits.status, 200);
    const { lines } = await admin('GET', `/accounts/${account}/export/collections`);
    assert.equal((await admin('GET', '/accounts/acc_aaaaaaaaaaaaa/usage')).status, 404);
    assert.equal(await countOf('objects'), 0);

    assert.equal(await statusOf(key), 200);
    assert.equal(await countOf('objects'), 1);
    assert.equal(await countOf('questions'), 1);
    assert.equal((await tablesOf(account)).api_keys, 2);
    assert.match((await call(key)).headers.get('RateLimit-Policy'), /q=60;/);
    // The object answers as the directory did.
    assert.equal((await admin('GET', `/accounts/${account}/calls`)).calls.length, 2);
    assert.deepEqual(Object.keys(await admin('GET', `/accounts/${account}/usage`)), Object.keys(usage));
    assert.deepEqual(Object.keys(await admin('GET', `/accounts/${account}/limits`)), Object.keys(limits));
    assert.deepEqual((await admin('GET', `/accounts/${account}/export/collections`)).lines, lines);
    assert.equal((await admin('DELETE', `/keys/${keyId}`)).status, 200);
    assert.equal(await statusOf(key), 401);
    assert.equal(await countOf('questions'), 1);
  },
  // KEY-7, RECORD-6
  'a key that was revoked, or whose account was deleted, before the first call is invalid': async () => {
    await reset();
    const revoked = await newAccount();
    const { key } = await admin('POST', `/accounts/${revoked.account}/keys`, {});
    assert.equal((await admin('DELETE', `/keys/${revoked.keyId}`)).status, 200);
    assert.equal(await statusOf(revoked.key), 401);
    assert.equal(await statusOf(key), 200);
    const deleted = await newAccount();
    assert.equal((await admin('DELETE', `/accounts/${deleted.account}`)).status, 200);
    assert.equal(await statusOf(deleted.key), 401);
    assert.deepEqual(await tablesOf(deleted.account), {});
    assert.equal((await admin('GET', `/accounts/${deleted.account}/usage`)).status, 404);
  },
  'concurrent first calls are each answered, and counted exactly': async () => {
    await reset();
    const { account, key } = await newAccount('free');
    const statuses = await Promise.all(Array.from({ length: 40 }, () => statusOf(key)));
    assert.equal(statuses.filter((status) => status === 200).length, 20);
    assert.equal(statuses.filter((status) => status === 429).length, 20);
    const { calls } = await admin('GET', `/accounts/${account}/calls`);
    assert.equal(calls.filter(({ status }) => status === 200).length, 20);
  },
  'a first call is answered 503 while the directory does not answer, and then as always': async () => {
    await reset({ replica_ms: 50 });
    const { account, key } = await newAccount();
    await command({ hold_questions: true });
    assert.equal(await statusOf(key), 503);
    assert.deepEqual(await tablesOf(account), {});
    await command({ hold_questions: false });
    assert.equal(await statusOf(key), 200);
  },
  // KEY-7
  'a revocation that overtakes the answer to the object is in force': async () => {
    await reset();
    const { account, key, keyId } = await newAccount();
    const { key: other } = await admin('POST', `/accounts/${account}/keys`, {});
    await command({ hold_questions: true });
    const first = statusOf(key);
    await command({ until: { questions: 1 } });
    assert.equal((await admin('DELETE', `/keys/${keyId}`)).status, 200);
    assert.equal(await statusOf(key), 401);
    assert.equal(await statusOf(other), 200);
    await command({ hold_questions: false });
    assert.equal(await first, 401);
    assert.equal(await statusOf(key), 401);
    assert.equal((await tablesOf(account)).api_keys, 1);
  },
  // RECORD-6
  'a deletion that overtakes the answer to the object leaves a tombstone': async () => {
    await reset();
    const { account, key } = await newAccount();
    await command({ hold_questions: true });
    const first = statusOf(key);
    await command({ until: { questions: 1 } });
    assert.equal((await admin('DELETE', `/accounts/${account}`)).status, 200);
    await command({ hold_questions: false });
    assert.equal(await first, 401);
    assert.deepEqual(await tablesOf(account), { account_tombstones: 1 });
  },
  // HOST-11
  'an account that made its first call after the directory was saved can be revoked in the new epoch': async () => {
    const made = await forgottenAccount();
    assert.equal(await statusOf(made.key), 200);
    await assertRevocable(made);
  },
  // HOST-11
  'a revocation in the new epoch is in force before the object has asked the directory again': async () => {
    await assertRevocable(await forgottenAccount());
  },
  // HOST-11, RECORD-6: the directory does not know that the account has an object.
  'after the directory was set back, an account keeps its collections, and its deletion reaches its object': async () => {
    await reset({ catalog: 'catalog.sqlite' });
    const { account, key } = await newAccount();
    await command({ directory: 'save' });
    const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
    const made = await fetch(new URL('/v1/collections', base), { method: 'POST', headers, body: '{"name":"Rain"}' });
    assert.equal(made.status, 201);
    await command({ directory: 'restore' });
    await reset({ same_objects: true, directory_epoch: 1 });
    assert.match((await admin('GET', `/accounts/${account}/export/collections`)).lines.join(), /Rain/);
    assert.equal((await admin('DELETE', `/accounts/${account}`)).status, 200);
    assert.deepEqual(await tablesOf(account), { account_tombstones: 1 });
  },
  'a repeated import is refused until the first one is in force, and a trial creates no object': async () => {
    await reset({ replication_retry_ms: 1e9 });
    const { account } = await newAccount();
    const { lines } = await admin('GET', `/accounts/${account}/export/keys`);
    assert.equal((await admin('POST', `/accounts/${account}/import/keys`, { lines, check: true })).status, 200);
    assert.equal(await countOf('objects'), 0);
    await reset({ seed: 2, replication_retry_ms: 1e9 });
    const importKeys = async () => (await admin('POST', `/accounts/${account}/import/keys`, { lines })).status;
    await command({ refuse_replicas: true });
    assert.deepEqual([await importKeys(), await importKeys()], [503, 503]);
    await command({ refuse_replicas: false });
    assert.equal(await importKeys(), 200);
    assert.equal((await tablesOf(account)).api_keys, 1);
  },
  // RECORD-6
  'an import after a deletion that has not reached the object is refused until it has': async () => {
    await reset({ replication_retry_ms: 1e9 });
    const { account, key } = await newAccount();
    assert.equal(await statusOf(key), 200);
    const { lines } = await admin('GET', `/accounts/${account}/export/keys`);
    await command({ refuse_replicas: true });
    assert.equal((await admin('DELETE', `/accounts/${account}`)).status, 503);
    assert.equal((await admin('POST', `/accounts/${account}/import/keys`, { lines })).status, 503);
    await command({ refuse_replicas: false });
    // The tombstone rejects the account from now on.
    for (let i = 0; i < 2; ++i) assert.equal((await admin('POST', `/accounts/${account}/import/keys`, { lines })).status, 503);
    assert.deepEqual(await tablesOf(account), { account_tombstones: 1 });
    assert.equal(await statusOf(key), 401);
  },
  'an imported account that its object does not accept yet is sent again': async () => {
    await reset({ replication_retry_ms: 100 });
    const { account, key } = await newAccount();
    const { lines } = await admin('GET', `/accounts/${account}/export/keys`);
    await reset({ seed: 2, replication_retry_ms: 100 }); // other objects
    await command({ refuse_replicas: true });
    assert.equal((await admin('POST', `/accounts/${account}/import/keys`, { lines })).status, 503);
    await command({ refuse_replicas: false });
    await eventually(async () => (await tablesOf(account)).api_keys === 1, 'the account in its object');
    assert.equal(await statusOf(key), 200);
    assert.equal(await countOf('questions'), 0);
  },
};

await runTests(tests, () => miniflare.dispose(), log);
