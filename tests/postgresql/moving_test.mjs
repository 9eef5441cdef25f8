// Exports and imports states with the real programs (docs/spec/moving.md): from SQLite to SQLite, to PostgreSQL and
// back; with refused files; with a killed import.
// Usage: node --test tests/postgresql/moving_test.mjs      TONEARM_BIN: the folder of the programs (default build/dev/bin)

import assert from 'node:assert/strict';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import { join } from 'node:path';
import { after, afterEach, before, test } from 'node:test';

import { ask, fill, made, operate, timeless } from './moved_state.mjs';
import { makeFolder, runAdmin, startPostgresql, startServer } from './servers.mjs';

let folder;
let postgresql;
const running = new Set();
const at = (name) => join(folder.path, name);

before(async () => {
  folder = makeFolder();
  postgresql = await startPostgresql();
});
after(async () => {
  await postgresql?.end();
  folder?.remove();
});
afterEach(async () => {
  await Promise.all([...running].map((server) => server.stop('SIGKILL')));
  running.clear();
});

let states = 0;
async function start(state, ...more) {
  states += 1;
  const server = await startServer(folder, state ?? at(`state-${states}.sqlite`), ...more);
  running.add(server);
  return server;
}

async function exported(server, name, ...more) {
  const { status, out, errors } = await runAdmin(folder, server.adminUrl, ['export', at(name), ...more]);
  assert.equal(status, 0, errors);
  assert.equal(statSync(at(name)).mode & 0o777, 0o600);
  const lines = readFileSync(at(name), 'utf8').split('\n');
  assert.equal(lines.pop(), '');
  return { lines, summary: JSON.parse(out) };
}
const imported = (server, name) => runAdmin(folder, server.adminUrl, ['import', at(name)]);

const secretOf = (name) => ['--key-secret-file', at(name)];

// MOVE-1, MOVE-3, MOVE-4, MOVE-6
test('A state moves from SQLite to SQLite, to PostgreSQL and back, and its export stays the same', async () => {
  const source = await start();
  const free = await fill(source, 'free', [3]);
  const pro = await fill(source, 'pro', [40, 0, 40, 40, 1]);
  for (const id of ['os-103', 'os-102']) await operate(source, 'POST', '/takedowns', { track_id: id, reason: `A claim against ${id}` });
  const first = await exported(source, 'first.jsonl', ...secretOf('secret'));
  assert.equal(statSync(at('secret')).mode & 0o777, 0o600);
  assert.deepEqual(
    { ...first.summary, bytes: 0 },
    { file: at('first.jsonl'), bytes: 0, take_downs: 2, accounts: 2, collections: 6, items: 124, keys: 6 },
  );
  assert.ok(!readFileSync(at('first.jsonl'), 'utf8').includes('tonearm_'), 'a key is in the file');

  let before_ = first;
  let file = 'first.jsonl';
  for (const state of [undefined, postgresql.freshSchema(), undefined]) {
    const target = await start(state, ...secretOf('secret'));
    const { status, out, errors } = await imported(target, file);
    assert.equal(status, 0, errors);
    assert.deepEqual(JSON.parse(out),
      { file: at(file), take_downs: 2, accounts: 2, collections: 6, items: 124, keys: 6, added: 2 + 2 + 6 + 124 + 6 });
    file = `of-${states}.jsonl`;
    const now = await exported(target, file);
    assert.deepEqual(timeless(now), timeless(before_));
    before_ = now;
    for (const { key, session, revoked } of [free, pro]) {
      assert.equal((await ask(target, key, 'GET', '/v1/collections')).status, 200);
      assert.equal((await ask(target, revoked, 'GET', '/v1/collections')).status, 401);
      for (const path of ['/v1/collections', `/v1/collections/${pro.collections[0]}`]) {
        const [here, there] = await Promise.all([target, source].map((server) => ask(server, session, 'GET', path)));
        assert.deepEqual([here.status, here.text], [there.status, there.text]);
      }
    }
    const again = await imported(target, file);
    assert.equal(JSON.parse(again.out).added, 0, again.errors);
    assert.deepEqual(timeless(await exported(target, `again-${states}.jsonl`)), timeless(now));
  }
});

// MOVE-2, MOVE-3, MOVE-7
test('A truncated or altered file, another version, another secret and a used id are refused, and nothing changes', async () => {
  const source = await start();
  const { account, session, collections } = await fill(source, 'pro', [5, 30]);
  await exported(source, 'good.jsonl', ...secretOf('good-secret'));
  const good = readFileSync(at('good.jsonl'));
  const text = good.toString();
  const target = await start(undefined, ...secretOf('good-secret'));
  let tries = 0;
  const refuses = async (server, bytes, message) => {
    tries += 1;
    const empty = timeless(await exported(server, `before-${tries}.jsonl`));
    writeFileSync(at(`bad-${tries}.jsonl`), bytes);
    const { status, out, errors } = await imported(server, `bad-${tries}.jsonl`);
    assert.equal(status, 1, out);
    assert.match(errors, message);
    assert.deepEqual(timeless(await exported(server, `after-${tries}.jsonl`)), empty);
  };
  await refuses(target, '', /is empty/);
  await refuses(target, 'hello\n', /is not an exported state/);
  await refuses(target, good.subarray(0, good.length - 1), /is truncated within line/);
  await refuses(target, good.subarray(0, good.length / 2), /is truncated within line/);
  await refuses(target, text.split('\n').slice(0, -2).join('\n') + '\n', /is truncated: its last line is missing/);
  await refuses(target, text.replace('"revision":', '"revision":1'), /was altered or damaged/);
  await refuses(target, text.replace('Rain 0', 'Rain 9'), /was altered or damaged/);
  await refuses(target, text.replace('"version":1', '"version":2'), /has the version 2, and this program reads version 1 only/);
  await refuses(await start(), good, /key secret is not the one of the keys .*start it with the key secret of the exported server/);

  // A line of the last collection is removed: nothing before it is imported either.
  const done = await imported(target, 'good.jsonl');
  assert.equal(done.status, 0, done.errors);
  const { revision } = await made(target, session, 'GET', `/v1/collections/${collections[1]}`);
  await made(target, session, 'PATCH', `/v1/collections/${collections[1]}`, { name: 'Another', revision });
  await operate(target, 'POST', '/accounts', { plan: 'free' });
  const other = await fill(source, 'pro', [2]);
  await exported(source, 'more.jsonl');
  await refuses(target, readFileSync(at('more.jsonl')),
    new RegExp(`The state holds the collection ${collections[1]} of the account ${account} otherwise than the file.*nothing was imported`));
  assert.equal((await ask(target, other.key, 'GET', '/v1/collections')).status, 401);
});

test('Existing files are never replaced, and a secret of the operator is not exported', async () => {
  writeFileSync(at('own-secret'), 'the operator made it, with 32 bytes and more');
  const server = await start(undefined, ...secretOf('own-secret'));
  writeFileSync(at('mine'), 'precious');
  const taken = await runAdmin(folder, server.adminUrl, ['export', at('mine')]);
  assert.match(taken.errors, /mine already exists/);
  assert.equal(readFileSync(at('mine'), 'utf8'), 'precious');
  const refused = await runAdmin(folder, server.adminUrl, ['export', at('new.jsonl'), ...secretOf('out')]);
  assert.equal(refused.status, 1);
  assert.match(refused.errors, /was not made in the state: you have it/);
  assert.ok(!existsSync(at('new.jsonl')) && !existsSync(at('out')));
});

/** A proxy that reports each imported batch before it returns the response. */
async function withProxy(server, onImported, run) {
  const proxy = http.createServer((request, response) => {
    const parts = [];
    request.on('data', (part) => parts.push(part));
    request.on('end', async () => {
      const body = Buffer.concat(parts);
      const { method, headers, url } = request;
      const answer = await fetch(server.adminUrl + url, {
        method, headers: { Authorization: headers.authorization, 'Content-Type': 'application/json' },
        ...(body.length > 0 && { body }),
      });
      const text = await answer.text();
      if (url.includes('/import/') && body.toString().endsWith('"check":false}')) await onImported(url);
      response.writeHead(answer.status, { 'Content-Type': 'application/json' }).end(text);
    });
    request.on('error', () => {});
  });
  await new Promise((done) => { proxy.listen(0, '127.0.0.1', done); });
  try {
    await run(`http://127.0.0.1:${proxy.address().port}`);
  } finally {
    proxy.closeAllConnections();
    await new Promise((done) => { proxy.close(done); });
  }
}

// MOVE-6
test('A killed import opens no account, and a restart completes it', async () => {
  const source = await start();
  const { key } = await fill(source, 'pro', [40, 40, 40, 40, 40]);
  const whole = await exported(source, 'whole.jsonl', ...secretOf('whole-secret'));
  for (let kill = 1; ; kill += 1) {
    const target = await start(undefined, ...secretOf('whole-secret'));
    let pieces = 0;
    let child;
    let ended;
    await withProxy(target, () => { pieces += 1; if (pieces === kill) child.kill('SIGKILL'); }, async (url) => {
      ended = await runAdmin(folder, url, ['import', at('whole.jsonl')], (begun) => { child = begun; });
    });
    const isLast = pieces < kill;
    if (!isLast) assert.equal(ended.status, null);
    const again = await imported(target, 'whole.jsonl');
    assert.equal(again.status, 0, again.errors);
    assert.deepEqual(timeless(await exported(target, `killed-${kill}.jsonl`)), timeless(whole));
    assert.equal((await ask(target, key, 'GET', '/v1/collections')).status, 200);
    if (isLast) {
      assert.ok(kill > 4, 'there were too few pieces');
      return;
    }
  }
});

// MOVE-6
test('An account that is being imported is not accessible until its keys arrive at the end', async () => {
  const source = await start();
  const { key } = await fill(source, 'pro', [40, 40, 40]);
  await exported(source, 'keys-last.jsonl', ...secretOf('keys-secret'));
  const target = await start(undefined, ...secretOf('keys-secret'));
  const statuses = [];
  const urls = [];
  await withProxy(target, async (url) => {
    urls.push(url.split('/').pop());
    statuses.push((await ask(target, key, 'GET', '/v1/collections')).status);
  }, async (url) => {
    const { status, errors } = await runAdmin(folder, url, ['import', at('keys-last.jsonl')]);
    assert.equal(status, 0, errors);
  });
  assert.deepEqual(statuses, [...urls.slice(1).map(() => 401), 200]);
  assert.equal(urls[0], 'keys'); // the account alone
  assert.equal(urls.at(-1), 'keys');
  assert.ok(urls.slice(1, -1).every((name) => name === 'collections') && urls.length > 3, urls.join());
});

// MOVE-9, SERVICE-15
test('An account exports its own collections, without keys', async () => {
  const server = await start();
  const { key, collections } = await fill(server, 'free', [30]);
  const { status, headers, text } = await ask(server, key, 'GET', '/v1/export');
  assert.equal(status, 200);
  assert.equal(headers.get('Content-Type'), 'application/jsonl; charset=utf-8');
  assert.match(headers.get('RateLimit'), /"minute";r=19;/);
  const lines = text.split('\n').slice(0, -1).map((line) => JSON.parse(line));
  assert.equal(lines.length, 1 + 1 + 30 + 1);
  assert.deepEqual({ ...lines[0], made: 0 },
    { format: 'tonearm-collections', version: 1, made: 0, untrusted_fields: ['title', 'artist', 'credit_line', 'receipt'] });
  assert.deepEqual([lines[1].type, lines[1].id, lines[1].track_count], ['collection', collections[0], 30]);
  assert.ok(lines.slice(2, -1).every(({ type, position }, index) => type === 'item' && position === index));
  assert.deepEqual(lines.at(-1), { type: 'end', lines: 32, cursor: null });
});
