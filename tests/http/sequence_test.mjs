// Many connections one after the other: none leaves a descriptor or memory behind.
// Usage: TONEARM_CONNECTIONS=100000 node --test tests/http/sequence_test.mjs      (TONEARM_BIN: the programs; 5,000 connections in 5 rounds)

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import net from 'node:net';
import { after, before, test } from 'node:test';

import { eventually } from '../support/waiting.mjs';
import { Scratch, ServerProcess } from './server_process.mjs';

const CONNECTIONS = Number(process.env.TONEARM_CONNECTIONS ?? 5_000);
/** The test reports a leak of at least so many bytes for each connection. */
const LEAKED_BYTES = 256;
/** Caches grow until they are full, and the allocator grows in some rounds; a leak grows in every round. */
const ROUNDS = 5;
const MOST_ROUNDS = 20;
const ROUND = CONNECTIONS / ROUNDS;

let scratch;
let server;

before(async () => {
  scratch = new Scratch();
  // The sanitizer of a debug build keeps freed memory.
  server = await ServerProcess.start(scratch, { env: { ASAN_OPTIONS: 'quarantine_size_mb=1:thread_local_quarantine_size_kb=64' } });
});

after(async () => {
  assert.equal(await server.stop(), 0, server.log);
  scratch.remove();
});

const descriptors = () => readdirSync(`/proc/${server.pid}/fd`).length;
const memory = () => 1024 * Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8'))[1]);

/** The ways in which a connection ends: after an answer, after an error, with half a request, silently, by a reset. */
const WAYS = [
  { send: (key) => `GET /v1/tracks/os-101 HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${key}\r\nConnection: close\r\n\r\n`, answer: /^HTTP\/1\.1 200 / },
  { send: () => 'GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n', answer: /^HTTP\/1\.1 200 / },
  { send: () => 'GET  / HTTP/1.1\r\n\r\n', answer: /^HTTP\/1\.1 400 / },
  { send: () => 'GET /healthz HTTP/1.1\r\nHo', answer: /^(HTTP\/1\.1 400 |$)/, end: true },
  { send: () => '', answer: /^$/, end: true },
  { send: () => 'GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n', answer: /^/, reset: true },
];

function connect(key, way) {
  return new Promise((done, failed) => {
    let text = '';
    const socket = net.connect({ port: server.port, host: '127.0.0.1' }, () => {
      const sent = way.send(key);
      if (way.end) socket.end(sent);
      else if (way.reset) socket.write(sent, () => socket.resetAndDestroy());
      else socket.write(sent);
    });
    socket.on('data', (data) => { text += data; });
    socket.on('error', (error) => { if (!way.reset && error.code !== 'ECONNRESET') failed(error); });
    socket.on('close', () => done(text));
  });
}

async function connectTimes(count, key) {
  for (let i = 0; i < count; i += 1) {
    const way = WAYS[i % WAYS.length];
    assert.match(await connect(key, way), way.answer, `connection ${i}`);
  }
}

// HOST-20, HOST-21
test('connections in sequence leave neither descriptors nor memory behind', async () => {
  const key = await server.newKey();
  await connectTimes(ROUND, key);
  const opened = descriptors();
  const growths = [];
  const leaked = () => growths.every((bytes) => bytes >= ROUND * LEAKED_BYTES);
  while (growths.length < ROUNDS || (leaked() && growths.length < MOST_ROUNDS)) {
    const before_ = memory();
    await connectTimes(ROUND, key);
    growths.push(memory() - before_);
  }
  await eventually(() => descriptors() <= opened, 'no further descriptor');
  console.log(`${growths.length * ROUND} connections: ${opened} descriptors before and ${descriptors()} after, memory ${(memory() / 2 ** 20).toFixed(1)} MiB, grown in each round by ${growths.map((bytes) => bytes / 1024).join(', ')} KiB`);
  assert.ok(!leaked(), `${growths} bytes`);
});
