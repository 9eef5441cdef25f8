// Signed snapshots at the edge: what a worker with CATALOG_KEY serves. Usage: signed_test.mjs [--build DIR]
// Ends with one line: N passed, M failed.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { casesOfBuild, root } from '../cases/build_folder.mjs';
import { buildSnapshot, makeKey, withSignatureOf } from '../support/signed_snapshots.mjs';
import { publish, startWorker } from './local_worker.mjs';
import { runTests } from './test_run.mjs';
import { WorkerLog } from './worker_log.mjs';

const paths = casesOfBuild({ wasm: { type: 'string', default: 'build/wasm/bin/tonearm.wasm' } });
const folder = mkdtempSync(join(tmpdir(), 'tonearm-signed-'));
for (const name of ['ours', 'theirs']) makeKey(folder, name);
const snapshot = (tracks, key) => buildSnapshot({
  catalog: join(dirname(paths.server), 'tonearm-catalog'),
  lines: join(root, 'tests/cases/catalog.jsonl'),
  folder,
  output: join(folder, 'built.sqlite'),
  tracks,
  key: key && join(folder, `${key}.key`),
});
const good = snapshot(20, 'ours');
const next = snapshot(25, 'ours');

const log = new WorkerLog();
let miniflare = null;
let names = 0;

async function start(bindings) {
  await miniflare?.dispose();
  miniflare = await startWorker({
    entry: 'host-wasm/worker/dev_worker.ts',
    wasm: paths.wasm,
    log,
    bindings: {
      KEY_SECRET: 'the key secret of this test',
      ADMIN_TOKEN_SHA256: createHash('sha256').update('a token').digest('hex'),
      ...bindings,
    },
    unsafeDirectSockets: [{ entrypoint: 'default' }],
  });
}

/** Publishes a snapshot and returns the status of /readyz. */
async function statusWith(bytes) {
  await publish(miniflare, `catalog-${++names}.sqlite`, bytes);
  return (await fetch(new URL('/readyz', await miniflare.unsafeGetDirectURL()))).status;
}

const ourKey = { CATALOG_KEY: readFileSync(join(folder, 'ours.pem'), 'utf8') };
const flipped = (bytes, at) => {
  const changed = Buffer.from(bytes);
  changed[at] ^= 1;
  return changed;
};

const tests = {
  // HOST-31
  'with a key, rejects unsigned snapshots, those of another key, and those with a different signature': async () => {
    await start(ourKey);
    assert.equal(await statusWith(snapshot(20)), 503);
    assert.equal(await statusWith(snapshot(20, 'theirs')), 503);
    assert.equal(await statusWith(withSignatureOf(snapshot(20, 'theirs'), good)), 200, 'the same content has the same signature');
    await start(ourKey);
    assert.equal(await statusWith(withSignatureOf(next, good)), 503);
    assert.equal(await statusWith(Buffer.alloc(100)), 503);
    assert.equal(await statusWith(good), 200);
  },
  // HOST-31
  'with a key, serves no snapshot with an altered byte at its end': async () => {
    await start(ourKey);
    // Signature, footer, directory, hashes of blocks: backward from the last byte.
    for (let back = 1; back < 900; back += 13) {
      assert.equal(await statusWith(flipped(good, good.length - back)), 503, `${back} before the end`);
    }
    assert.equal(await statusWith(flipped(good, 20)), 503, 'the header of the database');
    assert.equal(await statusWith(good), 200);
  },
  // HOST-31
  'one of several keys is enough': async () => {
    await start({ CATALOG_KEY: readFileSync(join(folder, 'theirs.pem'), 'utf8') + ourKey.CATALOG_KEY });
    assert.equal(await statusWith(good), 200);
  },
  // HOST-31
  'with an invalid key, serves nothing': async () => {
    for (const text of ['', 'no key', readFileSync(join(folder, 'ours.key'), 'utf8'), ourKey.CATALOG_KEY.slice(0, 60)]) {
      await start({ CATALOG_KEY: text });
      assert.ok((await statusWith(good)) >= 500, JSON.stringify(text));
    }
  },
  'without a key, serves signed and unsigned snapshots': async () => {
    await start({});
    assert.equal(await statusWith(snapshot(20)), 200);
    await start({});
    assert.equal(await statusWith(good), 200);
  },
};

await runTests(tests, async () => {
  await miniflare?.dispose();
  rmSync(folder, { recursive: true, force: true });
}, log);
