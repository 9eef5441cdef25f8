// Connection limits of the native server: floods of idle connections, few descriptors, none left, and files at their size
// limit.
// Usage: node --test tests/http/connections_test.mjs      (TONEARM_BIN: the programs' folder)

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { after, afterEach, before, test } from 'node:test';

import { connect, get, Scratch, ServerProcess } from './server_process.mjs';

let scratch;
let server;
const flood = [];

/** Opens idle connections, alternately from several addresses. */
async function openIdle(count, addresses) {
  const opened = Array.from({ length: count }, (_, i) => connect(server, addresses[i % addresses.length]));
  flood.push(...await Promise.all(opened));
}

const addresses = (count) => Array.from({ length: count }, (_, i) => `127.0.1.${i + 1}`);

const isAnswered = async (path = '/healthz', options = {}) => assert.equal((await get(server, path, options)).status, 200);

before(() => { scratch = new Scratch(); });

afterEach(async () => {
  for (const socket of flood.splice(0)) socket.destroy();
  assert.equal(await server.stop(), 0, server.log);
});

after(() => { scratch.remove(); });

// HOST-20
test('Idle connections of two addresses block neither others nor health checks nor the admin interface', async () => {
  server = await ServerProcess.start(scratch, { words: ['--connections', '300', '--connections-per-client', '100'] });
  const key = await server.newKey();
  await openIdle(1_000, ['127.0.0.2', '127.0.0.3']);
  await isAnswered();
  await isAnswered('/v1/meta', { key });
  await isAnswered('/healthz', { from: '127.0.0.2' });
  assert.equal((await server.admin('GET', '/admin/accounts')).status, 200);
});

// HOST-20
test('Idle connections of many addresses fill the table, and the oldest are evicted for new ones', async () => {
  server = await ServerProcess.start(scratch, { words: ['--connections', '300', '--connections-per-client', '100'] });
  const key = await server.newKey();
  await openIdle(1_000, addresses(20));
  for (let i = 0; i < 10; i += 1) await isAnswered('/v1/meta', { key });
  await Promise.all(flood.slice(0, 100).map((socket) => socket.closed_));
});

// HOST-21
test('The server raises its soft limit of descriptors, and limits its connections by the hard one', async () => {
  server = await ServerProcess.start(scratch, { limits: ['-Sn 256', '-Hn 2048'], words: ['--connections', '1000'] });
  assert.match(server.log, / info \d+ descriptors: up to 1000 connections, 256 of one client\n/);
  assert.equal(await server.stop(), 0);
  server = await ServerProcess.start(scratch, { limits: ['-n 400'] });
  assert.match(server.log, / warning 400 descriptors: up to \d+ connections, \d+ of one client; for 10000 connections raise/);
  const key = await server.newKey();
  await openIdle(1_000, addresses(20));
  for (let i = 0; i < 10; i += 1) await isAnswered('/v1/meta', { key });
  assert.equal((await server.admin('POST', '/admin/accounts', { plan: 'free' })).status, 201);
});

// HOST-21
test('If no descriptor is left, idle connections are evicted, and the log throttles the message', async () => {
  server = await ServerProcess.start(scratch);
  const key = await server.newKey();
  await isAnswered('/v1/meta', { key });
  // UBSan needs a descriptor when it first sees a type, such as that of "end of file".
  const ended = await connect(server);
  ended.end();
  await ended.closed_;
  const open = readdirSync(`/proc/${server.pid}/fd`).length;
  const began = performance.now();
  const limited = spawnSync('prlimit', ['--pid', `${server.pid}`, `--nofile=${open + 30}:`], { encoding: 'utf8' });
  assert.equal(limited.status, 0, limited.stderr);
  await openIdle(100, addresses(10));
  for (let i = 0; i < 10; i += 1) await isAnswered('/v1/meta', { key });
  await server.logged('cannot accept connections: Too many open files');
  const lines = server.log.split('cannot accept connections').length - 1;
  assert.ok(lines <= 1 + (performance.now() - began) / 10_000, `${lines} lines`);
});

// HOST-21
test('Too few descriptors are an error at the start', async () => {
  server = await ServerProcess.start(scratch);
  await assert.rejects(ServerProcess.start(scratch, { limits: ['-n 100'] }), /the limit of open files is 100; the server needs at least/);
});

// HOST-25
test('A file at its size limit is an error of the call, and the server keeps running', async () => {
  server = await ServerProcess.start(scratch, { limits: ['-Sf 600'] });
  let refused;
  while (refused === undefined || refused.status < 300) refused = await server.admin('POST', '/admin/accounts', { plan: 'free' });
  assert.ok(refused.status === 503 || refused.status === 500, `${refused.status} ${JSON.stringify(refused.body)}`);
  await isAnswered();
  const raised = spawnSync('prlimit', ['--pid', `${server.pid}`, '--fsize=unlimited:'], { encoding: 'utf8' });
  assert.equal(raised.status, 0, raised.stderr);
});
