// Shared collections: description, link, page, frame, archives, and who may do what.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';

import { LaunchedServer } from '../support/launched_server.mjs';
import { nativeApi, root, SiteFolder, startSite, Visitor } from './site_process.mjs';

after(() => LaunchedServer.endAll());

const isBuilt = existsSync(join(root, 'build/site/server/render.js'));

/** Returns the files of a ZIP archive by their names. Python reads it, because that is another program than the one that wrote it. */
async function filesOf(visitor, path) {
  const response = await fetch(new URL(path, visitor.url), { headers: { Cookie: [...visitor.cookies].map((pair) => pair.join('=')).join('; ') } });
  assert.equal(response.status, 200, path);
  assert.equal(response.headers.get('content-type'), 'application/zip');
  assert.match(response.headers.get('content-disposition'), /^attachment; filename="credits[\w-]*\.zip"$/);
  assert.equal(response.headers.get('cache-control'), 'no-store');
  const folder = mkdtempSync(join(tmpdir(), 'tonearm-zip-'));
  try {
    writeFileSync(join(folder, 'archive.zip'), Buffer.from(await response.arrayBuffer()));
    const extracted = spawnSync('python3', ['-m', 'zipfile', '-e', join(folder, 'archive.zip'), join(folder, 'files')], { encoding: 'utf8' });
    assert.equal(extracted.status, 0, extracted.stderr);
    const names = readdirSync(join(folder, 'files'), { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    return new Map(names.map((entry) => [join(entry.parentPath, entry.name).slice(folder.length + '/files/'.length), readFileSync(join(entry.parentPath, entry.name), 'utf8')]));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

describe('a shared collection', { timeout: 120_000 }, () => {
  let folder, api, site, owner, id, share;
  before(async () => {
    folder = new SiteFolder();
    api = await nativeApi(folder);
    site = await startSite(folder, api);
    owner = await Visitor.signedUp(site.url, 'owner');
    id = (await owner.request('POST', '/site/collections', { body: { name: 'Rain <b>' } })).body.id;
    share = `/site/shares/${id}`;
    const { tracks } = (await owner.get('/site/search?limit=2&fields=id')).body;
    for (const { id: track } of tracks) await owner.request('POST', `/site/collections/${id}/items`, { body: { track, note: 'a private, "quoted" note' } });
  });
  after(async () => {
    await site?.stop();
    await api?.stop();
    folder?.remove();
  });

  it('has a description, at most 1,000 characters, which only its owner writes (WEB-28)', async () => {
    assert.deepEqual((await owner.get(share)).body, { description: '', token: null });
    const described = await owner.request('PUT', share, { body: { description: 'For a film.' } });
    assert.deepEqual([described.status, described.body], [200, { description: 'For a film.', token: null }]);
    assert.equal((await owner.request('PUT', share, { body: { description: `${'ü'.repeat(998)}\n.` } })).status, 200);
    for (const body of [{ description: 'ü'.repeat(1001) }, { description: 1 }, { description: 'a\u0000b' }, { description: 'a\u001bb' }, {}, { description: 'x', token: 'x' }]) {
      assert.equal((await owner.request('PUT', share, { body })).status, 400, JSON.stringify(body).slice(0, 60));
    }
    await owner.request('PUT', share, { body: { description: 'For a film.' } });
  });

  it('is managed by nobody else (WEB-28)', async () => {
    const other = await Visitor.signedUp(site.url, 'stranger');
    const nobody = await Visitor.withSession(site.url);
    for (const [method, body] of [['GET'], ['PUT', { description: 'mine' }], ['POST', {}]]) {
      assert.equal((await other.request(method, share, { body })).status, 404, method);
      assert.equal((await nobody.request(method, share, { body })).body.error, 'signed_out', method);
      assert.equal((await owner.request(method, '/site/shares/col_nothing', { body })).status, 404, method);
      assert.equal((await owner.request(method, '/site/shares/a%2F..%2Fb', { body })).status, 404, method);
    }
    assert.equal((await nobody.request('DELETE', share)).status, 401);
    assert.equal((await other.get(`/site/archives/${id}`)).status, 404);
    assert.equal((await nobody.get(`/site/archives/${id}`)).status, 401);
    assert.equal((await owner.request('POST', share, { headers: { 'X-CSRF-Token': '' } })).status, 403);
    assert.deepEqual((await owner.get(share)).body, { description: 'For a film.', token: null });
  });

  it('is readable by its link, without notes, ids and names of its owner, until the link is removed (WEB-28, WEB-29)', async () => {
    const { status, body: { token } } = await owner.request('POST', share, { body: {} });
    assert.equal(status, 201);
    assert.match(token, /^[0-9a-f]{64}$/);
    assert.equal((await owner.request('POST', share, { body: {} })).body.token, token);
    const other = await Visitor.signedUp(site.url, 'deleter');
    await other.request('DELETE', share);
    const reader = new Visitor(site.url);
    const read = await reader.get(`/site/shared/${token}`);
    assert.equal(read.status, 200);
    assert.equal(read.headers.get('cache-control'), 'no-store');
    assert.deepEqual([read.body.name, read.body.description, read.body.items.length, read.body.track_count], ['Rain <b>', 'For a film.', 2, 2]);
    assert.ok(read.body.credits.text.length > 0 && read.body.items[0].license_record.license.id);
    for (const secret of [id, 'private', 'owner"', '"note"', '"revision"']) assert.ok(!read.text.includes(secret), secret);
    assert.equal(reader.cookies.size, 0);
    for (const wrong of ['0'.repeat(64), token.toUpperCase(), token.slice(1), 'x', '']) {
      assert.equal((await reader.get(`/site/shared/${wrong}`)).status, 404, wrong);
      assert.equal((await reader.get(`/site/shared-archives/${wrong}`)).status, 404, wrong);
    }
    const { body: { signed_in: signedIn } } = await reader.get('/site/session');
    assert.equal(signedIn, false);
    assert.deepEqual((await owner.request('DELETE', share)).body, { description: 'For a film.', token: null });
    assert.equal((await reader.get(`/site/shared/${token}`)).status, 404);
    assert.equal((await reader.get(`/site/shared-archives/${token}`)).status, 404);
    assert.notEqual((await owner.request('POST', share, { body: {} })).body.token, token);
  });

  it('has a page without notes that is complete without scripts, is not cached, and ends with the link (WEB-29)', { skip: !isBuilt && 'the page is not built' }, async () => {
    const { token } = (await owner.get(share)).body;
    const reader = new Visitor(site.url);
    const page = await reader.get(`/shared/${token}`);
    assert.equal(page.status, 200);
    assert.equal(page.headers.get('cache-control'), 'no-store');
    assert.equal(page.headers.get('x-robots-tag'), 'noindex');
    assert.match(page.headers.get('content-security-policy'), /frame-ancestors 'none'/);
    assert.match(page.text, /<meta name="robots" content="noindex"/);
    for (const shown of ['Rain &lt;b>', 'For a film.', `/site/shared-archives/${token}`]) assert.ok(page.text.includes(shown), shown);
    for (const secret of [id, 'private', 'owner<']) assert.ok(!page.text.includes(secret), secret);
    const { items } = (await owner.get(`/site/collections/${id}`)).body;
    for (const { track_id: track } of items) assert.ok(page.text.includes(`/tracks/${track}`), track);
    assert.equal(reader.cookies.size, 0);
    assert.equal((await reader.get(`/shared/${'0'.repeat(64)}`)).status, 404);
  });

  it('has a page that other sites may frame, without scripts, forms and cookies (WEB-30)', { skip: !isBuilt && 'the page is not built' }, async () => {
    const { token } = (await owner.get(share)).body;
    const reader = new Visitor(site.url);
    const page = await reader.get(`/embed/${token}`, { headers: { 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Dest': 'iframe' } });
    assert.equal(page.status, 200);
    const policy = page.headers.get('content-security-policy');
    assert.match(policy, /default-src 'none'/);
    assert.match(policy, /frame-ancestors \*/);
    assert.match(policy, /sandbox/);
    assert.doesNotMatch(policy, /script-src|connect-src|allow-scripts|allow-forms/);
    assert.equal(page.headers.get('x-frame-options'), null);
    assert.equal(page.headers.get('cross-origin-resource-policy'), 'cross-origin');
    assert.equal(page.headers.get('set-cookie'), null);
    assert.doesNotMatch(page.text, /<script|<form|<button|<input/);
    assert.ok(!page.text.includes('private') && !page.text.includes(id));
    assert.match(page.text, new RegExp(`<a href="/shared/${token}" target="_blank"`));
    const missing = await reader.get(`/embed/${'0'.repeat(64)}`);
    assert.equal(missing.status, 404);
    for (const path of ['/', `/shared/${token}`, '/account']) assert.match((await reader.get(path)).headers.get('content-security-policy'), /frame-ancestors 'none'/, path);
  });

  it('stays readable after its owner has signed out (WEB-29)', async () => {
    const { token } = (await owner.get(share)).body;
    const elsewhere = await Visitor.withSession(site.url);
    await elsewhere.request('POST', '/site/sign-in', { body: { name: 'owner', password: 'a long password' } });
    await elsewhere.request('POST', '/site/sign-out');
    assert.equal((await new Visitor(site.url).get(`/site/shared/${token}`)).status, 200);
  });

  it('has archives of credits, license records and .license files, with notes only for its owner (WEB-31)', async () => {
    const { token } = (await owner.get(share)).body;
    const own = await filesOf(owner, `/site/archives/${id}`);
    const shared = await filesOf(new Visitor(site.url), `/site/shared-archives/${token}`);
    assert.deepEqual([...own.keys()].sort(), [...shared.keys()].sort());
    const { items } = (await owner.get(`/site/collections/${id}`)).body;
    assert.deepEqual([...own.keys()].filter((name) => name.startsWith('licenses/')).sort(),
      items.map(({ track_id: track }, index) => `licenses/000${index + 1}-${track}.license`).sort());
    for (const name of ['credits.txt', 'credits.md', 'credits.csv', 'credits.html', 'license-records.json']) assert.ok(own.has(name), name);
    for (const [name, text] of shared) assert.ok(!text.includes('private'), name);
    const named = new Set([...own].filter(([name]) => name.startsWith('licenses/')).map(([, text]) => /SPDX-License-Identifier: (\S+)/.exec(text)[1]));
    assert.deepEqual([...own.keys()].filter((name) => name.startsWith('LICENSES/')).sort(), isBuilt ? [...named].map((spdx) => `LICENSES/${spdx}.txt`).sort() : []);
    for (const [name, text] of own) if (name.startsWith('LICENSES/CC-BY')) assert.match(text, /Creative Commons.*Attribution/i, name);
    assert.match(own.get('credits.csv'), /,note\r\n.*private/s);
    assert.doesNotMatch(shared.get('credits.csv'), /note/);
    assert.equal(shared.get('credits.csv').split('\r\n').length, own.get('credits.csv').split('\r\n').length);
    const records = JSON.parse(own.get('license-records.json'));
    assert.deepEqual(records.records.map(({ track_id: track, note, license_record: record }) => [track, note, record]),
      items.map(({ track_id: track, note, license_record: record }) => [track, note, record]));
    assert.equal(records.collection.description, 'For a film.');
    assert.match([...own].find(([name]) => name.startsWith('licenses/'))[1], /^SPDX-FileCopyrightText: .+\nSPDX-License-Identifier: [\w.-]+\n\n".+\n$/);
  });

  it('ends with the collection and with the account (WEB-28)', async () => {
    const leaver = await Visitor.signedUp(site.url, 'leaver');
    const reader = new Visitor(site.url);
    const create = async () => {
      const { body } = await leaver.request('POST', '/site/collections', { body: { name: 'Short-lived' } });
      return { collection: body.id, token: (await leaver.request('POST', `/site/shares/${body.id}`, { body: {} })).body.token };
    };
    const first = await create();
    assert.equal((await reader.get(`/site/shared/${first.token}`)).status, 200);
    assert.equal((await leaver.request('DELETE', `/site/collections/${first.collection}`, { headers: { 'X-Confirm': 'true' } })).status, 200);
    assert.equal((await reader.get(`/site/shared/${first.token}`)).status, 404);
    const second = await create();
    assert.equal((await reader.get(`/site/shared/${second.token}`)).status, 200);
    assert.equal((await leaver.request('DELETE', '/site/account', { body: { password: 'a long password' } })).status, 200);
    assert.equal((await reader.get(`/site/shared/${second.token}`)).status, 404);
    assert.equal((await reader.get(`/site/shared-archives/${second.token}`)).status, 404);
  });
});
