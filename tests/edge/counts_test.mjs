// Objects of accounts count calls in memory, exactly, and write the counts in the rows of the calls' records (HOST-61). Uses the
// test build of the workers. Usage: counts_test.mjs [--build DIR] [--wasm FILE]. Ends with one line: N passed, M failed.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';

import { casesOfBuild } from '../cases/build_folder.mjs';
import { eventually } from '../support/waiting.mjs';
import { publish } from './local_worker.mjs';
import { runTests } from './test_run.mjs';
import { startTestWorker } from './test_worker.mjs';

const NEVER_MS = 1e9;
const COUNTS = 'INSERT INTO call_counters';

const paths = casesOfBuild({ wasm: { type: 'string', default: 'build/wasm/bin/tonearm.wasm' } });
const { miniflare, log, command, reset, admin, newAccount, ...worker } = await startTestWorker(paths.wasm);
await publish(miniflare, 'catalog.sqlite', readFileSync(paths.snapshot));

/** Sends a call that the worker answers, after the object has admitted it. */
const call = (key, { path = '/v1/search' } = {}) => worker.call(key, { path });

const written = async () => (await command({ written: true })).json();
/** Returns how often such a statement ran since the last call. */
const writes = async (what) => (await written())[what] ?? 0;
const countsOf = async () => (await command({ counts: true })).json();
const countedCalls = async (account) => (await admin('GET', `/accounts/${account}/limits`)).limits[0].calls;
async function callTimes(key, times) {
  for (let time = 0; time < times; ++time) assert.equal((await call(key)).status, 200);
}

/** What each test begins with: a catalog, and records that never arrive by themselves. */
const quick = (more = {}) => reset({ catalog: 'catalog.sqlite', report_ms: NEVER_MS, counts_ms: NEVER_MS, older_objects: true, ...more });
async function quickAccount(plan = 'free', more = {}) {
  await quick(more);
  return newAccount(plan);
}

const tests = {
  'quick calls write no count until their records arrive, and the limits are exact': async () => {
    const { account, key } = await quickAccount();
    await callTimes(key, 1);
    await writes();
    await callTimes(key, 18);
    assert.match((await call(key)).headers.get('RateLimit'), /"minute";r=0;/);
    assert.equal((await call(key)).status, 429);
    // The record of the refused call is written at once, and it shares its row with others, so the counts are written to their table.
    // The first attempt lacks the table of such records.
    assert.equal(await writes(COUNTS), 2);
    assert.equal(await countedCalls(account), 20);
    assert.equal((await admin('DELETE', `/accounts/${account}/limits`)).status, 200);
    await writes();
    await callTimes(key, 19);
    assert.equal(await writes(COUNTS), 0);
    // Whoever reads the counts sees them all.
    assert.equal(await countedCalls(account), 19);
    assert.equal(await writes(COUNTS), 1);
  },
  'a call writes one row, its record, which contains the counts': async () => {
    const { account, key } = await quickAccount('pro', { report_ms: 0 });
    await callTimes(key, 1);
    await command({ until: { batches: 1 } });
    await written();
    await callTimes(key, 2);
    await command({ until: { batches: 3 } });
    assert.deepEqual(await written(), { 'INSERT INTO call_records_20261121': 2 });
    assert.equal(await countedCalls(account), 3);
    assert.equal((await admin('GET', `/accounts/${account}/usage`)).days.at(-1).calls, 3);
  },
  'counts whose records do not arrive are written at a later call': async () => {
    const { key } = await quickAccount('pro', { counts_ms: 1_000 });
    await callTimes(key, 5);
    await writes();
    await command({ advance_ms: 1_000 });
    await callTimes(key, 3);
    assert.equal(await writes(COUNTS), 1);
  },
  'a call is answered although its count cannot be written, and the count is written later': async () => {
    const { account, key } = await quickAccount('free', { counts_ms: 1_000 });
    await callTimes(key, 2);
    await command({ fail_statement: COUNTS, advance_ms: 1_000 });
    const logged = log.next(/cannot store the counts of an account yet/);
    await callTimes(key, 1);
    await logged;
    await command({ fail_statement: '' });
    await writes();
    await callTimes(key, 1);
    assert.equal(await writes(COUNTS), 1);
    assert.equal(await countedCalls(account), 4);
  },
  'a call that fails after it has written the counts loses none': async () => {
    const { account, key } = await quickAccount();
    await callTimes(key, 4);
    await command({ fail_statement: 'FROM daily_usage' });
    assert.ok((await call(key, { path: '/v1/usage' })).status >= 500);
    await command({ fail_statement: '' });
    await callTimes(key, 1);
    assert.equal(await countedCalls(account), 6);
  },
  // RECORD-6, HOST-11
  'a removed account keeps no counts, also if an earlier directory restores it': async () => {
    const { account, key } = await quickAccount();
    await callTimes(key, 3);
    await command({ directory: 'save' });
    await callTimes(key, 3);
    assert.equal((await admin('DELETE', `/accounts/${account}`)).status, 200);
    assert.equal((await call(key)).status, 401);
    assert.deepEqual(await (await command({ tables: account })).json(), { account_tombstones: 1 });
    await command({ directory: 'restore' });
    await quick({ same_objects: true, directory_epoch: 1 });
    assert.match((await call(key)).headers.get('RateLimit'), /"minute";r=19;/);
  },
  'a call without another one writes its record in its session, and does not wait for a batch': async () => {
    const { account, key } = await quickAccount('pro', { older_objects: false, release: 'one' });
    const recorded = async () => (await admin('GET', `/accounts/${account}/calls`)).calls.length;
    await callTimes(key, 1);
    await eventually(async () => (await recorded()) === 1, 'the record of the first call');
    await written();
    for (let calls = 2; calls <= 5; ++calls) {
      await callTimes(key, 1);
      await command({ until: { batches: calls } });
    }
    assert.deepEqual(await written(), { 'INSERT INTO call_records_20261121': 4 });
    assert.equal(await countedCalls(account), 5);
    // A message that the worker answers.
    const params = { name: 'get_track', arguments: { id: 'os-101' } };
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
    const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' };
    const answer = await fetch(new URL('/mcp', worker.base), { method: 'POST', headers, body: JSON.stringify(message) });
    assert.equal(answer.status, 200);
    assert.equal((await countsOf()).messages, 1);
    await eventually(async () => (await recorded()) === 6, 'the record of the message');
  },
  'calls at once share batches, each writes one row, and all sessions are closed': async () => {
    const { account, key } = await quickAccount('pro', { older_objects: false, report_ms: 100 });
    await callTimes(key, 1);
    await command({ until: { batches: 1 } });
    await written();
    await Promise.all(Array.from({ length: 40 }, () => call(key)));
    let records = 0;
    let others = [];
    await eventually(async () => {
      for (const [what, times] of Object.entries(await written())) {
        if (what === 'INSERT INTO call_records_20261121') records += times;
        else others.push(what);
      }
      return records >= 40;
    }, 'all records');
    assert.deepEqual([records, others], [40, []]);
    assert.equal(await countedCalls(account), 41);
    assert.equal((await admin('GET', `/accounts/${account}/usage`)).days.at(-1).calls, 41);
    const { batches, sessions } = await countsOf();
    assert.ok(batches < 20, `${batches} batches`);
    assert.equal(sessions, 41);
    await command({ until: { ended_sessions: 41 } });
  },
  'a call that is slower than its session sends its record in a batch': async () => {
    const { account, key } = await quickAccount('pro', { older_objects: false, report_ms: 100, session_ms: 0 });
    await callTimes(key, 2);
    await eventually(async () => (await admin('GET', `/accounts/${account}/usage`)).days.at(-1)?.calls === 2, 'both records');
    await command({ until: { ended_sessions: 2 } });
  },
  'a record whose object does not answer is sent again, and delays no answer': async () => {
    const { account, key } = await quickAccount('pro', { older_objects: false, report_ms: 100 });
    await command({ fail_records: { hang: 1 } });
    await callTimes(key, 3);
    assert.equal((await countsOf()).batches, 0);
    await eventually(async () => (await admin('GET', `/accounts/${account}/usage`)).days.at(-1)?.calls === 3, 'all records');
    assert.equal(await countedCalls(account), 3);
  },
  'the next call sends the records of a batch whose timer is late': async () => {
    const { account, key } = await quickAccount('pro');
    const recorded = async () => (await admin('GET', `/accounts/${account}/calls`)).calls.length;
    await callTimes(key, 2);
    assert.equal((await countsOf()).batches, 0);
    await command({ advance_ms: NEVER_MS });
    await callTimes(key, 1);
    await eventually(async () => (await recorded()) === 3, 'all records');
    assert.equal((await countsOf()).batches, 1);
    // The next record begins a batch, which waits for its timer.
    await callTimes(key, 1);
    await countedCalls(account);
    assert.deepEqual([await recorded(), (await countsOf()).batches], [3, 1]);
    // Also if the clock was set back.
    await command({ advance_ms: -1_000 });
    await callTimes(key, 1);
    await eventually(async () => (await recorded()) === 5, 'all records');
  },
  'a batch is retried although a later one has ended': async () => {
    const { account, key } = await quickAccount('pro', { report_ms: 100 });
    const other = await newAccount('pro');
    await command({ fail_records: { late: 1 } });
    await callTimes(key, 1);
    await command({ until: { held: 1 } });
    await callTimes(other.key, 1);
    await eventually(async () => (await admin('GET', `/accounts/${account}/calls`)).calls.length === 1, 'the record');
    await command({ until: { batches: 2 } });
  },
  'records that arrive together are written once, with the counts of all': async () => {
    const { account, key } = await quickAccount('pro', { report_ms: 1_000 });
    const recorded = async () => (await admin('GET', `/accounts/${account}/calls`)).calls.length;
    await callTimes(key, 1);
    await eventually(async () => (await recorded()) === 1, 'the first record');
    await Promise.all(Array.from({ length: 10 }, () => call(key)));
    await eventually(async () => (await recorded()) === 11, 'all records');
    assert.equal(await countedCalls(account), 11);
    assert.equal((await admin('GET', `/accounts/${account}/usage`)).days.at(-1).calls, 11);
  },
};

await runTests(tests, () => miniflare.dispose(), log);
