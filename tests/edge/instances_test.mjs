// Who gets the core's two instances while object storage is slow: calls that wait, calls whose client has gone, calls that
// the platform has ended. Usage: instances_test.mjs [--build DIR] [--wasm FILE]. Ends with one line: N passed, M failed.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { request } from 'node:http';

import { casesOfBuild } from '../cases/build_folder.mjs';
import { runTests } from './test_run.mjs';
import { startTestWorker } from './test_worker.mjs';
import { eventually } from './waiting.mjs';

const READ_MS = 1_000;
/** Well below the time after which an instance is taken for lost. */
const ANSWERED_WITHIN_MS = 20_000;

const paths = casesOfBuild({ wasm: { type: 'string', default: 'build/wasm/bin/tonearm.wasm' } });
const { miniflare, admin, base, command, countOf, withSnapshot } = await startTestWorker(paths.wasm);
const snapshot = readFileSync(paths.snapshot);

/** Both modes, each with a route that the worker answers, and with one that the account's object does. */
const SEARCH = { path: '/v1/search?q=rain', status: 200 };
const CREATE = { path: '/v1/collections', status: 201, body: { name: 'Rain' } };
const ways = [true, false].flatMap((suspends) => [SEARCH, CREATE].map((route) => ({ suspends, route })));

/** A key of a service that has a snapshot, and no instance that has opened it: the one that did met with a fault. */
async function start(suspends) {
  await command({ slow_reads_ms: 0, end_with_clients: false });
  const { account, key } = await withSnapshot(snapshot, { suspends, uses_cache: false, snapshot_check_ms: 1e9 });
  assert.equal((await fetch(new URL('/readyz', base))).status, 200);
  await command({ fail_random: true });
  assert.equal((await admin('POST', `/accounts/${account}/keys`, {})).status, 503);
  await command({ fail_random: false });
  return key;
}

/** A call that can be left. `status` comes to be 0 where it was. */
function begin(key, { path, body }) {
  const { hostname, port } = base;
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
  const client = request({ hostname, port, path, method: body ? 'POST' : 'GET', headers, agent: false });
  const status = new Promise((resolve) => {
    client.on('error', () => resolve(0));
    client.on('response', (response) => response.resume().on('end', () => resolve(response.statusCode)));
  });
  client.end(body && JSON.stringify(body));
  // The platform knows that a client has gone when its connection is reset; a mere end may be half of one.
  return { status, leave: () => client.socket.resetAndDestroy() };
}

const instances = async () => (await command({ instances: true })).json();
/** Until one more has come to pass than `before`. */
const oneMore = (name, before) => eventually(async () => (await countOf(name)) > before);

async function beginReading(key, route) {
  const before = await countOf('reads');
  const begun = begin(key, route);
  await oneMore('reads', before);
  return begun;
}

async function beginWaiting(key, route) {
  const before = await countOf('calls');
  const begun = begin(key, route);
  await oneMore('calls', before);
  return begun;
}

/** Two calls that have the two instances, and read. */
async function holdBoth(key, route) {
  await command({ slow_reads_ms: READ_MS });
  const holders = [await beginReading(key, route), await beginReading(key, route)];
  assert.equal(await instances(), 2);
  return holders;
}

async function leave(calls) {
  for (const one of calls) one.leave();
  for (const one of calls) assert.equal(await one.status, 0);
}

/** All of them, before an instance would be taken for lost. */
async function assertAnswered(calls, route) {
  const late = new Promise((resolve) => setTimeout(resolve, ANSWERED_WITHIN_MS, ['too late']).unref());
  const statuses = await Promise.race([Promise.all(calls.map(({ status }) => status)), late]);
  assert.deepEqual([...new Set(statuses)], [route.status]);
}

const tests = {};
for (const { suspends, route } of ways) {
  const name = `(${route.path}, ${suspends ? 'suspended' : 'run again'})`;
  Object.assign(tests, {
    [`two calls read at once, and those that wait are answered after them ${name}`]: async () => {
      const key = await start(suspends);
      const holders = await holdBoth(key, route);
      const waiting = [await beginWaiting(key, route), await beginWaiting(key, route)];
      await assertAnswered([...holders, ...waiting], route);
      assert.equal(await instances(), 2);
    },
    [`clients that leave while their calls read keep no other from an answer ${name}`]: async () => {
      const key = await start(suspends);
      await leave(await holdBoth(key, route));
      await assertAnswered([begin(key, route)], route);
    },
    ...(route === CREATE && {
      [`an object's calls come to their end though the platform has ended those that asked it ${name}`]: async () => {
        const key = await start(suspends);
        await command({ end_with_clients: true });
        await leave(await holdBoth(key, route));
        await command({ end_with_clients: false });
        await assertAnswered([begin(key, route)], route);
      },
    }),
    [`clients that leave while their calls wait keep no other from an answer ${name}`]: async () => {
      const key = await start(suspends);
      const holders = await holdBoth(key, route);
      await leave([await beginWaiting(key, route), await beginWaiting(key, route)]);
      await assertAnswered([...holders, begin(key, route)], route);
    },
    [`calls that the platform has ended while they waited get no instance ${name}`]: async () => {
      const key = await start(suspends);
      const holders = await holdBoth(key, route);
      await command({ end_with_clients: true });
      await leave([await beginWaiting(key, route), await beginWaiting(key, route)]);
      await command({ end_with_clients: false });
      await assertAnswered([...holders, begin(key, route)], route);
    },
  });
}

await runTests(tests, () => miniflare.dispose());
