// `tonearm login` (CLI-21 to CLI-24): a person signs in at a real site, tokens are renewed and ended, and wrong answers and servers are
// rejected.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';

import { fakeServer, tonearm } from '../command-line/project.mjs';
import { bin } from '../http/server_process.mjs';
import { freePort } from '../support/free_port.mjs';
import { LaunchedServer } from '../support/launched_server.mjs';
import { edgeApi, nativeApi, root, SiteFolder, startSite, Visitor, waitUntilReady } from './site_process.mjs';

const HOURS = 3600;
const TOKEN = /[0-9a-f]{32,}|tnr_/;

after(() => LaunchedServer.endAll());

/** The API, the site and a person; `run` and `login` are the person's command line. */
class Deployment {
  #logins = [];

  static async start(startApi = nativeApi, { words = {} } = {}) {
    const one = new Deployment();
    one.folder = new SiteFolder();
    const [apiListen, siteListen] = [`127.0.0.1:${await freePort()}`, `127.0.0.1:${await freePort()}`];
    [one.url, one.issuer] = [`http://${apiListen}`, `http://${siteListen}`];
    one.api = await startApi(one.folder, { listen: apiListen, words: ['--public-url', one.url, '--authorization-server', one.issuer, ...(words.api ?? [])] });
    one.site = await startSite(one.folder, one.api, ['--public-url', one.issuer, '--public-api', one.url], { listen: siteListen });
    one.person = await Visitor.signedUp(one.issuer, 'listener');
    return one;
  }

  async end() {
    for (const child of this.#logins) child.kill(); // those that a failed test did not finish
    await this.site?.stop();
    await this.api?.stop();
    this.folder.remove();
  }

  get settings() { return this.folder.at('settings'); }
  get file() { return join(this.settings, 'tonearm/login'); }
  get tokens() { return JSON.parse(readFileSync(this.file, 'utf8'))[this.url]; }

  run(words, env = {}) { return tonearm(words, { TONEARM_API: this.url, XDG_CONFIG_HOME: this.settings, ...env }); }

  /** Starts `tonearm login` and waits for its page: `{page, end}`. `page` is undefined if it ends before. */
  async login({ words = [], env = {} } = {}) {
    const child = spawn(join(bin, 'tonearm'), ['login', ...words], { cwd: root, stdio: ['ignore', 'pipe', 'pipe'],
      env: { PATH: process.env.PATH, HOME: '/nonexistent', TONEARM_API: this.url, XDG_CONFIG_HOME: this.settings, ...env } });
    this.#logins.push(child);
    let [out, errors, found] = ['', '', () => {}];
    const printed = new Promise((done) => { found = done; });
    child.stdout.setEncoding('utf8').on('data', (text) => { out += text; });
    child.stderr.setEncoding('utf8').on('data', (text) => {
      errors += text;
      const [, url] = /\n {2}(http\S+)\n/.exec(errors) ?? [];
      if (url) found(new URL(url));
    });
    const end = new Promise((done) => {
      child.on('close', (status, signal) => {
        found(undefined);
        done({ status: status ?? signal, out, errors });
      });
    });
    return { page: await printed, end };
  }

  /** The address to which the site sends the browser after the person's decision. */
  async decide(page, decision = 'allow') {
    assert.equal((await this.person.get(page.pathname + page.search)).status, 200);
    const { status, body, text } = await this.person.request('POST', '/site/consent', { body: { query: page.search.slice(1), decision } });
    assert.equal(status, 200, text);
    return new URL(body.redirect);
  }

  async signIn(options) {
    const { page, end } = await this.login(options);
    assert.ok(page, JSON.stringify(await (page ? null : end)));
    const shown = await fetch(await this.decide(page));
    assert.deepEqual([shown.status, await shown.text()], [200, 'Tonearm has the answer. Close this page and return to the terminal.\n']);
    return end;
  }

  async connections() { return (await this.person.get('/site/connections')).body.connections; }
}

for (const [host, startApi] of [['the native server', nativeApi], ['the edge', edgeApi]]) {
  describe(`a login to ${host}`, { timeout: 180_000 }, () => {
    let service;
    before(async () => { service = await Deployment.start(startApi); });
    after(() => service?.end());

    it('is stored for its owner alone, replaces a key in each command, and ends with logout (CLI-3, CLI-21, CLI-22, CLI-24)', async () => {
      const without = await service.run(['search', 'rain']);
      assert.deepEqual([without.status, without.out], [2, '']);
      assert.match(without.errors, /tonearm login/);
      const { status, out, errors } = await service.signIn();
      assert.deepEqual([status, JSON.parse(out)], [0, { api: service.url, signed_in: true }], errors);
      assert.deepEqual([statSync(service.file).mode & 0o777, statSync(join(service.settings, 'tonearm')).mode & 0o777], [0o600, 0o700]);
      assert.deepEqual(readdirSync(join(service.settings, 'tonearm')).sort(), ['login', 'login.lock']);
      assert.ok(!(out + errors).includes(service.tokens.access_token) && !(out + errors).includes(service.tokens.refresh_token));
      const [{ name, host: returnsTo }] = await service.connections();
      assert.match(name, /tonearm/);
      assert.match(returnsTo, /^127\.0\.0\.1:/);

      const found = await service.run(['search', '--limit', '2']);
      assert.equal(found.status, 0, found.errors);
      const ids = found.json().tracks.map(({ id }) => id);
      assert.equal((await service.run(['track', ids[0]])).json().id, ids[0]);
      assert.ok(Array.isArray((await service.run(['similar', ids[0]])).json().tracks));
      assert.equal((await service.run(['filters', '--table'])).status, 0);
      const made = (await service.run(['collection', 'create', 'From the terminal'])).json();
      assert.deepEqual((await service.run(['collection', 'add', made.id, ...ids])).json().items.map(({ track_id: id }) => id), ids);
      assert.equal((await service.run(['collection', 'credits', made.id])).json().collection.id, made.id);
      assert.deepEqual((await service.person.get('/site/collections')).body.collections.map((one) => one.name), ['From the terminal']);
      mkdirSync(service.folder.at('project'), { recursive: true });
      writeFileSync(service.folder.at('project/a.mp3'), 'no audio');
      const checked = await service.run(['credits', service.folder.at('project'), '--json']);
      assert.deepEqual([checked.status, checked.json().summary.unknown], [1, 1], checked.errors);
      const usage = await service.run(['usage']);
      assert.equal(usage.status, 0, usage.errors);

      const { access_token: ended } = service.tokens;
      const left = await service.run(['logout']);
      assert.deepEqual([left.status, left.json()], [0, { api: service.url, signed_in: false }], left.errors);
      assert.deepEqual(await service.connections(), []);
      const call = await fetch(`${service.url}/v1/collections`, { headers: { Authorization: `Bearer ${ended}` } });
      assert.equal(call.status, 401);
      assert.equal((await service.run(['search', 'rain'])).status, 2);
      const twice = await service.run(['logout']);
      assert.deepEqual([twice.status, twice.out], [2, '']);
      assert.match(twice.errors, /no login to http/);
    });
  });
}

describe('the tokens of a login', { timeout: 180_000 }, () => {
  let service, clock;
  const moveClock = (seconds) => {
    writeFileSync(`${clock}.new`, `${seconds}\n`);
    renameSync(`${clock}.new`, clock);
  };
  before(async () => {
    service = new Deployment();
    service.folder = new SiteFolder();
    clock = service.folder.at('clock');
    moveClock(0);
    const env = { LD_PRELOAD: join(bin, 'tonearm-moved-clock.so'), TONEARM_TEST_CLOCK: clock, ASAN_OPTIONS: 'verify_asan_link_order=0' };
    const [apiListen, siteListen] = [`127.0.0.1:${await freePort()}`, `127.0.0.1:${await freePort()}`];
    [service.url, service.issuer] = [`http://${apiListen}`, `http://${siteListen}`];
    const { at, catalog } = { at: (name) => service.folder.at(name), catalog: service.folder.catalog };
    service.api = await LaunchedServer.launch(join(bin, 'tonearm-server'), ['--catalog', catalog, '--state', at('state.sqlite'), '--listen', apiListen,
      '--admin-listen', '127.0.0.1:0', '--admin-token-file', at('token'), '--public-url', service.url, '--authorization-server', service.issuer], { env });
    service.site = await LaunchedServer.launch(join(bin, 'tonearm-web'), ['--api', service.url, '--admin', service.api.adminUrl, '--admin-token-file', at('token'), '--listen', siteListen,
      '--data', at('site'), '--visitor-burst', '100000', '--public-url', service.issuer, '--public-api', service.url], { env });
    await waitUntilReady(service.issuer);
    service.person = await Visitor.signedUp(service.issuer, 'listener');
    assert.equal((await service.signIn()).status, 0);
  });
  after(() => service?.end());

  it('are renewed when the access token has expired (CLI-23)', async () => {
    const first = service.tokens;
    assert.equal((await service.run(['search'])).status, 0);
    assert.deepEqual(service.tokens, first);
    moveClock(2 * HOURS);
    const { status, errors } = await service.run(['search']);
    assert.equal(status, 0, errors);
    assert.notEqual(service.tokens.access_token, first.access_token);
    assert.notEqual(service.tokens.refresh_token, first.refresh_token);
    assert.equal(service.tokens.client_id, first.client_id);
    assert.equal(statSync(service.file).mode & 0o777, 0o600);
  });

  it('are renewed once by commands that run at once (CLI-23)', async () => {
    const before = service.tokens;
    moveClock(4 * HOURS);
    const ends = await Promise.all(Array.from({ length: 6 }, () => service.run(['search', '--limit', '1'])));
    assert.deepEqual(ends.map(({ status }) => status), [0, 0, 0, 0, 0, 0], ends.map(({ errors }) => errors).join(''));
    assert.notEqual(service.tokens.refresh_token, before.refresh_token);
    assert.equal((await service.connections()).length, 1); // a second use of the refresh token would have ended it
  });

  it('stay when the site fails or does not answer (CLI-23)', async () => {
    moveClock(6 * HOURS);
    const before = service.tokens;
    const elsewhere = await fakeServer(() => ({ status: 503, text: '{"error":"unavailable","message":"Try again later."}' }));
    const all = JSON.parse(readFileSync(service.file, 'utf8'));
    writeFileSync(service.file, JSON.stringify({ [service.url]: { ...all[service.url], token_endpoint: `${elsewhere.url}/oauth/token` } }));
    const failed = await service.run(['search']);
    assert.deepEqual([failed.status, failed.out], [3, '']);
    assert.match(failed.errors, /cannot be renewed: Try again later\. \(503\)/);
    assert.equal(elsewhere.requests.length, 1);
    elsewhere.close();
    const refused = await service.run(['search']);
    assert.deepEqual([refused.status, refused.out], [3, '']);
    assert.match(refused.errors, /no answer from .*connection refused/);
    writeFileSync(service.file, JSON.stringify(all));
    assert.deepEqual(service.tokens, before);
    assert.equal((await service.run(['search'])).status, 0);
  });

  it('say that the login has ended if nothing renews them, until the next login (CLI-23)', async () => {
    moveClock(40 * 24 * HOURS);
    for (let count = 0; count < 2; count += 1) {
      const { status, out, errors } = await service.run(['search']);
      assert.deepEqual([status, out], [3, '']);
      assert.match(errors, /^tonearm: the login has ended: use tonearm login again, or tonearm logout\n$/);
    }
    service.person = await Visitor.signedUp(service.issuer, 'listener_again');
    assert.equal((await service.signIn()).status, 0);
    assert.equal((await service.run(['search'])).status, 0);
    const before = service.tokens;
    const again = await service.signIn();
    assert.deepEqual([again.status, (await service.connections()).length], [0, 1], again.errors); // the earlier login was ended
    assert.notEqual(service.tokens.access_token, before.access_token);
  });
});

describe('a login that goes wrong', { timeout: 180_000 }, () => {
  let service;
  before(async () => { service = await Deployment.start(); });
  after(() => service?.end());

  const fails = async ({ status, out, errors }, expected, message) => {
    assert.deepEqual([status, out], [expected, ''], errors);
    assert.match(errors, message);
    assert.doesNotMatch(errors.split('\n').filter((line) => !line.startsWith('  http')).join('\n'), TOKEN);
    assert.equal(existsSync(service.file), false, 'something was stored');
  };

  it('is denied by the person (CLI-21)', async () => {
    const { page, end } = await service.login();
    assert.equal((await fetch(await service.decide(page, 'deny'))).status, 200);
    await fails(await end, 3, /access was denied/);
  });

  it('ignores requests that are not its answer (CLI-21)', async () => {
    const { page, end } = await service.login();
    const returned = await service.decide(page);
    const callback = returned.origin + returned.pathname;
    const code = returned.searchParams.get('code');
    for (const query of ['', '?', '?state=', `?code=${code}&state=x&iss=${service.issuer}`, `?code=${code}`, '?state=%ff', `${returned.search}&state=x`, `?error=access_denied&state=${'0'.repeat(64)}`]) {
      const response = await fetch(callback + query);
      assert.deepEqual([response.status, response.headers.get('cache-control')], [400, 'no-store'], query);
      assert.match(await response.text(), /not the answer to the login/);
    }
    assert.equal((await fetch(`${returned.origin}/favicon.ico`)).status, 404);
    assert.equal((await fetch(returned, { method: 'POST', body: 'x' })).status, 405);
    assert.equal((await fetch(`${callback}?${'x'.repeat(20_000)}`).catch(() => ({ status: 'closed' }))).status, 'closed');
    assert.equal((await fetch(returned)).status, 200);
    assert.equal((await end).status, 0);
    assert.equal((await service.run(['logout'])).status, 0);
  });

  it('rejects an answer of another issuer, an error, and a code that the server does not know (CLI-21)', async () => {
    for (const [change, message] of [
      [{ iss: 'https://evil.example' }, /the answer is not of http/], [{ iss: null }, /the answer is not of http/], [{ code: 'x' }, /the login failed: .*\(400\)/],
      [{ code: null }, /has no code/], [{ code: null, error: 'server_error', error_description: 'out of\u001b[2J order' }, /refused: out of\\u001b\[2J order/],
    ]) {
      const { page, end } = await service.login();
      const returned = await service.decide(page);
      for (const [name, value] of Object.entries(change)) {
        if (value === null) returned.searchParams.delete(name);
        else returned.searchParams.set(name, value);
      }
      assert.equal((await fetch(returned)).status, 200);
      await fails(await end, 3, message);
    }
  });

  it('ends if nobody signs in (CLI-21)', async () => {
    const { end } = await service.login({ words: ['--wait', '1'] });
    await fails(await end, 3, /nobody signed in within 1 seconds/);
  });

  it('opens the page in a browser only if there is a display (CLI-21)', async () => {
    mkdirSync(service.folder.at('programs'));
    writeFileSync(service.folder.at('programs/xdg-open'), `#!/bin/sh\nprintf '%s\\n' "$#" "$1" > ${service.folder.at('opened.new')} && mv ${service.folder.at('opened.new')} ${service.folder.at('opened')}\n`);
    chmodSync(service.folder.at('programs/xdg-open'), 0o755);
    const env = { PATH: `${service.folder.at('programs')}:${process.env.PATH}` };
    for (const [more, words] of [[{}, []], [{ DISPLAY: ':9' }, ['--no-browser']]]) {
      const { end } = await service.login({ words: ['--wait', '1', ...words], env: { ...env, ...more } });
      const { errors } = await end;
      assert.match(errors, /^Open this page in a browser on this machine/);
      assert.equal(existsSync(service.folder.at('opened')), false);
    }
    const { page, end } = await service.login({ words: ['--wait', '2'], env: { ...env, WAYLAND_DISPLAY: 'wayland-9' } });
    assert.match((await end).errors, /^Sign in on the page that opens in your browser/);
    assert.equal(readFileSync(service.folder.at('opened'), 'utf8'), `1\n${page}\n`);
  });

  it('is rejected for servers without OAuth, without encryption, or with another address (CLI-21)', async (t) => {
    const folder = new SiteFolder();
    t.after(() => folder.remove());
    const plain = await nativeApi(folder);
    t.after(() => plain.stop());
    await fails(await service.run(['login'], { TONEARM_API: plain.url }), 3, /has no login \(OAuth is off there\): use an API key/);
    await fails(await service.run(['login'], { TONEARM_API: 'http://api.example' }), 2, /a login needs https/);
    await fails(await service.run(['login'], { TONEARM_API: service.url.replace('127.0.0.1', 'localhost') }), 3, new RegExp(`is that of ${service.url}/mcp: name its own address with --api`));
    await fails(await service.run(['login'], { TONEARM_API: service.issuer }), 3, /./);
    await fails(await service.run(['login'], { XDG_CONFIG_HOME: '', HOME: '' }), 2, /HOME is not set/);
    await fails(await service.run(['login', '--wait', '0']), 2, /--wait/);
  });

  it('is rejected for metadata that does not fit (CLI-21)', async (t) => {
    let metadata;
    const server = await fakeServer(() => ({ text: JSON.stringify(metadata) }));
    t.after(() => server.close());
    const good = { resource: `${server.url}/mcp`, authorization_servers: [server.url], issuer: server.url, code_challenge_methods_supported: ['S256'],
      authorization_endpoint: `${server.url}/authorize`, token_endpoint: `${server.url}/token`, registration_endpoint: `${server.url}/register`, revocation_endpoint: `${server.url}/revoke` };
    for (const [change, message] of [
      [{ resource: undefined }, /is that of/], [{ resource: 'https://other.example/mcp' }, /is that of https:\/\/other\.example\/mcp/], [{ authorization_servers: [] }, /names no authorization server/],
      [{ authorization_servers: 'x' }, /names no authorization server/], [{ authorization_servers: ['http://site.example'] }, /not https/], [{ authorization_servers: ['x'] }, /not an address/],
      [{ issuer: 'https://other.example' }, /has another issuer/], [{ code_challenge_methods_supported: ['plain'] }, /proof key S256/], [{ code_challenge_methods_supported: undefined }, /proof key S256/],
      [{ token_endpoint: undefined }, /lacks token_endpoint/], [{ authorization_endpoint: 'http://site.example/authorize' }, /authorization endpoint is not https/],
      [{ authorization_endpoint: 'javascript:alert(1)' }, /authorization endpoint is not an address/], [{ registration_endpoint: 'http://site.example/' }, /registration endpoint is not https/],
      [{}, /lacks client_id/], [{ error_description: 'x' }, /lacks client_id/],
    ]) {
      metadata = { ...good, ...change };
      await fails(await service.run(['login'], { TONEARM_API: server.url }), 3, message);
    }
    assert.ok(server.requests.every(({ headers }) => !headers.authorization));
    metadata = [];
    await fails(await service.run(['login'], { TONEARM_API: server.url }), 3, /not from the API/);
  });

  it('does not hide a key, and is not sent to another server (CLI-3)', async (t) => {
    const noted = await service.signIn({ env: { TONEARM_API_KEY: 'key-of-the-environment' } });
    assert.match(noted.errors, /TONEARM_API_KEY is used instead of this login/);
    mkdirSync(join(service.settings, 'tonearm'), { recursive: true });
    writeFileSync(join(service.settings, 'tonearm/key'), 'key-of-the-folder', { mode: 0o600 });
    writeFileSync(service.folder.at('key'), 'key-of-the-flag', { mode: 0o600 });
    const server = await fakeServer(() => ({ text: '{"tracks":[]}' }));
    t.after(() => server.close());
    const sent = async (env, ...words) => {
      await service.run(['search', ...words], { TONEARM_API: server.url, ...env });
      return server.requests.at(-1).headers.authorization;
    };
    assert.equal(await sent({}), 'Bearer key-of-the-folder'); // the login is one to another API
    const login = service.tokens;
    writeFileSync(service.file, JSON.stringify({ [server.url]: login, [service.url]: login }), { mode: 0o600 });
    assert.equal(await sent({}), `Bearer ${login.access_token}`);
    assert.equal(await sent({ TONEARM_API_KEY: 'key-of-the-environment' }), 'Bearer key-of-the-environment');
    assert.equal(await sent({ TONEARM_API_KEY: 'key-of-the-environment' }, '--key-file', service.folder.at('key')), 'Bearer key-of-the-flag');
    const count = server.requests.length;
    chmodSync(service.file, 0o644);
    const open = await service.run(['search'], { TONEARM_API: server.url });
    assert.deepEqual([open.status, server.requests.length], [2, count]);
    assert.match(open.errors, /users other than the owner can open .*chmod 600/);
    chmodSync(service.file, 0o600);
    writeFileSync(service.file, '{"x":');
    for (const words of [['search'], ['login']]) {
      const damaged = await service.run(words);
      assert.equal(damaged.status, 2);
      assert.match(damaged.errors, /login is damaged: delete it and use tonearm login/);
    }
    assert.equal(readFileSync(service.file, 'utf8'), '{"x":');
  });
});
