// What objects store, and what must leave no trace in them. Uses the test build of the workers, which returns the tables of an
// object. Usage: shards_test.mjs [--build DIR] [--wasm FILE]. Ends with one line: N passed, M failed.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';

import { casesOfBuild } from '../cases/build_folder.mjs';
import { publish } from './local_worker.mjs';
import { runTests } from './test_run.mjs';
import { startTestWorker } from './test_worker.mjs';
import { eventually } from '../support/waiting.mjs';

const DAY_MS = 86_400_000;
/** The tables of a deleted account. */
const TOMBSTONE = { account_tombstones: 1 };

const paths = casesOfBuild({ wasm: { type: 'string', default: 'build/wasm/bin/tonearm.wasm' } });
const { miniflare, log, base, command, reset, countOf, admin, call, newAccount, usedAccount, withSnapshot } = await startTestWorker(paths.wasm);

const tablesOf = async (account) => (await command({ tables: account })).json();
const statusOf = async (key, headers) => (await call(key, headers)).status;

/** Sends half of a body and closes the connection. */
function sendHalf(key, path) {
  const head = [`POST ${path} HTTP/1.1`, 'Host: test', `Authorization: Bearer ${key}`, 'Content-Type: application/json'];
  return new Promise((resolve, reject) => {
    const socket = connect({ host: base.hostname, port: Number(base.port) });
    socket.on('error', reject);
    socket.on('close', resolve);
    socket.resume();
    socket.end([...head, 'Content-Length: 100', '', '{"name":"Ra'].join('\r\n'));
  });
}

const recordTables = (tables) => Object.keys(tables).filter((name) => name.startsWith('call_records_'));

const searchStatus = (key) => statusOf(key, { path: '/v1/search?q=rain' });
const snapshot = readFileSync(paths.snapshot);

const tests = {
  'requests for an account that never existed create no tables': async () => {
    await reset();
    const { account, key } = await newAccount();
    await reset({ seed: 2 }); // other objects, the same key secret
    assert.deepEqual(await tablesOf(account), {});
    assert.equal(await statusOf(key), 401);
    assert.equal(await statusOf(key, { path: '/v1/search' }), 401);
    assert.equal((await admin('GET', `/accounts/${account}/calls`)).status, 404);
    assert.equal((await admin('GET', `/accounts/${account}/usage`)).status, 404);
    assert.deepEqual(await tablesOf(account), {});
  },
  'a key is valid once it has been returned, and invalid once its revocation has been answered': async () => {
    await reset();
    const { key, keyId } = await newAccount();
    assert.equal(await statusOf(key), 200);
    assert.equal((await admin('DELETE', `/keys/${keyId}`)).status, 200);
    assert.equal(await statusOf(key), 401);
    assert.equal(await statusOf(key, { path: '/v1/search' }), 401);
  },
  'a plan is in force once its change has been answered': async () => {
    await reset();
    const { account, key } = await newAccount('free');
    assert.match((await call(key)).headers.get('RateLimit-Policy'), /q=20;/);
    await admin('PATCH', `/accounts/${account}`, { plan: 'pro' });
    assert.doesNotMatch((await call(key)).headers.get('RateLimit-Policy'), /q=20;/);
  },
  'a deleted account leaves only a tombstone': async () => {
    await reset();
    const { account, key } = await newAccount();
    assert.equal(await statusOf(key, { path: '/v1/search' }), 503);
    const before = await tablesOf(account);
    assert.equal(before.api_keys, 1);
    assert.equal(recordTables(before).length, 1);
    assert.equal((await admin('DELETE', `/accounts/${account}`)).status, 200);
    assert.deepEqual(await tablesOf(account), TOMBSTONE);
    assert.equal(await statusOf(key), 401);
    assert.deepEqual(await tablesOf(account), TOMBSTONE);
  },
  'a replica that arrives after a newer one, or after the deletion, is rejected': async () => {
    await reset();
    const { account, key } = await usedAccount('free');
    for (const plan of ['pro', 'unlimited']) await admin('PATCH', `/accounts/${account}`, { plan }); // replicas 0 and 1
    const replicateAgain = async (replica) => (await command({ replicate_again: { account, replica } })).text();
    assert.equal(await replicateAgain(0), 'newerHere');
    assert.equal((await call(key)).headers.get('RateLimit'), null);
    assert.equal(await replicateAgain(1), 'behind'); // it builds on the previous one
    await admin('DELETE', `/accounts/${account}`);
    assert.equal(await replicateAgain(1), 'newerHere');
    assert.equal(await replicateAgain(4), 'removed'); // replicas that were sent again are numbered, too
    assert.deepEqual(await tablesOf(account), TOMBSTONE);
    assert.equal(await statusOf(key), 401);
  },
  'records that arrive after their account was deleted leave no trace': async () => {
    await reset({ report_ms: 300, older_objects: true });
    const { account, key } = await newAccount();
    await call(key, { path: '/v1/search' });
    assert.deepEqual(recordTables(await tablesOf(account)), []);
    await admin('DELETE', `/accounts/${account}`);
    await eventually(async () => (await countOf('batches')) === 1);
    assert.deepEqual(await tablesOf(account), TOMBSTONE);
    // Without the deletion, they are stored.
    const other = await newAccount();
    await call(other.key, { path: '/v1/search' });
    await eventually(async () => recordTables(await tablesOf(other.account)).length === 1);
  },
  'concurrent changes are each in force once they have been answered': async () => {
    await reset();
    const made = await Promise.all(Array.from({ length: 20 }, () => newAccount()));
    assert.equal(new Set(made.map(({ account }) => account)).size, made.length);
    assert.deepEqual(new Set(await Promise.all(made.map(({ key }) => statusOf(key)))), new Set([200]));
    assert.equal((await admin('GET', '/accounts')).accounts.length, made.length);
  },
  'a snapshot is activated in the background, and a damaged one is not': async () => {
    await reset({ catalog: 'from now on', snapshot_check_ms: 0 });
    const { key } = await newAccount('unlimited');
    assert.equal(await statusOf(key, { path: '/v1/search' }), 503);
    const bytes = readFileSync(paths.snapshot);
    await publish(miniflare, 'good.sqlite', bytes);
    assert.equal(await statusOf(key, { path: '/v1/search' }), 200);
    await publish(miniflare, 'damaged.sqlite', bytes.subarray(0, 20_000));
    for (let tries = 0; tries < 5; ++tries) assert.equal(await statusOf(key, { path: '/v1/search' }), 200);
  },
  'a write that the storage rejects halfway changes nothing and is answered 503': async () => {
    await reset({ catalog: 'from now on' });
    await publish(miniflare, 'good.sqlite', readFileSync(paths.snapshot));
    const { account, key } = await newAccount('pro');
    const create = () =>
      fetch(new URL('/v1/collections', base), {
        method: 'POST',
        headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
        body: '{"name":"Rain"}',
      });
    await command({ fail_statement: 'INSERT INTO collection_creations' });
    const refused = await create();
    assert.equal(refused.status, 503);
    assert.equal((await refused.json()).error, 'unavailable');
    assert.equal((await tablesOf(account)).collections, 0);
    // The storage rejects the admission itself.
    await command({ fail_statement: 'JOIN api_keys' });
    assert.equal((await create()).status, 503);
    await command({ fail_statement: '' });
    const created = await create();
    assert.equal(created.status, 201);
    assert.match(created.headers.get('RateLimit'), /"minute";r=58;/);
    assert.equal((await tablesOf(account)).collections, 1);
  },
  // HOST-6
  'records of calls that the worker and the object answered are in one list, in order': async () => {
    await reset();
    const { account, key } = await newAccount();
    const paths = ['/v1/search?q=rain', '/v1/collections', '/v1/nothing', '/v1/collections', '/v1/meta'];
    for (const path of paths) await call(key, { path });
    const { calls } = await admin('GET', `/accounts/${account}/calls`);
    const routes = ['/v1/search', '/v1/collections', '(unknown)', '/v1/collections', '/v1/meta'];
    assert.deepEqual(calls.map(({ route }) => route).reverse(), routes);
    const { days } = await admin('GET', `/accounts/${account}/usage`);
    assert.equal(days[0].calls, paths.length);
  },
  'concurrent calls are admitted exactly up to the limit of the plan': async () => {
    await reset();
    const { key } = await newAccount('free');
    const statuses = await Promise.all(Array.from({ length: 40 }, () => statusOf(key)));
    assert.equal(statuses.filter((status) => status === 200).length, 20);
    assert.equal(statuses.filter((status) => status === 429).length, 20);
  },
  'alarms delete expired records': async () => {
    await reset({ retain_ms: 100 });
    const { account, key } = await newAccount();
    await call(key);
    assert.equal(recordTables(await tablesOf(account)).length, 1);
    await command({ advance_ms: 399 * DAY_MS });
    const alarms = await countOf('alarms');
    await eventually(async () => (await countOf('alarms')) >= alarms + 2); // the first may have started earlier
    assert.equal(recordTables(await tablesOf(account)).length, 1);
    await command({ advance_ms: 2 * DAY_MS });
    await eventually(async () => recordTables(await tablesOf(account)).length === 0);
  },
  "the directory's alarm deletes expired session keys": async () => {
    await reset({ retain_ms: 100 });
    const { account } = await newAccount();
    await admin('POST', `/accounts/${account}/sessions`, { ttl_s: 60 });
    const keysLeft = async () => (await (await command({ directory_tables: true })).json()).api_keys;
    assert.equal(await keysLeft(), 2);
    await command({ advance_ms: 399 * DAY_MS });
    const alarms = await countOf('directory_alarms');
    await eventually(async () => (await countOf('directory_alarms')) >= alarms + 2); // the first may have started earlier
    assert.equal(await keysLeft(), 2);
    await command({ advance_ms: 2 * DAY_MS });
    await eventually(async () => (await keysLeft()) === 1);
    assert.equal((await admin('GET', `/accounts/${account}/keys`)).keys.length, 1);
  },
  'records that were lost or not confirmed are sent again and written once': async () => {
    for (const failure of [{ before: 2 }, { after: 2 }]) {
      await reset();
      const { account, key } = await newAccount();
      await command({ fail_records: failure });
      const paths = ['/v1/search?q=rain', '/v1/meta', '/v1/nothing', '/v1/tracks/os-101'];
      for (const path of paths) await call(key, { path });
      const { calls } = await admin('GET', `/accounts/${account}/calls`);
      const routes = ['/v1/search', '/v1/meta', '(unknown)', '/v1/tracks/{id}'];
      assert.deepEqual(calls.map(({ route }) => route).reverse(), routes);
      assert.equal((await admin('GET', `/accounts/${account}/usage`)).days[0].calls, paths.length);
      // The record of the first call is sent in its session and in a batch, then with that of the second call.
      assert.equal(await countOf('batches'), 'before' in failure ? 3 : 5);
    }
  },
  'records that did not reach their object are sent again without another call': async () => {
    await reset({ report_ms: 100 });
    const { account, key } = await newAccount();
    await command({ fail_records: { before: 2 } });
    await call(key, { path: '/v1/search?q=rain' });
    await eventually(async () => (await countOf('batches')) === 1);
    const { calls } = await admin('GET', `/accounts/${account}/calls`);
    assert.deepEqual(calls.map(({ route }) => route), ['/v1/search']);
  },
  'the last thousand records that the storage rejects stay pending': async () => {
    await reset();
    const { account, key } = await newAccount('unlimited');
    await call(key, { path: '/v1/collections?page=1' }); // makes the tables
    await command({ fail_statement: 'INTO call_records_' });
    for (let calls = 0; calls < 1_010; calls += 10) {
      const statuses = await Promise.all(Array.from({ length: 10 }, () => statusOf(key, { path: '/v1/collections' })));
      assert.deepEqual([...new Set(statuses)], [200]);
    }
    await command({ fail_statement: '' });
    await statusOf(key);
    const tables = await tablesOf(account);
    assert.deepEqual(recordTables(tables).map((name) => tables[name]), [1 + 1_000 + 1]);
  },
  'an incomplete body changes nothing, is counted and recorded, and the next call is answered': async () => {
    await reset({ catalog: 'from now on' });
    await publish(miniflare, 'good.sqlite', readFileSync(paths.snapshot));
    const { account, key } = await newAccount('pro');
    for (const path of ['/v1/collections', '/v1/search']) await sendHalf(key, path);
    const recorded = async () => (await admin('GET', `/accounts/${account}/calls`)).calls;
    await eventually(async () => (await recorded()).length === 2);
    assert.deepEqual((await recorded()).map(({ status }) => status), [400, 400]);
    assert.equal((await tablesOf(account)).collections, 0);
    const next = await call(key);
    assert.equal(next.status, 200);
    assert.match(next.headers.get('RateLimit'), /"minute";r=57;/);
  },
  'a change that its shard rejects is answered 503, delays no other, and is applied later': async () => {
    await reset({ replication_retry_ms: 200 });
    const { account, key } = await usedAccount();
    await command({ refuse_replicas: true });
    const refused = await admin('PATCH', `/accounts/${account}`, { plan: 'unlimited' });
    assert.equal(refused.status, 503);
    assert.equal(refused.error, 'unavailable');
    assert.equal((await admin('GET', `/accounts/${account}`)).plan, 'unlimited');
    assert.ok((await call(key)).headers.get('RateLimit') !== null);
    await command({ refuse_replicas: false });
    await eventually(async () => (await call(key)).headers.get('RateLimit') === null);
    assert.equal((await admin('PATCH', `/accounts/${account}`, { plan: 'free' })).status, 200);
  },
  'after a trap of the core the next call is answered, from the same state': async () => {
    await reset();
    const { account, key } = await newAccount();
    await command({ fail_random: true });
    const failed = await admin('POST', `/accounts/${account}/keys`, {});
    assert.equal(failed.status, 503);
    assert.equal(failed.error, 'unavailable');
    await command({ fail_random: false });
    assert.equal(await statusOf(key), 200);
    assert.equal((await admin('GET', `/accounts/${account}/keys`)).keys.length, 1);
    assert.equal((await admin('POST', `/accounts/${account}/keys`, {})).status, 201);
  },
  'a snapshot that could not be read is activated as soon as it can be read': async () => {
    const { key } = await withSnapshot(snapshot);
    await command({ fail_reads: true });
    assert.equal(await searchStatus(key), 503);
    assert.equal(await searchStatus(key), 503);
    await command({ fail_reads: false });
    assert.equal(await searchStatus(key), 200);
    await command({ fail_reads: true });
    assert.equal(await searchStatus(key), 200);
    await command({ fail_reads: false });
  },
  'a block that does not match its hash is not served': async () => {
    const changed = Buffer.from(snapshot);
    for (let at = 0; at < changed.length - 70_000; at += 65_536) changed[at + 30_000] ^= 1;
    changed[200_000] ^= 1;
    const { key } = await withSnapshot(changed);
    assert.equal(await searchStatus(key), 503);
  },
  'many concurrent calls on a cold isolate are all answered': async () => {
    const { key } = await withSnapshot(snapshot);
    const answers = await Promise.all(Array.from({ length: 60 }, () => searchStatus(key)));
    assert.deepEqual([...new Set(answers)], [200]);
  },
};

await runTests(tests, () => miniflare.dispose(), log);
