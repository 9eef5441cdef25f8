// The feed of license changes: its address, its entries, and who may read it.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { after, before, describe, it } from 'node:test';

import { LaunchedServer } from '../support/launched_server.mjs';
import { nativeApi, replaceCatalog, river, SiteFolder, startSite, Visitor } from './site_process.mjs';

after(() => LaunchedServer.endAll());

describe('the feed of license changes', { timeout: 120_000 }, () => {
  let folder, api, site, person, path;
  before(async () => {
    folder = new SiteFolder({ lines: [river('cc0')] });
    api = await nativeApi(folder);
    site = await startSite(folder, api);
    person = await Visitor.signedUp(site.url, 'reader');
    const { body: { id } } = await person.request('POST', '/site/collections', { body: { name: 'Rain & <River>' } });
    assert.equal((await person.request('POST', `/site/collections/${id}/items`, { body: { track: 'river-1' } })).status, 201);
  });
  after(async () => {
    await site?.stop();
    await api?.stop();
    folder?.remove();
  });

  const changeLicense = (license) => replaceCatalog(site.url, api, () => folder.build([river(license)]));
  const entryIds = (text) => [...text.matchAll(/<entry>\s*<id>([^<]+)<\/id>/g)].map(([, id]) => id);

  it('has an address that its person creates, renews and removes (WEB-34)', async () => {
    assert.deepEqual((await person.get('/site/feed')).body, { path: null });
    const nobody = await Visitor.withSession(site.url);
    for (const method of ['GET', 'POST', 'DELETE']) assert.equal((await nobody.request(method, '/site/feed')).body.error, 'signed_out', method);
    assert.equal((await person.request('POST', '/site/feed', { headers: { 'X-CSRF-Token': '' } })).status, 403);
    const first = await person.request('POST', '/site/feed');
    assert.equal(first.status, 201);
    assert.match(first.body.path, /^\/feeds\/[0-9a-f]{64}$/);
    const reader = new Visitor(site.url);
    assert.equal((await reader.get(first.body.path)).status, 200);
    ({ body: { path } } = await person.request('POST', '/site/feed'));
    assert.equal((await reader.get(first.body.path)).status, 404);
    assert.equal((await reader.get(path)).status, 200);
    const other = await Visitor.signedUp(site.url, 'another');
    await other.request('DELETE', '/site/feed');
    assert.deepEqual((await other.get('/site/feed')).body, { path: null });
    for (const wrong of [`/feeds/${'0'.repeat(64)}`, `${path}0`, path.toUpperCase(), '/feeds/']) assert.equal((await reader.get(wrong)).status, 404, wrong);
  });

  it('has an entry for each change, with a stable id and time, and an entity tag (WEB-34)', async () => {
    const reader = new Visitor(site.url);
    const empty = await reader.get(path);
    assert.match(empty.headers.get('content-type'), /^application\/atom\+xml/);
    assert.equal(empty.headers.get('x-robots-tag'), 'noindex');
    assert.deepEqual(entryIds(empty.text), []);
    await changeLicense('cc-by-4.0');
    const changed = await reader.get(path);
    assert.equal(entryIds(changed.text).length, 1);
    assert.match(entryIds(changed.text)[0], /^urn:uuid:[0-9a-f-]{36}$/);
    assert.match(changed.text, /<title>river-1 in Rain &amp; &lt;River&gt;: license changed<\/title>/);
    assert.match(changed.text, /Your license record states CC0 1\.0\. The catalog now states CC BY 4\.0\./);
    assert.equal(reader.cookies.size, 0);
    const again = await reader.get(path);
    assert.equal(again.text, changed.text);
    const unchanged = await reader.get(path, { headers: { 'If-None-Match': changed.headers.get('etag') } });
    assert.deepEqual([unchanged.status, unchanged.text], [304, '']);
    assert.notEqual(changed.headers.get('etag'), empty.headers.get('etag'));
    const parsed = spawnSync('python3', ['-c', 'import sys, xml.etree.ElementTree as tree; print(tree.parse(sys.stdin).getroot().tag)'], { input: changed.text, encoding: 'utf8' });
    assert.equal(parsed.stdout.trim(), '{http://www.w3.org/2005/Atom}feed');
    await changeLicense('cc-by-sa-4.0');
    const next = await reader.get(path);
    assert.equal(entryIds(next.text).length, 1);
    assert.notEqual(entryIds(next.text)[0], entryIds(changed.text)[0]);
  });

  it('ends when its person removes it, and with the account (WEB-34)', async () => {
    const reader = new Visitor(site.url);
    await person.request('DELETE', '/site/feed');
    assert.equal((await reader.get(path)).status, 404);
    const { body } = await person.request('POST', '/site/feed');
    assert.equal((await person.request('DELETE', '/site/account', { body: { password: 'a long password' } })).status, 200);
    assert.equal((await reader.get(body.path)).status, 404);
  });
});
