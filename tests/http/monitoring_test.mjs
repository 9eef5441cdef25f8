// The output for operators: /metrics, the dashboard and the alert rules for it, and the log.
// Usage: node --test tests/http/monitoring_test.mjs      (TONEARM_BIN: the programs, by default build/native/bin)

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { copyFileSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { after, afterEach, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { LaunchedServer } from '../support/launched_server.mjs';
import { eventually } from '../support/waiting.mjs';
import { get, Scratch, ServerProcess } from './server_process.mjs';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
const page = (name) => readFileSync(join(root, 'docs', name), 'utf8');

/** The metrics of a state on PostgreSQL, which tests/postgresql/servers_test.mjs checks. */
const POSTGRESQL = ['tonearm_postgresql_connections', 'tonearm_postgresql_waiting', 'tonearm_postgresql_retries_total'];

/** The metrics of a catalog in object storage, which storage_test.mjs checks. */
const STORAGE = ['tonearm_storage_bytes_total', 'tonearm_storage_failures_total', 'tonearm_storage_missing_blocks', 'tonearm_storage_answered_time_seconds'];

let scratch;
before(() => { scratch = new Scratch(); });
afterEach(() => LaunchedServer.endAll());
after(() => scratch.remove());

/** Name -> {type, samples: [{name, labels, value}]}. Throws if the text is invalid. */
function parse(text) {
  const families = new Map();
  let family;
  assert.ok(text.endsWith('\n'));
  for (const line of text.slice(0, -1).split('\n')) {
    const help = /^# HELP ([a-z_]+) (\S.*)$/.exec(line);
    const type = /^# TYPE ([a-z_]+) (counter|gauge|histogram)$/.exec(line);
    if (help) {
      assert.ok(!families.has(help[1]), `${help[1]} stands twice`);
      family = { name: help[1], type: null, samples: [] };
      families.set(help[1], family);
    } else if (type) {
      assert.equal(type[1], family.name);
      assert.equal(family.type, null);
      family.type = type[2];
    } else {
      const sample = /^([a-z_]+)(?:\{((?:[a-z]+="[^"\\]*",?)+)\})? (\d+(?:\.\d+)?)$/.exec(line);
      assert.ok(sample, `no sample: ${line}`);
      const labels = Object.fromEntries([...(sample[2] ?? '').matchAll(/([a-z]+)="([^"]*)"/g)].map(([, name, value]) => [name, value]));
      const suffix = sample[1].slice(family.name.length);
      assert.ok(sample[1].startsWith(family.name), line);
      assert.ok((family.type === 'histogram' ? ['_bucket', '_sum', '_count'] : ['']).includes(suffix), line);
      family.samples.push({ suffix, labels, value: Number(sample[3]) });
    }
  }
  return families;
}

function checkHistogram({ samples }) {
  const routes = new Set(samples.map(({ labels }) => labels.route));
  for (const route of routes) {
    const of = (suffix) => samples.filter((sample) => sample.suffix === suffix && sample.labels.route === route);
    const buckets = of('_bucket');
    const bounds = buckets.map(({ labels }) => (labels.le === '+Inf' ? Infinity : Number(labels.le)));
    assert.deepEqual(bounds, [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, Infinity]);
    buckets.slice(1).forEach(({ value }, i) => assert.ok(value >= buckets[i].value, 'buckets are cumulative'));
    assert.equal(of('_count').length, 1);
    assert.equal(of('_sum').length, 1);
    assert.equal(buckets.at(-1).value, of('_count')[0].value);
  }
}

const metricsOf = async (server) => (await server.admin('GET', '/metrics')).body;

/** A server that has answered some valid and invalid requests, and counted them. */
async function busyServer() {
  const server = await ServerProcess.start(scratch);
  const key = await server.newKey();
  const paths = ['/v1/search?q=rain', '/v1/search?q=rain', '/v1/tracks/none', '/v1/nothing', '/wp-login.php', '/healthz', '/v1/%22%7D%201'];
  for (const path of paths) await get(server, path, { key });
  await get(server, '/v1/search', { key: 'tonearm_wrong' });
  await eventually(async () => (await server.countedRequests()) > paths.length, 'the counts of the requests');
  return server;
}

// HOST-33
test('The metrics are valid for Prometheus, and count by template', async (t) => {
  const began = Date.now();
  const server = await busyServer();
  const text = await metricsOf(server);
  const read = Date.now();
  const families = parse(text);
  for (const [name, { type }] of families) {
    assert.ok(type, name);
    assert.equal(name.endsWith('_total'), type === 'counter', name);
  }
  checkHistogram(families.get('tonearm_request_duration_seconds'));
  const requests = families.get('tonearm_requests_total').samples;
  const count = (route, status) => requests.find(({ labels }) => labels.route === route && labels.status === status)?.value;
  assert.equal(count('/v1/search', '200'), 2);
  assert.equal(count('/v1/search', '401'), 1);
  assert.equal(count('/v1/tracks/{id}', '404'), 1);
  assert.equal(count('other', '404'), 3);
  assert.equal(count('/admin/accounts/{account}/keys', '201'), 1);
  assert.doesNotMatch(text, /wp-login|acc_[a-z2-7]{13}|none"/);
  const value = (name) => families.get(name).samples[0].value;
  assert.equal(value('tonearm_answer_cache_hits_total'), 1);
  assert.equal(value('tonearm_answer_cache_misses_total'), 1);
  assert.ok(value('tonearm_answer_cache_bytes') > 500);
  assert.ok(value('process_resident_memory_bytes') > 1e6);
  const started = value('process_start_time_seconds');
  assert.ok(started >= Math.floor(began / 1000) && started <= read / 1000, `started at ${started}`);
  assert.equal(value('tonearm_failures_total'), 0);
  const checked = spawnSync('promtool', ['check', 'metrics'], { input: text, encoding: 'utf8' });
  if (checked.error) t.diagnostic('promtool is not here: its own check of the text is skipped');
  else assert.equal(checked.status, 0, checked.stdout + checked.stderr);
  assert.equal(await server.stop(), 0);
});

test('Every metric in dashboard, rules and pages exists, and every metric is documented', async (t) => {
  const server = await busyServer();
  const families = parse(await metricsOf(server));
  const there = new Set([...families.keys(), ...POSTGRESQL, ...STORAGE]);
  const namesIn = (text) => new Set([...text.matchAll(/\b(?:tonearm|process)_[a-z_]+\b/g)].map(([name]) => name));
  const family = (name) => (there.has(name) ? name : name.replace(/_(bucket|sum|count)$/, ''));
  const dashboard = JSON.parse(page('operate/monitoring/dashboard.json'));
  const expressions = dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)).join('\n');
  const alerts = page('operate/monitoring/alerts.yml');
  const rules = alerts.split('\n').filter((line) => line.trim().startsWith('expr:')).join('\n');
  for (const [where, text] of [['the dashboard', expressions], ['the rules', rules], ['monitoring.md', page('operate/monitoring.md')]]) {
    const names = [...namesIn(text)];
    assert.ok(names.length > 4, where);
    for (const name of names) assert.ok(there.has(family(name)), `${where} names ${name}`);
  }
  const described = namesIn(page('api/admin.md'));
  for (const name of there) assert.ok(described.has(name), `admin.md says nothing of ${name}`);
  for (const name of described) assert.ok(there.has(family(name)) || name === 'tonearm_', `admin.md names ${name}`);
  const known = new Set(page('operate/incidents.md').split('\n').filter((line) => line.startsWith('## '))
    .map((line) => line.slice(3).toLowerCase().replaceAll(/[^a-z0-9 -]/g, '').replaceAll(' ', '-')));
  for (const [, place] of alerts.matchAll(/incidents\.md#([a-z0-9-]+)/g)) assert.ok(known.has(place), `incidents.md has no part ${place}`);
  const checked = spawnSync('promtool', ['check', 'rules', join(root, 'docs/operate/monitoring/alerts.yml')], { encoding: 'utf8' });
  if (checked.error) t.diagnostic('promtool is not here: its own check of the rules is skipped');
  else assert.equal(checked.status, 0, checked.stdout + checked.stderr);
  assert.equal(await server.stop(), 0);
});

// HOST-33
test('A refused snapshot and a missing state are counted', async () => {
  const server = await ServerProcess.start(scratch);
  const value = async (name) => parse(await metricsOf(server)).get(name).samples[0].value;
  const key = await server.newKey();
  copyFileSync(scratch.at('catalog.sqlite'), scratch.at('kept.sqlite'));
  writeFileSync(scratch.at('bad'), 'no snapshot');
  renameSync(scratch.at('bad'), scratch.at('catalog.sqlite'));
  await eventually(async () => await value('tonearm_catalog_refusals_total') === 1, 'the refusal');
  renameSync(scratch.at('kept.sqlite'), scratch.at('catalog.sqlite'));
  renameSync(scratch.at('state.sqlite'), scratch.at('state.away'));
  await eventually(async () => (await get(server, '/v1/collections', { key })).status === 503, '503 without a state');
  assert.ok(await value('tonearm_failures_total') > 0);
  renameSync(scratch.at('state.away'), scratch.at('state.sqlite'));
  await eventually(async () => (await get(server, '/v1/collections', { key })).status === 200, 'the state');
  assert.equal(await server.stop(), 0);
});

// HOST-34
test('Every line of the JSON log is one object, and none has a key or a search text', async () => {
  const log = scratch.at('log.json');
  const server = await ServerProcess.start(scratch, { words: ['--log-format', 'json', '--log-file', log] });
  const key = await server.newKey();
  await get(server, '/v1/search?q=harbour-secret', { key });
  await get(server, '/v1/search?q=harbour-secret', { key: `${key.slice(0, -1)}x` });
  writeFileSync(scratch.at('bad'), 'no snapshot');
  copyFileSync(scratch.at('catalog.sqlite'), scratch.at('kept.sqlite'));
  renameSync(scratch.at('bad'), scratch.at('catalog.sqlite'));
  await eventually(() => readFileSync(log, 'utf8').includes('is refused'), 'the refusal');
  renameSync(scratch.at('kept.sqlite'), scratch.at('catalog.sqlite'));
  assert.equal(await server.stop(), 0);
  const text = readFileSync(log, 'utf8');
  const lines = text.trimEnd().split('\n').map((line) => JSON.parse(line));
  for (const line of lines) {
    assert.deepEqual(Object.keys(line), ['time', 'level', 'message']);
    assert.match(line.time, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    assert.ok(['info', 'warning', 'error'].includes(line.level));
  }
  const ofLevel = (level) => lines.filter((line) => line.level === level).map(({ message }) => message);
  assert.ok(ofLevel('info').includes('SIGTERM: stopping'));
  assert.match(ofLevel('error')[0], /^the catalog .* is refused: /);
  assert.ok(!text.includes('harbour') && !text.includes(key.slice(8, 40)));
});
