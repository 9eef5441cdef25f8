// Messages to /mcp on the edge: the object counts each one, and the worker answers the calls of tools that need only the catalog
// (HOST-62). Uses the test build of the workers. Usage: messages_test.mjs [--build DIR] [--wasm FILE]. Ends with one line: N passed,
// M failed.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';

import { casesOfBuild } from '../cases/build_folder.mjs';
import { publish } from './local_worker.mjs';
import { runTests } from './test_run.mjs';
import { startTestWorker } from './test_worker.mjs';

const TOO_LARGE = ' '.repeat(262_145);

const paths = casesOfBuild({ wasm: { type: 'string', default: 'build/wasm/bin/tonearm.wasm' } });
const { miniflare, log, base, command, reset, countOf, admin, call, newAccount, sendInParts } = await startTestWorker(paths.wasm);
await publish(miniflare, 'catalog.sqlite', readFileSync(paths.snapshot));

async function post(key, body) {
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json', Accept: 'application/json' };
  const response = await fetch(new URL('/mcp', base), { method: 'POST', headers, body });
  return { status: response.status, headers: response.headers, body: await response.json() };
}
const message = (method, params) => JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
const send = (key, method, params) => post(key, message(method, params));
const callTool = (key, name, args = {}) => send(key, 'tools/call', { name, arguments: args });
const remaining = ({ headers }) => Number(/"minute";r=(\d+)/.exec(headers.get('RateLimit'))?.[1]);

async function start() {
  await reset({ catalog: 'catalog.sqlite', release: 'one' });
  return newAccount();
}

const tests = {
  'the worker answers calls that need only the catalog; each is counted and recorded once': async () => {
    const { account, key } = await start();
    const found = await callTool(key, 'search_tracks', { q: 'rain' });
    assert.equal(found.status, 200);
    assert.ok(found.body.result.structuredContent.tracks.length > 0);
    assert.equal(remaining(found), 19);
    assert.equal(await countOf('messages'), 1);
    const { id } = found.body.result.structuredContent.tracks[0];
    const track = await callTool(key, 'get_track', { id });
    assert.equal(track.body.result.structuredContent.id, id);
    assert.equal(remaining(track), 18);
    assert.equal(await countOf('messages'), 2);
    // Arguments that make no request are a call, too.
    const rejected = await callTool(key, 'search_tracks', { mood: 'none such' });
    assert.equal(rejected.body.result.isError, true);
    const { calls } = await admin('GET', `/accounts/${account}/calls`);
    assert.deepEqual(calls.map(({ route }) => route).sort(), ['/mcp:get_track', '/mcp:search_tracks', '/mcp:search_tracks']);
    assert.equal((await admin('GET', `/accounts/${account}/limits`)).limits[0].calls, 3);
  },
  'the object answers all others': async () => {
    const { account, key } = await start();
    assert.equal((await send(key, 'tools/list')).status, 200);
    assert.equal((await send(key, 'initialize', { protocolVersion: '2025-11-25' })).status, 200);
    const created = await callTool(key, 'create_collection', { name: 'Rain' });
    assert.equal(remaining(created), 19);
    const listed = await callTool(key, 'list_collections');
    assert.equal(listed.body.result.structuredContent.collections.length, 1);
    assert.equal((await post(key, '{')).status, 400);
    assert.equal((await post(key, TOO_LARGE)).status, 413);
    assert.equal((await callTool(key, 'no_such_tool')).body.error.code, -32602);
    assert.equal(await countOf('messages'), 0);
    const { calls } = await admin('GET', `/accounts/${account}/calls`);
    assert.deepEqual(calls.map(({ route }) => route).sort(), ['/mcp:create_collection', '/mcp:list_collections']);
  },
  'limits are exact over calls that the worker, the object and the API answer': async () => {
    const { account, key } = await start();
    const one = (number) => [() => callTool(key, 'search_tracks'), () => callTool(key, 'list_collections'), () => fetch(new URL('/v1/search', base), { headers: { Authorization: `Bearer ${key}` } })][number % 3]();
    const statuses = (await Promise.all(Array.from({ length: 30 }, (_, number) => one(number)))).map(({ status }) => status);
    assert.equal(statuses.filter((status) => status === 200).length, 20);
    assert.equal(statuses.filter((status) => status === 429).length, 10);
    const { calls } = await admin('GET', `/accounts/${account}/calls`);
    assert.equal(calls.filter(({ status }) => status === 200).length, 20);
  },
  // KEY-7, KEY-13
  'a key that is revoked before the message, or while it arrives, is refused': async () => {
    const { account, key, keyId } = await start();
    const { key: other, key_id: otherId } = await admin('POST', `/accounts/${account}/keys`, {});
    assert.equal((await admin('DELETE', `/keys/${keyId}`)).status, 200);
    assert.equal((await callTool(key, 'search_tracks')).status, 401);
    const { answer, sendRest } = sendInParts(other, message('tools/call', { name: 'search_tracks', arguments: {} }), '/mcp');
    await command({ until: { admitted: 2 } });
    assert.equal((await admin('DELETE', `/keys/${otherId}`)).status, 200);
    sendRest();
    assert.equal((await answer).status, 401);
    assert.equal(await countOf('messages'), 0);
  },
  // HOST-13
  'a message that arrives too late, or is no POST request, is no call': async () => {
    await reset({ catalog: 'catalog.sqlite', body_ms: 50 });
    const { account, key } = await newAccount();
    assert.equal((await sendInParts(key, message('tools/list'), '/mcp').answer).status, 408);
    assert.equal((await call(key, { path: '/mcp' })).status, 405);
    assert.deepEqual((await admin('GET', `/accounts/${account}/calls`)).calls, []);
  },
  // TAKEDOWN-6, CHECK-6
  'while the take-downs are not known, only what needs the catalog is answered 503': async () => {
    await command({ fail_take_downs: true });
    const { account, key } = await start();
    const found = await callTool(key, 'search_tracks');
    assert.equal(found.body.result.isError, true);
    assert.equal(remaining(found), 19);
    assert.equal((await call(key, { path: '/v1/search' })).status, 503);
    assert.equal((await call(key)).status, 200);
    assert.equal((await send(key, 'tools/list')).status, 200);
    assert.equal((await callTool(key, 'list_collections')).body.result.isError, false);
    await command({ fail_take_downs: false });
    const { calls } = await admin('GET', `/accounts/${account}/calls`);
    const statuses = calls.map(({ route, status }) => `${route} ${status}`).sort();
    assert.deepEqual(statuses, ['/mcp:list_collections 200', '/mcp:search_tracks 503', '/v1/collections 200', '/v1/search 503']);
    assert.equal((await call(key, { path: '/v1/search' })).status, 200);
  },
  'an object answers a worker of an earlier release, and counts the call once': async () => {
    const { account, key } = await start();
    await command({ callers_are_older: true });
    const found = await callTool(key, 'search_tracks', { q: 'rain' });
    await command({ callers_are_older: false });
    assert.ok(found.body.result.structuredContent.tracks.length > 0);
    assert.equal(remaining(found), 19);
    assert.equal(await countOf('messages'), 0);
    assert.equal((await admin('GET', `/accounts/${account}/calls`)).calls.length, 1);
  },
  'without a catalog a call is answered with the error of the API, counted and recorded': async () => {
    await reset();
    const { account, key } = await newAccount();
    const found = await callTool(key, 'search_tracks');
    assert.equal(found.status, 200);
    assert.equal(found.body.result.isError, true);
    const { calls } = await admin('GET', `/accounts/${account}/calls`);
    assert.deepEqual(calls.map(({ route, status }) => [route, status]), [['/mcp:search_tracks', 503]]);
  },
};

await runTests(tests, () => miniflare.dispose(), log);
