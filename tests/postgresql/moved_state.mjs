// States that tests move from one host to another: fills them and compares their exports.

import assert from 'node:assert/strict';

import { admin } from './servers.mjs';

/** Calls the API with a key. */
export async function ask(server, key, method, path, body) {
  const headers = { Authorization: `Bearer ${key}`, ...(body && { 'Content-Type': 'application/json' }) };
  const answer = await fetch(server.url + path, { method, headers, body: body && JSON.stringify(body) });
  return { status: answer.status, headers: answer.headers, text: await answer.text() };
}

/** Returns the result of a call that must succeed. */
export async function made(server, key, method, path, body) {
  const { status, text } = await ask(server, key, method, path, body);
  assert.ok(status < 300, `${method} ${path}: ${status} ${text}`);
  return JSON.parse(text);
}

/** Returns the response of the admin interface. */
export async function operate(server, method, path, body) {
  const answer = await admin(server, method, path, body);
  assert.ok(answer.status < 300, `${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
  return answer.body;
}

/** Creates an account with a key, a revoked key, and collections with the given numbers of tracks. */
export async function fill(server, plan, sizes) {
  const { account } = await operate(server, 'POST', '/accounts', { plan });
  const { key } = await operate(server, 'POST', `/accounts/${account}/keys`, {});
  const revoked = await operate(server, 'POST', `/accounts/${account}/keys`, {});
  await operate(server, 'DELETE', `/keys/${revoked.key_id}`);
  const session = (await operate(server, 'POST', `/accounts/${account}/sessions`, {})).key;
  const found = await made(server, session, 'GET', '/v1/search?limit=40&fields=id');
  const ids = found.tracks.map(({ id }) => id);
  const collections = [];
  for (const [index, size] of sizes.entries()) {
    const { id } = await made(server, session, 'POST', '/v1/collections', { name: `Rain ${index} "quoted" \u00fc` });
    for (let from = 0; from < size; from += 20) {
      const tracks = ids.slice(from, Math.min(from + 20, size));
      await made(server, session, 'POST', `/v1/collections/${id}/items`, { tracks });
    }
    const item = `/v1/collections/${id}/items/${ids[0]}`;
    if (size > 0) await made(server, session, 'PATCH', item, { note: 'first\nlast', modifications: { chips: ['looped'] } });
    collections.push(id);
  }
  return { account, key, revoked: revoked.key, session, collections };
}

/** Returns the export without the time and the hash that depends on it. */
export function timeless({ lines }) {
  const header = JSON.parse(lines[0]);
  const end = JSON.parse(lines.at(-1));
  return [{ ...header, made: null }, ...lines.slice(1, -1), { ...end, sha256: null }];
}
