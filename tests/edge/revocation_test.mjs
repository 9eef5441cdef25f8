// Revocation takes effect immediately: with shards that do not answer, late bodies, repeated removals, a directory that was set
// back, and two releases at the same time. Uses the test build of the workers.
// Usage: revocation_test.mjs [--build DIR] [--wasm FILE]. Ends with one line: N passed, M failed.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';

import { casesOfBuild } from '../cases/build_folder.mjs';
import { publish } from './local_worker.mjs';
import { runTests } from './test_run.mjs';
import { startTestWorker } from './test_worker.mjs';

/** A test that waited this long would never end. */
const NEVER_MS = 2_000_000_000;

const paths = casesOfBuild({ wasm: { type: 'string', default: 'build/wasm/bin/tonearm.wasm' } });
const { miniflare, log, command, reset, admin, call, newAccount, usedAccount, sendInParts } = await startTestWorker(paths.wasm);
await publish(miniflare, 'catalog.sqlite', readFileSync(paths.snapshot));

const until = (counted) => command({ until: counted });
const answered = async (body) => (await command(body)).text();
const tablesOf = async (account) => (await command({ tables: account })).json();
const hasAlarm = async (account) => (await command({ has_alarm: account })).json();
const statusOf = async (key, path = '/v1/collections') => (await call(key, { path })).status;

const tests = {
  // KEY-7
  'a hanging shard does not delay the revocation of another account': async () => {
    await reset({ replica_ms: NEVER_MS });
    const hanging = await usedAccount();
    const other = await usedAccount();
    await command({ hold_replicas_of: hanging.account });
    const revoked = admin('DELETE', `/keys/${hanging.keyId}`);
    await until({ held: 1 });
    assert.equal((await admin('DELETE', `/keys/${other.keyId}`)).status, 200);
    assert.equal(await statusOf(other.key), 401);
    await command({ hold_replicas_of: '' });
    assert.equal((await revoked).status, 200);
    assert.equal(await statusOf(hanging.key), 401);
  },
  'a change of a hanging shard is retried, and the operator gets 503 until then': async () => {
    await reset({ replica_ms: 50, replication_retry_ms: 50 });
    const { account, key, keyId } = await usedAccount();
    await command({ hold_replicas_of: account });
    const late = await admin('DELETE', `/keys/${keyId}`);
    assert.deepEqual([late.status, late.error], [503, 'unavailable']);
    await until({ held: 3 }); // the alarm tries again
    await command({ hold_replicas_of: '' });
    while ((await statusOf(key)) !== 401) continue;
    assert.equal((await admin('DELETE', `/keys/${keyId}`)).status, 200);
  },
  // KEY-13
  'a body that arrives after its key was revoked is answered 401 and writes nothing': async () => {
    await reset({ catalog: 'from now on' });
    const { account, key, keyId } = await newAccount('pro');
    const { answer, sendRest } = sendInParts(key, '{"name":"Rain"}');
    await until({ admitted: 1 });
    assert.equal((await admin('DELETE', `/keys/${keyId}`)).status, 200);
    sendRest();
    assert.equal((await answer).status, 401);
    assert.equal((await tablesOf(account)).collections, 0);
  },
  'a body that arrives after its account was deleted is answered 401 and leaves only a tombstone': async () => {
    await reset({ catalog: 'from now on' });
    const { account, key } = await newAccount('pro');
    const { answer, sendRest } = sendInParts(key, '{"name":"Rain"}');
    await until({ admitted: 1 });
    await admin('DELETE', `/accounts/${account}`);
    sendRest();
    assert.equal((await answer).status, 401);
    assert.deepEqual(await tablesOf(account), { account_tombstones: 1 });
  },
  // HOST-13
  'a body that times out is answered 408, recorded, and writes nothing': async () => {
    await reset({ catalog: 'from now on', body_ms: 50 });
    const { account, key } = await newAccount('pro');
    const { status, text } = await sendInParts(key, '{"name":"Rain"}').answer;
    assert.equal(status, 408);
    assert.match(text, /"error":"invalid_request"/);
    assert.equal((await tablesOf(account)).collections, 0);
    const { calls } = await admin('GET', `/accounts/${account}/calls`);
    assert.deepEqual(calls.map((one) => one.status), [408]);
  },
  // KEY-9
  'a session key adds one row to its shard, however many keys the account has': async () => {
    await reset();
    const { account } = await usedAccount();
    for (let made = 0; made < 20; ++made) await admin('POST', `/accounts/${account}/sessions`, { ttl_s: 600 });
    await command({ written: true });
    const { key, key_id: keyId } = await admin('POST', `/accounts/${account}/sessions`, { ttl_s: 600 });
    const written = await (await command({ written: true })).json();
    assert.equal(written['INSERT INTO api_keys'], 2); // the directory's and the shard's
    assert.equal(await statusOf(key), 200);
    assert.equal((await tablesOf(account)).api_keys, 22);
    await admin('DELETE', `/keys/${keyId}`);
    assert.equal(await statusOf(key), 401);
    assert.equal((await tablesOf(account)).api_keys, 21);
  },
  // HOST-11
  'after the directory was set back, only what it contains is valid, and all of it can be revoked': async () => {
    await reset();
    const known = await usedAccount();
    const revoked = await usedAccount();
    await command({ directory: 'save' });
    const unknown = await usedAccount();
    const { key: lateKey } = await admin('POST', `/accounts/${known.account}/keys`, {});
    await admin('DELETE', `/keys/${revoked.keyId}`);
    await command({ directory: 'restore' });
    assert.deepEqual(await Promise.all([known.key, lateKey, unknown.key].map((key) => statusOf(key))), [200, 200, 200]);
    await reset({ same_objects: true, directory_epoch: 1 });
    assert.equal(await statusOf(known.key), 200);
    assert.equal(await statusOf(lateKey), 401);
    assert.equal(await statusOf(revoked.key), 200); // the directory contains it again, so it can be revoked again
    assert.equal((await admin('DELETE', `/keys/${revoked.keyId}`)).status, 200);
    assert.equal(await statusOf(revoked.key), 401);
    assert.equal(await statusOf(unknown.key), 401);
    assert.equal(await statusOf(unknown.key, '/v1/search?q=rain'), 401);
    assert.equal((await admin('GET', `/accounts/${unknown.account}/usage`)).status, 404);
    assert.equal((await tablesOf(unknown.account)).api_keys, 1); // its data remain in case the directory is restored
    assert.equal((await admin('DELETE', `/keys/${known.keyId}`)).status, 200);
    assert.equal(await statusOf(known.key), 401);
  },
  'a directory that was set back far reports errors until a new epoch begins': async () => {
    await reset();
    const { account, key } = await usedAccount();
    await command({ directory: 'save' });
    for (const plan of ['pro', 'free', 'pro']) await admin('PATCH', `/accounts/${account}`, { plan });
    await command({ directory: 'restore' });
    assert.equal((await admin('PATCH', `/accounts/${account}`, { plan: 'unlimited' })).status, 503);
    await reset({ same_objects: true, directory_epoch: 1 });
    assert.equal((await call(key)).headers.get('RateLimit'), null);
    assert.equal((await admin('DELETE', `/accounts/${account}`)).status, 200);
    assert.equal(await statusOf(key), 401);
    assert.deepEqual(await tablesOf(account), { account_tombstones: 1 });
  },
  'a shard of an earlier epoch answers nothing while the directory is unavailable': async () => {
    await reset();
    const { key } = await usedAccount();
    await reset({ same_objects: true, directory_epoch: 1 });
    await command({ fail_statement: 'a.created_ms' }); // the directory's query for an account
    assert.equal(await statusOf(key), 503);
    await command({ fail_statement: '' });
    assert.equal(await statusOf(key), 200);
  },
  // HOST-12
  'a call of another release is rejected with both versions, and changes nothing': async () => {
    await reset();
    const { account } = await usedAccount();
    const { call_counters: counted } = await tablesOf(account);
    const message = await answered({ other_layout: { account, layout: 99 } });
    assert.match(message, /layout is 99, and this release knows 1/);
    assert.equal((await tablesOf(account)).call_counters, counted);
    assert.equal(await answered({ other_layout: { account, layout: 1 } }), 'answered');
  },
  'a failed alarm is set again, in an account and in the directory': async () => {
    await reset({ retain_ms: 50, alarm_retry_ms: 50 });
    const { account, key } = await newAccount();
    await call(key);
    await command({ fail_statement: 'FROM call_parts' });
    await until({ alarms: 10, directory_alarms: 10 }); // more often than the platform retries by itself
    await command({ fail_statement: '' });
    for (const object of [account, '']) while (!(await hasAlarm(object))) continue;
  },
};

await runTests(tests, () => miniflare.dispose(), log);
