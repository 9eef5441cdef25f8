// OAuth for /mcp (docs/spec/oauth.md, MCP-20): the official client signs a person in on the native server and on the edge, and
// attacks on each step fail.

import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, it } from 'node:test';

import { OauthClient } from '../mcp/oauth_client.mjs';
import { freePort } from '../support/free_port.mjs';
import { LaunchedServer } from '../support/launched_server.mjs';
import { edgeApi, nativeApi, SiteFolder, startSite, Visitor } from './site_process.mjs';

const CALLBACK = 'https://app.example/callback';
const LOOPBACK = 'http://127.0.0.1:4000/callback';
const METADATA = '/.well-known/oauth-protected-resource';

after(() => LaunchedServer.endAll());

/** The API and the site, each with the other's public address. */
class Deployment {
  static async start(startApi) {
    const one = new Deployment();
    one.folder = new SiteFolder();
    [one.apiListen, one.siteListen] = [`127.0.0.1:${await freePort()}`, `127.0.0.1:${await freePort()}`];
    [one.resource, one.issuer] = [`http://${one.apiListen}/mcp`, `http://${one.siteListen}`];
    one.api = await startApi(one.folder, { listen: one.apiListen, words: ['--public-url', `http://${one.apiListen}`, '--authorization-server', one.issuer] });
    await one.startSite();
    return one;
  }

  async startSite() {
    this.site = await startSite(this.folder, this.api, ['--public-url', this.issuer, '--public-api', `http://${this.apiListen}/`], { listen: this.siteListen });
  }

  async end() {
    await this.site?.stop();
    await this.api?.stop();
    this.folder.remove();
  }

  /** Sends a form to an endpoint; an object to `/oauth/register`. */
  async post(path, body, headers = {}) {
    const isForm = path !== '/oauth/register';
    const response = await fetch(this.issuer + path, { method: 'POST', headers: { ...(isForm ? {} : { 'Content-Type': 'application/json' }), ...headers },
      body: typeof body === 'string' ? body : isForm ? new URLSearchParams(body) : JSON.stringify(body) });
    return { status: response.status, headers: response.headers, body: await response.json() };
  }

  async register(redirects = [CALLBACK], name = 'An application') {
    const { status, body } = await this.post('/oauth/register', { client_name: name, redirect_uris: redirects });
    assert.equal(status, 201);
    return body.client_id;
  }

  /** The query of a request for authorization; `changes` may remove a parameter with undefined. */
  query(client, challenge, changes = {}) {
    const all = { response_type: 'code', client_id: client, redirect_uri: CALLBACK, code_challenge: challenge, code_challenge_method: 'S256', state: 'a state&=', resource: this.resource, ...changes };
    return new URLSearchParams(Object.entries(all).filter(([, value]) => value !== undefined)).toString();
  }

  async decide(person, query, decision = 'allow') {
    const { status, body, text } = await person.request('POST', '/site/consent', { body: { query, decision } });
    assert.equal(status, 200, text);
    return new URL(body.redirect);
  }

  /** The fields with which an application exchanges a new code. */
  async grant(person, client, changes = {}) {
    const { verifier, challenge } = proof();
    const returned = await this.decide(person, this.query(client, challenge, changes));
    return { grant_type: 'authorization_code', client_id: client, code: returned.searchParams.get('code'), redirect_uri: changes.redirect_uri ?? CALLBACK, code_verifier: verifier };
  }

  exchange(fields) { return this.post('/oauth/token', fields); }
  refresh(client, token, more = {}) { return this.post('/oauth/token', { grant_type: 'refresh_token', client_id: client, refresh_token: token, ...more }); }

  async tokens(person, client) {
    const { status, body } = await this.exchange(await this.grant(person, client));
    assert.equal(status, 200, JSON.stringify(body));
    return body;
  }

  /** The status of a call with an access token. */
  async statusWith(token) {
    const response = await fetch(`http://${this.apiListen}/v1/collections`, { headers: { Authorization: `Bearer ${token}` } });
    await response.arrayBuffer();
    return response.status;
  }
}

function proof() {
  const verifier = randomBytes(32).toString('base64url');
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') };
}

/** The site's own errors on the paths of the endpoints have their form (OAUTH-11). */
function assertOwnForm({ status, headers, body }, expected, error) {
  assert.deepEqual([status, headers.get('access-control-allow-origin'), body.error, Object.keys(body)], [expected, '*', error, ['error', 'error_description']], JSON.stringify(body));
}

const assertError = ({ status, body }, error, what) => assert.deepEqual([status, body.error], [400, error], `${what}: ${JSON.stringify(body)}`);

for (const [host, startApi] of [['the native server', nativeApi], ['the edge', edgeApi]]) {
  describe(`the official client on ${host}`, { timeout: 120_000 }, () => {
    let tonearm;
    before(async () => { tonearm = await Deployment.start(startApi); });
    after(() => tonearm?.end());

    it('finds the authorization server, registers, signs a person in, refreshes and is disconnected (MCP-20, OAUTH-1, OAUTH-2)', async () => {
      const person = await Visitor.signedUp(tonearm.issuer, 'listener');
      const application = new OauthClient(tonearm.resource, { name: 'A <b>friendly</b> assistant' });
      const page = await application.start();
      assert.equal(page.origin + page.pathname, `${tonearm.issuer}/oauth/authorize`);
      assert.equal(page.searchParams.get('resource'), tonearm.resource);
      assert.equal((await person.get(page.pathname + page.search)).status, 200);
      const shown = await person.get(`/site/authorization${page.search}`);
      assert.deepEqual(shown.body, { name: 'A <b>friendly</b> assistant', host: 'app.example', is_local: false, publisher: null });
      const returned = await tonearm.decide(person, page.search.slice(1));
      assert.equal(returned.origin + returned.pathname, CALLBACK);
      assert.equal(returned.searchParams.get('iss'), tonearm.issuer);
      await application.finish(returned);
      const made = await application.call('create_collection', { name: 'From an assistant' });
      assert.notEqual(made.isError, true, made.content[0].text);
      const { body: { collections } } = await person.get('/site/collections');
      assert.deepEqual(collections.map(({ name }) => name), ['From an assistant']);

      const first = application.provider.saved;
      assert.equal(await application.refresh(), 'AUTHORIZED');
      assert.notEqual(application.provider.saved.access_token, first.access_token);
      assert.notEqual((await application.call('list_collections')).isError, true);
      assert.equal(await tonearm.statusWith(first.access_token), 401);

      const { body: { connections: [connection, ...others] } } = await person.get('/site/connections');
      assert.deepEqual([connection.name, connection.host, others.length], ['A <b>friendly</b> assistant', 'app.example', 0]);
      const stranger = await Visitor.signedUp(tonearm.issuer, 'stranger');
      assert.equal((await stranger.request('DELETE', `/site/connections/${connection.id}`)).status, 404);
      assert.equal((await person.request('DELETE', `/site/connections/${connection.id}`)).status, 200);
      assert.deepEqual((await person.get('/site/connections')).body, { connections: [] });
      assert.equal(await tonearm.statusWith(application.provider.saved.access_token), 401);
      await assert.rejects(application.call('list_collections'), /Unauthorized/);
      assert.equal(application.provider.saved, undefined); // the refresh token ended, too
    });

    it('is told about its resource without a key, and keys work as before (MCP-20)', async () => {
      const api = `http://${tonearm.apiListen}`;
      const expected = { resource: tonearm.resource, resource_name: 'Tonearm', authorization_servers: [tonearm.issuer], scopes_supported: ['account'], bearer_methods_supported: ['header'] };
      for (const path of [METADATA, `${METADATA}/mcp`]) {
        const response = await fetch(api + path);
        assert.equal(response.status, 200, path);
        assert.deepEqual(await response.json(), expected);
        assert.equal(response.headers.get('access-control-allow-origin'), null); // SERVICE-6
        assert.equal((await fetch(api + path, { method: 'POST', body: '{}' })).status, 405);
      }
      assert.equal((await fetch(`${api}${METADATA}/v1`)).status, 404);
      const ping = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' });
      const send = (path, authorization) => fetch(api + path, { method: 'POST', body: ping, headers: { 'Content-Type': 'application/json', ...(authorization ? { Authorization: authorization } : {}) } });
      const named = `Bearer resource_metadata="${api}${METADATA}/mcp"`;
      const { body: { account } } = await tonearm.api.admin('POST', '/admin/accounts', { plan: 'free' });
      const { body: { key, key_id: id } } = await tonearm.api.admin('POST', `/admin/accounts/${account}/keys`, {});
      assert.equal((await send('/mcp', `Bearer ${key}`)).status, 200);
      assert.equal((await tonearm.api.admin('DELETE', `/admin/keys/${id}`)).status, 200);
      for (const authorization of [undefined, 'Bearer x', 'Basic eDp5', `Bearer ${key}`, `Bearer ${key}`]) {
        for (const [path, field] of [['/mcp', named], ['/v1/usage', 'Bearer']]) {
          const response = await send(path, authorization);
          assert.deepEqual([response.status, response.headers.get('www-authenticate')], [401, field], `${path} ${authorization}`);
        }
      }
    });
  });
}

describe('attacks on OAuth', { timeout: 120_000 }, () => {
  let tonearm, person, client, other;
  before(async () => {
    tonearm = await Deployment.start(nativeApi);
    person = await Visitor.signedUp(tonearm.issuer, 'owner');
    client = await tonearm.register([CALLBACK, LOOPBACK]);
    other = await tonearm.register(['https://other.example/callback']);
  });
  after(() => tonearm?.end());

  /** The answers to a request for authorization: the page's data, and that to the decision. */
  const answersTo = async (query) => [await person.get(`/site/authorization?${query}`), await person.request('POST', '/site/consent', { body: { query, decision: 'allow' } })];

  it('have no use for another redirect address (OAUTH-4)', async () => {
    const { challenge } = proof();
    for (const redirect of [undefined, '', 'https://evil.example/callback', 'https://app.example/callback/', 'https://app.example/callback?x', 'https://app.example/callback#f', 'https://app.example/Callback',
      'https://app.example:444/callback', 'http://app.example/callback', 'https://app.example.evil.example/callback', 'https://app.example@evil.example/callback', 'https://app.example/callback/../x',
      'http://127.0.0.1:4000/other', 'http://127.0.0.2:4000/callback', 'http://localhost:4000/callback', 'https://127.0.0.1:4000/callback', 'http://127.0.0.1:4000@evil.example/callback',
      'javascript:alert(1)', '//evil.example/', 'https://other.example/callback']) {
      for (const { status, body } of await answersTo(tonearm.query(client, challenge, { redirect_uri: redirect }))) {
        assert.deepEqual([status, body.error, body.redirect], [400, 'invalid_request', undefined], redirect);
      }
    }
    for (const query of [tonearm.query('app_unknown', challenge), `${tonearm.query(client, challenge)}&redirect_uri=https%3A%2F%2Fevil.example`, `${tonearm.query(client, challenge)}&client_id=${other}`,
      tonearm.query(undefined, challenge), `${tonearm.query(client, challenge)}&state=%ff`, '']) {
      for (const { status, body } of await answersTo(query)) assert.deepEqual([status, body.error], [400, 'invalid_request'], query);
    }
    for (const port of ['', ':1', ':65535']) {
      const redirect = `http://127.0.0.1${port}/callback`;
      const fields = await tonearm.grant(person, client, { redirect_uri: redirect });
      assert.equal((await tonearm.exchange(fields)).status, 200, redirect);
    }
    assert.deepEqual((await person.get(`/site/authorization?${tonearm.query(client, challenge, { redirect_uri: 'http://127.0.0.1:9/callback' })}`)).body, { name: 'An application', host: '127.0.0.1:9', is_local: true, publisher: null });
  });

  it('cannot make the site request private addresses (OAUTH-13)', async () => {
    const { challenge } = proof();
    let requests = 0;
    const server = createServer((socket) => { requests += 1; socket.destroy(); });
    await new Promise((done) => { server.listen(0, '127.0.0.1', done); });
    const { port } = server.address();
    for (const document of [`https://127.0.0.1:${port}/client.json`, `https://localhost:${port}/client.json`, `https://[::ffff:127.0.0.1]:${port}/client.json`]) {
      for (const { status, body } of await answersTo(tonearm.query(document, challenge))) assert.deepEqual([status, body.error], [400, 'invalid_request'], document);
    }
    await new Promise((done) => { server.close(done); });
    assert.equal(requests, 0);
    const visitor = await Visitor.withSession(tonearm.issuer);
    assert.equal((await visitor.get(`/site/authorization?${tonearm.query('https://app.example/client.json', challenge)}`)).status, 401);
  });

  it('cannot weaken the proof key, or request tokens for another resource (OAUTH-5)', async () => {
    const { challenge } = proof();
    for (const [changes, error] of [
      [{ response_type: 'token' }, 'unsupported_response_type'], [{ response_type: undefined }, 'unsupported_response_type'], [{ code_challenge_method: 'plain' }, 'invalid_request'],
      [{ code_challenge_method: undefined }, 'invalid_request'], [{ code_challenge: undefined }, 'invalid_request'], [{ code_challenge: 'abc' }, 'invalid_request'],
      [{ response_mode: 'fragment' }, 'invalid_request'], [{ resource: 'https://other.example/mcp' }, 'invalid_target'], [{ resource: `${tonearm.resource}/` }, 'invalid_target'],
    ]) {
      for (const { status, body } of await answersTo(tonearm.query(client, challenge, changes))) {
        const returned = new URL(body.redirect);
        assert.equal(status, 200);
        assert.equal(returned.origin + returned.pathname, CALLBACK);
        const { error: code, state, iss } = Object.fromEntries(returned.searchParams);
        assert.deepEqual([code, state, iss, returned.searchParams.has('code')], [error, 'a state&=', tonearm.issuer, false], JSON.stringify(changes));
      }
    }
    const fields = await tonearm.grant(person, client);
    assertError(await tonearm.exchange({ ...fields, resource: 'https://other.example/mcp' }), 'invalid_target', 'another resource');
    assert.equal((await tonearm.exchange({ ...fields, resource: tonearm.resource })).status, 200);
    assert.equal((await tonearm.exchange(await tonearm.grant(person, client, { resource: undefined, state: undefined }))).status, 200);
  });

  it('cannot mix up servers: each answer names the issuer (OAUTH-6)', async () => {
    const { challenge } = proof();
    for (const [decision, name] of [['allow', 'code'], ['deny', 'error']]) {
      const returned = await tonearm.decide(person, tonearm.query(client, challenge), decision);
      assert.deepEqual([returned.searchParams.has(name), returned.searchParams.get('state'), returned.searchParams.get('iss')], [true, 'a state&=', tonearm.issuer]);
      if (decision === 'deny') assert.equal(returned.searchParams.get('error'), 'access_denied');
    }
    const metadata = await (await fetch(`${tonearm.issuer}/.well-known/oauth-authorization-server`)).json();
    assert.deepEqual(metadata, {
      issuer: tonearm.issuer, authorization_endpoint: `${tonearm.issuer}/oauth/authorize`, token_endpoint: `${tonearm.issuer}/oauth/token`, registration_endpoint: `${tonearm.issuer}/oauth/register`,
      revocation_endpoint: `${tonearm.issuer}/oauth/revoke`, scopes_supported: ['account'], response_types_supported: ['code'], response_modes_supported: ['query'],
      grant_types_supported: ['authorization_code', 'refresh_token'], token_endpoint_auth_methods_supported: ['none'], revocation_endpoint_auth_methods_supported: ['none'],
      code_challenge_methods_supported: ['S256'], authorization_response_iss_parameter_supported: true, client_id_metadata_document_supported: true, ui_locales_supported: ['en', 'de'], protected_resources: [tonearm.resource],
    });
  });

  it('cannot consent for a person, or frame the page (OAUTH-6, WEB-9, WEB-14)', async () => {
    const { challenge } = proof();
    const query = tonearm.query(client, challenge);
    const body = { query, decision: 'allow' };
    for (const headers of [{ 'X-CSRF-Token': '' }, { 'X-CSRF-Token': '0'.repeat(32) }, { Origin: 'https://evil.example' }, { 'Sec-Fetch-Site': 'cross-site' }]) {
      assert.equal((await person.request('POST', '/site/consent', { body, headers })).status, 403, JSON.stringify(headers));
    }
    assert.equal((await (await Visitor.withSession(tonearm.issuer)).request('POST', '/site/consent', { body })).status, 401);
    for (const wrong of [{ query }, { query, decision: 'yes' }, { query, decision: 'allow', more: '' }, { query: 1, decision: 'allow' }]) assert.equal((await person.request('POST', '/site/consent', { body: wrong })).status, 400);
    const page = await person.get(`/oauth/authorize?${query}`);
    assert.equal(page.status, 200);
    assert.match(page.headers.get('content-security-policy'), /frame-ancestors 'none'/);
    assert.doesNotMatch(page.text, /owner/);
    assert.equal((await person.request('POST', `/oauth/authorize?${query}`, { body: {} })).status, 405);
  });

  it('cannot use a code of somebody else, twice, or without its verifier (OAUTH-7)', async () => {
    const fields = await tonearm.grant(person, client);
    const { verifier, challenge } = proof();
    for (const [changes, error] of [
      [{ client_id: other }, 'invalid_grant'], [{ client_id: 'app_unknown' }, 'invalid_client'], [{ client_id: '' }, 'invalid_client'], [{ redirect_uri: LOOPBACK }, 'invalid_grant'], [{ redirect_uri: '' }, 'invalid_grant'],
      [{ code_verifier: '' }, 'invalid_grant'], [{ code_verifier: verifier }, 'invalid_grant'], [{ code_verifier: challenge }, 'invalid_grant'], [{ code: '0'.repeat(64) }, 'invalid_grant'], [{ code: '' }, 'invalid_grant'],
      [{ grant_type: 'password' }, 'unsupported_grant_type'], [{ grant_type: 'refresh_token', refresh_token: fields.code }, 'invalid_grant'],
    ]) assertError(await tonearm.exchange({ ...fields, ...changes }), error, JSON.stringify(changes));
    assertError(await tonearm.post('/oauth/token', `${new URLSearchParams(fields)}&code=x`), 'invalid_request', 'a repeated parameter');
    assertError(await tonearm.post('/oauth/token', JSON.stringify(fields), { 'Content-Type': 'application/json' }), 'invalid_request', 'JSON');
    const made = await tonearm.exchange(fields);
    assert.equal(made.status, 200);
    assert.equal(made.headers.get('cache-control'), 'no-store');
    assert.deepEqual([made.body.token_type, made.body.expires_in, made.body.scope], ['Bearer', 3600, 'account']);
    assert.equal(await tonearm.statusWith(made.body.access_token), 200);
    assertError(await tonearm.exchange({ ...fields, client_id: other }), 'invalid_grant', 'another application repeats it');
    assert.equal(await tonearm.statusWith(made.body.access_token), 200);
    assertError(await tonearm.exchange(fields), 'invalid_grant', 'a second time');
    assert.equal(await tonearm.statusWith(made.body.access_token), 401);
    assertError(await tonearm.refresh(client, made.body.refresh_token), 'invalid_grant', 'the refresh token of a replayed code');
  });

  it('cannot use a refresh token of another application, or twice (OAUTH-8)', async () => {
    const connections = async () => (await person.get('/site/connections')).body.connections.map(({ id }) => id).sort();
    const before = await connections();
    const first = await tonearm.tokens(person, client);
    assert.equal((await connections()).length, before.length + 1);
    assertError(await tonearm.refresh(other, first.refresh_token), 'invalid_grant', 'another application');
    assertError(await tonearm.refresh(client, first.access_token), 'invalid_grant', 'an access token');
    assertError(await tonearm.refresh(client, first.refresh_token, { resource: 'https://other.example/mcp' }), 'invalid_target', 'another resource');
    const second = (await tonearm.refresh(client, first.refresh_token)).body;
    assert.deepEqual([await tonearm.statusWith(first.access_token), await tonearm.statusWith(second.access_token)], [401, 200]);
    const third = (await tonearm.refresh(client, second.refresh_token)).body;
    assertError(await tonearm.refresh(client, first.refresh_token), 'invalid_grant', 'a replay');
    assert.equal(await tonearm.statusWith(third.access_token), 401);
    assertError(await tonearm.refresh(client, third.refresh_token), 'invalid_grant', 'the newest token after a replay');
    assert.deepEqual(await connections(), before);
    const current = await tonearm.tokens(person, client);
    const twice = await Promise.all([tonearm.refresh(client, current.refresh_token), tonearm.refresh(client, current.refresh_token)]);
    assert.ok(twice.filter(({ status }) => status === 200).length <= 1, 'two requests at once used one token');
  });

  it('cannot refresh in a loop (OAUTH-8)', async () => {
    let { body } = await tonearm.exchange(await tonearm.grant(person, client));
    let answer;
    for (let i = 0; i < 40 && answer?.status !== 429; i += 1) {
      answer = await tonearm.refresh(client, body.refresh_token);
      if (answer.status === 200) body = answer.body;
    }
    assertOwnForm(answer, 429, 'temporarily_unavailable');
    assert.ok(Number(answer.headers.get('retry-after')) > 0);
    assert.equal(await tonearm.statusWith(body.access_token), 200);
  });

  it('end with a revocation, by the application that has the token (OAUTH-10)', async () => {
    for (const name of ['refresh_token', 'access_token']) {
      const tokens = await tonearm.tokens(person, client);
      assertError(await tonearm.post('/oauth/revoke', { token: tokens[name] }), 'invalid_request', 'no application');
      assertError(await tonearm.post('/oauth/revoke', { client_id: client }), 'invalid_request', 'no token');
      assertError(await tonearm.post('/oauth/revoke', { token: tokens[name], client_id: other }), 'invalid_grant', 'another application');
      assert.equal(await tonearm.statusWith(tokens.access_token), 200);
      assert.equal((await tonearm.post('/oauth/revoke', { token: tokens[name], client_id: client, token_type_hint: 'access_token' })).status, 200);
      assert.equal(await tonearm.statusWith(tokens.access_token), 401);
      assertError(await tonearm.refresh(client, tokens.refresh_token), 'invalid_grant', 'a revoked connection');
    }
    assert.equal((await tonearm.post('/oauth/revoke', { token: 'unknown', client_id: client })).status, 200);
  });

  it('cannot flood the registrations, which browsers of any site may make (OAUTH-3, OAUTH-11)', async () => {
    for (const path of ['/.well-known/oauth-authorization-server', '/oauth/token', '/oauth/register', '/oauth/revoke']) {
      const preflight = await fetch(tonearm.issuer + path, { method: 'OPTIONS', headers: { Origin: 'https://app.example', 'Access-Control-Request-Method': 'POST' } });
      assert.deepEqual([preflight.status, preflight.headers.get('access-control-allow-origin'), preflight.headers.get('access-control-allow-headers')], [204, '*', 'Content-Type, MCP-Protocol-Version'], path);
      assert.equal(preflight.headers.get('access-control-allow-credentials'), null);
    }
    for (const [redirects, error] of [[undefined, 'invalid_redirect_uri'], [['http://app.example/'], 'invalid_redirect_uri'], [['https://app.example/#'], 'invalid_redirect_uri'], [[], 'invalid_redirect_uri']]) {
      const answer = await tonearm.post('/oauth/register', { redirect_uris: redirects });
      assertError(answer, error, JSON.stringify(redirects));
      assert.equal(answer.headers.get('access-control-allow-origin'), '*');
    }
    assertError(await tonearm.post('/oauth/register', 'no JSON'), 'invalid_client_metadata', 'no JSON');
    const { body } = await tonearm.post('/oauth/register', { redirect_uris: [CALLBACK], token_endpoint_auth_method: 'client_secret_basic' });
    assert.deepEqual([body.token_endpoint_auth_method, body.client_secret, body.redirect_uris], ['none', undefined, [CALLBACK]]);
    const statuses = [];
    let last;
    while (statuses.length < 70 && statuses.at(-1) !== 429) {
      last = await tonearm.post('/oauth/register', { redirect_uris: [CALLBACK] });
      statuses.push(last.status);
    }
    assertOwnForm(last, 429, 'temporarily_unavailable');
    assert.ok(Number(last.headers.get('retry-after')) > 0);
    assertOwnForm(await tonearm.post('/oauth/token', 'x'.repeat(3_000_000)), 413, 'invalid_request');
    const wrong = await fetch(`${tonearm.issuer}/oauth/token`);
    assertOwnForm({ status: wrong.status, headers: wrong.headers, body: await wrong.json() }, 405, 'invalid_request');
    assert.equal(wrong.headers.get('allow'), 'POST, OPTIONS');
  });

  it('find only hashes in the store and nothing in the log; expired codes and tokens are refused (OAUTH-7, OAUTH-8, OAUTH-12)', async () => {
    const fields = await tonearm.grant(person, client);
    const tokens = await tonearm.tokens(person, client);
    const late = await tonearm.grant(person, client);
    await tonearm.site.stop();
    const bytes = ['people.sqlite', 'people.sqlite-wal'].map((name) => { try { return readFileSync(tonearm.folder.at(`site/${name}`), 'latin1'); } catch { return ''; } }).join('');
    for (const secret of [fields.code, late.code, tokens.access_token, tokens.refresh_token]) {
      assert.ok(!bytes.includes(secret), 'a secret is in the store');
      assert.ok(!tonearm.site.log.includes(secret), 'a secret is in the log');
    }
    const store = new DatabaseSync(tonearm.folder.at('site/people.sqlite'));
    const now = Date.now();
    assert.equal(store.prepare('SELECT COUNT(*) AS count FROM site_oauth_tokens WHERE kind = 0 AND until_ms > ?').get(now + 61_000).count, 0);
    store.prepare('UPDATE site_oauth_tokens SET until_ms = ? WHERE is_used = 0').run(now - 1);
    store.close();
    await tonearm.startSite();
    assertError(await tonearm.exchange(late), 'invalid_grant', 'an expired code');
    assertError(await tonearm.refresh(client, tokens.refresh_token), 'invalid_grant', 'an expired refresh token');
  });

  it('meet no endpoint without --public-url (OAUTH-1), and an unchanged token while the API does not answer (OAUTH-8)', async () => {
    const used = await tonearm.grant(person, client);
    const ended = (await tonearm.exchange(used)).body;
    const tokens = await tonearm.tokens(person, client);
    const { body: { connections: [connection] } } = await person.get('/site/connections');
    await tonearm.api.stop();
    const unavailable = await tonearm.refresh(client, tokens.refresh_token);
    assertOwnForm(unavailable, 503, 'temporarily_unavailable');
    assertOwnForm(await tonearm.post('/oauth/revoke', { client_id: client, token: tokens.refresh_token }), 503, 'temporarily_unavailable');
    const replayed = await tonearm.exchange(used);
    assertError(replayed, 'invalid_grant', 'a replay');
    assert.equal((await person.request('DELETE', `/site/connections/${connection.id}`)).status, 503);
    const keys = { listen: tonearm.apiListen, adminListen: new URL(tonearm.api.adminUrl).host };
    tonearm.api = await nativeApi(tonearm.folder, keys); // without OAuth
    assert.equal((await fetch(`http://${tonearm.apiListen}${METADATA}`)).status, 404);
    assert.equal((await fetch(tonearm.resource, { method: 'POST', body: '{}' })).headers.get('www-authenticate'), 'Bearer');
    assert.equal((await tonearm.refresh(client, tokens.refresh_token)).status, 200);
    assert.equal(await tonearm.statusWith(ended.access_token), 401); // OAUTH-14: the site revokes it later
    await tonearm.site.stop();
    tonearm.site = await startSite(tonearm.folder, tonearm.api, [], { listen: tonearm.siteListen });
    for (const [method, path] of [['GET', '/.well-known/oauth-authorization-server'], ['POST', '/oauth/register'], ['POST', '/oauth/token'], ['POST', '/oauth/revoke']]) {
      assert.equal((await fetch(tonearm.issuer + path, { method, body: method === 'POST' ? '{}' : undefined })).status, 404, path);
    }
    const { challenge } = proof();
    for (const { status } of await answersTo(tonearm.query(client, challenge))) assert.equal(status, 404);
  });
});
