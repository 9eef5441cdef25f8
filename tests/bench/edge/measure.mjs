// Measures the edge on a local workerd with a large snapshot: the reads of cold calls, warm calls compared with the native core,
// memory, and startup.
//
//     node tests/bench/edge/measure.mjs --snapshot FILE --times FILE [--cold N] [--parts cold,first,collection,warm,memory,rows]
//
// `--times`: the output of `tonearm-rounds --times FILE` for the same snapshot; `--cold`: sends every n-th query cold.
// `first`: the first call of an isolate with nothing resident, from the request to the answer, with 50 ms for each read of the bucket.

import { readFileSync, statSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { brotliCompressSync, constants } from 'node:zlib';
import { createRequire } from 'node:module';
import { parseArgs } from 'node:util';

import { workerOptions } from '../../../host-wasm/bundle.mjs';
import { upload } from '../../../host-wasm/upload.mjs';
import { root } from '../../cases/build_folder.mjs';

const { Miniflare } = createRequire(`${root}/host-wasm/`)('miniflare');
const WASM = 'build/wasm/bin/tonearm.wasm';
const READ_MS = 50;
const ADMIN_TOKEN = 'the admin token of the benchmark';

const { values } = parseArgs({
  options: { snapshot: { type: 'string' }, times: { type: 'string' }, cold: { type: 'string', default: '1' },
    parts: { type: 'string', default: 'cold,first,collection,warm,memory,rows' },
  },
});
const queries = JSON.parse(readFileSync(values.times, 'utf8'));

const miniflare = new Miniflare({
  ...(await workerOptions('tests/bench/edge/worker.ts', WASM)),
  bindings: {
    KEY_SECRET: 'the key secret of the benchmark',
    ADMIN_TOKEN_SHA256: createHash('sha256').update(ADMIN_TOKEN).digest('hex'),
    ALLOW_EVALUATION: 'true',
  },
  inspectorPort: 0,
  unsafeDirectSockets: [{ entrypoint: 'default' }],
});

const percentile = (numbers, share) => {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))];
};
const mib = (bytes) => (bytes / 2 ** 20).toFixed(1);

/** An inspector session with the worker's isolate. */
async function inspectorOf() {
  const url = await miniflare.getInspectorURL();
  const targets = await (await fetch(new URL('/json', url.href.replace('ws', 'http')))).json();
  const { webSocketDebuggerUrl } = targets.find(({ id }) => id === 'core:user:');
  const socket = new WebSocket(webSocketDebuggerUrl);
  await new Promise((resolve) => socket.addEventListener('open', resolve));
  const waiting = new Map();
  socket.addEventListener('message', ({ data }) => {
    const { id, result } = JSON.parse(data);
    waiting.get(id)?.(result);
  });
  const send = async (method) => {
    const id = waiting.size + 1;
    const answer = new Promise((resolve) => waiting.set(id, resolve));
    socket.send(JSON.stringify({ id, method }));
    // workerd does not always deliver messages while the isolate is idle.
    const nudge = setInterval(() => void sendCommand({}), 500);
    return answer.finally(() => clearInterval(nudge));
  };
  return { send, close: () => socket.close() };
}

let base = '';
async function sendCommand(command) {
  const response = await fetch(base, { method: 'POST', body: JSON.stringify(command) });
  if (!response.ok) throw new Error(await response.text());
  return response.json();
}
const NOTHING = { fetches: 0, rounds: 0, reads: 0, bytes: 0 };
const since = ({ start, end }) => ({
  runs: end.fetches - start.fetches + 1,
  rounds: end.rounds - start.rounds,
  reads: end.reads - start.reads,
  bytes: end.bytes - start.bytes,
});

function printCost(name, costs) {
  const column = (field, share) => percentile(costs.map((cost) => cost[field]), share);
  const kib = (share) => Math.round(column('bytes', share) / 1024);
  console.log(
    `| ${name} | ${costs.length} | ${column('rounds', 0.5)} | ${column('rounds', 0.99)} | ${column('rounds', 1)} | ` +
      `${column('reads', 0.5)} | ${column('reads', 0.99)} | ${kib(0.5)} | ${kib(0.99)} | ` +
      `${column('runs', 0.5)} | ${column('runs', 1)} | ${column('ms', 0.5).toFixed(1)} | ${column('ms', 0.99).toFixed(1)} |`,
  );
}

async function made(target, body) {
  const { status, body: answer } = await sendCommand({ call: { method: 'POST', target, key: ADMIN_TOKEN, body } });
  if (status !== 201) throw new Error(`${target} returned ${status}`);
  return answer;
}

async function measureCold(account, key) {
  console.log('\n| cold | calls | rounds p50 | p99 | most | reads p50 | p99 | KiB p50 | p99 | runs p50 | most | ms p50 | p99 |');
  console.log('|---|---|---|---|---|---|---|---|---|---|---|---|---|');
  const byClass = new Map();
  const opening = [];
  for (let i = 0; i < queries.length; i += Number(values.cold)) {
    const { class: name, target } = queries[i];
    const began = performance.now();
    const { start } = await sendCommand({ cold: true });
    const opened = performance.now();
    opening.push({ ...since({ start: NOTHING, end: start }), ms: opened - began });
    const cost = since(await sendCommand({ repeat: { target, key, account, times: 1 } }));
    cost.ms = performance.now() - opened;
    byClass.set(name, [...(byClass.get(name) ?? []), cost]);
  }
  printCost('opening', opening);
  for (const [name, costs] of byClass) printCost(name, costs);
  printCost('all', [...byClass.values()].flat());
}

async function measureFirst(key) {
  console.log(`\n| first call of an isolate, ${READ_MS} ms a read | calls | ms p50 | p95 | p99 |`);
  console.log('|---|---|---|---|---|');
  const targets = queries.filter((_, i) => i % Number(values.cold) === 0).map(({ target }) => target);
  const measure = async (options) => {
    const times = [];
    for (const target of targets) {
      const began = performance.now();
      const { status } = await sendCommand({ first: { target, key, read_ms: READ_MS, ...options } });
      if (status !== 200) throw new Error(`${target} returned ${status}`);
      times.push(performance.now() - began);
    }
    return times;
  };
  const print = (name, times) =>
    console.log(`| ${name} | ${times.length} | ${[0.5, 0.95, 0.99].map((share) => percentile(times, share).toFixed(0)).join(' | ')} |`);
  print('without the platform\'s cache', await measure({ uses_cache: false, shares_answers: false }));
  await measure({ uses_cache: true, shares_answers: true });
  print('its blocks are in the platform\'s cache', await measure({ uses_cache: true, shares_answers: false }));
  print('its answer is, too', await measure({ uses_cache: true, shares_answers: true }));
}

async function measureCollection(key) {
  const call = (method, target, body) => sendCommand({ call: { method, target, key, body } });
  const { body: collection } = await call('POST', '/v1/collections', { name: 'Cold' });
  const ids = [];
  for (let cursor = 0; ids.length < 500; cursor += 50) {
    const query = `limit=50&fields=id&cursor=${cursor * 20}&kind=${cursor % 100 === 0 ? 'music' : 'sfx'}&seed=cold`;
    const { body } = await call('GET', `/v1/search?${query}`);
    ids.push(...body.tracks.map(({ id }) => id));
  }
  for (let at = 0; at < 500; at += 25) {
    const { status, body } = await call('POST', `/v1/collections/${collection.id}/items`, { tracks: ids.slice(at, at + 25) });
    if (status >= 300) throw new Error(JSON.stringify(body));
  }
  for (const [name, path] of [['similar to a collection of 500', '/similar'], ['a collection of 500', ''], ['its credits', '/credits']]) {
    await sendCommand({ cold: true });
    const began = performance.now();
    const cost = since(await call('GET', `/v1/collections/${collection.id}${path}`));
    printCost(name, [{ ...cost, ms: performance.now() - began }]);
  }
}

async function measureWarm(account, key) {
  console.log('\n| warm | queries | native µs | edge µs | times native |');
  console.log('|---|---|---|---|---|');
  const timed = async (target, times) => {
    const began = performance.now();
    await sendCommand({ repeat: { target, key, account, times } });
    return (performance.now() - began) * 1000;
  };
  const byClass = new Map();
  for (const { class: name, target, native_us } of queries) {
    // Takes twenty milliseconds or more, so that the round trip to the worker is negligible.
    const times = Math.max(10, Math.min(2_000, Math.round(20_000 / native_us)));
    await timed(target, 3);
    const each = [];
    for (let round = 0; round < 3; ++round) each.push(((await timed(target, times)) - (await timed(target, 1))) / (times - 1));
    byClass.set(name, [...(byClass.get(name) ?? []), { native: native_us, edge: Math.min(...each) }]);
  }
  for (const [name, times] of byClass) {
    const mean = (field) => Math.exp(times.reduce((sum, time) => sum + Math.log(time[field]), 0) / times.length);
    console.log(
      `| ${name} | ${times.length} | ${mean('native').toFixed(0)} | ${mean('edge').toFixed(0)} | ` +
        `${(mean('edge') / mean('native')).toFixed(2)} |`,
    );
  }
}

/** Counts the rows that each kind of call reads and writes in the objects' databases, as the platform does. */
async function measureRows() {
  console.log('\n| call | rows read | rows written |');
  console.log('|---|---|---|');
  const { account } = await made('/admin/accounts', { plan: 'pro' });
  const { key } = await made(`/admin/accounts/${account}/keys`, {});
  const call = (method, target, body, as = key) => sendCommand({ call: { method, target, key: as, body } });
  const row = (name, { status, body, end }) => {
    if (status >= 300) throw new Error(`${name}: ${status} ${JSON.stringify(body)}`);
    console.log(`| ${name} | ${end.rows_read} | ${end.rows_written} |`);
  };
  const ids = (await call('GET', '/v1/search?limit=25&fields=id')).body.tracks.map(({ id }) => id);
  row('a search', await call('GET', '/v1/search?limit=1'));
  await call('POST', '/v1/collections', { name: 'first' });
  const created = await call('POST', '/v1/collections', { name: 'rows' });
  row('a collection is made', created);
  const path = `/v1/collections/${created.body.id}`;
  row('25 tracks are added', await call('POST', `${path}/items`, { tracks: ids }));
  row('a collection of 25 is read', await call('GET', path));
  row('a note is changed', await call('PATCH', `${path}/items/${ids[0]}`, { revision: 2, note: 'n' }));
  row('a key is made', await call('POST', `/admin/accounts/${account}/keys`, {}, ADMIN_TOKEN));

  console.log('\n| calls within a second | plan | requests to objects per call | rows read per call | rows written per call | with a text |');
  console.log('|---|---|---|---|---|---|');
  const perCall = async (plan, calls, target, everyMs = 0) => {
    const one = await made('/admin/accounts', { plan });
    const { key: quickKey } = await made(`/admin/accounts/${one.account}/keys`, {});
    await call('GET', '/v1/search?limit=1&q=rain', undefined, quickKey); // creates the account's object and its tables
    const { statuses, end } = await sendCommand({ burst: { target, key: quickKey, calls, every_ms: everyMs } });
    if (statuses.some((status) => status !== 200)) throw new Error(`${target} returned ${statuses}`);
    return [end.object_requests / calls, end.rows_read / calls, end.rows_written / calls];
  };
  for (const plan of ['pro', 'unlimited']) {
    for (const calls of [1, 2, 5, 20, 50]) {
      const [requests, read, written] = await perCall(plan, calls, '/v1/search?limit=1');
      const [, , withText] = await perCall(plan, calls, '/v1/search?limit=1&q=rain');
      console.log(`| ${calls} | ${plan} | ${requests.toFixed(2)} | ${read.toFixed(1)} | ${written.toFixed(2)} | ${withText.toFixed(2)} |`);
    }
  }
  for (const everyMs of [100, 200, 500, 1_000]) { // at most 60 calls a minute
    const [requests, read, written] = await perCall('pro', Math.min(50, 10_000 / everyMs), '/v1/search?limit=1', everyMs);
    console.log(`| one every ${everyMs} ms | pro | ${requests.toFixed(2)} | ${read.toFixed(1)} | ${written.toFixed(2)} | |`);
  }
}

/** Runs every query once, four at a time, then again while another version is activated. */
async function measureMemory(account, key) {
  const runAllQueries = () =>
    Promise.all(
      [0, 1, 2, 3].map(async (shift) => {
        for (let i = shift; i < queries.length; i += 4) {
          await sendCommand({ repeat: { target: queries[i].target, key, account, times: 1 } });
        }
      }),
    );
  console.log();
  const inspector = await inspectorOf();
  await runAllQueries();
  await printMemory('every query once, four at a time', inspector);
  await Promise.all([runAllQueries(), sendCommand({ activate: 'second.sqlite' })]);
  await printMemory('another version activated meanwhile', inspector);
  inspector.close();
}

async function printMemory(when, inspector) {
  const { end } = await sendCommand({});
  await inspector.send('HeapProfiler.collectGarbage');
  const { usedSize, backingStorageSize } = await inspector.send('Runtime.getHeapUsage');
  // V8 counts buffers as backing storage, but not WASM memory.
  const heap = usedSize + backingStorageSize;
  console.log(`${when}: WASM memories ${mib(end.memory_bytes)} MiB, V8 heap and buffers ${mib(heap)} MiB`);
}

try {
  const bucket = await miniflare.getR2Bucket('SNAPSHOTS');
  const { size } = statSync(values.snapshot);
  const parts = values.parts.split(',');
  await upload(bucket, 'first.sqlite', values.snapshot);
  if (parts.includes('memory')) await upload(bucket, 'second.sqlite', values.snapshot);
  await bucket.put('current', JSON.stringify({ snapshot: 'first.sqlite' }));
  const wasm = readFileSync(`${root}/${WASM}`);
  const packed = brotliCompressSync(wasm, { params: { [constants.BROTLI_PARAM_LGWIN]: 24 } }).length;
  console.log(`module: ${wasm.length} bytes, ${packed} after Brotli; snapshot: ${mib(size)} MiB`);
  base = await miniflare.unsafeGetDirectURL();
  const began = performance.now();
  await sendCommand({});
  console.log(`first event, the snapshot opened: ${(performance.now() - began).toFixed(0)} ms`);
  const { account } = await made('/admin/accounts', { plan: 'unlimited' });
  const { key } = await made(`/admin/accounts/${account}/keys`, {});
  if (parts.includes('cold')) await measureCold(account, key);
  if (parts.includes('first')) await measureFirst(key);
  if (parts.includes('collection')) await measureCollection(key);
  if (parts.includes('warm')) await measureWarm(account, key);
  if (parts.includes('rows')) await measureRows();
  if (parts.includes('memory')) await measureMemory(account, key);
} finally {
  await miniflare.dispose();
}
