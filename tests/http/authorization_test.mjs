// Every route of the API and of the admin interface, with every method, by every kind of identity that may not use it: the
// status, and that nothing changed. The API's routes come from its description, the admin interface's from the table.
// Usage: node --test tests/http/authorization_test.mjs      (TONEARM_BIN: the programs' folder)

import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import { dirname, join, resolve } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';

import { LaunchedServer } from '../support/launched_server.mjs';
import { eventually } from '../support/waiting.mjs';
import { Scratch, ServerProcess } from './server_process.mjs';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
const METRICS_TOKEN = 'a-metrics-token-of-the-tests';

after(() => LaunchedServer.endAll());

describe('routes and identities', () => {
  let scratch, server, checks = 0;
  let account, key, keyId, collection, track;
  const identities = {}; // of the API: the Authorization field

  const agent = new http.Agent({ keepAlive: true, maxSockets: 4 });
  const send = (base, method, path, headers = {}, body = method === 'GET' || method === 'HEAD' ? '' : '{}') => new Promise((done, fail) => {
    const { hostname, port } = new URL(base);
    const request = http.request({ hostname, port, path, method, agent, headers: { ...headers, ...(body ? { 'Content-Type': 'application/json', 'Content-Length': body.length } : {}) } },
      (response) => {
        let text = '';
        response.on('data', (piece) => { text += piece; });
        response.on('end', () => done({ status: response.statusCode, headers: response.headers, text }));
      });
    request.on('error', fail);
    request.end(body);
  });
  const bearer = (token) => ({ Authorization: `Bearer ${token}` });
  const asOwner = async (method, path, body) => JSON.parse((await send(server.url, method, path, bearer(key), body && JSON.stringify(body))).text);
  const newAccount = async () => (await server.admin('POST', '/admin/accounts', { plan: 'unlimited' })).body.account;
  const newKey = async (of) => (await server.admin('POST', `/admin/accounts/${of}/keys`, {})).body;

  before(async () => {
    scratch = new Scratch();
    writeFileSync(scratch.at('metrics'), `${METRICS_TOKEN}\n`, { mode: 0o600 });
    const elsewhere = new Scratch();
    const foreign = await ServerProcess.start(elsewhere);
    const foreignKey = await foreign.newKey();
    await foreign.stop();
    elsewhere.remove();
    server = await ServerProcess.start(scratch, { words: ['--metrics-token-file', scratch.at('metrics')] });
    account = await newAccount();
    ({ key, key_id: keyId } = await newKey(account));
    ({ id: collection } = await asOwner('POST', '/v1/collections', { name: 'Mine' }));
    ({ tracks: [{ id: track }] } = await asOwner('GET', '/v1/search?limit=1&fields=id'));
    await asOwner('POST', `/v1/collections/${collection}/items`, { track });
    const revoked = await newKey(account);
    await server.admin('DELETE', `/admin/keys/${revoked.key_id}`);
    const gone = await newAccount();
    const deleted = await newKey(gone);
    await server.admin('DELETE', `/admin/accounts/${gone}`);
    const { body: session } = await server.admin('POST', `/admin/accounts/${account}/sessions`, { ttl_s: 1 });
    await eventually(async () => (await send(server.url, 'GET', '/v1/usage', bearer(session.key))).status === 401, 'the session key has expired');
    Object.assign(identities, {
      'no key': {},
      'another scheme': { Authorization: `Basic ${key}` },
      'a malformed key': bearer('tonearm_x'),
      'a changed key': bearer(`${key.slice(0, -1)}${key.endsWith('a') ? 'b' : 'a'}`),
      'a key of another deployment': bearer(foreignKey),
      'a revoked key': bearer(revoked.key),
      'a key of a deleted account': bearer(deleted.key),
      'an expired session key': bearer(session.key),
      'the admin token': bearer('a-token-of-the-tests'),
      'the metrics token': bearer(METRICS_TOKEN),
    });
  });
  after(async () => {
    console.log(`checks of routes, methods and identities: ${checks}`);
    agent.destroy();
    await server?.stop();
    scratch?.remove();
  });

  const fill = (path) => path.replace('{account}', account).replace('{key_id}', keyId).replace('{collection_id}', collection)
    .replace(/^(\/v1\/collections\/)\{id\}/, `$1${collection}`).replace(/\{[^}]+\}/g, track);
  const check = (answer, expected, what) => {
    checks += 1;
    assert.ok(expected.includes(answer.status), `${what}: ${answer.status} ${answer.text}`);
  };
  const apiPaths = async () => Object.keys(JSON.parse((await send(server.url, 'GET', '/openapi.json')).text).paths).filter((path) => path.startsWith('/v1/'));
  const adminPaths = () => {
    const source = readFileSync(join(root, 'core/src/api/routing/routes.cpp'), 'utf8');
    return [...new Set([...source.matchAll(/admin\("[A-Z]+", "([^"]+)"/g)].map(([, path]) => path)), '/metrics'];
  };

  /** All accounts, with the owner's keys and collections. */
  const state = async () => {
    const exported = (await send(server.url, 'GET', '/v1/export', bearer(key))).text.replace(/"(made)":"[^"]*"/g, '');
    const { body: { accounts } } = await server.admin('GET', '/admin/accounts');
    const { body: { keys } } = await server.admin('GET', `/admin/accounts/${account}/keys`);
    return JSON.stringify([exported, accounts.map((one) => [one.account, one.plan, one.active_keys]), keys.map((one) => [one.key_id, one.revoked])]);
  };

  it('the API answers 401 without a valid key, and changes nothing (CHECK-3, KEY-6)', async () => {
    const before = await state();
    for (const path of await apiPaths()) {
      for (const method of METHODS) {
        for (const [who, headers] of Object.entries(identities)) check(await send(server.url, method, fill(path), headers), [401], `${method} ${path} with ${who}`);
      }
    }
    assert.equal(await state(), before);
  });

  it("the API treats another account's collections as nonexistent, and changes nothing (KEY-10)", async () => {
    const before = await state();
    const other = bearer((await newKey(await newAccount())).key);
    for (const path of (await apiPaths()).filter((one) => one.startsWith('/v1/collections/{'))) {
      for (const method of METHODS) check(await send(server.url, method, fill(path), { ...other, 'X-Confirm': 'true' }), [400, 404, 405], `${method} ${path} of somebody else`);
    }
    const now = await state();
    assert.equal(JSON.parse(now)[0], JSON.parse(before)[0]);
  });

  it('the admin interface answers 401 or 429 without its token, and changes nothing (ADMIN-1, ADMIN-5, ADMIN-8)', async () => {
    const before = await state();
    const paths = adminPaths();
    assert.ok(paths.length > 10);
    const { 'the admin token': right, ...wrong } = identities;
    assert.ok(right);
    for (const path of paths) {
      for (const method of METHODS) {
        for (const [who, headers] of Object.entries({ ...wrong, "the owner's key": bearer(key), 'a wrong token': bearer('a-token-of-the-testt') })) {
          if (path === '/metrics' && who === 'the metrics token') continue;
          const answer = await send(server.adminUrl, method, fill(path), headers);
          check(answer, who === 'no key' ? [401] : [401, 429], `${method} ${path} with ${who}`);
          assert.ok(answer.status !== 429 || answer.headers['retry-after'], `${method} ${path} with ${who}`);
        }
      }
    }
    assert.equal(await state(), before);
  });
});
