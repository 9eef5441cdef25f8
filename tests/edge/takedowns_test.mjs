// Tracks that the operator takes down on a local edge (TAKEDOWN-6), with tonearm-admin's requests.
// Usage: takedowns_test.mjs [--build DIR]. Ends with one line: N passed, M failed.

import assert from 'node:assert/strict';

import { casesOfBuild } from '../cases/build_folder.mjs';
import { eventually } from '../support/waiting.mjs';
import { ADMIN_TOKEN, devFolder, devLog, DevProcess } from './dev_process.mjs';
import { runTests } from './test_run.mjs';

const TRACK = 'os-101';

const files = devFolder(casesOfBuild().snapshot);
let dev = null;
let key = '';

async function start() {
  dev = await DevProcess.start(files);
}

async function admin(method, path, body) {
  const response = await fetch(new URL(`/admin${path}`, dev.base), {
    method,
    headers: { Authorization: `Bearer ${ADMIN_TOKEN}`, ...(body && { 'Content-Type': 'application/json' }) },
    body: body && JSON.stringify(body),
  });
  return { status: response.status, body: await response.json() };
}

async function ask(path, body) {
  const response = await fetch(new URL(path, dev.base), {
    method: body ? 'POST' : 'GET',
    headers: { Authorization: `Bearer ${key}`, ...(body && { 'Content-Type': 'application/json' }) },
    body: body && JSON.stringify(body),
  });
  return { status: response.status, body: await response.json(), etag: response.headers.get('etag'), version: response.headers.get('tonearm-catalog') };
}

const everything = async (kind) => (await ask(`/v1/search?kind=${kind}&limit=50&fields=id`)).body;
const idsOf = (page) => page.tracks.map(({ id }) => id);

/** Waits until a search shows the track, or no longer. Prints the time. */
async function searchShows(kind, wanted) {
  const began = performance.now();
  const state = wanted ? 'shown' : 'hidden';
  await eventually(async () => idsOf(await everything(kind)).includes(TRACK) === wanted, `the track ${state}`);
  console.log(`${state} after ${Math.round(performance.now() - began)} ms`);
}

let track;
let all;

const tests = {
  // TAKEDOWN-6
  'a take-down reaches every answer': async () => {
    await start();
    const { body: { account } } = await admin('POST', '/accounts', { plan: 'unlimited' });
    ({ body: { key } } = await admin('POST', `/accounts/${account}/keys`));
    ({ body: track } = await ask(`/v1/tracks/${TRACK}`));
    assert.ok(track.preview_url);
    all = await everything(track.kind);
    const { body: collection } = await ask('/v1/collections', { name: 'Film' });
    const added = await admin('POST', '/takedowns', { track_id: TRACK, reason: 'a claim' });
    assert.equal(added.status, 201);
    assert.equal(added.body.in_catalog, null);
    await searchShows(track.kind, false);
    const reduced = await everything(track.kind);
    assert.deepEqual(idsOf(reduced), idsOf(all).filter((id) => id !== TRACK));
    assert.equal(reduced.total, all.total - 1);
    assert.deepEqual((await ask(`/v1/tracks/${TRACK}`)).body, { ...track, preview_url: null, original_url: null });
    assert.equal((await ask(`/v1/tracks/${TRACK}/similar`)).body.total, 0);
    const { version } = await ask(`/v1/tracks/${TRACK}`);
    const { body: { changes, taken_down: current } } = await ask(`/v1/changes?since=${version}`);
    assert.deepEqual([changes, current], [[], [TRACK]], 'CHANGE-3');
    // An object of an account answers this.
    await eventually(async () => (await ask(`/v1/collections/${collection.id}/items`, { track: TRACK })).status === 404, 'the account');
    // No isolate would look so many up.
    for (let i = 1; i < 200; i += 1) assert.equal((await admin('POST', '/takedowns', { track_id: `other-${i}`, reason: 'a claim' })).status, 201);
    const refused = await admin('POST', '/takedowns', { track_id: 'other-200', reason: 'a claim' });
    assert.equal(refused.status, 400);
    assert.match(refused.body.message, /200 take-downs/);
    assert.equal((await admin('POST', '/takedowns', { track_id: TRACK, reason: 'settled' })).status, 200);
    assert.ok(!idsOf(await everything(track.kind)).includes(TRACK));
  },
  'it is in force in the first call after a restart': async () => {
    await dev.stop();
    await start();
    assert.ok(!idsOf(await everything(track.kind)).includes(TRACK));
    assert.equal((await ask(`/v1/tracks/${TRACK}`)).body.preview_url, null);
    const listed = await admin('GET', '/takedowns?limit=1000');
    assert.equal(listed.body.total, 200);
  },
  'a track is offered again after its take-down is removed': async () => {
    assert.equal((await admin('DELETE', `/takedowns/${TRACK}`)).status, 200);
    assert.equal((await admin('DELETE', `/takedowns/${TRACK}`)).status, 404);
    await searchShows(track.kind, true);
    assert.deepEqual(idsOf(await everything(track.kind)), idsOf(all));
  },
};

await runTests(tests, async () => {
  await dev?.kill();
}, devLog);
