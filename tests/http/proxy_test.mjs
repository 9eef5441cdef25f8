// The server behind nginx and Caddy, with the files in docs/operate/proxy. Reports that it skips a proxy that is not installed.
// Usage: node --test tests/http/proxy_test.mjs      (TONEARM_BIN: the programs, by default build/native/bin)

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import https from 'node:https';
import { after, afterEach, before, test } from 'node:test';

import { LaunchedServer } from '../support/launched_server.mjs';
import { eventually } from '../support/waiting.mjs';
import { CADDY, makeCertificate, missing, NGINX, Proxy, replaced, stopProxies } from './proxies.mjs';
import { Scratch, ServerProcess } from './server_process.mjs';

let scratch;

before(() => {
  scratch = new Scratch();
  makeCertificate(scratch);
});

afterEach(async () => {
  await stopProxies();
  await LaunchedServer.endAll();
});

after(() => scratch.remove());

const metric = async (server, name) => Number(new RegExp(`^${name} (\\d+)$`, 'm').exec((await server.admin('GET', '/metrics')).body)[1]);

async function both(kind, words = []) {
  const server = await ServerProcess.start(scratch, { words: ['--trusted-proxy', '127.0.0.1/32', ...words] });
  const proxy = await Proxy.start(kind, `127.0.0.1:${server.port}`, scratch);
  return { server, proxy, key: await server.newKey() };
}

const errorOf = ({ body }) => JSON.parse(body).error;

/** Returns how many connections to a port of this machine have bytes that the server has not read. */
function unreadConnections(port) {
  const local = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  const ESTABLISHED = '01';
  const lines = readFileSync('/proc/net/tcp', 'utf8').trim().split('\n').slice(1);
  return lines.map((line) => line.trim().split(/\s+/)).filter(([, address, , state, queues]) =>
    address.endsWith(local) && state === ESTABLISHED && parseInt(queues.split(':')[1], 16) > 0).length;
}

for (const [name, kind] of [['nginx', NGINX], ['caddy', CADDY]]) {
  // HOST-36
  test(`Behind ${name} answers, errors and their fields pass as they are`, { skip: missing(name) }, async () => {
    const { server, proxy, key } = await both(kind);
    const found = await proxy.call('/v1/search?q=rain&limit=1', { key });
    assert.equal(found.status, 200);
    assert.ok(found.headers.etag);
    assert.ok(found.headers['tonearm-catalog']);
    const again = await proxy.call('/v1/search?q=rain&limit=1', { key, headers: { 'If-None-Match': found.headers.etag } });
    assert.equal(again.status, 304);
    const zipped = await proxy.call('/openapi.json', { headers: { 'Accept-Encoding': 'gzip' } });
    assert.equal(zipped.headers['content-encoding'], 'gzip');
    assert.equal((await proxy.call('/openapi.json')).headers['content-encoding'], undefined);
    for (const [path, options, status, error] of [
      ['/v1/search', {}, 401, 'missing_api_key'], ['/v1/nothing', { key }, 404, 'not_found'],
      ['/v1/search?limit=0', { key }, 400, 'invalid_parameter'], ['/v1/search', { key, method: 'PUT' }, 405, 'method_not_allowed'],
    ]) {
      const answer = await proxy.call(path, options);
      assert.deepEqual([answer.status, errorOf(answer)], [status, error]);
    }
    const escaped = await proxy.call('/v1/tracks/a%2Fb%20c', { key });
    assert.equal(escaped.status, 404);
    assert.equal((await proxy.call('/admin/accounts', { key })).status, 404);
    assert.equal((await proxy.call('/metrics', { key })).status, 404);
    assert.equal(await server.stop(), 0);
  });

  // HOST-36
  test(`Behind ${name} large bodies come through, and those that are too large are refused in the API's form`, { skip: missing(name) }, async () => {
    const { server, proxy, key } = await both(kind);
    const post = (bytes, headers = {}) => proxy.call('/v1/credits/match', { key, method: 'POST',
      headers: { 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify({ files: [{ name: 'a.mp3' }] }).padEnd(bytes, ' ') });
    assert.equal((await post(200_000)).status, 200);
    assert.equal((await post(200_000, { 'Transfer-Encoding': 'chunked' })).status, 200);
    const announce = (bytes) => proxy.call('/v1/credits/match', { key, method: 'POST', announced: bytes });
    for (const refused of [await post(300_000), await post(900_000), await announce(3_000_000)]) {
      assert.deepEqual([refused.status, errorOf(refused)], [413, 'too_large']);
    }
    assert.equal((await post(1_000)).status, 200);
    assert.equal(await server.stop(), 0);
  });

  // HOST-20, HOST-36
  test(`Behind ${name} each client has its own bound, and cannot claim to be another`, { skip: missing(name) }, async () => {
    const { server, proxy, key } = await both(kind, ['--connections-per-client', '1', '--threads', '1', '--answer-cache', '0']);
    // Many bytes per request: each one is still in progress while the server reads the heads of the others.
    const body = JSON.stringify({ files: [{ name: 'a.mp3' }] }).padEnd(200_000, ' ');
    const claims = (i) => ({ 'X-Forwarded-For': `198.51.100.${i}`, Forwarded: `for=198.51.100.${i}`, 'X-Real-IP': `198.51.100.${i}` });
    const sendAll = (number) => Promise.all(Array.from({ length: number }, (_, i) => proxy.call('/v1/credits/match', { key, method: 'POST',
      from: '127.0.0.2', headers: { 'Content-Type': 'application/json', ...claims(i) }, body })));
    const refusedOf = (answers) => {
      // 429: nginx has its own limit.
      for (const answer of answers) assert.ok([200, 429, 503].includes(answer.status), `${answer.status} ${answer.body}`);
      const refused = answers.filter(({ status }) => status === 503);
      for (const answer of refused) assert.match(answer.body, /too many connections from this address/);
      return refused.length;
    };
    // The requests arrive while the server is suspended, so that it reads them together.
    server.child.kill('SIGSTOP');
    const together = sendAll(40);
    await eventually(() => unreadConnections(server.port) >= 10, 'requests at the server');
    server.child.kill('SIGCONT');
    assert.ok(refusedOf(await together) > 0);
    let busy = true;
    const load = (async () => { while (busy) refusedOf(await sendAll(10)); })();
    for (let i = 0; i < 20; i += 1) assert.equal((await proxy.call('/v1/search?limit=50', { key, from: '127.0.0.3' })).status, 200);
    busy = false;
    await load;
    assert.equal(await server.stop(), 0);
  });

  // HOST-36
  test(`${name} keeps connections to the server, and says in the API's form that it is gone`, { skip: missing(name) }, async () => {
    const { server, proxy, key } = await both(kind);
    const agent = new https.Agent({ keepAlive: true, maxSockets: 1 });
    for (let i = 0; i < 30; i += 1) assert.equal((await proxy.call('/v1/meta', { key, agent })).status, 200);
    assert.equal(Object.values(agent.freeSockets).flat().length, 1);
    agent.destroy();
    // One connection of the proxy, and those of the admin interface.
    const open = await metric(server, 'tonearm_connections');
    assert.ok(open >= 2 && open <= 4, `${open} connections`);
    // The server counts some requests only after it has sent their answers.
    let seen;
    await eventually(async () => (seen = await metric(server, 'tonearm_requests_total{route="/v1/meta",status="200"}')) >= 30, '30 requests');
    assert.equal(seen, 30);
    assert.equal(await server.stop(), 0);
    const gone = await proxy.call('/v1/meta', { key });
    assert.deepEqual([gone.status, errorOf(gone)], [503, 'unavailable']);
    assert.ok(Number(gone.headers['retry-after']) > 0);
  });
}

// HOST-36
test('nginx limits the calls of one address, in the API\'s form, and nobody else\'s', { skip: missing('nginx') }, async () => {
  // The burst of the recipe, and a rate that admits no further call while the test runs.
  const { server, proxy, key } = await both({ ...NGINX, write: (...values) => replaced(NGINX.write(...values), [['rate=50r/s', 'rate=1r/m']]) });
  const agent = new https.Agent({ keepAlive: true, maxSockets: 20 });
  const answers = await Promise.all(Array.from({ length: 400 }, () => proxy.call('/v1/meta', { key, agent, from: '127.0.0.2' })));
  agent.destroy();
  const limited = answers.filter(({ status }) => status === 429);
  assert.ok(limited.length >= 290 && limited.length < 300, `${limited.length} of 400 limited`);
  assert.equal(errorOf(limited[0]), 'rate_limited');
  assert.equal(limited[0].headers['retry-after'], '1');
  assert.equal((await proxy.call('/v1/meta', { key, from: '127.0.0.3' })).status, 200);
  const log = readFileSync(scratch.at('nginx-access.log'), 'utf8');
  assert.match(log, /^127\.0\.0\.2 \[[^\]]+\] "GET \/v1\/meta" 429 /m);
  assert.doesNotMatch(log, /\?|Bearer|tonearm_[0-9A-Za-z]{20}/);
  assert.equal(await server.stop(), 0);
});
