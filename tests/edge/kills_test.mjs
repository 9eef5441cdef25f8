// A local workerd that is killed while it writes: after the restart, everything that was answered exists exactly once, except
// counts of the last second (HOST-61).
// Usage: kills_test.mjs [--build DIR]. Ends with one line: N passed, M failed.
//   TONEARM_KILLS  the number of kills (default 3)

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';

import { casesOfBuild, root } from '../cases/build_folder.mjs';
import { Client, Operator } from './client.mjs';
import { ADMIN_TOKEN, devFolder, devLog, DevProcess } from './dev_process.mjs';
import { runTests } from './test_run.mjs';

const KILLS = Number(process.env.TONEARM_KILLS ?? 3);
const WRITERS = 3; // accounts that fill collections, each with two clients
const CALLERS = 2; // new accounts whose calls are counted
const CALLS_OF_CALLER = 50; // below the limit per minute of their plan
const CALLS_OF_MONTH = 20_000; // limit of the plan `pro` (LIMIT-1)
const ITEMS = 4;

assert.ok(KILLS >= 1, 'TONEARM_KILLS must be a number from 1');
const tracks = readFileSync(`${root}/tests/cases/catalog.jsonl`, 'utf8').split('\n').filter(Boolean);
const trackIds = tracks.map((line) => JSON.parse(line).id);
const paths = casesOfBuild();
const files = devFolder(paths.snapshot);

let dev = null;
let client = null;
let operator = null;
async function start() {
  dev = await DevProcess.start(files);
  client = new Client(dev.base);
  operator = new Operator(client, ADMIN_TOKEN);
}

/** What the clients know: accounts with their keys; `collections` by name, with what was requested and what was confirmed. */
const writers = [];
const callers = [];
const totals = { collections: 0, items: 0, calls: 0, accounts: 0, unanswered: 0 };
let answered = 0;
let killAt = Infinity;

/** Returns the answer, or null if the server was killed before it arrived. */
async function send(one, method, path, body) {
  let answer;
  try {
    answer = await client.send(method, path, { bearer: one.key, body });
  } catch {
    assert.ok(answered >= killAt, 'there was no answer although the server was not killed');
    ++totals.unanswered;
    return null;
  }
  if (++answered === killAt) dev.kill();
  return answer;
}

async function fillCollections(one, side, round) {
  for (let number = 0; ; ++number) {
    const name = `${round}/${side}/${number}`;
    const known = { id: null, asked: new Set(), added: new Set() };
    one.collections.set(name, known);
    const created = await send(one, 'POST', '/v1/collections', { name });
    if (created === null) return;
    assert.equal(created.status, 201, JSON.stringify(created.body));
    known.id = created.body.id;
    ++totals.collections;
    for (let item = 0; item < ITEMS; ++item) {
      const track = trackIds[(number * ITEMS + item) % trackIds.length];
      known.asked.add(track);
      const added = await send(one, 'POST', `/v1/collections/${known.id}/items`, { track });
      if (added === null) return;
      assert.equal(added.status, 201, JSON.stringify(added.body));
      known.added.add(track);
      ++totals.items;
    }
  }
}

/** Calls a route of the object and of the worker in turn. */
async function spendCalls(one) {
  while (one.sent < CALLS_OF_CALLER) {
    const path = ++one.sent % 2 === 0 ? '/v1/collections' : `/v1/tracks/${trackIds[0]}`;
    const answer = await send(one, 'GET', path);
    if (answer === null) return;
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    one.recorded += path === '/v1/collections' ? 1 : 0;
    ++one.answered;
    // The object writes all its counts with the record of a call that it answers itself.
    if (path === '/v1/collections') one.counted = one.answered;
    ++totals.calls;
  }
}

/** Creates accounts until the server is killed. */
async function makeAccounts() {
  for (;;) {
    try {
      callers.push({ ...(await operator.newAccount('pro')), sent: 0, answered: 0, counted: 0, recorded: 0 });
      ++totals.accounts;
    } catch (error) {
      assert.ok(answered >= killAt, String(error));
      return;
    }
  }
}

async function killUnderLoad(round) {
  const fresh = [];
  for (let i = 0; i < CALLERS; ++i) fresh.push({ ...(await operator.newAccount('pro')), sent: 0, answered: 0, counted: 0, recorded: 0 });
  callers.push(...fresh);
  answered = 0;
  killAt = 60 + ((round * 37) % 90);
  const sides = writers.flatMap((one) => ['a', 'b'].map((side) => fillCollections(one, side, round)));
  await Promise.all([...sides, ...fresh.map(spendCalls), makeAccounts()]);
  await dev.kill();
  client.close();
}

/** Checks all collection names, and the items of the collections of this round (after the last round, of all). */
async function checkCollections(one, round) {
  const { body } = await client.send('GET', '/v1/collections', { bearer: one.key });
  assert.equal(body.total, body.collections.length);
  const found = Map.groupBy(body.collections, ({ name }) => name);
  for (const [name, those] of found) {
    assert.ok(one.collections.has(name), `${name} was never requested`);
    assert.equal(those.length, 1, `${name} exists twice`);
  }
  for (const [name, { id, asked, added }] of one.collections) {
    const [summary] = found.get(name) ?? [];
    if (id === null) continue; // no client knows whether it exists
    assert.ok(summary, `${name} was confirmed and is lost`);
    assert.equal(summary.id, id);
    if (round < KILLS - 1 && !name.startsWith(`${round}/`)) continue;
    const { body: detail } = await client.send('GET', `/v1/collections/${id}`, { bearer: one.key });
    const members = detail.items.map(({ track_id: track }) => track);
    assert.equal(new Set(members).size, members.length, `${name} has a track twice`);
    for (const track of added) assert.ok(members.includes(track), `${track} of ${name} was confirmed and is lost`);
    for (const track of members) assert.ok(asked.has(track), `${track} of ${name} was never requested`);
    assert.equal(detail.revision, 1 + members.length, `${name} was changed more often than its items say`);
  }
}

/** Checks the counts. `RateLimit` contains the number of remaining calls; this request is a call, too. */
async function checkCounts(one) {
  const { status, headers } = await client.send('GET', '/v1/collections', { bearer: one.key });
  assert.equal(status, 200);
  const counted = CALLS_OF_MONTH - Number(/"month";r=(\d+)/.exec(headers.ratelimit)[1]) - 1;
  assert.ok(counted >= one.counted, `${counted} calls are counted, ${one.counted} were answered until the object's last answer`);
  assert.ok(counted <= one.sent, `${counted} calls are counted, ${one.sent} were sent`);
  const { calls } = await operator.send('GET', `/accounts/${one.account}/calls?limit=1000`);
  const ofObject = calls.filter(({ route }) => route === '/v1/collections').length - 1;
  assert.ok(ofObject >= one.recorded, `${ofObject} calls are recorded, ${one.recorded} were answered`);
  assert.ok(calls.length - 1 <= one.sent, `${calls.length - 1} calls are recorded, ${one.sent} were sent`);
}

async function checkAll(round) {
  const there = [];
  for (let cursor = ''; cursor !== null; ) {
    const page = await operator.send('GET', `/accounts${cursor && `?cursor=${cursor}`}`);
    there.push(...page.accounts.map(({ account }) => account));
    ({ cursor } = page);
  }
  assert.equal(new Set(there).size, there.length);
  for (const { account } of [...writers, ...callers]) assert.ok(there.includes(account), `${account} is lost`);
  for (const one of writers) await checkCollections(one, round);
  for (const one of callers) await checkCounts(one);
}

/** Counts are per calendar month in UTC, so a round across its end is repeated. */
async function killAndCheck(round) {
  for (;;) {
    const month = new Date().getUTCMonth();
    await killUnderLoad(round);
    await start();
    if (new Date().getUTCMonth() === month) break;
    callers.length = 0;
  }
  await checkAll(round);
  callers.length = 0; // checked; the accounts remain
}

await start();
for (let i = 0; i < WRITERS; ++i) writers.push({ ...(await operator.newAccount('unlimited')), collections: new Map() });
const rounds = Array.from({ length: KILLS }, (_, round) => [
  `everything confirmed before kill ${round + 1} exists exactly once`,
  () => killAndCheck(round),
]);
await runTests(Object.fromEntries(rounds), async () => {
  console.log(`${KILLS} kills: ${JSON.stringify(totals)}`);
  client.close();
  await dev.stop();
  files.remove();
}, devLog);
