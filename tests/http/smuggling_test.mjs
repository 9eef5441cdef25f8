// The raw requests of the table (raw_requests.jsonl) through nginx and HAProxy: the client must see every answer
// of the server, or one of the proxy instead, and the connections to the server, which the proxy shares between clients, must stay in step.
// Usage: node --test tests/http/smuggling_test.mjs      (TONEARM_BIN: the programs, by default build/native/bin)

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, afterEach, before, test } from 'node:test';
import tls from 'node:tls';

import { LaunchedServer } from '../support/launched_server.mjs';
import { eventually } from '../support/waiting.mjs';
import { FAST_NGINX, HAPROXY, makeCertificate, missing, PATIENT, Proxy, stopProxies } from './proxies.mjs';
import { Scratch, ServerProcess } from './server_process.mjs';

const bytesOf = (part) => {
  if (typeof part === 'string') return Buffer.from(part);
  if (part.repeat !== undefined) return Buffer.from(part.repeat.repeat(part.times));
  return Buffer.from(part.drip ?? '');
};

/** Rows whose client sends all at once; the others test timeouts. */
const ROWS = readFileSync(new URL('raw_requests.jsonl', import.meta.url), 'utf8').trimEnd().split('\n').map((line) => JSON.parse(line))
  .map(({ name, send }) => ({ name, bytes: Buffer.concat(send.map(bytesOf)) }));

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

/** Sends bytes on a connection of their own, and returns what arrives until the proxy closes it. */
function exchange(proxy, bytes, host = '127.0.0.1') {
  return new Promise((done) => {
    const parts = [];
    const socket = tls.connect({ host, port: proxy.port, servername: 'localhost', rejectUnauthorized: false }, () => socket.write(bytes));
    socket.on('data', (data) => parts.push(data));
    socket.on('error', () => {});
    socket.on('close', () => done(Buffer.concat(parts).toString('latin1')));
  });
}

/**
 * The final answers in a stream; those of the server have a request id. No body of the server looks like a status line. nginx
 * answers HTTP/0.9 with a body alone.
 */
function answersIn(stream) {
  if (stream !== '' && !stream.startsWith('HTTP/')) return [{ status: 0, id: 'HTTP/0.9' }];
  return stream.split(/(?=HTTP\/1\.[01] \d{3} )/).filter((part) => /^HTTP\/1\.[01] [2-5]/.test(part))
    .map((part) => ({ status: Number(part.slice(9, 12)), id: /^x-request-id: (\S+)\r$/im.exec(part)?.[1] }));
}

for (const [name, kind] of [['nginx', FAST_NGINX], ['haproxy', HAPROXY]]) {
  // HOST-4, CHECK-1
  test(`Through ${name} no raw request of the table is two requests for one side and one for the other`, { skip: missing(name) }, async () => {
    const server = await ServerProcess.start(scratch, { words: ['--trusted-proxy', '127.0.0.1/32'] });
    const proxy = await Proxy.start(kind, `127.0.0.1:${server.port}`, scratch);
    const first = await server.countedRequests();
    let received = 0;
    let seen = 0;
    let replaced_ = 0;
    for (const [number, row] of ROWS.entries()) {
      const before_ = await server.countedRequests();
      const last = `GET /healthz?last HTTP/1.1\r\nHost: localhost\r\nX-Request-Id: last-${number}\r\nConnection: close\r\n\r\n`;
      const answers = answersIn(await exchange(proxy, Buffer.concat([row.bytes, Buffer.from(last)])));
      const ofServer = answers.filter(({ id }) => id !== undefined).length;
      let count;
      await eventually(async () => (count = (await server.countedRequests()) - before_) >= ofServer, `${row.name}: ${ofServer} answers of the server, which counted fewer`);
      // Where a proxy has forwarded the start of a body before it rejects the rest, its own answer replaces the server's.
      assert.ok(count <= answers.length, `${row.name}: the client saw ${answers.length} answers, ${ofServer} of them of the server, which gave ${count}`);
      received += answers.length + 2;
      seen += ofServer;
      replaced_ += count - ofServer;
      // Two calls on the connections that the row has used: each gets its own answer.
      for (const call of ['a', 'b']) {
        const id = `after-${number}-${call}`;
        const [answer, ...more] = answersIn(await exchange(proxy, Buffer.from(`GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-Request-Id: ${id}\r\nConnection: close\r\n\r\n`), PATIENT));
        assert.deepEqual([answer, more], [{ status: 200, id }, []], row.name);
      }
    }
    const given = (await server.countedRequests()) - first;
    assert.ok(given <= received, `the clients received ${received} answers, the server gave ${given}`);
    console.log(`${name}: ${ROWS.length} rows, ${seen} answers of the server, ${replaced_} replaced by the proxy`);
    assert.ok(seen > ROWS.length / 2, 'the proxy forwards most rows');
  });
}
