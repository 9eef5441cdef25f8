// Readers with sources that are altered, change, end early or fail.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';

import { BlocksUnavailable, bytesSource, CatalogReader, httpRangeSource } from '../../core-js/src/index.ts';
import { Instance } from '../../core-js/src/instance.ts';
import { CallBlocks, Pins } from '../../core-js/src/pins.ts';
import { requestMessage } from '../../core-js/src/request.ts';
import { bundle } from '../../host-wasm/bundle.mjs';
import { root } from '../cases/build_folder.mjs';
import { largeSnapshot, rareWord, trackId } from '../edge/large_snapshot.mjs';
import { startRangeServer } from './range_server.mjs';

const BLOCK_BYTES = 65_536;
const MODULE_BYTES_MAX = 56 * 2 ** 20;
const SEARCH = '/v1/search?q=rain&limit=5';

const build = process.env.TONEARM_BUILD ?? `${root}/build/dev`;
let module;
let bytes;
let server;

before(async () => {
  module = await WebAssembly.compile(readFileSync(process.env.TONEARM_WASM ?? `${root}/build/wasm/bin/tonearm.wasm`));
  bytes = new Uint8Array(largeSnapshot(build));
  server = await startRangeServer(bytes);
});
after(() => server.end());

const open = (source, options = {}) => CatalogReader.open({ module, source, log: () => {}, ...options });
const textOf = ({ body }) => new TextDecoder().decode(body);

/** Changes the behavior of the server while `body` runs. */
async function withServer(change, body) {
  const { file, override } = server;
  Object.assign(server, change);
  try {
    return await body();
  } finally {
    Object.assign(server, { file, override });
  }
}

function flipped(original, at) {
  const copy = original.slice();
  copy[at] ^= 1;
  return copy;
}

/** A `bytesSource` whose bytes are altered by `alter(bytes, offset)` while it is set. */
function alterable() {
  const source = bytesSource(bytes);
  const altered = { size: source.size, alter: null };
  altered.read = async (offset, length) => {
    const read = await source.read(offset, length);
    return altered.alter ? altered.alter(read, offset) : read;
  };
  return altered;
}

test('a reader over HTTP reads little and answers like one with the whole file', async () => {
  const whole = await open(bytesSource(bytes));
  const ranged = await open(httpRangeSource(server.url));
  for (const target of [SEARCH, '/v1/meta', `/v1/tracks/${trackId(7)}`, '/v1/changes?since=0123456789abcdef', `/v1/search?q=${rareWord(3)}&facets=genre`]) {
    assert.deepEqual(await ranged.answer(target), await whole.answer(target), target);
  }
  const { rounds, bytes: read } = ranged.statistics;
  assert.deepEqual(Object.keys(ranged.statistics), ['rounds', 'bytes']);
  assert.ok(rounds > 1 && read > BLOCK_BYTES && read < bytes.length, `${rounds} rounds, ${read} of ${bytes.length} bytes`);
  assert.ok(server.requests.every(({ range }) => range !== undefined));
  // HOST-40: the client's copy is still valid.
  const first = await ranged.answer(SEARCH);
  const tag = first.headers.find(([name]) => name === 'ETag')[1];
  assert.equal((await ranged.answer(SEARCH, [['If-None-Match', tag]])).status, 304);
});

test('concurrent calls are answered like sequential ones', async () => {
  const targets = Array.from({ length: 40 }, (_, i) => `/v1/search?q=${rareWord(i)}`);
  const single = await open(bytesSource(bytes));
  const expected = [];
  for (const target of targets) expected.push(await single.answer(target));
  const many = await open(httpRangeSource(server.url));
  assert.deepEqual(await Promise.all(targets.map((target) => many.answer(target))), expected);
  assert.ok(expected.every((answer) => JSON.parse(textOf(answer)).total > 0));
});

test('HOST-43: an altered block is rejected, and the next call reads it again', async () => {
  const source = alterable();
  const reader = await open(source);
  source.alter = (read) => flipped(read, read.length - 1);
  await assert.rejects(reader.answer(SEARCH), (error) => error instanceof BlocksUnavailable && /block \d+ of the snapshot does not match its hash/.test(error.message));
  source.alter = null;
  assert.equal((await reader.answer(SEARCH)).status, 200);
  source.alter = (read) => flipped(read, 0);
  assert.equal((await reader.answer(SEARCH)).status, 200, 'checked blocks are cached');
});

test('HOST-43: a file with an altered end is not opened', async () => {
  const footer = new DataView(bytes.buffer, bytes.byteOffset + bytes.length - 128);
  const directoryAt = Number(footer.getBigUint64(16, true));
  // Behind the hash of the directory are the content hash and a root, which only a signature proves.
  const placesOf = { hashes: directoryAt - 1, directory: directoryAt + 8, footer: bytes.length - 65, magic: bytes.length - 128 };
  for (const [part, at] of Object.entries(placesOf)) {
    await assert.rejects(open(bytesSource(flipped(bytes, at))), /does not end like a snapshot/, part);
  }
  await assert.rejects(open(bytesSource(flipped(bytes, 20))), /block 0 of the snapshot does not match/);
  await assert.rejects(open(bytesSource(bytes.subarray(0, bytes.length - 1))), /does not end like a snapshot/);
  await assert.rejects(open(bytesSource(new Uint8Array(10))), /does not end like a snapshot/);
});

test('HOST-44: a file that changes between two reads is rejected by its tag, its size or its hashes', async () => {
  const other = new Uint8Array(largeSnapshot(build, 'second'));
  const refusal = (pattern) => (error) => error instanceof BlocksUnavailable && pattern.test(error.message);
  const reader = await open(httpRangeSource(server.url));
  await withServer({ file: { bytes: other, etag: '"second"' } }, () => assert.rejects(reader.answer(SEARCH), refusal(/the file has changed/)));
  assert.equal((await reader.answer(SEARCH)).status, 200, 'the file is back');

  const untagged = await withServer({ file: { bytes, etag: '' } }, () => open(httpRangeSource(server.url)));
  await withServer({ file: { bytes: other.subarray(0, -BLOCK_BYTES), etag: '' } }, () => assert.rejects(untagged.answer(SEARCH), refusal(/the file has changed/)));
  const sameSize = new Uint8Array(bytes.length).fill(7);
  await withServer({ file: { bytes: sameSize, etag: 'W/"weak"' } }, () => assert.rejects(untagged.answer(SEARCH), refusal(/does not match its hash/)));
  // A server that ignores If-Range but reports what it sent.
  const ignores = (request) => void delete request.headers['if-range'];
  const fresh = await open(httpRangeSource(server.url));
  await withServer({ file: { bytes: sameSize, etag: '"second"' }, override: ignores }, () => assert.rejects(fresh.answer(SEARCH), refusal(/the file has changed/)));
});

test('HOST-44: a server without ranges is rejected with a hint', async () => {
  const plain = (_, response) => {
    response.writeHead(200).end(bytes);
    return true;
  };
  await withServer({ override: plain }, () => assert.rejects(httpRangeSource(server.url), /does not support byte ranges; download the whole file/));
  const missing = (_, response) => {
    response.writeHead(404).end();
    return true;
  };
  await withServer({ override: missing }, () => assert.rejects(httpRangeSource(server.url), /the server answered with status 404/));
  const reader = await open(httpRangeSource(server.url));
  await withServer({ override: missing }, () => assert.rejects(reader.answer(SEARCH), /a range request was answered with status 404/));
});

test('HOST-44: a response that is short, of another range, or without Content-Range is rejected', async () => {
  const sends = (headers, body) => (_, response) => {
    response.writeHead(206, { ETag: '"first"', ...headers }).end(body);
    return true;
  };
  const size = bytes.length;
  const wrong = [
    [sends({ 'Content-Range': `bytes 0-${BLOCK_BYTES - 1}/${size}` }, bytes.subarray(0, 100)), /has 100 bytes instead of 65536/],
    [sends({ 'Content-Range': `bytes 1-100/${size}` }, bytes.subarray(1, 101)), /sent 100 bytes at 1 instead of/],
    [sends({}, bytes.subarray(0, 100)), /does not report which bytes it sent/],
    [sends({ 'Content-Range': 'bytes 1-100/*' }, bytes.subarray(1, 101)), /does not report which bytes it sent/],
  ];
  const reader = await open(httpRangeSource(server.url));
  for (const [override, pattern] of wrong) {
    await withServer({ override }, () => assert.rejects(reader.answer(SEARCH), pattern));
  }
  const gone = (request) => {
    request.socket.destroy();
    return true;
  };
  await withServer({ override: gone }, () => assert.rejects(reader.answer(SEARCH), BlocksUnavailable));
  const noEnd = sends({ 'Content-Range': `bytes 0-99/${size}` }, bytes.subarray(0, 100));
  await withServer({ override: noEnd }, () => assert.rejects(httpRangeSource(server.url), /did not send the end of the file/));
  assert.equal((await reader.answer(SEARCH)).status, 200);
});

test('HOST-44: a read times out if the response or the end of its body is missing', async () => {
  const reader = await open(httpRangeSource(server.url, undefined, { readMsMax: 300 }));
  const silent = () => true;
  const endless = (_, response) => {
    response.writeHead(206, { ETag: '"first"', 'Content-Range': `bytes 0-${BLOCK_BYTES - 1}/${bytes.length}` }).write(bytes.subarray(0, 100));
    return true;
  };
  for (const override of [silent, endless]) {
    await withServer({ override }, () => assert.rejects(reader.answer(SEARCH), (error) => error instanceof BlocksUnavailable && /timeout/.test(error.message)));
  }
  assert.equal((await reader.answer(SEARCH)).status, 200);
});

test('a source that returns too few bytes is rejected', async () => {
  const source = alterable();
  const reader = await open(source);
  source.alter = (read) => read.subarray(1);
  await assert.rejects(reader.answer(SEARCH), /a read of \d+ bytes of the snapshot returned \d+/);
});

test('HOST-45: memory is limited, and a call that would exceed the limit fails', async () => {
  const reader = await open(bytesSource(bytes), { blocksMax: 16 });
  for (let i = 0; i < 100; ++i) assert.equal((await reader.answer(`/v1/search?q=${rareWord(i)}&limit=50&facets=genre`)).status, 200);
  assert.ok(reader.memoryBytes > 0 && reader.memoryBytes <= MODULE_BYTES_MAX, `${reader.memoryBytes}`);
  const narrow = await open(bytesSource(bytes), { pinnedBytesMax: 40 * BLOCK_BYTES });
  const targets = Array.from({ length: 60 }, (_, i) => `/v1/search?q=${rareWord(i)}&limit=50`);
  const ended = await Promise.allSettled(targets.map((target) => narrow.answer(target)));
  const failed = ended.filter(({ status }) => status === 'rejected');
  assert.ok(failed.length > 0 && failed.length < targets.length, `${failed.length} of ${targets.length} failed`);
  for (const { reason } of failed) assert.match(reason.message, /have pinned the maximum number of blocks/);
  assert.equal((await narrow.answer(targets[0])).status, 200);
});

test('a stored partial result releases its blocks, but neither earlier ones nor those of other calls', async () => {
  const pins = new Pins(4 * BLOCK_BYTES);
  const file = { number: 1, read: async (_runs, numbers) => new Map([...numbers].map((number) => [number, new Uint8Array(BLOCK_BYTES)])) };
  const wanted = (...numbers) => ({ runs: numbers.map((first) => ({ first, count: 1 })), numbers });
  const calls = [new CallBlocks(pins), new CallBlocks(pins)];
  const fetch = async (call, ...numbers) => {
    assert.equal(call.get(file, wanted(...numbers)), null, 'missing at first');
    await call.fetch();
    assert.equal(call.get(file, wanted(...numbers)).size, numbers.length);
  };
  await fetch(calls[0], 10);
  calls[0].beginResult();
  await fetch(calls[0], 11, 12);
  calls[0].beginRun();
  assert.equal(calls[0].get(file, wanted(11)).size, 1, 'also needed before the result');
  calls[0].beginResult();
  assert.equal(calls[1].get(file, wanted(12)).size, 1);
  await fetch(calls[0], 13);
  assert.equal(pins.bytes, 4 * BLOCK_BYTES);
  calls[0].endResult();
  assert.equal(pins.bytes, 3 * BLOCK_BYTES);
  assert.equal(calls[0].get(file, wanted(10, 11, 12)).size, 3);
  await fetch(calls[0], 14);
  assert.equal(calls[0].get(file, wanted(16)), null);
  await assert.rejects(calls[0].fetch(), /have pinned the maximum number of blocks/);
  for (const one of calls) one.release();
  assert.equal(pins.bytes, 0);
});

test('HOST-42: an instance is either a service or a reader, and the workers use no export of a reader', async () => {
  const ports = { nowMs: () => 0, random() {}, sha256: () => new Uint8Array(32), hmacSha256: () => new Uint8Array(32), log() {} };
  const caches = { answerCacheBytes: 0, blocksMax: 16 };
  const service = new Instance(module, ports, { keySecret: 'secret', adminTokenHash: new Uint8Array(32), directoryEpoch: 0, ...caches });
  const reader = new Instance(module, ports, caches);
  const message = requestMessage({ method: 'GET', target: SEARCH, headers: [] });
  const statusOf = (instance, name, numbers = []) => instance.run({ name, message, numbers }).answer.status;
  assert.equal(statusOf(service, 'tonearm_read_catalog'), 500);
  assert.equal(statusOf(service, 'tonearm_start_reader', [0, 16]), 500);
  assert.equal(statusOf(service, 'tonearm_read_catalog'), 500);
  assert.equal(statusOf(reader, 'tonearm_read_catalog'), 503, 'it has no snapshot yet');
  for (const name of ['route', 'route_admin', 'start']) assert.equal(statusOf(reader, `tonearm_${name}`), 500, name);
  for (const name of ['answer', 'admit', 'handle_admin']) assert.equal(statusOf(reader, `tonearm_${name}`, [0, 1]), 500, name);
  for (const worker of ['worker', 'admin_worker', 'dev_worker']) {
    const text = await bundle(`host-wasm/worker/${worker}.ts`);
    assert.ok(text.includes('tonearm_answer') && !text.includes('tonearm_read_catalog'), worker);
  }
});

test('HOST-41: routes outside the catalog are answered 404', async () => {
  const reader = await open(bytesSource(bytes));
  for (const target of ['/v1/collections', '/v1/usage', '/v1/export', '/v1/license-changes', '/v1/credits/match', '/openapi.json', '/healthz', '/admin/accounts', 'rain', '']) {
    const answer = await reader.answer(target);
    assert.equal(answer.status, 404, target);
    assert.equal(JSON.parse(textOf(answer)).error, 'not_found', target);
  }
  assert.equal((await reader.answer(`/v1/search?q=${'x'.repeat(9_000)}`)).status, 400);
});

test('a closed reader answers nothing; an invalid module and an unreachable source are rejected', async () => {
  const reader = await open(bytesSource(bytes));
  const under = reader.answer(SEARCH);
  reader.close();
  await assert.rejects(reader.answer(SEARCH), /is closed/);
  assert.equal((await under).status, 200);
  assert.equal(reader.memoryBytes, 0);
  await assert.rejects(CatalogReader.open({ module: new Uint8Array([1, 2, 3]), source: bytesSource(bytes) }), WebAssembly.CompileError);
  await assert.rejects(open(Promise.reject(new Error('no such file'))), /no such file/);
});
