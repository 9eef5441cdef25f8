// A catalog in object storage: the server downloads it by blocks, serves it early, and survives every failure of the store.
// Usage: node --test tests/http/storage_test.mjs      (TONEARM_BIN: the programs' folder)

import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { after, afterEach, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { LaunchedServer } from '../support/launched_server.mjs';
import { CREDENTIALS, environmentOf, startObjectStore } from '../support/object_store.mjs';
import { buildSnapshot, makeKey, run } from '../support/signed_snapshots.mjs';
import { BLOCK, newBytes, versionOf, withWrongBlock } from '../support/snapshot_blocks.mjs';
import { eventually } from '../support/waiting.mjs';
import { bin, get, ServerProcess } from './server_process.mjs';

const KEY = '/music/catalogs/new catalog+ü.sqlite';
const ADDRESS = 's3://music/catalogs/new catalog+ü.sqlite';
const lines = join(resolve(dirname(fileURLToPath(import.meta.url)), '../..'), 'tests/cases/catalog.jsonl');
const catalog = join(bin, 'tonearm-catalog');

let folder;
let store;
let server;
let january;
let february;
let large;

const at = (name) => join(folder, name);
const cache = () => at('cache');
const snapshotOf = (tracks, key) => buildSnapshot({ catalog, lines, folder, output: at('built.sqlite'), tracks, key });

/** A snapshot of many tracks with long texts, which takes several megabytes. */
function buildLarge(output) {
  const track = JSON.parse(readFileSync(lines, 'utf8').split('\n')[0]);
  const word = () => randomBytes(5).toString('hex');
  const rows = Array.from({ length: 3000 }, (_, i) => JSON.stringify({
    ...track, id: `big-${i}`, title: `rain ${word()} ${i}`, description: Array.from({ length: 60 }, word).join(' '), source_page: `https://big.example/${i}`,
  }));
  writeFileSync(at('large.jsonl'), `${rows.join('\n')}\n`);
  const built = spawnSync(catalog, ['build', '--input', at('large.jsonl'), '--output', output, '--allow-share-alike'], { encoding: 'utf8' });
  assert.equal(built.status, 0, built.stderr);
  return readFileSync(output);
}

const words = (address = ADDRESS, more = []) => ['--catalog', address, '--catalog-cache', cache(), '--catalog-interval', '1', '--storage-endpoint', store.url, ...more];

async function start({ address = ADDRESS, more = [], credentials = CREDENTIALS } = {}) {
  const env = credentials ? environmentOf(credentials) : {};
  server = await ServerProcess.launch(join(bin, 'tonearm-server'), [...words(address, more), '--state', at('state.sqlite'),
    '--listen', '127.0.0.1:0', '--admin-listen', '127.0.0.1:0', '--admin-token-file', at('token')], { env });
  return server;
}

const ready = async () => (await get(server, '/readyz')).status;
async function search(path = '/v1/search?q=rain&limit=3') {
  const { status, body } = await get(server, path, { key: server.key });
  return { status, body: JSON.parse(body) };
}
async function metric(name) {
  const { body } = await server.admin('GET', '/metrics');
  return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(body)[1]);
}
const served = async () => /version="([0-9a-f]{16})"/.exec((await server.admin('GET', '/metrics')).body)?.[1];
const activated = (bytes) => eventually(async () => existsSync(join(cache(), 'catalog.sqlite')) &&
  readFileSync(join(cache(), 'catalog.sqlite')).equals(bytes) && await served() === versionOf(bytes), `the catalog ${versionOf(bytes)}`);

before(() => {
  folder = mkdtempSync(join(tmpdir(), 'tonearm-storage-'));
  writeFileSync(at('token'), 'a-token-of-the-tests\n');
  january = snapshotOf(20);
  february = snapshotOf(21);
  large = buildLarge(at('large.sqlite'));
});

afterEach(async () => {
  await LaunchedServer.endAll();
  await store?.end();
  store = undefined;
  for (const name of readdirSync(folder)) if (/^(cache|state|fetched)/.test(name)) rmSync(at(name), { recursive: true });
});

after(() => rmSync(folder, { recursive: true, force: true }));

const startStore = async (bytes, options = {}) => {
  store = await startObjectStore({ credentials: CREDENTIALS, ...options });
  store.put(KEY, bytes);
};

// HOST-49, HOST-50
test('The server downloads a snapshot from a bucket with signed requests, and names no secret', async () => {
  await startStore(january);
  await start();
  await activated(january);
  server.key = await server.newKey();
  assert.equal((await search('/v1/search?limit=1')).status, 200);
  assert.equal(await ready(), 200);
  assert.equal(await metric('tonearm_storage_failures_total'), 0);
  assert.equal(await metric('tonearm_storage_missing_blocks'), 0);
  assert.ok(await metric('tonearm_storage_answered_time_seconds') > 1e9);
  assert.equal(await metric('tonearm_storage_bytes_total'), store.served());
  assert.deepEqual(readdirSync(cache()).sort(), ['catalog.sqlite', 'lock']);
  assert.equal(statSync(cache()).mode & 0o777, 0o700);
  assert.equal(await server.stop(), 0);
  for (const secret of Object.values(CREDENTIALS)) assert.ok(!server.log.includes(secret));
});

// HOST-51
test('An unchanged snapshot costs no bytes, and a new version only its changed blocks', async () => {
  await startStore(january);
  await start();
  await activated(january);
  store.served();
  const before_ = store.requests.length;
  await eventually(() => store.requests.length >= before_ + 2, 'two comparisons');
  assert.equal(store.served(), 0);
  assert.deepEqual(store.requests.slice(before_).map(({ status }) => status).filter((status) => status !== 304), []);

  store.put(KEY, february);
  await activated(february);
  assert.ok(newBytes(january, february) < february.length, 'some blocks are the same');
  assert.equal(store.requests.slice(before_).reduce((sum, request) => sum + request.bytes, 0), newBytes(january, february));
  assert.equal(await server.stop(), 0);
});

// HOST-53
test('The first search is answered before the download ends, with the answer of the whole snapshot', async () => {
  await startStore(large);
  assert.ok(large.length > 4e6, `${large.length} bytes are enough to be slow`);
  store.bytesPerSecond = 1_000_000;
  await start();
  server.key = await server.newKey();
  await eventually(async () => await ready() === 200, 'the early catalog');
  let answer;
  await eventually(async () => (answer = await search()).status === 200, 'the first search');
  assert.ok(existsSync(join(cache(), 'catalog.partial')), 'the download still runs');
  assert.ok(!existsSync(join(cache(), 'catalog.sqlite')));
  assert.ok(await metric('tonearm_storage_missing_blocks') > 0);
  assert.equal((await get(server, '/healthz')).status, 200);
  store.bytesPerSecond = 0;
  await activated(large);
  assert.deepEqual((await search()).body, answer.body);
  assert.match(server.log, /tracks is served while it is downloaded/);
  assert.equal(await server.stop(), 0);
});

/** Whether a request is of the background download, and not of a call or of opening. */
const isLong = ({ headers: { range } }) => {
  const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(range) ?? [0, 0, 0];
  return last - first >= 30 * BLOCK;
};

// HOST-53, TAKEDOWN-2
test('With take-downs, no probe and no other call waits for the blocks of an early catalog', async () => {
  await startStore(large);
  store.override = () => true;
  await start();
  server.key = await server.newKey();
  for (const id of ['big-5', 'big-2995']) assert.equal((await server.admin('POST', '/admin/takedowns', { track_id: id, reason: 'a claim' })).status, 201);
  assert.equal(await server.stop(), 0);

  let isStalled = false;
  store.override = (request) => isStalled || isLong(request);
  const { key } = server;
  await start();
  server.key = key;
  await server.logged('is served while it is downloaded');
  isStalled = true;
  const calls = Promise.all(['/v1/tracks/big-7', '/v1/search?q=rain'].map(search));
  for (const path of ['/healthz', '/readyz', '/openapi.json']) assert.equal((await get(server, path)).status, 200, path);
  assert.equal((await search('/v1/usage')).status, 200);
  for (const { status, body } of await calls) assert.deepEqual([status, body.error], [503, 'unavailable']);
  store.override = () => false;
  await server.stop('SIGKILL');
  await start();
  server.key = key;
  await activated(large);
  assert.equal((await search()).body.total, 2998);
  assert.equal(await server.stop(), 0);
});

// HOST-53
test('A new entity tag for the same bytes does not end the early catalog', async () => {
  await startStore(large);
  store.override = (request, response) => isLong(request) && response.destroy() && true;
  await start();
  server.key = await server.newKey();
  await eventually(async () => await ready() === 200, 'the early catalog');
  store.put(KEY, large, '"another"');
  await eventually(async () => (await search()).status === 200, 'a search');
  assert.ok(!existsSync(join(cache(), 'catalog.sqlite')));
  store.override = () => false;
  await activated(large);
  assert.equal(await server.stop(), 0);
});

/** A snapshot whose blocks match their hashes, but whose content differs from its content hash. */
function withWrongContentHash(bytes) {
  const wrong = Buffer.from(bytes);
  wrong[wrong.length - 64] ^= 1;
  return wrong;
}

// HOST-53, HOST-54
test('A damaged snapshot is served no longer once that is known, and is not read again', async () => {
  const wrong = withWrongContentHash(january);
  await startStore(wrong);
  await start();
  await server.logged('is refused: the snapshot is damaged: its content differs from its content hash');
  assert.match(server.log, /is served while it is downloaded/);
  await eventually(async () => await ready() === 503, 'the end of the early catalog');
  assert.deepEqual(readdirSync(cache()).sort(), ['lock', 'rejected']);
  await server.logged('was rejected before');
  assert.equal(await ready(), 503);
  store.put(KEY, january);
  await activated(january);
  assert.ok(!existsSync(join(cache(), 'rejected')));
  assert.equal(await server.stop(), 0);
});

// HOST-54
test('A snapshot that only the settings refuse is kept, and served after they changed', async () => {
  await startStore(january);
  await start();
  await activated(january);
  run(catalog, 'build', '--input', lines, '--output', at('built.sqlite'), '--allow-share-alike', '--profile', 'evaluation');
  const evaluation = readFileSync(at('built.sqlite'));
  store.put(KEY, evaluation);
  await server.logged('built for evaluation');
  assert.equal(await served(), versionOf(january));
  assert.equal(await server.stop(), 0);
  assert.deepEqual(readdirSync(cache()).sort(), ['catalog.partial', 'catalog.sqlite', 'lock']);
  store.served();
  await start({ more: ['--allow-evaluation'] });
  await activated(evaluation);
  assert.equal(store.served(), 131_072);
  assert.equal(await server.stop(), 0);
});

// HOST-52
test('A server that is killed in the middle of a download continues it', async () => {
  await startStore(large);
  store.bytesPerSecond = 2_000_000;
  await start();
  await eventually(async () => await metric('tonearm_storage_bytes_total') > large.length / 2, 'half of the file');
  await server.stop('SIGKILL');
  const first = store.served();
  assert.ok(!existsSync(join(cache(), 'catalog.sqlite')));
  store.bytesPerSecond = 0;
  await start();
  await activated(large);
  const second = store.served();
  assert.ok(second < large.length * 0.75, `${second} bytes after ${first} of ${large.length}`);
  assert.equal(await server.stop(), 0);
});

// HOST-54
test('Without the store, the server starts with the catalog that it has, and without one it waits', async () => {
  await startStore(january);
  await start();
  await activated(january);
  assert.equal(await server.stop(), 0);
  const { port } = store;
  await store.end();
  await start();
  assert.equal(await ready(), 200);
  await server.logged(`cannot connect to 127.0.0.1:${port}`);
  assert.equal(await served(), versionOf(january));
  assert.ok(await metric('tonearm_storage_failures_total') >= 1);
  assert.equal(await server.stop(), 0);
  rmSync(cache(), { recursive: true });
  await start();
  assert.equal(await ready(), 503);
  assert.equal((await get(server, '/healthz')).status, 200);
  assert.equal(await server.stop(), 0, 'a wait for the store does not delay the end');
});

/** Starts with January's catalog, does something to the store, and checks that January's stays and why. */
async function survives(misdeed, reason) {
  await startStore(january);
  await start();
  await activated(january);
  misdeed();
  await eventually(() => reason.test(server.log), String(reason));
  assert.equal(await served(), versionOf(january));
  server.key = await server.newKey();
  assert.equal((await search('/v1/search?limit=1')).status, 200);
  assert.ok(readFileSync(join(cache(), 'catalog.sqlite')).equals(january));
  for (const secret of Object.values(CREDENTIALS)) assert.ok(!server.log.includes(secret));
}

const recovers = async () => {
  store.override = () => false;
  store.put(KEY, february);
  await activated(february);
  assert.equal(await server.stop(), 0);
};

// HOST-54
test('Wrong bytes are not served, and good ones are afterwards', async () => {
  await survives(() => store.put(KEY, withWrongBlock(january, february)), /block \d+ of the store does not match its hash/);
  await recovers();
});

// HOST-54
test('A file that ends too early, grows, or is no snapshot is refused', async () => {
  await survives(() => store.put(KEY, february.subarray(0, february.length - 100)), /does not end like a snapshot/);
  store.put(KEY, Buffer.alloc(50, 1));
  await eventually(() => server.log.includes('it is truncated'), 'a short file');
  store.put(KEY, Buffer.concat([february, Buffer.from('more')]));
  await eventually(() => server.log.split('does not end like a snapshot').length > 2, 'a long file');
  assert.equal(await served(), versionOf(january));
  await recovers();
});

// HOST-54
test('Errors of the store are named with their code: no access, gone, broken', async () => {
  await survives(() => { store.override = (_, response) => response.writeHead(403).end('<Error><Code>AccessDenied</Code></Error>'); },
    /the store answered 403 AccessDenied/);
  store.override = () => false;
  store.remove(KEY);
  await eventually(() => server.log.includes('404 NoSuchKey'), '404');
  store.override = (_, response) => response.writeHead(503).end('slow down');
  await eventually(() => server.log.includes('the store answered 503'), '503');
  await recovers();
});

// HOST-50
test('A wrong secret is refused by the store and named as such, without any part of it', async () => {
  await startStore(january);
  await start({ credentials: { ...CREDENTIALS, secret: 'another-secret' } });
  await server.logged('the store answered 403 SignatureDoesNotMatch');
  assert.equal(await ready(), 503);
  assert.ok(!server.log.includes('another-secret'));
  assert.equal(await server.stop(), 0);
  await start({ credentials: null });
  await server.logged('the store answered 403 AccessDenied');
  assert.equal(await server.stop(), 0);
  writeFileSync(at('state-credentials'), `[default]\naws_access_key_id = ${CREDENTIALS.accessKey}\naws_secret_access_key = ${CREDENTIALS.secret}\naws_session_token = ${CREDENTIALS.token}\n`, { mode: 0o600 });
  await start({ credentials: null, more: ['--storage-credentials', at('state-credentials')] });
  await activated(january);
  assert.equal(await server.stop(), 0);
});

// HOST-51
test('A store that breaks off is read on from where it stopped, and a snapshot that changes meanwhile is not mixed', async () => {
  const other = buildLarge(at('built.sqlite')); // first, because the store does not answer meanwhile
  await startStore(large);
  let broken = 0;
  store.override = (request, response, object) => {
    const range = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range);
    if (!range || broken >= 2) return false;
    ++broken;
    const [begin, end] = [Number(range[1]), Number(range[2]) + 1];
    response.writeHead(206, { ETag: object.etag, 'Content-Length': end - begin, 'Content-Range': `bytes ${begin}-${end - 1}/${object.bytes.length}` });
    response.write(object.bytes.subarray(begin, begin + Math.floor((end - begin) / 2)), () => setTimeout(() => response.destroy(), 50));
    return true;
  };
  await start();
  await activated(large);
  assert.equal(broken, 2);
  assert.equal(await metric('tonearm_storage_failures_total'), 0);

  store.put(KEY, other);
  let replaced = false;
  store.override = (request, _, object) => {
    if (object.bytes === other && !replaced) {
      replaced = true;
      setTimeout(() => store.put(KEY, january), 0); // after this answer, before the next one
    }
    return false;
  };
  await activated(january);
  assert.match(server.log, /was replaced while it was being read/);
  assert.equal(await server.stop(), 0);
});

// HOST-49
test('A plain web server works as well: without ranges it is refused, with a redirect it is followed', async () => {
  store = await startObjectStore();
  store.put('/catalog.sqlite', january);
  store.override = (request, response) => {
    if (request.url !== '/moved') return false;
    response.writeHead(302, { Location: '/catalog.sqlite' }).end();
    return true;
  };
  await start({ address: `${store.url}/moved`, credentials: null });
  await activated(january);
  assert.ok(store.requests.every(({ path }) => path === '/moved' || path === '/catalog.sqlite'));
  store.override = (request, response, object) => {
    response.writeHead(200, { ETag: '"other"' }).end(object?.bytes);
    return true;
  };
  await server.logged('the store does not support byte ranges');
  assert.equal(await served(), versionOf(january));
  assert.equal(await server.stop(), 0);
});

// HOST-49
test('Over TLS only trusted certificates are accepted, and no redirect leads to plain http', async () => {
  run('openssl', 'req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2', '-subj', '/CN=store',
    '-addext', 'subjectAltName=IP:127.0.0.1', '-keyout', at('tls.key'), '-out', at('tls.pem'));
  const plain = await startObjectStore();
  plain.put('/catalog.sqlite', january);
  store = await startObjectStore({ tls: { key: readFileSync(at('tls.key')), cert: readFileSync(at('tls.pem')) } });
  store.put('/catalog.sqlite', january);
  await start({ address: `${store.url}/catalog.sqlite`, credentials: null });
  await server.logged('certificate verify failed');
  assert.equal(await server.stop(), 0);
  store.override = (request, response) => response.writeHead(302, { Location: `${plain.url}/catalog.sqlite` }).end();
  await start({ address: `${store.url}/catalog.sqlite`, credentials: null, more: ['--storage-ca', at('tls.pem')] });
  await server.logged('the catalog cannot be downloaded: ');
  assert.deepEqual(plain.requests, []);
  store.override = () => false;
  await activated(january);
  assert.equal(await server.stop(), 0);
  await plain.end();
});

// HOST-49
test('A redirect from this machine leads to plain http elsewhere only with a key', async () => {
  makeKey(folder, 'ours');
  const signed = snapshotOf(27, at('ours.key'));
  store = await startObjectStore();
  store.put('/catalog.sqlite', signed);
  store.override = (request, response) => {
    if (request.url !== '/moved') return false;
    response.writeHead(302, { Location: `http://0.0.0.0:${store.port}/catalog.sqlite` }).end(); // also this machine, under another name
    return true;
  };
  await start({ address: `${store.url}/moved`, credentials: null });
  await server.logged('the store redirects to plain http');
  assert.equal(await server.stop(), 0);
  assert.deepEqual(store.requests.filter(({ path }) => path !== '/moved'), []);
  await start({ address: `${store.url}/moved`, credentials: null, more: ['--catalog-key', at('ours.pem')] });
  await activated(signed);
  assert.equal(await server.stop(), 0);
});

// HOST-49, HOST-50
test('A redirect of a bucket is not followed, and names the region of the bucket', async () => {
  const other = await startObjectStore();
  await startStore(january);
  store.override = (request, response) => response.writeHead(301, { Location: `${other.url}${request.url}`, 'x-amz-bucket-region': 'eu-west-9' })
    .end('<Error><Code>PermanentRedirect</Code></Error>');
  await start();
  await server.logged('the store answered 301 PermanentRedirect; the bucket is in the region eu-west-9');
  assert.deepEqual(other.requests, []);
  assert.equal(await server.stop(), 0);
  await other.end();
});

// HOST-51
test('An endless or stalled response does not stop the server from serving or from ending', async () => {
  await survives(() => {
    store.override = (request, response) => {
      response.writeHead(206, { 'Content-Range': 'bytes 0-131071/999999999', 'Content-Type': 'text/plain' });
      const timer = setInterval(() => response.write(Buffer.alloc(65_536)), 1);
      response.on('close', () => clearInterval(timer));
      return true;
    };
  }, /the body is too large/);
  store.override = () => true; // never answers
  const asked = store.requests.length;
  await eventually(() => store.requests.length > asked, 'a request without an answer');
  assert.equal(await ready(), 200);
  assert.equal(await server.stop(), 0);
});

// HOST-52
test('A cached snapshot that was damaged on disk is not served, and only its damaged blocks are read again', async () => {
  await startStore(january);
  await start();
  await activated(january);
  assert.equal(await server.stop(), 0);
  const damaged = Buffer.from(january);
  damaged[2 * BLOCK + 7] ^= 1;
  writeFileSync(join(cache(), 'catalog.sqlite'), damaged);
  store.served();
  await start();
  await server.logged('a block differs from its hash');
  await activated(january);
  assert.equal(store.served(), 131_072 + BLOCK);
  assert.equal(await server.stop(), 0);
});

// HOST-52
test('A sound snapshot that the settings refuse stays in the cache', async () => {
  makeKey(folder, 'ours');
  await startStore(january);
  await start();
  await activated(january);
  assert.equal(await server.stop(), 0);
  store.served();
  await start({ more: ['--catalog-key', at('ours.pem')] });
  await server.logged('the catalog cannot be downloaded: ');
  assert.equal(await ready(), 503);
  assert.equal(await server.stop(), 0);
  assert.deepEqual(readdirSync(cache()).sort(), ['catalog.sqlite', 'lock']);
  await start();
  await activated(january);
  assert.equal(await server.stop(), 0);
});

// HOST-52
test('The size of the cache is limited, and so is the file system', async () => {
  await startStore(large);
  await start({ more: ['--catalog-cache-size', '1'] });
  await server.logged('more than the limit of 1 MiB');
  assert.equal(await ready(), 503);
  assert.deepEqual(readdirSync(cache()), ['lock']);
  assert.equal(await server.stop(), 0);

  const limited = spawn('bash', ['-c', 'trap "" XFSZ; ulimit -f 2048; exec "$@"', 'bash', catalog, 'fetch', '--storage-endpoint', store.url, ADDRESS, at('fetched.sqlite')],
    { env: { ...process.env, ...environmentOf(CREDENTIALS) } });
  let errors = '';
  limited.stderr.on('data', (data) => { errors += data; });
  assert.equal(await new Promise((done) => { limited.on('close', done); }), 1);
  assert.match(errors, /cannot be enlarged: File too large/);
  assert.ok(!existsSync(at('fetched.sqlite')));
});

// HOST-52
test('A cache belongs to one server', async () => {
  await startStore(january);
  await start();
  await activated(january);
  const second = spawnSync(join(bin, 'tonearm-server'), [...words(), '--state', at('state-2.sqlite'), '--listen', '127.0.0.1:0',
    '--admin-listen', '127.0.0.1:0', '--admin-token-file', at('token')], { encoding: 'utf8' });
  assert.equal(second.status, 1);
  assert.match(second.stderr, /another process downloads catalogs in /);
});

// HOST-30, HOST-54
test('With --catalog-key a snapshot of another signer is refused after its end was read', async () => {
  for (const name of ['ours', 'theirs']) makeKey(folder, name);
  await startStore(snapshotOf(25, at('theirs.key')));
  await start({ more: ['--catalog-key', at('ours.pem')] });
  await server.logged('is refused: ');
  assert.equal(store.served(), 131_072);
  assert.equal(await ready(), 503);
  const signed = snapshotOf(26, at('ours.key'));
  store.put(KEY, signed);
  await activated(signed);
  assert.equal(await server.stop(), 0);
});

// HOST-49
test('Wrong settings end the program with the reason, and repeat no part of a URL that may be secret', () => {
  const status = (...given) => {
    const { status: code, stderr } = spawnSync(join(bin, 'tonearm-server'), [...given, '--state', at('s'), '--admin-token-file', at('token')], { encoding: 'utf8' });
    return `${code} ${stderr}`;
  };
  assert.match(status('--catalog', 'https://user:hidden@h/c', '--catalog-cache', cache()), /^2 .*without user, query and fragment/);
  assert.doesNotMatch(status('--catalog', 'https://user:hidden@h/c', '--catalog-cache', cache()), /hidden/);
  assert.match(status('--catalog', 'https://h/c'), /^2 .*--catalog-cache is required if --catalog is a URL/);
  assert.match(status('--catalog', 'file', '--catalog-cache', cache()), /^2 .*--catalog-cache is required if --catalog is a URL, and only then/);
  assert.match(status('--catalog', 'http://h/c', '--catalog-cache', cache()), /^2 .*only over https/);
  assert.match(status('--catalog', 's3://UPPER/c', '--catalog-cache', cache()), /^2 .*a bucket has/);
});
