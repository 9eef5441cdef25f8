// Server and site under load for some time, while new snapshots replace the served one: no call fails, and memory stays flat.
// Prints the figures. Usage: TONEARM_SOAK_SECONDS=1800 node --test tests/web/soak.mjs      (30 seconds; TONEARM_BIN: the programs)

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { copyFileSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';

import { bin } from '../http/server_process.mjs';
import { LaunchedServer } from '../support/launched_server.mjs';
import { childrenOf } from '../support/processes.mjs';
import { nativeApi, root, SiteFolder, startSite, Visitor } from './site_process.mjs';

const SECONDS = Number(process.env.TONEARM_SOAK_SECONDS ?? 30);
const CLIENTS = 6;
const SWITCH_MS = 2_000;
/** Above the noise of a short run. The long run's figure is what counts: it prints MiB per hour. */
const GROWTH_MIB = 24;

let folder;
let api;
let site;
let key;

before(async () => {
  folder = new SiteFolder();
  const lines = readFileSync(join(root, 'tests/cases/catalog.jsonl'), 'utf8');
  writeFileSync(folder.at('other.jsonl'), lines.replaceAll('Rain on a Tin Roof', 'Rain on a Tin Shed'));
  const built = spawnSync(join(bin, 'tonearm-catalog'), ['build', '--input', folder.at('other.jsonl'), '--output', folder.at('other.sqlite'),
    '--allow-share-alike', '--site-url', 'https://site.example'], { encoding: 'utf8' });
  assert.equal(built.status, 0, built.stderr);
  copyFileSync(folder.catalog, folder.at('first.sqlite'));
  api = await nativeApi(folder);
  site = await startSite(folder, api, ['--trusted-proxy', '127.0.0.1/32']);
  assert.equal((await visit('/?q=rain')).status, 200, 'the site is built beside the programs');
  const { body: { account } } = await api.admin('POST', '/admin/accounts', { plan: 'unlimited' });
  ({ body: { key } } = await api.admin('POST', `/admin/accounts/${account}/keys`, {}));
});

after(async () => {
  await LaunchedServer.endAll();
  folder?.remove();
});

const json = { 'Content-Type': 'application/json' };
const versions = new Set();

async function ask(method, path, body) {
  const response = await fetch(`${api.url}${path}`, { method, headers: { Authorization: `Bearer ${key}`, ...(body && json) }, body: body && JSON.stringify(body) });
  const text = await response.text();
  if (response.headers.has('tonearm-catalog')) versions.add(response.headers.get('tonearm-catalog'));
  return { status: response.status, body: text.startsWith('{') ? JSON.parse(text) : text };
}

/** Makes a collection, fills it, exports its credits, and deletes it. Returns the statuses. */
async function edit() {
  const made = await ask('POST', '/v1/collections', { name: 'Soak' });
  const path = `/v1/collections/${made.body.id}`;
  return [made.status, ...(await Promise.all([
    ask('POST', `${path}/items`, { tracks: ['os-101', 'os-102'] }),
    ask('GET', '/v1/usage'),
  ])).map(({ status }) => status), (await ask('GET', `${path}/credits?format=markdown`)).status, (await ask('DELETE', `${path}?confirm=true`)).status];
}

// Many visitors, because the site limits each.
let visits = 0;
const visit = (path) => new Visitor(site.url).get(path, { headers: { 'X-Forwarded-For': `203.0.113.${visits++ % 250}` } });

const one = (promise) => promise.then(({ status }) => [status]);
const CALLS = Object.entries({
  search: () => one(ask('GET', '/v1/search?kind=music&q=rain&facets=genre,mood')),
  similar: () => one(ask('GET', '/v1/tracks/os-101/similar')),
  complete: () => one(ask('GET', '/v1/complete?kind=music&q=ra')),
  match: () => one(ask('POST', '/v1/credits/match', { files: [{ name: 'Midnight Tram.mp3' }] })),
  mcp: () => one(ask('POST', '/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'search_tracks', arguments: { kind: 'music', q: 'rain' } } })),
  edit,
  page: () => one(visit('/?q=rain')),
  trackPage: () => one(visit('/tracks/os-102')),
  siteSearch: () => one(visit('/site/search?q=paper')),
});

const residentOf = (pid) => Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1024;
/** With the processes that it has started. */
const memoryOf = (pid) => residentOf(pid) + childrenOf(pid).reduce((sum, child) => sum + residentOf(child), 0);

/** The least-squares slope of samples `[seconds, value]`, per hour. */
function slopePerHour(samples) {
  const mean = (index) => samples.reduce((sum, sample) => sum + sample[index], 0) / samples.length;
  const [x, y] = [mean(0), mean(1)];
  const above = samples.reduce((sum, [a, b]) => sum + (a - x) * (b - y), 0);
  return 3600 * above / samples.reduce((sum, [a]) => sum + (a - x) ** 2, 0);
}

// SERVICE-9
test(`${SECONDS} s of load and new snapshots: no call fails, and memory stays flat`, { timeout: (SECONDS + 300) * 1000 }, async () => {
  const began = performance.now();
  const elapsed = () => (performance.now() - began) / 1000;
  const failed = [];
  const pids = { server: api.pid, site: site.pid };
  const samples = { server: [], site: [] };
  let calls = 0;
  let switches = 0;
  const sampling = setInterval(() => { for (const [name, pid] of Object.entries(pids)) samples[name].push([elapsed(), memoryOf(pid)]); }, Math.max(500, SECONDS));
  const switching = setInterval(() => {
    switches += 1;
    copyFileSync(folder.at(switches % 2 ? 'other.sqlite' : 'first.sqlite'), folder.at('next.sqlite'));
    renameSync(folder.at('next.sqlite'), folder.catalog);
  }, SWITCH_MS);
  await Promise.all(Array.from({ length: CLIENTS }, async (_, client) => {
    for (let i = client; elapsed() < SECONDS; i += 1) {
      const [name, make] = CALLS[i % CALLS.length];
      const statuses = await make().catch((error) => [String(error.cause ?? error)]);
      calls += statuses.length;
      for (const status of statuses) if (!(status >= 200 && status < 300)) failed.push(`${name}: ${status}`);
    }
  }));
  clearInterval(sampling);
  clearInterval(switching);
  assert.doesNotMatch(site.log, /the process that renders pages/);
  assert.deepEqual(failed.slice(0, 5), [], `${failed.length} of ${calls} calls failed`);
  assert.ok(versions.size >= 2, 'both catalogs were served');
  for (const [name, all] of Object.entries(samples)) {
    const settled = all.slice(Math.floor(all.length / 3));
    const grown = settled.at(-1)[1] - settled[0][1];
    console.log(`${name}: ${settled[0][1].toFixed(1)} MiB after a third, ${settled.at(-1)[1].toFixed(1)} MiB at the end, slope ${slopePerHour(settled).toFixed(1)} MiB per hour`);
    assert.ok(grown < GROWTH_MIB, `${name} grew by ${grown.toFixed(1)} MiB`);
  }
  console.log(`${calls} calls, 0 failed, ${switches} snapshots in ${SECONDS} s`);
});
