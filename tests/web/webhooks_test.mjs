// Webhooks of license changes: messages as Standard Webhooks describes them, retries, what is given up, and who may do what.

import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, it } from 'node:test';

import { LaunchedServer } from '../support/launched_server.mjs';
import { eventually } from '../support/waiting.mjs';
import { nativeApi, replaceCatalog, river, SiteFolder, startSite, Visitor } from './site_process.mjs';

const { Webhook } = createRequire(new URL('../../build-support/', import.meta.url))('standardwebhooks');

after(() => LaunchedServer.endAll());

/** A receiver that records what it gets, and answers with `status`; `stalled`: what never arrives, 'head' or 'body'. */
class Receiver {
  received = [];
  status = 200;
  fields = {};
  stalled = '';

  static async start() {
    const one = new Receiver();
    one.server = createServer((request, response) => {
      const parts = [];
      request.on('data', (part) => parts.push(part));
      request.on('end', () => {
        one.received.push({ method: request.method, headers: request.headers, body: Buffer.concat(parts).toString() });
        if (one.stalled === 'head') return;
        response.writeHead(one.status, one.fields);
        if (one.stalled === 'body') response.flushHeaders();
        else response.end('x'.repeat(100_000));
      });
    });
    await new Promise((done) => { one.server.listen(0, '127.0.0.1', done); });
    one.address = `http://127.0.0.1:${one.server.address().port}/hook?from=tonearm`;
    return one;
  }

  stop() { this.server.closeAllConnections(); this.server.close(); }
}

describe('webhooks', { timeout: 180_000 }, () => {
  let folder, api, site, person, receiver, secret;
  before(async () => {
    receiver = await Receiver.start();
    folder = new SiteFolder({ lines: [river('cc0')] });
    api = await nativeApi(folder);
    site = await startSite(folder, api, ['--allow-address', '127.0.0.1/32']);
    person = await Visitor.signedUp(site.url, 'builder');
    const { body: { id } } = await person.request('POST', '/site/collections', { body: { name: 'Rain & <River>' } });
    assert.equal((await person.request('POST', `/site/collections/${id}/items`, { body: { track: 'river-1' } })).status, 201);
  });
  after(async () => {
    receiver?.stop();
    await site?.stop();
    await api?.stop();
    folder?.remove();
  });

  /** Runs a statement on the site's store while the site runs. */
  const inStore = (statement, ...values) => {
    const store = new DatabaseSync(folder.at('site/people.sqlite'));
    try {
      store.exec('PRAGMA busy_timeout = 5000');
      return statement.startsWith('SELECT') ? store.prepare(statement).all(...values) : store.prepare(statement).run(...values);
    } finally {
      store.close();
    }
  };
  const changeLicense = async (license) => {
    await replaceCatalog(site.url, api, () => folder.build([river(license)]));
    inStore('UPDATE site_webhooks SET checked_ms = 0'); // instead of waiting for five minutes
  };
  const shown = async () => (await person.get('/site/webhook')).body;

  it('have one address, which only its person sees, creates and removes (WEB-46)', async () => {
    assert.deepEqual(await shown(), { address: null });
    const visitor = await Visitor.withSession(site.url);
    for (const [method, path] of [['GET', ''], ['PUT', ''], ['DELETE', ''], ['POST', '/test'], ['POST', '/messages/msg_1']]) {
      assert.equal((await visitor.request(method, `/site/webhook${path}`, { body: method === 'GET' ? undefined : {} })).body.error, 'signed_out', path);
    }
    assert.equal((await person.request('PUT', '/site/webhook', { body: { address: receiver.address }, headers: { 'X-CSRF-Token': '' } })).status, 403);
    for (const address of ['', 'river.example', 'ftp://river.example/', 'https://', 'https://user@river.example/', 'https://river.example/#x', 'https://river.example/a b', `https://river.example/${'a'.repeat(2_000)}`, 'https://river.example/\r\nX: y']) {
      assert.equal((await person.request('PUT', '/site/webhook', { body: { address } })).body.error, 'invalid_request', address);
    }
    for (const body of [{}, { address: 1 }, { address: receiver.address, secret: 'mine' }]) assert.equal((await person.request('PUT', '/site/webhook', { body })).status, 400);
    assert.deepEqual(await shown(), { address: null });
    assert.equal((await person.request('POST', '/site/webhook/test')).status, 404);
    const made = await person.request('PUT', '/site/webhook', { body: { address: receiver.address } });
    assert.equal(made.status, 201, made.text);
    ({ secret } = made.body);
    assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
    const { created, ...rest } = await shown();
    assert.match(created, /^\d{4}-\d\d-\d\dT/);
    assert.deepEqual(rest, { address: receiver.address, last_delivered: null, ended: false, undelivered: [] });
    const other = await Visitor.signedUp(site.url, 'another');
    assert.deepEqual((await other.get('/site/webhook')).body, { address: null });
  });

  it('send a signed message for each new change, once (WEB-46, WEB-47)', async () => {
    assert.equal((await person.request('POST', '/site/webhook/test')).status, 202);
    await eventually(() => receiver.received.length === 1, 'the test message arrives');
    await changeLicense('cc-by-4.0');
    await eventually(() => receiver.received.length === 2, 'the change arrives');
    for (const [i, type] of ['webhook.test', 'license.changed'].entries()) {
      const { method, headers, body } = receiver.received[i];
      assert.equal(method, 'POST');
      assert.equal(headers['content-type'], 'application/json');
      assert.match(headers['webhook-id'], /^msg_[0-9a-f]{32}$/);
      const event = new Webhook(secret).verify(body, headers);
      assert.deepEqual([event.type, event.untrusted_fields], [type, ['data']]);
      assert.throws(() => new Webhook(secret).verify(`${body} `, headers));
      assert.throws(() => new Webhook(`whsec_${Buffer.alloc(32).toString('base64')}`).verify(body, headers));
      if (type === 'webhook.test') continue;
      const { collection_name: name, track_id: track, recorded, current } = event.data;
      assert.deepEqual([name, track, recorded.license.id, current.license.id], ['Rain & <River>', 'river-1', 'cc0', 'cc-by-4.0']);
    }
    await eventually(async () => (await shown()).last_delivered !== null && (await shown()).undelivered.length === 0, 'all is delivered');
    inStore('UPDATE site_webhooks SET checked_ms = 0');
    await eventually(() => inStore('SELECT checked_ms FROM site_webhooks')[0].checked_ms > 0, 'the changes were read again');
    assert.equal(receiver.received.length, 2);
    const { body: { secret: next } } = await person.request('PUT', '/site/webhook', { body: { address: receiver.address } });
    assert.notEqual(next, secret);
    secret = next;
    inStore('UPDATE site_webhooks SET checked_ms = 0');
    await eventually(() => inStore('SELECT checked_ms FROM site_webhooks')[0].checked_ms > 0, 'the changes were read again');
    assert.equal(receiver.received.length, 2, 'a change from before the webhook was sent');
  });

  it('are tried again with longer and longer pauses, then given up and listed, and sent again on request (WEB-47)', async () => {
    receiver.received = [];
    receiver.status = 500;
    await changeLicense('cc-by-sa-4.0');
    const only = async () => (await shown()).undelivered[0];
    await eventually(async () => (await only())?.tries === 1, 'the first try failed');
    const first = await only();
    assert.equal(first.error, 'the receiver answered 500');
    const waits = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400];
    for (const [i, wait] of waits.entries()) {
      const { tries, next_try: next } = await only();
      assert.equal(tries, i + 1);
      const [{ next_ms: nextMs }] = inStore('SELECT next_ms FROM site_webhook_messages');
      const rest = (nextMs - Date.now()) / 1_000;
      assert.ok(rest > wait - 60 && rest < wait * 1.11 + 1, `after try ${tries}: ${rest} s`);
      assert.ok(next);
      inStore('UPDATE site_webhook_messages SET next_ms = 0');
      await eventually(async () => (await only()).tries === i + 2, `try ${i + 2}`);
    }
    const given = await only();
    assert.equal(given.next_try, null);
    const ids = new Set(receiver.received.map(({ headers }) => headers['webhook-id']));
    assert.deepEqual([...ids], [given.id], 'every try has the id of its message');
    receiver.status = 200;
    const stranger = await Visitor.signedUp(site.url, 'stranger');
    assert.equal((await stranger.request('POST', `/site/webhook/messages/${given.id}`)).status, 404);
    assert.equal((await person.request('POST', '/site/webhook/messages/msg_unknown')).status, 404);
    assert.equal((await person.request('POST', `/site/webhook/messages/${given.id}`)).status, 202);
    await eventually(async () => (await shown()).undelivered.length === 0, 'it is delivered');
    assert.equal(receiver.received.at(-1).headers['webhook-id'], given.id);
  });

  it('respect Retry-After and redirects nowhere, and end with 410 (WEB-47)', async () => {
    Object.assign(receiver, { received: [], status: 429, fields: { 'Retry-After': '3000' } });
    assert.equal((await person.request('POST', '/site/webhook/test')).status, 202);
    await eventually(async () => (await shown()).undelivered[0]?.tries === 1, 'the first try failed');
    assert.ok(inStore('SELECT next_ms FROM site_webhook_messages')[0].next_ms > Date.now() + 2_900_000);
    Object.assign(receiver, { status: 307, fields: { Location: receiver.address } });
    inStore('UPDATE site_webhook_messages SET next_ms = 0');
    await eventually(async () => (await shown()).undelivered[0]?.error === 'the receiver answered 307', 'a redirect is a failure');
    assert.equal(receiver.received.length, 2);
    Object.assign(receiver, { status: 410, fields: {} });
    inStore('UPDATE site_webhook_messages SET next_ms = 0');
    await eventually(async () => (await shown()).ended, 'the webhook ends');
    const { undelivered: [message] } = await shown();
    assert.equal(message.next_try, null);
    assert.equal((await person.request('POST', `/site/webhook/messages/${message.id}`)).status, 404);
    assert.equal((await person.request('POST', '/site/webhook/test')).status, 404);
    await changeLicense('cc0');
    assert.equal(receiver.received.length, 3);
  });

  it('are delivered when the status arrives, and a receiver that does not answer delays no other (WEB-47)', async () => {
    const silent = await Receiver.start();
    silent.stalled = 'head';
    const waiting = [];
    for (let i = 0; i < 3; i += 1) {
      waiting.push(await Visitor.signedUp(site.url, `waiting-${i}`));
      assert.equal((await waiting[i].request('PUT', '/site/webhook', { body: { address: silent.address } })).status, 201);
      for (let n = 0; n < 3; n += 1) assert.equal((await waiting[i].request('POST', '/site/webhook/test')).status, 202);
    }
    await eventually(() => silent.received.length === 3, 'one message of each is sent');
    const quick = await Receiver.start();
    quick.stalled = 'body';
    const other = await Visitor.signedUp(site.url, 'quick');
    assert.equal((await other.request('PUT', '/site/webhook', { body: { address: quick.address } })).status, 201);
    for (let n = 0; n < 3; n += 1) assert.equal((await other.request('POST', '/site/webhook/test')).status, 202);
    await eventually(async () => (await other.get('/site/webhook')).body.undelivered.length === 0, 'all are delivered');
    assert.equal(quick.received.length, 3);
    silent.stop();
    quick.stop();
    await eventually(async () => (await waiting[0].get('/site/webhook')).body.undelivered.some(({ tries }) => tries > 0), 'a message to the silent receiver failed');
  });

  it('reach no private address that the operator did not allow, and no http (WEB-47)', async () => {
    const quiet = await Receiver.start();
    await site.stop();
    site = await startSite(folder, api);
    person = new Visitor(site.url);
    await person.get('/site/session');
    await person.request('POST', '/site/sign-in', { body: { name: 'builder', password: 'a long password' } });
    assert.equal((await person.request('PUT', '/site/webhook', { body: { address: quiet.address } })).body.error, 'invalid_request');
    assert.equal((await person.request('PUT', '/site/webhook', { body: { address: quiet.address.replace('http:', 'https:') } })).status, 201);
    assert.equal((await person.request('POST', '/site/webhook/test')).status, 202);
    await eventually(async () => (await shown()).undelivered[0]?.error === 'its address is not public', 'the address is refused');
    assert.equal(quiet.received.length, 0);
    quiet.stop();
  });

  it('send only so many messages on request (WEB-46)', async () => {
    let answer;
    for (let i = 0; i < 30 && answer?.status !== 429; i += 1) answer = await person.request('POST', '/site/webhook/test');
    assert.equal(answer.status, 429);
    assert.ok(Number(answer.headers.get('retry-after')) > 0);
  });

  it('end with their person: nothing is left (WEB-11, WEB-46)', async () => {
    assert.deepEqual((await person.request('DELETE', '/site/webhook')).body, { address: null });
    assert.equal((await person.request('PUT', '/site/webhook', { body: { address: 'https://127.0.0.1/' } })).status, 201);
    assert.equal((await person.request('DELETE', '/site/account', { body: { password: 'a long password' } })).status, 200);
    for (const table of ['site_webhooks', 'site_webhook_changes', 'site_webhook_messages', 'site_webhook_leases', 'site_absent_changes']) {
      assert.deepEqual(inStore(`SELECT name_key FROM ${table} WHERE name_key = 'builder'`), [], table);
    }
  });
});
