// Every route of the site, with every method, by every kind of identity: the status, and that nothing changed. The routes
// come from the table in site_routes.cpp, what the API has below them from its description.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import http from 'node:http';
import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';

import { LaunchedServer } from '../support/launched_server.mjs';
import { nativeApi, root, SiteFolder, startSite, Visitor } from './site_process.mjs';

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND'];
const SECURITY_HEADERS = ['content-security-policy', 'referrer-policy', 'permissions-policy', 'cross-origin-opener-policy',
  'cross-origin-embedder-policy', 'x-content-type-options'];
const isRead = (method) => method === 'GET' || method === 'HEAD';
/** The site is an authorization server, so that its routes for OAuth exist. */
const OAUTH = ['--public-url', 'https://music.example', '--public-api', 'https://api.example'];
const sha256 = (text) => createHash('sha256').update(text).digest('hex');

/** The rows of the table: `methods`, `path`, `isForPeople`. */
function siteRoutes() {
  const source = readFileSync(join(root, 'web-demo-server/src/routes/site_routes.cpp'), 'utf8');
  return [...source.matchAll(/SiteRoute\{"([^"]+)", "([^"]+)", Access::(\w+),/g)].map(([, methods, path, access]) =>
    ({ methods: methods.split(', '), path, isForPeople: access === 'person' }));
}

after(() => LaunchedServer.endAll());

it('the README lists exactly the routes of the table (WEB-2)', () => {
  const readme = readFileSync(join(root, 'web-demo-server/README.md'), 'utf8');
  const section = readme.slice(readme.indexOf('## Routes of the page'));
  const listed = [...section.matchAll(/^\| `([A-Z, ]+)` \| `([^`]+)` \|/gm)].map(([, methods, path]) => `${methods} ${path}`);
  assert.deepEqual(listed.sort(), siteRoutes().map(({ methods, path }) => `${methods.join(', ')} ${path}`).sort());
});

describe('the table of routes and identities', { timeout: 300_000 }, () => {
  let folder, api, site, checks = 0;
  const people = {};
  let own, collection, track, key;

  before(async () => {
    folder = new SiteFolder();
    api = await nativeApi(folder);
    site = await startSite(folder, api, OAUTH);
    for (const name of ['owner', 'stranger', 'expired', 'left', 'deleted']) people[name] = await Visitor.signedUp(site.url, name);
    own = people.owner;
    ({ body: { id: collection } } = await own.request('POST', '/site/collections', { body: { name: 'Mine' } }));
    ({ body: { tracks: [{ id: track }] } } = await own.get('/site/search?limit=1&fields=id'));
    await own.request('POST', `/site/collections/${collection}/items`, { body: { track } });
    ({ body: { key_id: key } } = await own.request('POST', '/site/keys'));
    const before = new Map(people.left.cookies);
    await people.left.request('POST', '/site/sign-out');
    people.left.cookies = before;
    people.left.csrf = sha256(`csrf ${before.get('tonearm_session')}`).slice(0, 32);
    const cookies = new Map(people.deleted.cookies);
    const { csrf } = people.deleted;
    assert.equal((await people.deleted.request('DELETE', '/site/account', { body: { password: 'a long password' } })).status, 200);
    Object.assign(people.deleted, { cookies, csrf });
    await site.stop();
    const store = new DatabaseSync(folder.at('site/people.sqlite'));
    const { changes } = store.prepare('UPDATE site_sessions SET until_ms = 1 WHERE token = ?').run(sha256(`session ${people.expired.cookies.get('tonearm_session')}`));
    store.close();
    assert.equal(changes, 1);
    site = await startSite(folder, api, OAUTH);
    for (const visitor of Object.values(people)) visitor.url = site.url;
  });
  after(async () => {
    console.log(`checks of routes, methods and identities: ${checks}`);
    await site?.stop();
    await api?.stop();
    folder?.remove();
  });

  const agent = new http.Agent({ keepAlive: true, maxSockets: 4 });
  after(() => agent.destroy());

  /** Sends exactly these headers: `fetch` allows neither every method nor every Origin. */
  const send = (method, path, headers) => new Promise((done, fail) => {
    const body = isRead(method) ? '' : '{}';
    const request = http.request({ hostname: '127.0.0.1', port: new URL(site.url).port, method, path, agent,
      headers: { ...headers, ...(body ? { 'Content-Type': 'application/json', 'Content-Length': 2 } : {}) } }, (response) => {
      let text = '';
      response.on('data', (piece) => { text += piece; });
      response.on('end', () => done({ status: response.statusCode, headers: response.headers, text }));
    });
    request.on('error', fail);
    request.end(body);
  });

  const headersOf = (visitor, others = {}) => ({ Cookie: [...visitor.cookies].map((pair) => pair.join('=')).join('; '),
    'X-CSRF-Token': visitor.csrf, Origin: site.url, ...others });
  const withToken = (token) => ({ Cookie: `tonearm_session=${token}`, 'X-CSRF-Token': sha256(`csrf ${token}`).slice(0, 32), Origin: site.url });

  /** Identities that are not signed in; `passes`: writes pass the check of the CSRF token. */
  const strangers = () => ({
    'no cookie': { headers: { Origin: site.url }, passes: false },
    'a malformed cookie': { headers: withToken('x'), passes: false },
    'a cookie in capitals': { headers: withToken('A'.repeat(64)), passes: false },
    'an unknown session': { headers: withToken('5'.repeat(64)), passes: true },
    'an expired session': { headers: headersOf(people.expired), passes: true },
    'a session that was ended': { headers: headersOf(people.left), passes: true },
    'a session of a deleted account': { headers: headersOf(people.deleted), passes: true },
  });
  /** The owner's own session in requests that do not come from a page of the site. */
  const forgeries = () => ({
    'no CSRF token': headersOf(own, { 'X-CSRF-Token': '' }),
    'a wrong CSRF token': headersOf(own, { 'X-CSRF-Token': '0'.repeat(32) }),
    'the CSRF token of somebody else': headersOf(own, { 'X-CSRF-Token': people.stranger.csrf }),
    'another origin': headersOf(own, { Origin: 'https://evil.example' }),
    'another scheme': headersOf(own, { Origin: site.url.replace('http:', 'https:') }),
    'no origin of its own': headersOf(own, { Origin: 'null' }),
    'another site': headersOf(own, { 'Sec-Fetch-Site': 'cross-site' }),
  });

  const targetsOf = ({ path }) => {
    if (path === '/site/keys/*') return [`/site/keys/${key}`];
    if (/(shares|archives)\/\*$/.test(path) && !path.includes('shared')) return [path.replace('*', collection)];
    if (path.includes('shared')) return [path.replace('*', '5'.repeat(43))];
    if (path === '/site/collections/*') return [`/site/collections/${collection}`, `/site/collections/${collection}/items/${track}`];
    if (path === '/site/tracks/*') return [`/site/tracks/${track}`];
    if (path === '/site/try/v1/*') return ['/site/try/v1/collections', `/site/try/v1/collections/${collection}`];
    return [path];
  };

  /** Everything that the owner has. */
  const state = async () => {
    const read = async (path) => (await own.get(path)).text;
    const exported = (await read('/site/export')).replace(/"(made)":"[^"]*"/g, '');
    const { account, signed_in: signedIn } = JSON.parse(await read('/site/session'));
    const { keys } = JSON.parse(await read('/site/keys'));
    return JSON.stringify([exported, account, signedIn, keys.map((one) => one.key_id), await read(`/site/shares/${collection}`), await read('/site/feed'), await read('/site/connections')]);
  };

  const rows = siteRoutes().filter((route) => route.path.startsWith('/site/'));
  const methodsAt = (path) => new Set(rows.filter((row) => row.path === path).flatMap(({ methods }) => methods));

  const check = (answer, expected, what) => {
    checks += 1;
    assert.ok(expected.includes(answer.status), `${what}: ${answer.status} ${answer.text}`);
    for (const name of SECURITY_HEADERS) assert.ok(answer.headers[name], `${what} lacks ${name}`);
  };

  it('rejects everybody who is not signed in, and forged requests, and changes nothing (WEB-5, WEB-9, WEB-14)', async () => {
    const before = await state();
    for (const row of rows) {
      for (const target of targetsOf(row)) {
        for (const method of METHODS) {
          for (const [who, { headers, passes }] of Object.entries(strangers())) {
            const what = `${method} ${target} with ${who}`;
            const answer = await send(method, target, headers);
            if (!isRead(method) && !passes) check(answer, [403], what);
            else if (row.isForPeople) check(answer, [401], what);
            else if (methodsAt(row.path).has(method === 'HEAD' ? 'GET' : method)) check(answer, /shared/.test(target) ? [404] : [200, 400], what); // there is no such link
            else check(answer, [405], what);
          }
          if (isRead(method)) continue;
          for (const [who, headers] of Object.entries(forgeries())) check(await send(method, target, headers), [403], `${method} ${target} with ${who}`);
        }
      }
    }
    assert.equal(await state(), before);
  });

  it('shows a person nothing of another, and changes nothing (WEB-5, WEB-10)', async () => {
    const before = await state();
    const headers = headersOf(people.stranger);
    const description = JSON.parse((await own.get('/openapi.json')).text);
    const below = Object.keys(description.paths).filter((path) => path.startsWith('/v1/collections/{'))
      .map((path) => path.slice('/v1'.length).replace('{id}', collection).replace('{collection_id}', collection).replace(/\{[^}]+\}/g, track));
    assert.ok(below.length >= 3 && below.every((path) => path.includes(collection)), below.join());
    const targets = [`/site/keys/${key}`, `/site/shares/${collection}`, `/site/archives/${collection}`, ...below.flatMap((path) => [`/site${path}`, `/site/try/v1${path}`])];
    for (const target of targets) {
      // Ending a link is answered 200 whether or not there is one.
      for (const method of METHODS) check(await send(method, target, { ...headers, 'X-Confirm': 'true' }), [target.includes('/shares/') && method === 'DELETE' ? 200 : 404, 400, 405], `${method} ${target} of somebody else`);
    }
    assert.equal(await state(), before);
  });

  it('answers a method that a route does not have 405, with those that it has (WEB-2)', async () => {
    for (const { path } of rows) {
      const has = methodsAt(path);
      for (const target of targetsOf({ path }).slice(0, 1)) {
        for (const method of METHODS.filter((name) => !has.has(name === 'HEAD' ? 'GET' : name))) {
          const answer = await send(method, target, headersOf(people.stranger));
          check(answer, [405], `${method} ${target}`);
          for (const name of has) assert.ok(method === 'HEAD' || answer.headers.allow.split(', ').includes(name), `${method} ${target}: ${answer.headers.allow}`);
        }
      }
    }
  });
});
