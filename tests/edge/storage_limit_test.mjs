// An account's object stays within its storage limit (HOST-14), which the test sets low.
// Usage: storage_limit_test.mjs [--build DIR] [--wasm FILE]. Ends with one line: N passed, M failed.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';

import { casesOfBuild } from '../cases/build_folder.mjs';
import { publish } from './local_worker.mjs';
import { runTests } from './test_run.mjs';
import { startTestWorker } from './test_worker.mjs';

const ANY = 2 ** 40;

const paths = casesOfBuild({ wasm: { type: 'string', default: 'build/wasm/bin/tonearm.wasm' } });
const { miniflare, log, base, command, reset, admin, call, newAccount } = await startTestWorker(paths.wasm);
await publish(miniflare, 'catalog.sqlite', readFileSync(paths.snapshot));

const recordTables = async (account) =>
  Object.keys(await (await command({ tables: account })).json()).filter((name) => name.startsWith('call_records_'));

const send = (key, method, path, body) =>
  fetch(new URL(path, base), {
    method,
    headers: { Authorization: `Bearer ${key}`, ...(body && { 'Content-Type': 'application/json' }) },
    body: body && JSON.stringify(body),
  });

const tests = {
  'an object above the limit deletes its oldest call records, but keeps the totals': async () => {
    await reset({ storage_limits: { retainFromBytes: 1, fullBytes: ANY } });
    const { account, key } = await newAccount();
    await call(key);
    while ((await recordTables(account)).length > 0) continue; // until an alarm has removed them
    assert.equal((await admin('GET', `/accounts/${account}/usage`)).days[0].calls, 1);
  },
  'an object below the limit keeps its call records': async () => {
    await reset({ storage_limits: { retainFromBytes: ANY, fullBytes: ANY }, retain_ms: 50 });
    const { account, key } = await newAccount();
    await call(key);
    await command({ until: { alarms: 2 } });
    assert.equal((await recordTables(account)).length, 1);
  },
  'a full object rejects writes with a message, and answers everything else': async () => {
    await reset({ catalog: 'from now on' });
    const { account, key } = await newAccount('pro');
    const { id } = await (await send(key, 'POST', '/v1/collections', { name: 'Rain' })).json();
    await reset({ catalog: 'from now on', same_objects: true, storage_limits: { retainFromBytes: ANY, fullBytes: 1 } });
    const refused = await send(key, 'POST', '/v1/collections', { name: 'Storm' });
    assert.equal(refused.status, 503);
    assert.match((await refused.json()).message, /storage of this account is full/);
    assert.equal((await send(key, 'GET', `/v1/collections/${id}`)).status, 200);
    assert.equal((await send(key, 'DELETE', `/v1/collections/${id}?confirm=true`)).status, 200);
    const { calls } = await admin('GET', `/accounts/${account}/calls`);
    assert.deepEqual(calls.map(({ status }) => status), [200, 200, 503, 201]);
  },
  'a full object rejects only messages that write': async () => {
    await reset({ catalog: 'catalog.sqlite' });
    const { account, key } = await newAccount('pro');
    const { id } = await (await send(key, 'POST', '/v1/collections', { name: 'Rain' })).json();
    await reset({ catalog: 'catalog.sqlite', same_objects: true, storage_limits: { retainFromBytes: ANY, fullBytes: 1 } });
    const message = (method, params) => send(key, 'POST', '/mcp', { jsonrpc: '2.0', id: 1, method, params });
    const tool = (name, args) => message('tools/call', { name, arguments: args });
    assert.equal((await tool('create_collection', { name: 'Storm' })).status, 503);
    assert.equal((await message('tools/list', {})).status, 200);
    for (const [name, args] of [['search_tracks', {}], ['list_collections', {}], ['delete_collection', { id, confirm: true }]]) {
      assert.equal((await (await tool(name, args)).json()).result.isError, false, name);
    }
    const { calls } = await admin('GET', `/accounts/${account}/calls`);
    assert.deepEqual(calls.map(({ status }) => status), [200, 200, 200, 503, 201]);
  },
};

await runTests(tests, () => miniflare.dispose(), log);
