// Moves state from a file to the edge and back with the commands of docs/operate/backup.md.
// Usage: moving_test.mjs      TONEARM_BIN: the folder of the native programs (default build/dev/bin)
// Ends with one line: N passed, M failed.

import assert from 'node:assert/strict';
import { copyFileSync, existsSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

import { ask, fill, operate, timeless } from '../postgresql/moved_state.mjs';
import { makeFolder, runAdmin, startServer } from '../postgresql/servers.mjs';
import { LaunchedServer } from '../support/launched_server.mjs';
import { devLog, DevProcess } from './dev_process.mjs';
import { runTests } from './test_run.mjs';

const folder = makeFolder();
const at = (name) => join(folder.path, name);
mkdirSync(at('tmp'));
mkdirSync(at('edge'), { mode: 0o700 });

let dev = null;
/** Starts the edge on a workerd with its state in the folder `edge`. */
async function startEdge() {
  const args = ['--catalog', at('catalog.sqlite'), '--admin-token-file', at('token'), '--listen', '127.0.0.1:0', '--persist', at('edge')];
  dev = await DevProcess.start({ folder: folder.path, args });
  return { url: dev.base, adminUrl: dev.base };
}

async function exported(server, name, ...more) {
  const { status, errors } = await runAdmin(folder, server.adminUrl, ['export', at(name), ...more]);
  assert.equal(status, 0, errors);
  assert.equal(statSync(at(name)).mode & 0o777, 0o600);
  const lines = readFileSync(at(name), 'utf8').split('\n');
  assert.equal(lines.pop(), '');
  return { lines };
}

const imported = (server, name) => runAdmin(folder, server.adminUrl, ['import', at(name)]);

/** Returns an export without its time and the order of its accounts: header, end, and the lines of each account. */
function comparable(state) {
  const [header, ...lines] = timeless(state);
  const end = lines.pop();
  const accounts = {};
  let own = accounts.none = []; // the take-downs, before the first account
  for (const line of lines) {
    const { type, account } = JSON.parse(line);
    if (type === 'account') own = accounts[account] = [];
    own.push(line);
  }
  return { header, end, accounts };
}

/** Asserts that a server has the same keys, session keys and collections of `accounts` as the source. */
async function assertSame(server, source, accounts) {
  for (const { key, session, revoked, collections } of accounts) {
    assert.equal((await ask(server, key, 'GET', '/v1/collections')).status, 200);
    assert.equal((await ask(server, revoked, 'GET', '/v1/collections')).status, 401);
    for (const path of ['/v1/collections', ...collections.map((id) => `/v1/collections/${id}`)]) {
      const [here, there] = await Promise.all([server, source].map((one) => ask(one, session, 'GET', path)));
      assert.deepEqual([here.status, here.text], [there.status, there.text]);
    }
  }
}

const ALL = { take_downs: 1, accounts: 2, collections: 4, items: 3 + 25 + 0 + 2, keys: 6 };
const secret = ['--key-secret-file', at('secret')];
let source;
let edge;
let accounts;
let first;

const tests = {
  // MOVE-3, MOVE-4
  'the edge imports the export of a server; keys work and revoked keys do not': async () => {
    source = await startServer(folder, at('source.sqlite'));
    accounts = [await fill(source, 'free', [3]), await fill(source, 'pro', [25, 0, 2])];
    await operate(source, 'POST', '/takedowns', { track_id: 'os-103', reason: 'A claim' });
    first = await exported(source, 'first.jsonl', ...secret);
    copyFileSync(at('secret'), at('edge/key-secret'));
    edge = await startEdge();
    const { status, out, errors } = await imported(edge, 'first.jsonl');
    assert.equal(status, 0, errors);
    assert.deepEqual(JSON.parse(out), { file: at('first.jsonl'), ...ALL, added: 1 + 2 + 4 + 30 + 6 });
    await assertSame(edge, source, accounts);
  },
  // MOVE-4, MOVE-6
  'the edge exports what it has imported, and a second import changes nothing': async () => {
    const now = await exported(edge, 'of-edge.jsonl');
    assert.deepEqual(comparable(now), comparable(first));
    const again = await imported(edge, 'of-edge.jsonl');
    assert.equal(JSON.parse(again.out).added, 0, again.errors);
    assert.deepEqual(comparable(await exported(edge, 'again.jsonl')), comparable(first));
  },
  // MOVE-4
  'a server imports the export of the edge with the same state': async () => {
    const target = await startServer(folder, at('target.sqlite'), ...secret);
    const { status, out, errors } = await imported(target, 'of-edge.jsonl');
    assert.equal(status, 0, errors);
    assert.deepEqual(JSON.parse(out), { file: at('of-edge.jsonl'), ...ALL, added: 1 + 2 + 4 + 30 + 6 });
    await assertSame(target, source, accounts);
    assert.deepEqual(comparable(await exported(target, 'of-target.jsonl')), comparable(first));
  },
  // ADMIN-6, MOVE-3
  'the edge provides neither a backup nor its secret, and names the alternative': async () => {
    const backup = await runAdmin(folder, edge.adminUrl, ['backup', at('copy.sqlite')]);
    assert.equal(backup.status, 1);
    assert.match(backup.errors, /no file of its own: back up its database/);
    const secretAgain = await runAdmin(folder, edge.adminUrl, ['export', at('none.jsonl'), '--key-secret-file', at('none')]);
    assert.equal(secretAgain.status, 1);
    assert.match(secretAgain.errors, /as KEY_SECRET of the edge/);
    for (const name of ['copy.sqlite', 'none.jsonl', 'none']) assert.ok(!existsSync(at(name)), name);
  },
  // RECORD-6
  'an import does not restore an account that was deleted at the edge': async () => {
    const [{ account, key }] = accounts;
    await operate(edge, 'DELETE', `/accounts/${account}`);
    const { status, errors } = await imported(edge, 'first.jsonl');
    assert.equal(status, 1);
    assert.match(errors, /The service cannot answer now/);
    assert.equal((await ask(edge, key, 'GET', '/v1/collections')).status, 401);
  },
};

await runTests(tests, async () => {
  await dev?.kill();
  await LaunchedServer.endAll();
  folder.remove();
}, devLog);
