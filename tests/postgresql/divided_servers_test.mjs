// Two tonearm-servers on a state that is divided among two PostgreSQL servers: moves of accounts under load, a database
// that stops, and a server that is killed during a move.
// Usage: node --test tests/postgresql/divided_servers_test.mjs
//   TONEARM_BIN: the folder of the programs (default build/dev/bin)

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';

import { eventually } from '../support/waiting.mjs';
import { ask, fill, made } from './moved_state.mjs';
import { admin, call, makeFolder, runAdmin, startInVain, startPostgresql, startServer } from './servers.mjs';

let folder;
let databases;
let secret;

before(async () => {
  folder = makeFolder();
  databases = await Promise.all([startPostgresql(), startPostgresql()]);
  secret = join(folder.path, 'secret');
  writeFileSync(secret, 'a key secret for a divided state', { mode: 0o600 });
});
after(async () => {
  await Promise.all((databases ?? []).map((database) => database.end()));
  folder?.remove();
});

/** The URLs of a new, empty state, as a variable has them: one in a line. */
const freshState = () => databases.map((database) => database.freshSchema()).join('\n');
const start = (state) => startServer(folder, state, '--key-secret-file', secret);

async function withServers(count, run) {
  const state = freshState();
  const servers = await Promise.all(Array.from({ length: count }, () => start(state)));
  try {
    await run(servers, state);
  } finally {
    await Promise.all(servers.map((server) => server.stop('SIGKILL')));
  }
}

// HOST-56
test('a divided state needs databases of PostgreSQL, each once, and a key secret', () => {
  const state = freshState();
  const [first] = state.split('\n');
  const refused = (value, ...words) => {
    const { status, stderr } = startInVain(folder, value, ...words);
    assert.equal(status, 2, stderr);
    return stderr;
  };
  assert.match(refused(state), /--key-secret-file is required/);
  assert.match(refused(`${first}\n${first}`, '--key-secret-file', secret), /twice/);
  assert.match(refused(`${first}\nstate.sqlite`, '--key-secret-file', secret), /only with databases of PostgreSQL/);
});

// HOST-58
test('accounts are moved under load by tonearm-admin: no answered write is lost, no call is refused or counted twice', async () => {
  await withServers(2, async (servers) => {
    const [one, two] = servers;
    const { body: { account } } = await admin(one, 'POST', '/accounts', { plan: 'pro' });
    const { body: key } = await admin(two, 'POST', `/accounts/${account}/keys`, {});
    const others = await Promise.all([0, 1, 2, 3, 4, 5].map(() => fill(one, 'pro', [3, 30])));
    let isOver = false;
    let answered = 0;
    let unavailable = 0;
    const created = [];
    const refused = new Set();
    const client = async (server) => {
      for (let turn = 0; !isOver; turn += 1) {
        const answer = turn % 3 === 0
          ? await ask(server, key.key, 'POST', '/v1/collections', { name: `Rain ${turn}` })
          : await ask(server, key.key, 'GET', '/v1/search?q=rain&limit=1');
        if ([200, 201, 403].includes(answer.status)) answered += 1;
        if (answer.status === 503) unavailable += 1;
        if (answer.status === 201) created.push(JSON.parse(answer.text).id);
        if (![200, 201, 503, 429, 403].includes(answer.status)) refused.add(`${answer.status} ${answer.text}`);
        if (answer.status === 503) await new Promise((done) => { setTimeout(done, 20); });
      }
    };
    const clients = [one, two, one, two].map(client);
    for (const database of [2, 1, 2, 1]) {
      const moved = await runAdmin(folder, one.adminUrl, ['account', 'move', account, String(database)]);
      assert.equal(moved.status, 0, moved.errors);
      assert.deepEqual(JSON.parse(moved.out), { account, database, done: true });
    }
    isOver = true;
    await Promise.all(clients);
    assert.deepEqual([...refused], []);
    assert.ok(created.length > 0 && answered > 20, `${created.length} ${answered}`);
    const { body: { limits } } = await admin(two, 'GET', `/accounts/${account}/limits`);
    const { calls } = limits[2];
    assert.ok(calls >= answered && calls <= answered + unavailable, `${answered} <= ${calls} <= ${answered + unavailable}`);
    const { body: session } = await admin(one, 'POST', `/accounts/${account}/sessions`, {});
    const listed = await made(two, session.key, 'GET', '/v1/collections');
    assert.deepEqual(listed.collections.map(({ id }) => id).sort(), [...created].sort());
    for (const other of others) {
      const before = await ask(one, other.session, 'GET', '/v1/export');
      for (const database of ['1', '2']) {
        const moved = await runAdmin(folder, two.adminUrl, ['account', 'move', other.account, database]);
        assert.equal(moved.status, 0, moved.errors);
      }
      const later = await ask(one, other.session, 'GET', '/v1/export');
      assert.deepEqual(later.text.split('\n').slice(1, -2), before.text.split('\n').slice(1, -2));
      assert.equal((await call(two, other.key)).status, 200);
      assert.equal((await call(two, other.revoked)).status, 401);
    }
    const { body: list } = await admin(two, 'GET', '/accounts?limit=3');
    assert.equal(list.total, 7);
  });
});

// HOST-58
test('a move whose server is killed is continued by the other server', async () => {
  await withServers(2, async ([one, two]) => {
    const filled = await fill(two, 'pro', [40, 40]);
    const step = (server, database) => admin(server, 'POST', `/accounts/${filled.account}/move`, { database });
    const toFirst = await runAdmin(folder, two.adminUrl, ['account', 'move', filled.account, '1']);
    assert.equal(toFirst.status, 0, toFirst.errors);
    const first = await step(one, 2);
    assert.deepEqual(first.body, { account: filled.account, database: 2, done: false });
    assert.equal((await call(two, filled.key)).status, 503);
    const copying = step(one, 2).catch(() => null); // killed while it copies, or just after
    await new Promise((done) => { setTimeout(done, 30); });
    one.stop('SIGKILL');
    await copying;
    const moved = await runAdmin(folder, two.adminUrl, ['account', 'move', filled.account, '2']);
    assert.equal(moved.status, 0, moved.errors);
    assert.deepEqual(JSON.parse(moved.out), { account: filled.account, database: 2, done: true });
    assert.equal((await call(two, filled.key)).status, 200);
    const { collections } = await made(two, filled.session, 'GET', '/v1/collections');
    assert.equal(collections.length, 2);
  });
});

// HOST-57
test('a database that is down affects only its accounts, and the servers stay ready', async () => {
  await withServers(1, async ([server]) => {
    const keys = [[], []];
    while (keys.some((some) => some.length < 2)) {
      const { body: { account } } = await admin(server, 'POST', '/accounts', { plan: 'free' });
      const { body: { key } } = await admin(server, 'POST', `/accounts/${account}/keys`, {});
      assert.equal((await call(server, key)).status, 200);
      const { body } = await admin(server, 'POST', `/accounts/${account}/move`, { database: 1 });
      keys[body.done ? 0 : 1].push({ account, key });
      if (!body.done) {  // undone
        await runAdmin(folder, server.adminUrl, ['account', 'move', account, '2']);
      }
    }
    await databases[1].say('stop');
    try {
      for (const { key } of keys[0]) assert.equal((await call(server, key)).status, 200);
      for (const { key } of keys[1]) assert.equal((await call(server, key)).status, 503);
      await eventually(async () => (await fetch(`${server.url}/readyz`)).status === 200, 'readiness');
    } finally {
      await databases[1].say('start');
    }
    for (const { key } of keys[1]) {
      await eventually(async () => (await call(server, key)).status === 200, 'the accounts of the second database');
    }
  });
});
