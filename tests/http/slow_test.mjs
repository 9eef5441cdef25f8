// Opens 1,000 slow connections of each kind beside a healthy client. Takes a minute, so `./test long` runs it.
// Usage: node --test tests/http/slow_test.mjs      (TONEARM_BIN: the programs' folder)

import assert from 'node:assert/strict';
import http from 'node:http';
import { after, afterEach, before, test } from 'node:test';

import { get, Scratch, ServerProcess } from './server_process.mjs';
import { KINDS, SlowClients } from './slow_clients.mjs';

const SLOW = 1_000;
const CALLS = 5_000;

let scratch;
let server;
let slow;

before(() => { scratch = new Scratch(); });

afterEach(async () => {
  slow.stop();
  assert.equal(await server.stop(), 0, server.log);
});

after(() => { scratch.remove(); });

for (const kind of KINDS) {
  // HOST-22
  test(`Every call of a healthy client is answered beside ${SLOW} connections of the kind "${kind}"`, async () => {
    server = await ServerProcess.start(scratch);
    const key = await server.newKey();
    slow = new SlowClients(server, kind, key);
    await slow.start(SLOW);
    const agent = new http.Agent({ keepAlive: true });
    for (let i = 0; i < CALLS; i += 1) {
      const own = i % 10 === 0 ? undefined : agent; // every tenth on a connection of its own
      assert.equal((await get(server, '/v1/search?q=rain', { key, agent: own })).status, 200);
    }
    agent.destroy();
    // The server also closes slow connections: enough that each was closed once.
    while (slow.ended < SLOW) await Promise.race([...slow.sockets].map((socket) => socket.closed_));
    assert.equal((await get(server, '/healthz')).status, 200);
  });
}
