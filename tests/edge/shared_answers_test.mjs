// What the isolates of a data center share through the platform's cache (HOST-59): whole answers, the ends of snapshots, and the name
// of the current one.
// Each restart of the service is a new isolate with nothing resident, and the test decides what the cache does.
// Usage: shared_answers_test.mjs [--build DIR] [--wasm FILE]. Ends with one line: N passed, M failed.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';

import { casesOfBuild } from '../cases/build_folder.mjs';
import { Gate } from './gate.mjs';
import { largeSnapshot, rareWord } from './large_snapshot.mjs';
import { publish } from './local_worker.mjs';
import { runTests } from './test_run.mjs';
import { START_MS, startTestWorker } from './test_worker.mjs';
import { eventually } from '../support/waiting.mjs';

const NEVER_MS = 1e12;
const FILE = 'shared.sqlite';

const paths = casesOfBuild({ wasm: { type: 'string', default: 'build/wasm/bin/tonearm.wasm' } });
const gate = new Gate();
const { miniflare, log, base, command, reset, admin, call, newAccount } = await startTestWorker(paths.wasm, gate);
const snapshot = largeSnapshot(paths.build);
await publish(miniflare, FILE, snapshot);

let releases = 0;

/** Starts a new isolate that has opened the snapshot, but has no other block. A block is read from the bucket. */
async function restart(more = {}) {
  gate.clear();
  await command({ blocks: 'kept', answers: 'kept', ends: 'kept', names: 'kept', fail_reads: false });
  await reset({ seed: 1, catalog: 'catalog.sqlite', snapshot_check_ms: NEVER_MS, release: `release ${releases}`, same_objects: true, ...more });
  assert.equal((await fetch(new URL('/readyz', base))).status, 200);
  if (!('release' in more)) await command({ until: { shared_names: 1 } });
  await command({ blocks: 'lost' });
}

/** Restarts with empty objects and no shared answer. Returns a key. */
async function start(plan = 'unlimited') {
  ++releases;
  await restart({ same_objects: false });
  gate.clear();
  return newAccount(plan);
}

/** Starts a new isolate, and holds its reads of the snapshot's name in the bucket. */
async function resetWithHeldName(more = {}) {
  gate.clear();
  gate.decide = (read) => (read.key === 'current' ? 'hold' : 'go');
  await reset({ catalog: 'catalog.sqlite', snapshot_check_ms: NEVER_MS, release: `release ${releases}`, same_objects: true, ...more });
}

async function search(key, number, path = `/v1/search?q=${rareWord(number)}&fields=id`) {
  const response = await call(key, { path });
  return { status: response.status, headers: response.headers, body: await response.json() };
}

/** Searches in an isolate with nothing resident, and waits until the answer is shared. */
async function share(key, number) {
  const { shared_answers: before } = await (await command({ counts: true })).json();
  const answer = await search(key, number);
  assert.equal(answer.status, 200);
  await command({ until: { shared_answers: before + 1 } });
  return answer;
}

const sizes = async () => (await command({ sizes: true })).json();

const tests = {
  // HOST-59
  'an isolate with nothing resident answers what another one has answered, without waiting for blocks': async () => {
    const { account, key } = await start();
    const made = await share(key, 3);
    assert.ok(gate.reads.length >= 2);
    assert.equal(made.body.total, 20);
    await restart();
    gate.clear();
    gate.decide = () => 'hold';
    await command({ answers: 'held' });
    const answer = search(key, 3);
    await gate.until((reads) => reads.length > 0);
    await command({ answers: 'kept' });
    const found = await answer;
    assert.deepEqual(found.body, made.body);
    for (const name of ['etag', 'tonearm-catalog', 'cache-control']) assert.equal(found.headers.get(name), made.headers.get(name));
    assert.equal(gate.held.length, gate.reads.length);
    assert.equal((await sizes()).pinnedBytes, 0);
    // The isolate has a copy now, which needs neither the cache nor blocks.
    await command({ answers: 'lost' });
    assert.deepEqual((await search(key, 3)).body, made.body);
    gate.releaseAll();
    assert.equal((await search(key, 4)).body.total, 20);
    assert.equal((await sizes()).pinnedBytes, 0);
    const { calls } = await admin('GET', `/accounts/${account}/calls`);
    assert.deepEqual(calls.map(({ status, result_count: results, search_text: text }) => [status, results, text]).toReversed(),
      [3, 3, 3, 4].map((number) => [200, 20, rareWord(number)]));
  },
  'each account has its own limits beside a shared answer': async () => {
    const { key } = await start('free');
    const made = await share(key, 5);
    const other = await newAccount('pro');
    await restart();
    const found = await search(other.key, 5);
    assert.deepEqual(found.body, made.body);
    assert.notEqual(found.headers.get('ratelimit-policy'), made.headers.get('ratelimit-policy'));
    assert.equal((await search(key, 5)).headers.get('ratelimit'), made.headers.get('ratelimit').replace(/r=\d+/g, (r) => `r=${r.slice(2) - 1}`));
    await command({ answers: 'kept' });
    assert.equal((await search(`${key}x`, 5)).status, 401);
  },
  'an entry that was changed, or made by another release, is not used': async () => {
    const { key } = await start();
    const made = await share(key, 6);
    await restart();
    await command({ answers: 'changed' });
    gate.clear();
    assert.deepEqual((await search(key, 6)).body, made.body);
    assert.ok(gate.reads.length >= 2);
    ++releases;
    await restart();
    gate.clear();
    assert.deepEqual((await share(key, 6)).body, made.body);
    assert.ok(gate.reads.length >= 2);
  },
  'without a known release nothing is shared': async () => {
    const { key } = await start();
    await restart({ release: undefined });
    assert.equal((await search(key, 7)).body.total, 20);
    await restart();
    gate.clear();
    assert.equal((await search(key, 7)).body.total, 20);
    assert.ok(gate.reads.length >= 2);
  },
  'a cache that does not answer delays no call': async () => {
    const { key } = await start();
    await share(key, 8);
    await command({ ends: 'silent', names: 'silent' });
    await reset({ catalog: 'catalog.sqlite', snapshot_check_ms: NEVER_MS, release: `release ${releases}`, same_objects: true, cache_ms: 20 });
    await command({ answers: 'silent' });
    assert.equal((await search(key, 8)).body.total, 20);
    gate.decide = () => 'late';
    assert.equal((await search(key, 18)).status, 503);
  },
  'shared answers are served while the bucket fails, and all others are 503': async () => {
    const { key } = await start();
    const made = await share(key, 9);
    await restart();
    await command({ fail_reads: true });
    assert.deepEqual((await search(key, 9)).body, made.body);
    assert.equal((await search(key, 19)).status, 503);
    await command({ fail_reads: false });
    assert.equal((await search(key, 19)).body.total, 20);
  },
  'a tool call of an assistant finds the answer of a search': async () => {
    const { key } = await start();
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'search_tracks', arguments: { q: rareWord(2), kind: 'music' } } };
    const tool = async () => {
      const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' };
      const response = await fetch(new URL('/mcp', base), { method: 'POST', headers, body: JSON.stringify(message) });
      assert.equal(response.status, 200);
      return (await response.text()).replaceAll(/"t=\d+"/g, '');
    };
    const made = await tool();
    await command({ until: { shared_answers: 1 } });
    await restart();
    gate.clear();
    gate.decide = () => 'hold';
    assert.equal(await tool(), made);
    gate.releaseAll();
  },
  'a new isolate answers before the bucket has sent the name of the snapshot': async () => {
    const { key } = await start();
    const made = await share(key, 10);
    await resetWithHeldName();
    assert.deepEqual((await search(key, 10)).body, made.body);
    assert.deepEqual(gate.held.map((read) => read.key), ['current']);
    gate.releaseAll();
  },
  'a shared name that is old, was changed, or has no release is not used': async () => {
    for (const [names, more] of [['kept', { start_ms: START_MS + 31_000 }], ['changed', {}], ['kept', { release: undefined }]]) {
      await start();
      await command({ names });
      await resetWithHeldName({ snapshot_check_ms: 30_000, ...more });
      let isAnswered = false;
      const answer = fetch(new URL('/readyz', base)).finally(() => { isAnswered = true; });
      await gate.until((reads) => reads.length > 0);
      await new Promise((resolve) => { setTimeout(resolve, 100); }); // so that other reads would arrive
      assert.deepEqual(gate.reads.map((read) => read.key), ['current']);
      assert.ok(!isAnswered);
      gate.releaseAll();
      assert.equal((await answer).status, 200);
      if (!('release' in more)) await command({ until: { shared_names: 1 } });
    }
  },
  'an isolate that begins with an earlier snapshot changes to the current one as soon as the bucket answers': async () => {
    const { key } = await start();
    const versionServed = async () => (await call(key, { path: '/v1/meta' })).headers.get('tonearm-catalog');
    const before = await versionServed();
    await publish(miniflare, 'catalog.sqlite', readFileSync(paths.snapshot));
    await resetWithHeldName();
    assert.equal(await versionServed(), before);
    gate.releaseAll();
    await eventually(async () => (await versionServed()) !== before, 'the current snapshot');
    await publish(miniflare, FILE, snapshot);
  },
  'a shared name of a snapshot that no longer exists is replaced by that of the bucket': async () => {
    await publish(miniflare, 'gone.sqlite', readFileSync(paths.snapshot));
    await start();
    await publish(miniflare, FILE, snapshot);
    await (await miniflare.getR2Bucket('SNAPSHOTS')).delete('gone.sqlite');
    // Only the name is in the cache.
    await command({ blocks: 'lost', ends: 'lost' });
    await resetWithHeldName();
    const answer = fetch(new URL('/readyz', base));
    await gate.until((reads) => reads.some((read) => read.key === 'gone.sqlite'));
    gate.releaseAll();
    assert.equal((await answer).status, 200);
  },
  'a shared name whose file was damaged is used again once an operator has written it again': async () => {
    const damaged = Buffer.from(snapshot);
    for (let at = 100; at < damaged.length - 2 ** 20; at += 2 ** 15) damaged[at] ^= 1;
    await publish(miniflare, 'same.sqlite', snapshot);
    await start();
    await (await miniflare.getR2Bucket('SNAPSHOTS')).put('same.sqlite', damaged);
    await command({ blocks: 'lost', ends: 'lost' });
    await resetWithHeldName();
    const answer = fetch(new URL('/readyz', base));
    await gate.until((reads) => reads.some((read) => read.key === 'same.sqlite' && read.offset >= 0));
    await publish(miniflare, 'same.sqlite', snapshot);
    gate.releaseAll();
    assert.equal((await answer).status, 200);
    await publish(miniflare, FILE, snapshot);
  },
  'while the bucket fails, an isolate that has no list of take-downs is not ready': async () => {
    const { key } = await start();
    await share(key, 11);
    await command({ blocks: 'kept', fail_take_downs: true });
    await reset({ catalog: 'catalog.sqlite', snapshot_check_ms: NEVER_MS, release: `release ${releases}`, same_objects: true });
    assert.equal((await fetch(new URL('/readyz', base))).status, 503);
    assert.equal((await search(key, 11)).status, 503);
    await command({ fail_take_downs: false });
    assert.equal((await fetch(new URL('/readyz', base))).status, 200);
  },
  'a new isolate finds the end of the snapshot in the cache, until the snapshot is published again': async () => {
    const endsRead = () => gate.reads.filter(({ key, offset }) => key === FILE && offset < 0).length;
    await start();
    await restart();
    assert.equal(endsRead(), 0);
    await publish(miniflare, FILE, snapshot); // as an operator who has uploaded another file under the same name
    await restart();
    await eventually(() => endsRead() === 1, 'the end of the other file');
    await eventually(async () => {
      await restart();
      return endsRead() === 0;
    }, 'an isolate that finds it in the cache');
  },
};

await runTests(tests, () => miniflare.dispose(), log);
