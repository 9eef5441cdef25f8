// How the site behaves beside visitors who take all they can get, and with an API that does not answer.

import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import { after, before, describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';

import { LaunchedServer } from '../support/launched_server.mjs';
import { eventually } from '../support/waiting.mjs';
import { GatedApi } from './gated_api.mjs';
import { nativeApi, SiteFolder, startSite, Visitor } from './site_process.mjs';

after(() => LaunchedServer.endAll());

/** Sends a GET from an address of 127.0.0.0/8. */
const getFrom = (site, localAddress, path, headers = {}) => new Promise((done, fail) => {
  const { hostname, port } = new URL(site.url);
  http.get({ hostname, port, path, localAddress, headers, agent: false }, (response) => {
    response.resume().on('end', () => done({ status: response.statusCode, headers: response.headers }));
  }).on('error', fail);
});

describe('the site beside slow calls', { timeout: 180_000 }, () => {
  let folder, api, gate, adminGate, site;
  before(async () => {
    folder = new SiteFolder();
    mkdirSync(folder.at('media'));
    writeFileSync(folder.at('media/a-1.ogg'), Buffer.alloc(1_000_000));
    api = await nativeApi(folder);
    gate = await GatedApi.start(api.url);
    adminGate = await GatedApi.start(api.adminUrl);
    site = await startSite(folder, { url: gate.url, adminUrl: adminGate.url }, ['--media', folder.at('media'), '--threads', '16', '--allow-plan-choice']);
  });
  after(async () => {
    gate?.release();
    await site?.stop();
    await gate?.stop();
    await adminGate?.stop();
    await api?.stop();
    folder?.remove();
  });

  it('answers a visitor while ten others wait for slow calls, and bounds what each of these may send (WEB-44)', async () => {
    gate.hold(({ url }) => url.includes('slow'));
    const attackers = Array.from({ length: 10 }, (_, i) => `127.0.1.${i + 1}`);
    const sent = attackers.flatMap((address) => Array.from({ length: 60 }, () => getFrom(site, address, '/site/search?q=slow')));
    await Promise.race([gate.until(10), Promise.all(sent)]);
    for (let i = 0; i < 20; i += 1) assert.equal((await getFrom(site, '127.0.0.1', '/site/search?limit=1')).status, 200);
    assert.equal((await getFrom(site, '127.0.0.1', '/media/a-1.ogg')).status, 200);
    assert.ok(gate.held.length <= 13, `${gate.held.length} calls at once`);
    gate.release();
    const answers = await Promise.all(sent);
    const refused = answers.filter(({ status }) => status === 429);
    assert.ok(refused.length >= 10 * (60 - 36) && refused.every(({ headers }) => headers['retry-after']), `${refused.length} refused`);
    assert.ok(answers.every(({ status }) => [200, 429].includes(status)));
    assert.ok(answers.length - refused.length >= 10 * 32);
  });

  it('bounds the calls of a person over all addresses (WEB-44)', async () => {
    const visitor = await Visitor.signedUp(site.url, 'everywhere');
    const Cookie = [...visitor.cookies].map((pair) => pair.join('=')).join('; ');
    gate.held.length = 0;
    gate.hold(({ url }) => url.startsWith('/v1/usage'));
    const from = (i) => getFrom(site, `127.0.2.${i}`, '/site/usage', { Cookie });
    const first = [];
    for (let i = 1; i <= 8; i += 1) {
      first.push(from(i));
      await gate.until(i, '/v1/usage');
    }
    const ninth = await from(9);
    assert.equal(ninth.status, 429);
    assert.ok(ninth.headers['retry-after']);
    gate.release();
    assert.deepEqual((await Promise.all(first)).map(({ status }) => status), Array(8).fill(200));
    assert.equal((await from(9)).status, 200);
  });

  it('looks up the plan of a person rarely, and shows at once what the person changed (WEB-5)', async () => {
    const visitor = await Visitor.signedUp(site.url, 'planner');
    adminGate.seen.length = 0;
    for (let i = 0; i < 20; i += 1) assert.equal((await visitor.get('/site/session')).body.account.plan, 'free');
    assert.ok(adminGate.seen.length < 10, adminGate.seen.join());
    await visitor.request('PUT', '/site/plan', { body: { plan: 'pro' } });
    assert.equal((await visitor.get('/site/session')).body.account.plan, 'pro');
  });

  it('loses only the call that is slow while the API answers others (WEB-45)', async () => {
    gate.held.length = 0;
    gate.hold(({ url }) => url.includes('stuck'));
    let status;
    const stuck = getFrom(site, '127.0.4.1', '/site/search?q=stuck').then((answer) => { status = answer.status; });
    await gate.until(1, 'stuck');
    for (let i = 0; status === undefined; i += 1) {
      assert.equal((await getFrom(site, `127.0.5.${i % 250 + 1}`, `/site/search?q=rain${i}`)).status, 200);
      await Promise.race([stuck, delay(200)]);
    }
    assert.equal(status, 503);
    assert.equal((await getFrom(site, '127.0.0.1', '/site/search?q=afterwards')).status, 200);
    gate.release();
  });

  it('answers 503 at once while the API is silent, never repeats a call, and serves files (WEB-45)', async () => {
    assert.equal((await getFrom(site, '127.0.0.1', '/site/search?limit=1')).status, 200);
    gate.held.length = 0;
    gate.hold();
    const waiting = Array.from({ length: 40 }, (_, i) => getFrom(site, `127.0.3.${i + 1}`, '/site/search?q=silent'));
    await Promise.race([gate.until(1, 'silent'), Promise.all(waiting)]);
    assert.equal((await getFrom(site, '127.0.0.1', '/media/a-1.ogg')).status, 200);
    for (const { status } of await Promise.all(waiting)) assert.equal(status, 503);
    const calls = () => gate.held.filter((target) => target.includes('silent')).length;
    const before = calls();
    assert.ok(before <= 16, `${before} calls: a call was repeated, or waiting ones were sent`);
    const later = await getFrom(site, '127.0.0.1', '/site/search?q=silent');
    assert.deepEqual([later.status, later.headers['retry-after']], [503, '2']);
    assert.equal(calls(), before);
    assert.equal((await getFrom(site, '127.0.0.1', '/readyz')).status, 503);
    gate.release();
    await eventually(async () => (await getFrom(site, '127.0.0.1', '/readyz')).status === 200, 'the site is ready');
    assert.equal((await getFrom(site, '127.0.0.1', '/site/search?limit=1')).status, 200);
  });
});
