// Invalid keys are throttled per network, valid keys never (HOST-7).
// Usage: failed_keys_test.mjs [--wasm FILE]. Ends with one line: N passed, M failed.

import assert from 'node:assert/strict';
import { parseArgs } from 'node:util';

import { runTests } from './test_run.mjs';
import { startTestWorker } from './test_worker.mjs';

/** A test that waited this long would never end. */
const NEVER_MS = 2_000_000_000;
/** The limit of failed keys per network and minute. */
const FAILURES_MAX = 120;

const { values } = parseArgs({ options: { wasm: { type: 'string', default: 'build/wasm/bin/tonearm.wasm' } } });
const { miniflare, log, command, reset, countOf, admin, call, newAccount } = await startTestWorker(values.wasm);

const from = (address) => ({ 'CF-Connecting-IP': address });

/** Creates a key and revokes it. */
async function badKey() {
  const { key, keyId } = await newAccount();
  assert.equal((await admin('DELETE', `/keys/${keyId}`)).status, 200);
  return key;
}

/** Calls `times` times with an invalid key. Returns the last answer; no other may have Retry-After. */
async function fail(key, address, times) {
  for (let tries = 1; tries < times; ++tries) {
    const { status, headers } = await call(key, from(address));
    assert.deepEqual([status, headers.get('Retry-After')], [401, null], `try ${tries}`);
  }
  return call(key, from(address));
}

const tests = {
  'after many failed keys of an address, its invalid keys get Retry-After': async () => {
    await reset();
    const limited = await fail(await badKey(), '192.0.2.1', FAILURES_MAX + 1);
    assert.equal(limited.status, 401);
    assert.equal(limited.headers.get('Retry-After'), '60');
    assert.equal((await limited.json()).error, 'invalid_api_key');
    const other = await call(await badKey(), from('192.0.2.1'));
    assert.equal(other.headers.get('Retry-After'), '60');
    assert.equal((await call(await badKey(), from('192.0.2.2'))).headers.get('Retry-After'), null);
    await command({ advance_ms: 60_000 });
    assert.equal((await call(await badKey(), from('192.0.2.1'))).headers.get('Retry-After'), null);
  },
  'valid keys from such an address are answered normally while invalid ones are delayed': async () => {
    await reset({ failed_key_ms: NEVER_MS });
    const bad = await badKey();
    const stranger = await newAccount();
    await fail(bad, '192.0.2.1', FAILURES_MAX);
    const held = new AbortController();
    const late = call(bad, { ...from('192.0.2.1'), signal: held.signal });
    late.catch(() => {});
    for (const path of ['/v1/collections', '/v1/collections?page=1']) {
      const { status, headers } = await call(stranger.key, { path, ...from('192.0.2.1') });
      assert.deepEqual([status, headers.get('Retry-After')], [path.includes('?') ? 400 : 200, null]);
    }
    assert.equal(await Promise.race([late, 'held']), 'held');
    held.abort();
  },
  'addresses of one IPv6 network are counted together, others are not': async () => {
    await reset();
    const bad = await badKey();
    await fail(bad, '2001:db8:0:1::1', FAILURES_MAX);
    for (const address of ['2001:DB8:0:1:ffff::2', '2001:db8::1:0:0:0:3']) {
      assert.equal((await call(bad, from(address))).headers.get('Retry-After'), '60', address);
    }
    assert.equal((await call(bad, from('2001:db8:0:2::1'))).headers.get('Retry-After'), null);
    await fail(bad, '::ffff:192.0.2.9', FAILURES_MAX);
    assert.equal((await call(bad, from('192.0.2.9'))).headers.get('Retry-After'), '60');
  },
  'an invalid key calls no object for a minute': async () => {
    await reset();
    const bad = await badKey();
    await fail(bad, '192.0.2.1', 50);
    assert.equal(await countOf('admitted'), 1);
    await command({ advance_ms: 60_000 });
    await call(bad);
    assert.equal(await countOf('admitted'), 2);
  },
  'keys that this deployment has not issued do not count': async () => {
    await reset();
    const { key } = await newAccount();
    const damaged = key.slice(0, -1) + (key.endsWith('A') ? 'B' : 'A');
    const { status, headers } = await fail(damaged, '192.0.2.1', FAILURES_MAX + 10);
    assert.deepEqual([status, headers.get('Retry-After')], [401, null]);
    assert.equal(await countOf('admitted'), 0);
  },
};

await runTests(tests, () => miniflare.dispose(), log);
