// The store of people: crashes, sharing in PostgreSQL, and databases of other kinds.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';

import { bin } from '../http/server_process.mjs';
import { startPostgresql } from '../postgresql/servers.mjs';
import { LaunchedServer } from '../support/launched_server.mjs';
import { eventually } from '../support/waiting.mjs';
import { nativeApi, SiteFolder, startSite, Visitor } from './site_process.mjs';

after(() => LaunchedServer.endAll());

const host = (url) => new URL(url).host;

describe('people of the site', { timeout: 240_000 }, () => {
  it('are deleted even if the API was unavailable and the site was killed (WEB-11)', async () => {
    const folder = new SiteFolder();
    let api = await nativeApi(folder);
    let site = await startSite(folder, api);
    const visitor = await Visitor.signedUp(site.url, 'leaver');
    const { body: { key } } = await visitor.request('POST', '/site/keys');
    await api.stop();
    assert.equal((await visitor.request('DELETE', '/site/account', { body: { password: 'a long password' } })).status, 200);
    await site.stop('SIGKILL');
    api = await nativeApi(folder, { listen: host(api.url), adminListen: host(api.adminUrl) });
    const statusWithKey = async () => (await fetch(new URL('/v1/search', api.url), { headers: { Authorization: `Bearer ${key}` } })).status;
    assert.equal(await statusWithKey(), 200);
    site = await startSite(folder, api);
    await eventually(async () => (await statusWithKey()) === 401, 'the account of the API is deleted');
    await eventually(async () => {
      const next = await Visitor.withSession(site.url);
      return (await next.request('POST', '/site/sign-up', { body: { name: 'leaver', password: 'another password' } })).status === 201;
    }, 'the name can be taken');
    await site.stop();
    await api.stop();
    folder.remove();
  });

  it('cannot sign up while the API is unavailable, and the name stays free (WEB-7)', async () => {
    const folder = new SiteFolder();
    let api = await nativeApi(folder);
    const site = await startSite(folder, api);
    const visitor = await Visitor.withSession(site.url);
    await api.stop();
    const body = { name: 'early', password: 'a long password' };
    assert.equal((await visitor.request('POST', '/site/sign-up', { body })).status, 503);
    api = await nativeApi(folder, { listen: host(api.url), adminListen: host(api.adminUrl) });
    assert.equal((await visitor.request('POST', '/site/sign-up', { body })).status, 201);
    await site.stop();
    await api.stop();
    folder.remove();
  });

  /** Registers an application at one site, consents at another, and exchanges code and refresh token at both. */
  async function connectAcross(sites, visitor) {
    const post = async (site, path, body) => (await fetch(site.url + path, { method: 'POST', body })).json();
    const { client_id: client } = await post(sites[0], '/oauth/register', JSON.stringify({ redirect_uris: ['https://app.example/'] }));
    const verifier = 'v'.repeat(43);
    const query = new URLSearchParams({ response_type: 'code', client_id: client, redirect_uri: 'https://app.example/', code_challenge_method: 'S256',
      code_challenge: createHash('sha256').update(verifier).digest('base64url') });
    const { body: { redirect } } = await visitor.request('POST', '/site/consent', { body: { query: query.toString(), decision: 'allow' } });
    const first = await post(sites[0], '/oauth/token', new URLSearchParams({ grant_type: 'authorization_code', client_id: client, redirect_uri: 'https://app.example/', code: new URL(redirect).searchParams.get('code'), code_verifier: verifier }));
    const refresh = (site) => post(site, '/oauth/token', new URLSearchParams({ grant_type: 'refresh_token', client_id: client, refresh_token: first.refresh_token }));
    assert.match((await refresh(sites[1])).access_token, /^tonearm_/);
    assert.equal((await refresh(sites[0])).error, 'invalid_grant');
    assert.deepEqual((await visitor.get('/site/connections')).body, { connections: [] }); // the replay has ended it
  }

  it('are signed in, and connect applications, on every site that shares a PostgreSQL store (WEB-6, OAUTH-8)', async () => {
    const folders = [new SiteFolder(), new SiteFolder()];
    const postgresql = await startPostgresql();
    const store = postgresql.freshSchema();
    const api = await nativeApi(folders[0]);
    const sites = [];
    for (const folder of folders) sites.push(await startSite(folder, api, ['--store', store, '--public-url', 'https://music.example', '--public-api', 'https://api.example']));
    const visitor = await Visitor.signedUp(sites[0].url, 'traveller');
    visitor.url = sites[1].url;
    assert.equal((await visitor.get('/site/session')).body.account.name, 'traveller');
    const taken = await (await Visitor.withSession(sites[1].url)).request('POST', '/site/sign-up', { body: { name: 'Traveller', password: 'a long password' } });
    assert.equal(taken.status, 409);
    await connectAcross(sites, visitor);
    await visitor.request('POST', '/site/sign-out');
    assert.equal((await visitor.get('/site/usage')).status, 401);
    for (const site of sites) {
      assert.ok(!site.log.includes(store));
      await site.stop();
    }
    await api.stop();
    await postgresql.end();
    for (const folder of folders) folder.remove();
  });
});

describe('tonearm-web', { timeout: 60_000 }, () => {
  it('rejects databases of other programs, and explains invalid options (WEB-21)', async () => {
    const folder = new SiteFolder();
    const api = await nativeApi(folder);
    await api.stop();
    const good = ['--admin-token-file', folder.at('token'), '--data', folder.at('site'), '--listen', '127.0.0.1:0'];
    const run = (...words) => spawnSync(join(bin, 'tonearm-web'), words, { encoding: 'utf8', timeout: 20_000 });
    for (const [words, status, message] of [
      [[...good, '--store', folder.at('state.sqlite')], 1, /is a database, but not a store of a site's people/],
      [[...good, '--store', 'mysql://x/y'], 2, /--store must be a file, or the URL of a database/],
      [[...good, '--api', 'ftp://x'], 2, /--api must be http:\/\/HOST:PORT/],
      [[...good, '--public-url', 'music.example'], 2, /--public-url must be http\(s\):\/\/HOST/],
      [[...good, '--public-url', 'https://music.example', '--public-api', 'https://api.example/base'], 2, /--public-api must be http\(s\):\/\/HOST/],
      [[...good, '--tls-cert', 'x'], 2, /--tls-cert and --tls-key must be used together/],
      [good.slice(2), 2, /--admin-token-file/],
      [['--admin-token-file', folder.at('missing'), ...good.slice(2)], 1, /missing/],
    ]) {
      const ended = run(...words);
      assert.equal(ended.status, status, ended.stderr);
      assert.match(ended.stderr, message);
      assert.equal(ended.stdout, '');
    }
    assert.match(run('--help').stdout, /--visitor-rate/);
    assert.match(run('--version').stdout, /^tonearm-web 1\.0\.0/);
    folder.remove();
  });
});
