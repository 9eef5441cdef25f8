// The routes of the site for visitors and people, with the native server and with the edge.

import assert from 'node:assert/strict';
import { readFileSync, statSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';

import { API_KEY } from '../edge/worker_log.mjs';
import { LaunchedServer } from '../support/launched_server.mjs';
import { eventually } from '../support/waiting.mjs';
import { edgeApi, nativeApi, SiteFolder, startSite, Visitor } from './site_process.mjs';

after(() => LaunchedServer.endAll());

for (const [name, startApi] of [['native', nativeApi], ['edge', edgeApi]]) {
  describe(`the site over the ${name} API`, { timeout: 300_000 }, () => {
    let folder, api, site, url;
    before(async () => {
      folder = new SiteFolder();
      api = await startApi(folder);
      site = await startSite(folder, api);
      url = site.url;
    });
    after(async () => {
      await site?.stop();
      await api?.stop();
      folder?.remove();
    });

    it('creates its own account once, in a file that only the owner can read (WEB-3)', async () => {
      const kept = JSON.parse(readFileSync(folder.at('site/operator.json'), 'utf8'));
      assert.equal(statSync(folder.at('site/operator.json')).mode & 0o777, 0o600);
      assert.equal((await api.admin('GET', `/admin/accounts/${kept.account}`)).body.plan, 'unlimited');
      await site.stop();
      site = await startSite(folder, api);
      url = site.url;
      assert.deepEqual(JSON.parse(readFileSync(folder.at('site/operator.json'), 'utf8')), kept);
      const { body: { keys } } = await api.admin('GET', `/admin/accounts/${kept.account}/keys`);
      assert.equal(keys.filter((key) => key.revoked === null).length, 1);
    });

    it('creates a new key if the API rejects the old one (WEB-3)', async () => {
      const visitor = new Visitor(url);
      const kept = () => JSON.parse(readFileSync(folder.at('site/operator.json'), 'utf8'));
      const old = kept();
      const { body: { keys } } = await api.admin('GET', `/admin/accounts/${old.account}/keys`);
      await api.admin('DELETE', `/admin/keys/${keys.find((key) => key.revoked === null).key_id}`);
      assert.equal((await visitor.get('/site/search?limit=1')).status, 200);
      assert.equal(kept().account, old.account);
      assert.notEqual(kept().key, old.key);
      await api.admin('DELETE', `/admin/accounts/${old.account}`);
      assert.equal((await visitor.get('/site/search?limit=1')).status, 200);
      assert.notEqual(kept().account, old.account);
    });

    it('recognizes fingerprints for visitors, with the site\'s account (WEB-49)', async () => {
      const visitor = await Visitor.withSession(url);
      const path = '/site/credits/recognize';
      const piece = { fingerprint: 'AQAABUmiREmiKJKSKAgUjUqybFkQMMkiUeEG' };
      const answer = await visitor.request('POST', path, { body: { pieces: [piece, piece] } });
      assert.deepEqual([answer.status, answer.body, answer.headers.get('cache-control')], [200, { pieces: [{ uses: [] }, { uses: [] }] }, 'no-store']);
      const many = await visitor.request('POST', path, { body: { pieces: Array(5).fill(piece) } });
      assert.deepEqual([many.status, many.body.error], [400, 'invalid_request']);
      const long = await visitor.request('POST', path, { body: { pieces: [{ fingerprint: 'A'.repeat(100_000) }] } });
      assert.equal(long.status, 413);
      assert.deepEqual([(await visitor.get(path)).status, (await visitor.get(path)).headers.get('allow')], [405, 'POST']);
      assert.equal((await new Visitor(url).request('POST', path, { body: { pieces: [piece] } })).status, 403);
      assert.equal((await visitor.request('POST', path, { body: { pieces: [piece] }, headers: { Origin: 'https://evil.example' } })).status, 403);
    });

    it('forwards API responses, including errors (WEB-2)', async () => {
      const visitor = new Visitor(url);
      const search = await visitor.get('/site/search?q=rain&limit=2');
      assert.equal(search.status, 200);
      assert.equal(search.body.tracks.length, 2);
      assert.ok(search.headers.get('tonearm-catalog'));
      const again = await visitor.get('/site/search?q=rain&limit=2', { headers: { 'If-None-Match': search.headers.get('etag') } });
      assert.equal(again.status, 304);
      const bad = await visitor.get('/site/search?limit=none');
      assert.equal(bad.status, 400);
      assert.equal(bad.body.error, 'invalid_parameter');
      const { id } = search.body.tracks[0];
      assert.equal((await visitor.get(`/site/tracks/${id}`)).body.id, id);
      assert.equal((await visitor.get(`/site/tracks?ids=${id},none-1`)).body.missing.length, 1);
      assert.equal((await visitor.get(`/site/tracks/${id}/similar`)).status, 200);
      assert.equal((await visitor.get('/site/tracks/none-1')).status, 404);
      assert.ok((await visitor.get('/site/meta')).body.facets);
      assert.equal((await visitor.get('/openapi.json')).body.openapi, '3.1.0');
      assert.equal((await visitor.get('/site/nothing')).status, 404);
      assert.equal((await visitor.get('/v1/search')).status, 404);
      assert.equal((await (await Visitor.withSession(url)).request('POST', '/site/search', { body: {} })).status, 405);
    });

    it('sends no request to the API for visitors who are signed out (WEB-5)', async () => {
      const visitor = await Visitor.withSession(url);
      for (const path of ['/site/collections', '/site/usage', '/site/export', '/site/license-changes', '/site/keys', '/site/try/v1/search']) {
        const answer = await visitor.get(path);
        assert.equal(answer.status, 401, path);
        assert.equal(answer.body.error, 'signed_out', path);
      }
    });

    it('stores collections for the person, without using up the limits of the plan (WEB-5)', async () => {
      const visitor = await Visitor.signedUp(url, 'collector');
      const made = await visitor.request('POST', '/site/collections', { body: { name: 'Rainy' } });
      assert.equal(made.status, 201);
      const { body: { tracks: [track] } } = await visitor.get('/site/search?limit=1&fields=id');
      const path = `/site/collections/${made.body.id}`;
      assert.equal((await visitor.request('POST', `${path}/items`, { body: { track: track.id } })).status, 201);
      assert.equal((await visitor.get(path)).body.items[0].track_id, track.id);
      assert.equal((await visitor.request('PATCH', path, { body: { name: 'Dry', revision: 1 } })).body.error, 'stale_revision');
      for (let i = 0; i < 25; i += 1) assert.equal((await visitor.get('/site/try/v1/search?limit=1')).status, 200);
      const usage = await visitor.get('/site/usage');
      assert.equal(usage.headers.get('cache-control'), 'no-store');
      assert.equal(usage.body.limits[0].remaining, usage.body.limits[0].quota);
      assert.equal((await visitor.get('/site/export')).status, 200);
      const gone = await visitor.request('DELETE', path, { headers: { 'X-Confirm': 'true' } });
      assert.equal(gone.status, 200);
      const other = await Visitor.signedUp(url, 'another');
      assert.equal((await other.get(path)).status, 404);
    });

    it('replaces a revoked session key, and revokes it at sign-out (WEB-5)', async () => {
      const visitor = await Visitor.signedUp(url, 'minted');
      assert.equal((await visitor.get('/site/usage')).status, 200);
      const accounts = (await api.admin('GET', '/admin/accounts')).body.accounts;
      const sessions = async () => {
        const all = await Promise.all(accounts.map(({ account }) => api.admin('GET', `/admin/accounts/${account}/keys`)));
        return all.flatMap(({ body }) => body.keys).filter((key) => key.session && key.revoked === null);
      };
      for (const key of await sessions()) await api.admin('DELETE', `/admin/keys/${key.key_id}`);
      assert.equal((await visitor.get('/site/usage')).status, 200);
      assert.equal((await sessions()).length, 1);
      assert.equal((await visitor.request('POST', '/site/sign-out')).status, 200);
      assert.equal((await sessions()).length, 0);
      assert.equal((await visitor.get('/site/usage')).status, 401);
    });

    it('signs people up, out and in (WEB-6, WEB-7)', async () => {
      const visitor = await Visitor.withSession(url);
      const nobody = (await visitor.get('/site/session')).body;
      assert.deepEqual([nobody.signed_in, nobody.account, nobody.offline], [false, null, null]);
      assert.match(nobody.catalog_version, /^[0-9a-f]{16}$/);
      const before = visitor.cookies.get('tonearm_session');
      for (const body of [{ name: 'ab', password: 'a long password' }, { name: 'a b c', password: 'a long password' },
        { name: 'bella', password: 'short' }, { name: 'bella' }, [], { name: 'bella', password: 'a long password', plan: 'pro' }]) {
        assert.equal((await visitor.request('POST', '/site/sign-up', { body })).status, 400, JSON.stringify(body));
      }
      const up = await visitor.request('POST', '/site/sign-up', { body: { name: 'Bella', password: 'a long password' } });
      assert.equal(up.status, 201);
      assert.deepEqual(up.body.account, { name: 'Bella', plan: 'free' });
      assert.notEqual(visitor.cookies.get('tonearm_session'), before);
      for (const line of up.headers.getSetCookie()) assert.match(line, /; HttpOnly; SameSite=Lax$/);
      const taken = await (await Visitor.withSession(url)).request('POST', '/site/sign-up', { body: { name: 'bELLA', password: 'a long password' } });
      assert.deepEqual([taken.status, taken.body.error], [409, 'name_taken']);
      const session = visitor.cookies.get('tonearm_session');
      const out = await visitor.request('POST', '/site/sign-out');
      assert.deepEqual([out.status, out.body.signed_in], [200, false]);
      visitor.cookies.set('tonearm_session', session);
      assert.equal((await visitor.get('/site/session')).body.signed_in, false);
      const wrong = await visitor.request('POST', '/site/sign-in', { body: { name: 'bella', password: 'another password' } });
      assert.deepEqual([wrong.status, wrong.body.error], [401, 'wrong_password']);
      const into = await visitor.request('POST', '/site/sign-in', { body: { name: 'bella', password: 'a long password' } });
      assert.deepEqual([into.status, into.body.account.name], [200, 'Bella']);
    });

    it('keeps people signed in after a restart (WEB-6)', async () => {
      const visitor = await Visitor.signedUp(url, 'patient');
      await site.stop();
      site = await startSite(folder, api);
      url = site.url;
      visitor.url = url;
      assert.equal((await visitor.get('/site/session')).body.account.name, 'patient');
      assert.equal((await visitor.get('/site/usage')).status, 200);
    });

    it('accepts writes only from its own pages (WEB-9)', async () => {
      const visitor = await Visitor.signedUp(url, 'careful');
      const create = (headers) => visitor.request('POST', '/site/keys', { headers });
      for (const headers of [{ 'X-CSRF-Token': '' }, { 'X-CSRF-Token': 'x'.repeat(32) }, { Origin: 'https://evil.example' },
        { Origin: 'null' }, { 'Sec-Fetch-Site': 'cross-site' }, { Cookie: '' }]) {
        assert.equal((await create(headers)).status, 403, JSON.stringify(headers));
      }
      assert.equal((await visitor.get('/site/keys')).body.keys.length, 0);
      assert.equal((await create({})).status, 201);
    });

    it('creates, lists and revokes keys, at most five (WEB-10)', async () => {
      const visitor = await Visitor.signedUp(url, 'keykeeper');
      const made = [];
      for (let i = 0; i < 5; i += 1) made.push((await visitor.request('POST', '/site/keys')).body);
      const sixth = await visitor.request('POST', '/site/keys');
      assert.deepEqual([sixth.status, sixth.body.error], [409, 'key_limit']);
      const used = await fetch(new URL('/v1/search?limit=1', api.url), { headers: { Authorization: `Bearer ${made[1].key}` } });
      assert.equal(used.status, 200);
      const { keys } = (await visitor.get('/site/keys')).body;
      assert.deepEqual(keys.map((key) => key.key_id).sort(), made.map((key) => key.key_id).sort());
      assert.ok(!JSON.stringify(keys).includes('tonearm_'));
      await eventually(async () => {
        const used = (await visitor.get('/site/keys')).body.keys.filter((key) => key.last_used !== null);
        return used.length === 1 && used[0].key_id === made[1].key_id;
      }, 'the call of a key is recorded');
      const other = await Visitor.signedUp(url, 'keythief');
      assert.equal((await other.request('DELETE', `/site/keys/${made[0].key_id}`)).status, 404);
      assert.equal((await visitor.request('DELETE', `/site/keys/${made[0].key_id}`)).status, 200);
      assert.equal((await visitor.get('/site/keys')).body.keys.length, 4);
    });

    it('lets people switch their plan only if the operator allows it (WEB-27)', async () => {
      const forbidden = await Visitor.signedUp(url, 'upgrader');
      assert.equal((await forbidden.get('/site/session')).body.plan_choice, false);
      const refused = await forbidden.request('PUT', '/site/plan', { body: { plan: 'pro' } });
      assert.deepEqual([refused.status, refused.body.error], [403, 'forbidden']);
      assert.equal((await forbidden.get('/site/usage')).body.plan, 'free');
      await site.stop();
      site = await startSite(folder, api, ['--allow-plan-choice']);
      url = site.url;
      const visitor = await Visitor.signedUp(url, 'switcher');
      assert.equal((await visitor.get('/site/session')).body.plan_choice, true);
      assert.equal((await (await Visitor.withSession(url)).request('PUT', '/site/plan', { body: { plan: 'pro' } })).status, 401);
      assert.equal((await visitor.request('PUT', '/site/plan', { body: { plan: 'unlimited' } })).status, 400);
      assert.equal((await visitor.request('PUT', '/site/plan', { body: { plan: 'pro' } })).status, 200);
      assert.equal((await visitor.get('/site/session')).body.account.plan, 'pro');
      assert.equal((await visitor.get('/site/usage')).body.plan, 'pro');
    });

    it('changes a password, given the old one, and ends all other sessions (WEB-22)', async () => {
      const visitor = await Visitor.signedUp(url, 'changer');
      const elsewhere = await Visitor.withSession(url);
      await elsewhere.request('POST', '/site/sign-in', { body: { name: 'changer', password: 'a long password' } });
      assert.equal((await elsewhere.get('/site/usage')).status, 200);
      const before = new Map(visitor.cookies);
      const { body: { key } } = await visitor.request('POST', '/site/keys');
      const change = (body, options = {}) => visitor.request('POST', '/site/password', { body, ...options });
      for (const body of [{ password: 'a long password' }, { new_password: 'another password' }, { password: 'a long password', new_password: 'short' },
        { password: 'a long password', new_password: 'changer' }, { password: 'a long password', new_password: 'x'.repeat(257) }, []]) {
        assert.equal((await change(body)).status, 400, JSON.stringify(body));
      }
      assert.equal((await change({ password: 'a long password', new_password: 'another password' }, { headers: { 'X-CSRF-Token': '' } })).status, 403);
      const wrong = await change({ password: 'a wrong password', new_password: 'another password' });
      assert.deepEqual([wrong.status, wrong.body.error], [401, 'wrong_password']);
      assert.equal((await elsewhere.get('/site/usage')).status, 200);
      const changed = await change({ password: 'a long password', new_password: 'another password' });
      assert.deepEqual([changed.status, changed.body.account.name], [200, 'changer']);
      assert.equal((await visitor.get('/site/usage')).status, 200);
      assert.equal((await visitor.get('/site/keys')).body.keys.length, 1);
      assert.equal((await fetch(new URL('/v1/search?limit=1', api.url), { headers: { Authorization: `Bearer ${key}` } })).status, 200);
      assert.equal((await elsewhere.get('/site/usage')).status, 401);
      const old = new Visitor(url);
      old.cookies = before;
      assert.equal((await old.get('/site/session')).body.signed_in, false);
      const signIn = (password) => Visitor.withSession(url).then((visitor) => visitor.request('POST', '/site/sign-in', { body: { name: 'changer', password } }));
      assert.equal((await signIn('a long password')).status, 401);
      assert.equal((await signIn('another password')).status, 200);
      assert.equal((await (await Visitor.withSession(url)).request('POST', '/site/password', { body: { password: 'a', new_password: 'b' } })).status, 401);
    });

    it('limits right passwords too, and the hashes that a client waits for (WEB-26)', async () => {
      await Visitor.signedUp(url, 'hasty');
      const hasty = await Visitor.withSession(url);
      const burst = await Promise.all(Array.from({ length: 40 }, () => hasty.request('POST', '/site/sign-in', { body: { name: 'hasty', password: 'a long password' } })));
      const statuses = burst.map(({ status }) => status);
      assert.ok(statuses.every((status) => status === 200 || status === 429), statuses.join());
      assert.ok(statuses.includes(200));
      assert.ok(burst.filter(({ status }) => status === 429).every(({ headers }) => Number(headers.get('retry-after')) >= 1));
    });

    it('does not let a visitor who signs in all the time delay others (WEB-26)', async () => {
      const others = Array.from({ length: 12 }, (_, index) => `patient-${index}`);
      for (const name of others) await Visitor.signedUp(url, name);
      await site.stop();
      site = await startSite(folder, api, ['--trusted-proxy', '127.0.0.0/8']);
      url = site.url;
      const from = (address, name, visitor) => visitor.request('POST', '/site/sign-in', { body: { name, password: 'a long password' }, headers: { 'X-Forwarded-For': address } });
      const hasty = await Visitor.withSession(url);
      let isEnding = false;
      const attack = (async () => {
        while (!isEnding) await Promise.all(Array.from({ length: 10 }, () => from('192.0.2.1', 'hasty', hasty)));
      })();
      const visitors = await Promise.all(others.map(() => Visitor.withSession(url)));
      const answers = await Promise.all(visitors.map((visitor, index) => from(`198.51.100.${index}`, others[index], visitor)));
      isEnding = true;
      await attack;
      assert.deepEqual(answers.map(({ status }) => status), others.map(() => 200));
    });

    it('ends the oldest of more than 20 sessions of a person (WEB-6)', async () => {
      const oldest = await Visitor.signedUp(url, 'collector-of-sessions');
      assert.equal((await oldest.get('/site/usage')).status, 200);
      const devices = [];
      for (let count = 0; count < 20; count += 1) {
        devices.push(await Visitor.withSession(url));
        const answer = await devices.at(-1).request('POST', '/site/sign-in', { body: { name: 'collector-of-sessions', password: 'a long password' }, headers: { 'X-Forwarded-For': `203.0.113.${count}` } });
        assert.equal(answer.status, 200, answer.text);
      }
      assert.equal((await oldest.get('/site/usage')).status, 401);
      for (const device of devices) assert.equal((await device.get('/site/session')).body.signed_in, true);
    });

    it('limits attempts to change a password (WEB-8, WEB-22)', async () => {
      const visitor = await Visitor.signedUp(url, 'guessed');
      const answers = [];
      for (let tries = 0; tries < 7; tries += 1) answers.push(await visitor.request('POST', '/site/password', { body: { password: 'not the password', new_password: 'another password' } }));
      assert.deepEqual(answers.slice(0, 5).map(({ status }) => status), [401, 401, 401, 401, 401]);
      const slowed = answers.find(({ status }) => status === 429);
      assert.ok(slowed && Number(slowed.headers.get('retry-after')) >= 1, answers.map(({ status }) => status).join());
    });

    it('deletes an account with all its data, given its password (WEB-11)', async () => {
      const visitor = await Visitor.signedUp(url, 'leaver');
      const { body: { key } } = await visitor.request('POST', '/site/keys');
      assert.equal((await visitor.request('DELETE', '/site/account', { body: { password: 'a wrong password' } })).status, 401);
      assert.equal((await visitor.request('DELETE', '/site/account', { body: {} })).status, 400);
      assert.equal((await visitor.request('DELETE', '/site/account', { body: { password: 'a long password' } })).status, 200);
      const used = await fetch(new URL('/v1/search?limit=1', api.url), { headers: { Authorization: `Bearer ${key}` } });
      assert.equal(used.status, 401);
      const again = await Visitor.withSession(url);
      assert.equal((await again.request('POST', '/site/sign-in', { body: { name: 'leaver', password: 'a long password' } })).status, 401);
      assert.equal((await Visitor.signedUp(url, 'leaver')).csrf.length, 32);
    });

    it('reports that an account no longer exists in the API (WEB-2)', async () => {
      const accounts = async () => (await api.admin('GET', '/admin/accounts')).body.accounts.map(({ account }) => account);
      const before = await accounts();
      const visitor = await Visitor.signedUp(url, 'orphan');
      const [own] = (await accounts()).filter((account) => !before.includes(account));
      await api.admin('DELETE', `/admin/accounts/${own}`);
      const found = [];
      for (const path of ['/site/usage', '/site/keys']) found.push(await visitor.get(path));
      for (const answer of found) assert.deepEqual([answer.status, answer.body?.error], [409, 'account_gone']);
      assert.equal((await visitor.get('/site/session')).body.account.plan, null);
      assert.equal((await visitor.request('DELETE', '/site/account', { body: { password: 'a long password' } })).status, 200);
    });

    it('neither the site nor the API reveals a key in a page or in its log (WEB-1)', async () => {
      const visitor = await Visitor.signedUp(url, 'watcher');
      await visitor.get('/site/usage');
      const kept = JSON.parse(readFileSync(folder.at('site/operator.json'), 'utf8'));
      const paths = ['/', '/site/session', '/site/search', '/account', '/docs', '/site/usage', '/site/export', '/openapi.json', '/nothing'];
      for (const path of paths) {
        const { text, headers } = await visitor.get(path);
        assert.ok(!API_KEY.test(text + JSON.stringify([...headers])), path);
      }
      assert.ok(!site.log.includes(kept.key) && !site.log.includes('tonearm_') && !site.log.includes('a long password'), site.log);
      api.assertCleanLog();
    });
  });
}
