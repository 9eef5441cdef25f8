// Calls while object storage is slow: no call waits for the reads of another one, no call is lost, and only the last run of a
// call has effects. The test itself holds the reads (gate.mjs), so a call that is answered meanwhile has not waited for them.
// Usage: calls_test.mjs [--build DIR] [--wasm FILE]. Ends with one line: N passed, M failed.

import assert from 'node:assert/strict';
import { request } from 'node:http';

import { casesOfBuild } from '../cases/build_folder.mjs';
import { Gate } from './gate.mjs';
import { largeSnapshot, rareWord, trackId } from './large_snapshot.mjs';
import { publish } from './local_worker.mjs';
import { runTests } from './test_run.mjs';
import { startTestWorker } from './test_worker.mjs';
import { eventually } from '../support/waiting.mjs';

/** Of about eighty blocks of the snapshot, so that calls evict each other's blocks. */
const BLOCKS_MAX = 8;
const COLD_CALLS = 12;
const NEVER_MS = 1e12;

const paths = casesOfBuild({ wasm: { type: 'string', default: 'build/wasm/bin/tonearm.wasm' } });
const gate = new Gate();
const { miniflare, log, base, command, reset, admin, call, newAccount } = await startTestWorker(paths.wasm, gate);

await publish(miniflare, 'second.sqlite', largeSnapshot(paths.build, 'second'));
await publish(miniflare, 'first.sqlite', largeSnapshot(paths.build, 'first'));
const bucket = await miniflare.getR2Bucket('SNAPSHOTS');
const pointTo = (key) => bucket.put('current', JSON.stringify({ snapshot: key }));

const statusOf = async (path) => (await fetch(new URL(path, base))).status;
const sizes = async () => (await command({ sizes: true })).json();

/** Starts a service that has opened its snapshot but cached nothing else. Returns a key. */
async function start(more = {}) {
  gate.clear();
  await command({ end_with_clients: false });
  await pointTo('first.sqlite');
  const settings = { uses_cache: false, snapshot_check_ms: NEVER_MS, blocks_max: BLOCKS_MAX, answer_cache_bytes: 0 };
  await reset({ catalog: 'catalog.sqlite', ...settings, ...more });
  assert.equal(await statusOf('/readyz'), 200);
  gate.clear();
  return newAccount('unlimited');
}

/** Makes the second snapshot the current one, which is then activated in the background. */
async function activateSecond() {
  await pointTo('second.sqlite');
  await command({ advance_ms: 1_000 });
  assert.equal(await statusOf('/readyz'), 200);
}

/** Returns the status, the headers and the body of an answer. */
async function answerOf(pending) {
  const response = await pending;
  return { status: response.status, headers: response.headers, body: await response.json() };
}
const search = (key, number, headers = {}) => call(key, { path: `/v1/search?q=${rareWord(number)}&fields=id`, ...headers });
const totalOf = async (pending) => {
  const { status, body } = await answerOf(pending);
  assert.equal(status, 200, JSON.stringify(body));
  return body.total;
};

async function send(key, path, body) {
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
  return answerOf(fetch(new URL(path, base), { method: 'POST', headers, body: JSON.stringify(body) }));
}

/** Starts cold calls until each of them has a held read. */
async function startColdCalls(key) {
  gate.clear();
  gate.decide = () => 'hold';
  const calls = [];
  for (let number = 0; number < COLD_CALLS; ++number) {
    const before = gate.reads.length;
    calls.push(search(key, number * 7));
    await gate.until((reads) => reads.length > before);
  }
  return calls;
}

/** Starts a search whose client can disconnect. `status` is then 0. */
function startAbortable(key, number) {
  const { hostname, port } = base;
  const path = `/v1/search?q=${rareWord(number)}`;
  const client = request({ hostname, port, path, headers: { Authorization: `Bearer ${key}` }, agent: false });
  const status = new Promise((resolve) => {
    client.on('error', () => resolve(0));
    client.on('response', (response) => response.resume().on('end', () => resolve(response.statusCode)));
  });
  client.end();
  // The platform detects a disconnect by a reset; a FIN alone may be a half-close.
  return { status, disconnect: () => client.socket.resetAndDestroy() };
}

const tests = {
  // HOST-15
  '/healthz, /readyz, a revocation, a warm search and a collection do not wait for cold searches': async () => {
    const { key } = await start({ answer_cache_bytes: 1_000_000 });
    const other = await newAccount('unlimited');
    const warm = await answerOf(search(key, 99));
    const cold = await startColdCalls(key);
    assert.equal(await statusOf('/healthz'), 200);
    assert.equal(await statusOf('/readyz'), 200);
    assert.equal((await admin('DELETE', `/keys/${other.keyId}`)).status, 200);
    assert.equal((await call(other.key)).status, 401);
    assert.deepEqual((await answerOf(search(key, 99))).body, warm.body);
    assert.equal((await send(key, '/v1/collections', { name: 'Rain' })).status, 201);
    // Every read is still held.
    assert.ok(gate.reads.length >= COLD_CALLS);
    assert.equal(gate.held.length, gate.reads.length);
    gate.releaseAll();
    for (const one of cold) assert.equal(await totalOf(one), 20);
  },
  'calls that evict each other\'s blocks are all answered': async () => {
    const { key } = await start();
    const cold = await startColdCalls(key);
    gate.releaseAll();
    for (const one of cold) assert.equal(await totalOf(one), 20);
    assert.equal((await sizes()).pinnedBytes, 0);
  },
  'a call never reads a block twice, even if the core has evicted it': async () => {
    const { key } = await start();
    const alone = await answerOf(search(key, 3));
    const ofOne = new Set(gate.reads.map(({ offset }) => offset));
    assert.ok(ofOne.size >= 3);
    assert.equal(gate.reads.length, ofOne.size);
    // Holds each read while other calls fill the core's cache.
    await start();
    gate.clear();
    gate.decide = () => 'hold';
    const { key: again } = await newAccount('unlimited');
    const pending = search(again, 3);
    const seen = [];
    let isAnswered = false;
    const answered = pending.then((response) => {
      isAnswered = true;
      return answerOf(response);
    });
    for (;;) {
      await Promise.race([gate.until((reads) => reads.some(({ isHeld }) => isHeld)), answered]);
      if (isAnswered) break;
      const held = gate.held;
      seen.push(...held.map(({ offset }) => offset));
      gate.decide = () => 'go';
      for (let number = 40; number < 44; ++number) await totalOf(search(again, number));
      gate.decide = () => 'hold';
      for (const read of held) gate.release(read);
    }
    assert.deepEqual((await answered).body, alone.body);
    assert.equal(new Set(seen).size, seen.length, 'a call read a block twice');
  },
  'a replayed write is stored, counted and recorded once, with its waiting time': async () => {
    const { account, key } = await start();
    const { body: collection } = await send(key, '/v1/collections', { name: 'Rain' });
    gate.clear();
    gate.decide = () => 'hold';
    const began = Date.UTC(2026, 10, 21, 12);
    const added = send(key, `/v1/collections/${collection.id}/items`, { tracks: [5, 500, 1_500].map(trackId) });
    await gate.until((reads) => reads.length > 0);
    await command({ advance_ms: 2_500 });
    gate.releaseAll();
    assert.equal((await added).status, 201);
    assert.ok(gate.reads.length > 1, 'the call was not replayed');
    const { body } = await answerOf(call(key, { path: `/v1/collections/${collection.id}` }));
    assert.equal(body.revision, 2);
    assert.deepEqual(body.items.map(({ track_id: track }) => track), [5, 500, 1_500].map(trackId));
    // All runs of a call see the time of the first one.
    assert.equal(Date.parse(body.updated), began);
    const { calls } = await admin('GET', `/accounts/${account}/calls`);
    const ofItems = calls.filter(({ route }) => route === '/v1/collections/{id}/items');
    assert.deepEqual(ofItems.map(({ status, duration_ms: ms }) => [status, ms]), [[201, 2_500]]);
    assert.equal((await admin('GET', `/accounts/${account}/usage`)).days[0].calls, 3);
  },
  'a call whose reads time out retries each one once and is answered 503': async () => {
    const { account, key } = await start();
    gate.decide = () => 'late';
    const { status, body } = await answerOf(search(key, 8));
    assert.deepEqual([status, body.error, body.message], [503, 'unavailable', 'The catalog is not available now; retry later.']);
    const tries = Map.groupBy(gate.reads, ({ offset }) => offset);
    // The first read that fails twice ends the call.
    assert.equal(Math.max(...[...tries.values()].map(({ length }) => length)), 2);
    assert.equal(await statusOf('/readyz'), 200);
    gate.clear();
    assert.equal(await totalOf(search(key, 8)), 20);
    const { calls } = await admin('GET', `/accounts/${account}/calls`);
    assert.deepEqual(calls.map((one) => one.status).reverse(), [503, 200]);
    assert.equal((await sizes()).pinnedBytes, 0);
  },
  // CHECK-6
  'collections can be listed and deleted while no block can be read, without data of the catalog': async () => {
    const { key } = await start();
    const { body: collection } = await send(key, '/v1/collections', { name: 'Rain' });
    await send(key, `/v1/collections/${collection.id}/items`, { tracks: [5, 500, 1_500].map(trackId) });
    for (let number = 40; number < 60; ++number) await totalOf(search(key, number)); // evicts the tracks
    gate.decide = () => 'late';
    const list = () => answerOf(call(key, { path: '/v1/collections' }));
    const { status, body } = await list();
    assert.equal(status, 200);
    assert.deepEqual(body.collections.map(({ track_count: count, license_changed: changed }) => [count, changed]), [[3, null]]);
    gate.clear();
    const { body: later } = await list();
    assert.deepEqual(later.collections.map(({ license_changed: changed }) => changed), [0]);
    gate.decide = () => 'late';
    const headers = { Authorization: `Bearer ${key}` };
    const target = new URL(`/v1/collections/${collection.id}?confirm=true`, base);
    assert.equal((await fetch(target, { method: 'DELETE', headers })).status, 200);
  },
  'a read that succeeds at the second try is enough': async () => {
    const { key } = await start();
    gate.decide = ({ offset }, reads) => (reads.some((read) => read.offset === offset) ? 'go' : 'late');
    assert.equal(await totalOf(search(key, 8)), 20);
  },
  'a call that keeps missing blocks ends with 503': async () => {
    const { key } = await start({ runs_max: 3 });
    const { status, body } = await answerOf(search(key, 11));
    assert.deepEqual([status, body.message], [503, 'The catalog is not available now; retry later.']);
    assert.equal((await sizes()).pinnedBytes, 0);
    assert.equal((await send(key, '/v1/collections', { name: 'Rain' })).status, 201);
  },
  'calls that would exceed the pin limit are answered 503, and release their pins when they end': async () => {
    const block = 65_536;
    const { key } = await start({ pinned_bytes_max: 30 * block });
    gate.decide = () => 'hold';
    const held = [];
    const statuses = [];
    for (let number = 0; number < 40; ++number) {
      const before = gate.reads.length;
      const one = search(key, number * 7).then(({ status }) => statuses.push(status));
      await Promise.race([gate.until((reads) => reads.length > before), one]);
      held.push(one);
    }
    assert.ok(statuses.length > 0, 'no call was rejected');
    assert.deepEqual([...new Set(statuses)], [503]);
    assert.ok((await sizes()).pinnedBytes <= 30 * block);
    gate.releaseAll();
    await Promise.all(held);
    assert.ok(statuses.includes(200));
    assert.equal((await sizes()).pinnedBytes, 0);
    assert.equal(await totalOf(search(key, 1)), 20);
  },
  'clients that disconnect during reads do not affect other calls, and their calls complete': async () => {
    const { account, key } = await start();
    gate.decide = () => 'hold';
    const left = [];
    for (let number = 0; number < 4; ++number) {
      const before = gate.reads.length;
      left.push(startAbortable(key, number * 7));
      await gate.until((reads) => reads.length > before);
    }
    for (const one of left) one.disconnect();
    for (const one of left) assert.equal(await one.status, 0);
    gate.releaseAll();
    assert.equal(await totalOf(search(key, 50)), 20);
    await eventually(async () => (await admin('GET', `/accounts/${account}/calls`)).calls.length === 5);
    assert.equal((await sizes()).pinnedBytes, 0);
  },
  'calls that the platform ends during reads do not affect other calls': async () => {
    const { key } = await start();
    await command({ end_with_clients: true });
    gate.decide = () => 'hold';
    const left = [];
    for (let number = 0; number < 4; ++number) {
      const before = gate.reads.length;
      left.push(startAbortable(key, number * 7));
      await gate.until((reads) => reads.length > before);
    }
    for (const one of left) one.disconnect();
    for (const one of left) assert.equal(await one.status, 0);
    await command({ end_with_clients: false });
    gate.decide = () => 'go';
    assert.equal(await totalOf(search(key, 50)), 20);
    gate.releaseAll();
    for (let number = 0; number < 4; ++number) assert.equal(await totalOf(search(key, number * 7)), 20);
  },
  'a call that reads while a snapshot is activated is answered from the new one': async () => {
    const { key } = await start({ snapshot_check_ms: 1_000 });
    const first = (await search(key, 60)).headers.get('Tonearm-Catalog');
    gate.clear();
    gate.decide = () => 'hold';
    const pending = search(key, 21);
    await gate.until((reads) => reads.length > 0);
    gate.decide = () => 'go';
    await activateSecond();
    let second = first;
    while (second === first) second = (await search(key, 99)).headers.get('Tonearm-Catalog');
    gate.releaseAll();
    const { status, headers, body } = await answerOf(pending);
    assert.deepEqual([status, headers.get('Tonearm-Catalog'), body.total], [200, second, 20]);
  },
  // HOST-63
  'a collection is read from object storage once for each version of the catalog': async () => {
    const { key } = await start({ snapshot_check_ms: 1_000 });
    const { id } = (await send(key, '/v1/collections', { name: 'stored' })).body;
    const tracks = Array.from({ length: 20 }, (_, i) => trackId(i * 97));
    assert.equal((await send(key, `/v1/collections/${id}/items`, { tracks })).status, 201);
    /** Reads the collection after other calls have evicted its blocks. */
    const readCold = async () => {
      for (const number of [3, 33, 63]) await totalOf(search(key, number));
      gate.clear();
      const { body } = await answerOf(call(key, { path: `/v1/collections/${id}` }));
      const edition = new Set(body.items.map(({ track }) => track.title.split(' ').at(-1)));
      return { reads: gate.reads.length, editions: [...edition], text: JSON.stringify(body.items) };
    };
    const stored = await readCold();
    assert.deepEqual([stored.reads, stored.editions], [0, ['first']]);
    const version = async () => (await search(key, 99)).headers.get('Tonearm-Catalog');
    const first = await version();
    await activateSecond();
    while ((await version()) === first);
    const changed = await readCold();
    assert.ok(changed.reads > 0);
    assert.deepEqual(changed.editions, ['second']);
    const again = await readCold();
    assert.equal(again.reads, 0);
    assert.equal(again.text, changed.text);
  },
  'a call that reads while the core traps is still answered': async () => {
    const { account, key } = await start();
    gate.decide = () => 'hold';
    const pending = search(key, 31);
    await gate.until((reads) => reads.length > 0);
    await command({ fail_random: true });
    assert.equal((await admin('POST', `/accounts/${account}/keys`, {})).status, 503);
    await command({ fail_random: false });
    // The new instance has no snapshot open; calls that do not need it do not wait.
    assert.equal(await statusOf('/healthz'), 200);
    assert.equal((await admin('GET', `/accounts/${account}`)).status, 200);
    gate.releaseAll();
    assert.equal(await totalOf(pending), 20);
  },
  'only one of many calls without a snapshot reads it, and all are answered': async () => {
    const { key } = await start();
    await reset({ seed: 1, catalog: 'catalog.sqlite', uses_cache: false, snapshot_check_ms: NEVER_MS });
    const { key: fresh } = await newAccount('unlimited');
    assert.notEqual(key, '');
    gate.clear();
    gate.decide = () => 'hold';
    const calls = Array.from({ length: COLD_CALLS }, (_, number) => search(fresh, number * 7));
    await gate.until((reads) => reads.length > 0);
    assert.equal(await statusOf('/healthz'), 200);
    gate.releaseAll();
    for (const one of calls) assert.equal(await totalOf(one), 20);
    assert.equal(gate.reads.filter(({ key: file }) => file === 'current').length, 1);
  },
  'a snapshot is opened while calls are admitted': async () => {
    await start();
    await reset({ catalog: 'catalog.sqlite', uses_cache: false });
    const { key, keyId } = await newAccount('unlimited');
    const other = await newAccount('unlimited');
    assert.equal((await admin('DELETE', `/keys/${keyId}`)).status, 200);
    gate.clear();
    gate.decide = () => 'hold';
    const refused = await search(key, 1);
    assert.equal(refused.status, 401); // does not wait for the snapshot
    await gate.until((reads) => reads.length > 0); // it may arrive after the refusal
    assert.deepEqual(gate.reads.map(({ key: file, isHeld }) => [file, isHeld]), [['current', true]]);
    const pending = search(other.key, 1);
    gate.releaseAll();
    assert.equal(await totalOf(pending), 20);
    assert.equal(gate.reads.filter(({ key: file }) => file === 'current').length, 1);
  },
  'a snapshot whose reads time out blocks no call, and is opened later': async () => {
    await start();
    await reset({ catalog: 'catalog.sqlite', uses_cache: false });
    const { key } = await newAccount('unlimited');
    gate.clear();
    gate.decide = () => 'late';
    const calls = Array.from({ length: 4 }, (_, number) => search(key, number).then(({ status }) => status));
    assert.equal(await statusOf('/readyz'), 503);
    assert.deepEqual(await Promise.all(calls), [503, 503, 503, 503]);
    gate.clear();
    assert.equal(await totalOf(search(key, 1)), 20);
  },
};

await runTests(tests, () => miniflare.dispose(), log);
