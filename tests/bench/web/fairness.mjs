// Measures the searches of a visitor alone and beside visitors who attack: signed in, each from an address of its own, with as
// many parallel calls as the site accepts. Prints the ratio of the 95th percentiles, from alternating rounds of one run.
// Usage: TONEARM_BIN=build/native/bin node tests/bench/web/fairness.mjs [--tracks 100000] [--catalog FILE] [--attackers 10]
//        [--parallel 40] [--rounds 5] [--searches 60] [--pause 100]

import { spawnSync } from 'node:child_process';
import http from 'node:http';
import { parseArgs } from 'node:util';
import { Worker, isMainThread, parentPort, workerData } from 'node:worker_threads';

import { bin } from '../../http/server_process.mjs';
import { LaunchedServer } from '../../support/launched_server.mjs';
import { nativeApi, SiteFolder, startSite, Visitor } from '../../web/site_process.mjs';
import { WORDS, writeTracks } from './tracks.mjs';

/** Sends a request and returns its status and its time in milliseconds. */
function timed(url, { path, method = 'GET', localAddress, agent, headers = {}, body = '' }) {
  const { hostname, port } = new URL(url);
  return new Promise((done) => {
    const began = performance.now();
    const length = body ? { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) } : {};
    const request = http.request({ hostname, port, path, method, localAddress, agent, headers: { ...headers, ...length } }, (response) => {
      response.resume().on('end', () => done({ status: response.statusCode, ms: performance.now() - began }));
      response.on('error', () => done({ status: 0, ms: performance.now() - began }));
    });
    request.on('error', () => done({ status: 0, ms: performance.now() - began }));
    request.end(body);
  });
}

/** Sends the heaviest allowed calls without a pause until it is told to stop. */
async function attack({ url, headers, localAddress, parallel, words }) {
  const agent = new http.Agent({ keepAlive: true });
  const names = Array.from({ length: 100 }, (_, i) => `${Array.from({ length: 12 }, (_, word) => words[(i * 7 + word) % words.length]).join(' ')}.wav`);
  const calls = [
    { method: 'POST', path: '/site/credits/match', body: JSON.stringify({ files: names.map((name) => ({ name })) }) },
    { path: `/site/try/v1/search?match=most&limit=50&q=${words.slice(0, 12).join('+')}` },
  ];
  let attacking = false;
  let stopped = false;
  const counts = {};
  parentPort.on('message', (message) => {
    if (message === 'stop') stopped = true;
    else attacking = message === 'attack';
  });
  const one = async (i) => {
    for (let n = i; !stopped; n += 1) {
      if (!attacking) {
        await new Promise((wake) => { setTimeout(wake, 20); });
        continue;
      }
      const { status } = await timed(url, { ...calls[n % calls.length], localAddress, agent, headers });
      counts[status] = (counts[status] ?? 0) + 1;
      if (status === 429 || status === 0) await new Promise((wake) => { setTimeout(wake, 250); });
    }
  };
  await Promise.all(Array.from({ length: parallel }, (_, i) => one(i)));
  agent.destroy();
  parentPort.postMessage(counts);
}

function percentile(values, share) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
}

async function measure() {
  const { values } = parseArgs({ options: Object.fromEntries(Object.entries({ tracks: '100000', catalog: '', attackers: '10', parallel: '40', rounds: '5', searches: '60', pause: '100' })
    .map(([name, standard]) => [name, { type: 'string', default: standard }])) });
  const numbers = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, Number(value)]));
  const folder = new SiteFolder();
  if (values.catalog) folder.catalog = values.catalog;
  else {
    writeTracks(folder.at('tracks.jsonl'), numbers.tracks);
    const built = spawnSync(`${bin}/tonearm-catalog`, ['build', '--input', folder.at('tracks.jsonl'), '--output', folder.catalog], { encoding: 'utf8' });
    if (built.status !== 0) throw new Error(built.stderr);
  }
  const api = await nativeApi(folder);
  const site = await startSite(folder, api, [], { burst: '200' });
  const workers = [];
  for (let i = 0; i < numbers.attackers; i += 1) {
    const visitor = await Visitor.signedUp(site.url, `attacker-${i}`);
    const headers = { Cookie: [...visitor.cookies].map((pair) => pair.join('=')).join('; '), 'X-CSRF-Token': visitor.csrf, Origin: site.url };
    workers.push(new Worker(new URL(import.meta.url), { workerData: { url: site.url, headers, localAddress: `127.0.1.${i + 1}`, parallel: numbers.parallel, words: WORDS } }));
  }
  const ended = workers.map((worker) => new Promise((done) => { worker.on('message', done); }));
  const tell = (message) => { for (const worker of workers) worker.postMessage(message); };
  const pause = (ms) => new Promise((wake) => { setTimeout(wake, ms); });
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
  const failures = {};
  const searches = async (into) => {
    for (let i = 0; i < numbers.searches; i += 1) {
      const path = `/site/search?limit=20&q=${WORDS[i % WORDS.length]}+${WORDS[(i * 5 + into.length) % WORDS.length]}`;
      const { status, ms } = await timed(site.url, { path, localAddress: '127.0.0.1', agent });
      if (status === 200) into.push(ms);
      else failures[status] = (failures[status] ?? 0) + 1;
      await pause(numbers.pause);
    }
  };
  await searches([]); // warms up
  const alone = [];
  const beside = [];
  for (let round = 0; round < numbers.rounds; round += 1) {
    await searches(alone);
    tell('attack');
    await pause(1_000); // all attackers run
    await searches(beside);
    tell('rest');
    await pause(2_000); // the last calls end
  }
  tell('stop');
  const counts = (await Promise.all(ended)).reduce((sum, one) => {
    for (const [status, count] of Object.entries(one)) sum[status] = (sum[status] ?? 0) + count;
    return sum;
  }, {});
  agent.destroy();
  const line = (name, times) => console.log(`${name}: p50 ${percentile(times, 0.5).toFixed(1)} ms, p95 ${percentile(times, 0.95).toFixed(1)} ms, ${times.length} searches`);
  line('alone', alone);
  line(`beside ${numbers.attackers} attackers with ${numbers.parallel} calls each`, beside);
  console.log(`ratio of p95: ${(percentile(beside, 0.95) / percentile(alone, 0.95)).toFixed(2)}`);
  console.log(`searches that failed: ${JSON.stringify(failures)}; answers to attackers by status: ${JSON.stringify(counts)}`);
  await site.stop();
  await api.stop();
  folder.remove();
}

if (isMainThread) {
  try {
    await measure();
  } finally {
    await LaunchedServer.endAll();
  }
} else {
  await attack(workerData);
}
