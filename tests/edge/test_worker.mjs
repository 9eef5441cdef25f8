// Runs the test build of the workers on a local workerd and provides helpers for tests.

import assert from 'node:assert/strict';
import { connect } from 'node:net';

import { publish, startWorker } from './local_worker.mjs';
import { WorkerLog } from './worker_log.mjs';

const ADMIN_TOKEN = 'the-admin-token-of-this-test';
export const START_MS = Date.UTC(2026, 10, 21, 12);

/** `wasm` is the path of the core. `gate` is an optional Gate that controls reads of object storage. */
export async function startTestWorker(wasm, gate) {
  const log = new WorkerLog();
  const miniflare = await startWorker({
    entry: 'tests/edge/worker.ts',
    wasm,
    log,
    ...(gate && { serviceBindings: { GATE: gate.service } }),
    unsafeDirectSockets: [{ entrypoint: 'default' }, { entrypoint: 'Control' }],
  });
  const base = await miniflare.unsafeGetDirectURL(undefined, 'default');
  const control = await miniflare.unsafeGetDirectURL(undefined, 'Control');

  async function command(body) {
    const response = await fetch(control, { method: 'POST', body: JSON.stringify(body) });
    assert.ok(response.ok, await response.clone().text());
    return response;
  }
  const reset = (more = {}) =>
    command({
      reset: { start_ms: START_MS, seed: 1, key_secret: 'secret', admin_token: ADMIN_TOKEN, catalog: 'none', ...more },
    });
  const countOf = async (name) => (await (await command({ counts: true })).json())[name];

  async function admin(method, path, body) {
    const headers = { Authorization: `Bearer ${ADMIN_TOKEN}`, ...(body && { 'Content-Type': 'application/json' }) };
    const response = await fetch(new URL(`/admin${path}`, base), { method, headers, body: body && JSON.stringify(body) });
    return { status: response.status, ...(await response.json()) };
  }
  const call = (key, { path = '/v1/collections', signal, ...headers } = {}) =>
    fetch(new URL(path, base), { headers: { Authorization: `Bearer ${key}`, ...headers }, signal });

  /** Sends a POST request whose body comes in two parts. `answer` has the status and the body. */
  function sendInParts(key, text, path = '/v1/collections') {
    const head = [`POST ${path} HTTP/1.1`, 'Host: test', `Authorization: Bearer ${key}`, 'Content-Type: application/json'];
    const half = text.length / 2;
    const socket = connect({ host: base.hostname, port: Number(base.port) });
    socket.write([...head, `Content-Length: ${text.length}`, 'Connection: close', '', text.slice(0, half)].join('\r\n'));
    const parts = [];
    const answer = new Promise((resolve, reject) => {
      socket.on('data', (part) => parts.push(part));
      socket.on('error', reject);
      socket.on('close', () => {
        const [, status] = /^HTTP\/1.1 (\d+)/.exec(Buffer.concat(parts)) ?? [];
        resolve({ status: Number(status), text: Buffer.concat(parts).toString('utf8') });
      });
    });
    return { answer, sendRest: () => socket.write(text.slice(half)) };
  }

  async function newAccount(plan = 'free') {
    const { account } = await admin('POST', '/accounts', { plan });
    const { key, key_id: keyId } = await admin('POST', `/accounts/${account}/keys`, {});
    return { account, key, keyId };
  }

  /** Returns a new account with an object: a call has used its key (HOST-60). */
  async function usedAccount(plan = 'free') {
    const made = await newAccount(plan);
    assert.equal((await call(made.key)).status, 200);
    return made;
  }

  /** Starts a service with this snapshot that checks for a new one at every call. Returns a key. */
  async function withSnapshot(bytes, more = {}) {
    await publish(miniflare, `snapshot-${bytes[200_000]}.sqlite`, bytes);
    await reset({ catalog: 'catalog.sqlite', snapshot_check_ms: 0, ...more });
    return newAccount('unlimited');
  }

  return { miniflare, log, base, command, reset, countOf, admin, call, newAccount, usedAccount, withSnapshot, sendInParts };
}
