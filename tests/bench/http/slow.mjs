// Measures the cost of slow clients: the latency of a healthy client without and with 1,000 slow connections of each kind,
// and the memory of connections that have sent nothing, part of a head, or a request.
// Usage: TONEARM_BIN=build/native/bin node tests/bench/http/slow.mjs [--slow N] [--calls N] [--idle N]
//   0 of --slow or --idle omits that measurement; NODE_TLS_REJECT_UNAUTHORIZED=0 for the memory of TLS

import { readFileSync } from 'node:fs';
import http from 'node:http';
import tls from 'node:tls';
import { parseArgs } from 'node:util';

import { connect, get, Scratch, ServerProcess } from '../../http/server_process.mjs';
import { KINDS, SlowClients } from '../../http/slow_clients.mjs';
import { writeCertificate } from '../../support/certificates.mjs';

const { values: options } = parseArgs({
  options: {
    slow: { type: 'string', default: '1000' },
    calls: { type: 'string', default: '5000' },
    idle: { type: 'string', default: '2000' },
  },
});
const count = Number(options.slow);
const calls = Number(options.calls);
const idle = Number(options.idle);

const scratch = new Scratch();
const line = (cells) => console.log(`| ${cells.join(' | ')} |`);

/** Returns the latencies of a healthy client with one connection, in milliseconds. */
async function latencies(server, key) {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
  const all = [];
  for (let i = 0; i < calls; i += 1) {
    const began = performance.now();
    const { status } = await get(server, '/v1/search?q=rain', { key, agent });
    if (status !== 200) throw new Error(`a healthy call got ${status}`);
    all.push(performance.now() - began);
  }
  agent.destroy();
  return all.sort((a, b) => a - b);
}

const at = (sorted, share) => sorted[Math.floor((sorted.length - 1) * share)].toFixed(2);

async function measureLatency() {
  line(['slow connections', 'p50 ms', 'p99 ms', 'p99 without ms', 'ratio', 'ended by the server']);
  line(['---', '---', '---', '---', '---', '---']);
  for (const kind of KINDS) {
    const server = await ServerProcess.start(scratch);
    const key = await server.newKey();
    await latencies(server, key); // warms up
    const alone = await latencies(server, key);
    const slow = new SlowClients(server, kind, key);
    await slow.start(count);
    const beside = await latencies(server, key);
    slow.stop();
    line([`${count} of the kind ${kind}`, at(beside, 0.5), at(beside, 0.99), at(alone, 0.99),
      (at(beside, 0.99) / at(alone, 0.99)).toFixed(2), slow.ended]);
    await server.stop();
  }
}

const rssKib = ({ pid }) => Number(/^RssAnon:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]);
const until = async (holds) => { while (!(await holds())) await new Promise((done) => { setTimeout(done, 20); }); };

/** Returns the server's memory per connection after each connection has sent the given bytes. */
async function memory(count, name, words, openOne) {
  const server = await ServerProcess.start(scratch, { words: [...words, '--connections-per-client', '1000000'] });
  const key = await server.newKey();
  await openOne(server, key);
  const connections = async () => Number(/^tonearm_connections (\d+)$/m.exec((await server.admin('GET', '/metrics')).body)[1]);
  const had = await connections();
  const before = rssKib(server);
  const opened = [];
  for (let i = 0; i < count; i += 100) {
    opened.push(...await Promise.all(Array.from({ length: Math.min(100, count - i) }, () => openOne(server, key))));
  }
  await until(async () => (await connections()) >= had + count || opened.some((socket) => socket.destroyed));
  await new Promise((done) => { setTimeout(done, 500); }); // the server reads the last bytes
  const each = (rssKib(server) - before) / count;
  if (opened.some((socket) => socket.destroyed)) throw new Error(`${name}: the server ended some before all were open; take fewer`);
  line([`${count} connections ${name}`, each.toFixed(1)]);
  for (const socket of opened) socket.destroy();
  await server.stop();
}

const answered = (socket) => new Promise((done) => { socket.once('data', () => done(socket)); });

async function measureMemory() {
  writeCertificate({ certificate: scratch.at('pem'), key: scratch.at('key'), subject: 'bench' });
  const few = Math.ceil(idle / 4); // handshakes are slow, and connections without a request time out after ten seconds
  const secure = ['--tls-cert', scratch.at('pem'), '--tls-key', scratch.at('key')];
  const https = (server) => new Promise((done) => {
    const socket = tls.connect({ port: server.port, host: '127.0.0.1', rejectUnauthorized: false }, () => done(socket));
    socket.on('error', () => {});
  });
  const request = (key) => `GET /v1/search?limit=1 HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${key}\r\n\r\n`;
  line(['connections', 'KiB each']);
  line(['---', '---']);
  await memory(idle, 'that have sent nothing', [], (server) => connect(server));
  await memory(idle, 'with half a head', [], async (server) => {
    const socket = await connect(server);
    socket.write('GET /v1/search HTTP/1.1\r\nHost: a\r\nX: y\r\n');
    return socket;
  });
  await memory(idle, 'idle after an answer', [], async (server, key) => {
    const socket = await connect(server);
    socket.write(request(key));
    return answered(socket);
  });
  await memory(few, 'on a TLS address that have sent nothing', secure, (server) => connect(server));
  await memory(few, 'with a TLS handshake', secure, https);
  await memory(few, 'with TLS, idle after an answer', secure, async (server, key) => {
    const socket = await https(server);
    socket.write(request(key));
    return answered(socket);
  });
}

try {
  if (idle > 0) await measureMemory();
  if (count > 0) await measureLatency();
} finally {
  scratch.remove();
}
