// The pages that the server renders, with a catalog of hostile texts.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';

import { readHtml } from '../injection/documents.mjs';
import { HOSTILE_TEXTS, inCatalog } from '../support/hostile_texts.mjs';
import { LaunchedServer } from '../support/launched_server.mjs';
import { eventually } from '../support/waiting.mjs';
import { waitUntilReady, edgeApi, nativeApi, root, SiteFolder, startSite, Visitor } from './site_process.mjs';

after(() => LaunchedServer.endAll());

const caseLines = readFileSync(join(root, 'tests/cases/catalog.jsonl'), 'utf8').trim().split('\n').map((line) => JSON.parse(line));
const sample = caseLines.find((line) => line.kind === 'music' && line.artist && line.license === 'cc-by-4.0');
const hostile = { ...sample, ids: undefined, id: 'evil-1', title: '</script><script>alert(1)</script> "\'><img src=x onerror=alert(2)>', artist: '"><svg onload=alert(3)>' };
const overrides = { ...sample, id: 'evil-2', title: 'abc \u05d0\u05d1\u05d2', artist: 'An / Artist?&#%', description: 'x'.repeat(3_000) };
const HOSTS = ['files.example', 'port.example:8443', 'user:secret@files.example:8443', 'a.example;sandbox', 'b.example,default-src', "'unsafe-inline'", '*', '[::1]:99', 'c.example:*', '\u00fcber.example', '\u007fd.example'];
const foreign = HOSTS.map((host, index) => ({ ...sample, ids: undefined, id: `foreign-${index}`, title: `Foreign ${index}`, original_url: `https://${host}/${index}.mp3` }));
const injected = HOSTILE_TEXTS.map(({ text }, number) => ({ ...sample, ids: undefined, id: `injected-${number}`, title: text, artist: `${text} by`, description: text }));
const long = { ...sample, id: 'evil-3', title: 'y'.repeat(10_000) };

for (const [name, startApi] of [['native', nativeApi], ['edge', edgeApi]]) {
  describe(`pages over the ${name} API`, { timeout: 600_000 }, () => {
    let folder, api, site, visitor;
    before(async () => {
      folder = new SiteFolder({ lines: [...caseLines, hostile, overrides, long, ...foreign, ...injected] });
      api = await startApi(folder);
      site = await startSite(folder, api);
      visitor = new Visitor(site.url);
    });
    after(async () => {
      await site?.stop();
      await api?.stop();
      folder?.remove();
    });

    const dataOf = (html) => JSON.parse(/<script type="application\/json" id="page-data">(.*?)<\/script>/s.exec(html)[1]);

    it('shows a whole track without JavaScript (WEB-15, WEB-17)', async () => {
      const track = (await visitor.get(`/site/tracks/${sample.id}`)).body;
      const { status, text, headers } = await visitor.get(`/tracks/${sample.id}`);
      assert.equal(status, 200);
      assert.match(headers.get('content-type'), /^text\/html/);
      assert.ok(text.includes(`<link rel="canonical" href="https://site.example/tracks/${sample.id}"/>`));
      assert.ok(text.includes('Free for commercial use, credit required'));
      assert.ok(text.includes(`<link rel="license" href="${track.license.url}"`));
      assert.ok(text.includes(`href="${track.license.url}" target="_blank" rel="license noopener noreferrer"`));
      assert.match(text, /<meta property="og:title" content="[^"]+"\/>/);
      const audio = JSON.parse(/<script type="application\/ld\+json">(.*?)<\/script>/s.exec(text)[1]);
      assert.equal(audio['@type'], 'AudioObject');
      assert.equal(audio.license, track.license.url);
      assert.equal(audio.creditText, track.credit_line);
      assert.equal(audio.acquireLicensePage, track.page_url);
      const data = dataOf(text);
      const { untrusted_fields: _, ...shown } = track; // the page shows all of it as text
      assert.deepEqual(data.answers[`tracks/${sample.id}`], { status: 200, body: shown });
      assert.ok(Array.isArray(data.answers[`tracks/${sample.id}/similar?limit=8`].body.tracks));
    });

    it('shows the first results of a search, and explains an invalid one (WEB-15)', async () => {
      const { text } = await visitor.get('/?q=rain&view=list&lang=en');
      const found = ({ answers }) => Object.entries(answers).find(([path]) => path.startsWith('search?') && !path.includes('facets='))[1];
      const { tracks } = found(dataOf(text)).body;
      assert.equal(tracks.length > 0, true);
      for (const track of tracks) assert.ok(text.includes(`href="/tracks/${track.id}"`), track.id);
      assert.match(text, /<input [^>]*name="q"[^>]*value="rain"/);
      const bad = await visitor.get('/?tempo=fast');
      assert.equal(bad.status, 400);
      assert.equal(found(dataOf(bad.text)).body.error, 'invalid_parameter');
      assert.match(bad.text, /role="alert"/);
      assert.match(bad.text, /data-waiting="true"/, 'shows no filters of earlier pages');
    });

    it('has pages for artists, tags and categories, and answers 404 for all others (WEB-15)', async () => {
      const artist = `/artists/${encodeURIComponent(overrides.artist)}`;
      const shown = await visitor.get(artist);
      assert.equal(shown.status, 200);
      assert.ok(shown.text.includes('href="/tracks/evil-2"'));
      const { body: { facets } } = await visitor.get('/site/meta');
      const [genre] = facets.music.genre;
      const tag = await visitor.get(`/tags/genre/${genre.id}`);
      assert.equal(tag.status, 200);
      assert.ok(tag.text.includes(genre.label));
      const [category] = facets.sfx.categories.values;
      assert.equal((await visitor.get(`/categories/${category.id}`)).status, 200);
      for (const path of ['/tracks/none-1', '/tracks/', '/tracks/a/b', '/artists/Nobody', '/artists/', '/tags/genre/none', '/tags/colour/red', '/tags/genre/%ff',
        '/categories/none', '/nothing', '/index.html', '/site', '/%3Cscript%3E', '/tags/constructor/x', '/tags/__proto__/x']) {
        const missing = await visitor.get(path);
        assert.equal(missing.status, 404, path);
        assert.match(missing.text, /<h1>Page not found<\/h1>/, path);
      }
      for (const path of ['//', '//?q=rain', '//evil.example', `//tracks/${sample.id}`]) {
        assert.equal((await fetch(`${new URL(site.url).origin}${path}`)).status, 404, path);
      }
      for (const path of ['/collections', '/collections/col_x', '/account', '/sign-in', '/sign-up', '/docs']) assert.equal((await visitor.get(path)).status, 200, path);
      assert.equal((await visitor.request('POST', '/tracks/x')).status, 405);
    });

    it('keeps hostile texts harmless (WEB-16)', async () => {
      for (const path of ['/tracks/evil-1', '/?q=alert', `/artists/${encodeURIComponent(hostile.artist)}`, '/?q=%3Cscript%3Ealert(1)%3C/script%3E', '/?q=%E2%80%AEevil']) {
        const { status, text } = await visitor.get(path);
        assert.equal(status, 200, path);
        assert.ok(!/<script>|<img|<svg on|\u202e/.test(text.replaceAll(/&[a-z]+;/g, '.')), path);
        assert.equal(text.match(/<script/g).length, text.match(/<script type="(application\/(ld\+)?json|module)"/g).length, path);
      }
      const data = dataOf((await visitor.get('/tracks/evil-1')).text);
      assert.equal(data.answers['tracks/evil-1'].body.title, hostile.title);
    });

    // The same renderer serves both APIs. Its pages are slow under sanitizers, so each text is in the page of a track, and every sixth in others.
    it('has no element, attribute or address from any hostile text (WEB-16)', { skip: name === 'edge' && 'the renderer is the same' }, async () => {
      let elements = 0;
      for (const [number, { id, title }] of injected.entries()) {
        const others = [`/?q=${encodeURIComponent(title)}`, `/artists/${encodeURIComponent(inCatalog(`${title} by`))}`, `/${encodeURIComponent(title)}`];
        for (const path of [`/tracks/${id}`, ...(number % 6 === 0 ? others : [])]) {
          const { status, text } = await visitor.get(path);
          assert.ok([200, 400, 404].includes(status), `${status} for ${path}`);
          const { tags } = readHtml(text);
          elements += tags.length;
          for (const [tag, attributes] of tags) {
            assert.ok(!['iframe', 'object', 'embed', 'x', '!--', '?'].includes(tag), `${tag} in ${path}`);
            if (tag === 'script') assert.match(attributes.type, /^(application\/(ld\+)?json|module)$/, path);
            for (const [name, value] of Object.entries(attributes)) {
              assert.ok(!/^on|^srcdoc$|^autofocus$/.test(name) || (name === 'autofocus' && tag === 'input'), `${name} in ${path}`);
              if (name === 'href' || name === 'src' || name === 'action') assert.match(value, /^(https?:\/\/|\/(?!\/)|\?|#)/, `${name} in ${path}`);
            }
          }
          if (path.startsWith('/tracks/')) assert.equal(dataOf(text).answers[`tracks/${id}`].body.title, inCatalog(title));
        }
      }
      console.log(`${injected.length} hostile texts, ${elements} elements read`);
    });

    it('truncates long texts, and isolates right-to-left texts (WEB-16)', async () => {
      const { text } = await visitor.get('/tracks/evil-3');
      const visible = text.replaceAll(/<script.*?<\/script>/gs, '');
      assert.ok(visible.length < 60_000, String(visible.length)); // icons take a third
      assert.ok(!visible.includes('y'.repeat(4_100)));
      assert.ok(/<title>[^<]*<\/title>/.exec(text)[0].length < 200);
      assert.ok((await visitor.get('/tracks/evil-2')).text.includes(`<bdi>${overrides.title}</bdi>`));
    });

    it('sends security headers with every response (WEB-14)', async () => {
      for (const path of ['/', '/docs', '/site/session', '/nothing', '/media/x', '/robots.txt']) {
        const { headers } = await visitor.get(path);
        const policy = headers.get('content-security-policy');
        assert.match(policy, /default-src 'none'; script-src 'self' 'wasm-unsafe-eval';/, path);
        assert.match(policy, /frame-ancestors 'none'; base-uri 'none'; form-action 'self'/, path);
        assert.equal(policy.includes("'unsafe-inline'"), path === '/docs', path);
        assert.ok(!/script-src[^;]*unsafe-inline/.test(policy), path);
        assert.equal(headers.get('x-content-type-options'), 'nosniff', path);
        assert.equal(headers.get('cross-origin-opener-policy'), 'same-origin', path);
        assert.ok(headers.get('referrer-policy') && headers.get('permissions-policy'), path);
      }
    });

    it('names only plain hosts of the catalog in the policy (WEB-14)', async () => {
      let sources = '';
      await eventually(async () => {
        const policy = (await visitor.get('/healthz')).headers.get('content-security-policy');
        assert.match(policy, /^[^,]*; style-src 'self'$/);
        sources = /; media-src ([^;]*); img-src/.exec(policy)[1];
        return sources.includes('files.example');
      }, 'the policy names the hosts of the catalog');
      for (const source of ['https://*.files.example', 'https://files.example', 'https://port.example:8443']) assert.ok(sources.split(' ').includes(source), sources);
      assert.ok(!/a\.example|b\.example|c\.example|d\.example|unsafe|secret|\[| https:\/\/\* /.test(`${sources} `), sources);
    });

    it('uses the requested language (WEB-19)', async () => {
      const german = await visitor.get('/nothing', { headers: { 'Accept-Language': 'de-AT, en;q=0.5' } });
      assert.match(german.text, /<html lang="de">.*Seite nicht gefunden/s);
      assert.match((await visitor.get('/nothing?lang=en', { headers: { 'Accept-Language': 'de' } })).text, /<html lang="en">/);
      for (const name of ['constructor', '__proto__', 'toString']) assert.match((await visitor.get(`/nothing?lang=${name}`)).text, /<html lang="en">/, name);
      assert.match((await visitor.get('/nothing', { headers: { Cookie: 'tonearm_language=constructor' } })).text, /<html lang="en">/);
      // Bytes that are not UTF-8.
      assert.match((await visitor.get('/nothing', { headers: { 'Accept-Language': '\u00ff\u00fe, de' } })).text, /<html lang="de">/);
      assert.match((await visitor.get('/nothing', { headers: { Cookie: 'tonearm_language=\u00ff' } })).text, /<html lang="en">/);
    });

    it('lists all tracks for search engines (WEB-18)', async () => {
      let index;
      await eventually(async () => {
        index = await visitor.get('/sitemap.xml');
        if (index.status === 200) return true;
        assert.equal(index.status, 503);
        assert.ok(index.headers.get('retry-after'));
        return false;
      }, 'the sitemap is complete');
      assert.match(index.text, /<loc>https:\/\/site\.example\/sitemap-1\.xml<\/loc>/);
      const { text } = await visitor.get('/sitemap-1.xml');
      const ids = [...text.matchAll(/<loc>https:\/\/site\.example\/tracks\/([^<]+)<\/loc>/g)].map(([, id]) => id);
      const totals = await Promise.all(['kind=music', 'kind=sfx', 'kind=sfx&category=speech'].map((query) => visitor.get(`/site/search?${query}&limit=1`)));
      assert.equal(ids.length, totals.reduce((sum, { body }) => sum + body.total, 0));
      assert.equal(new Set(ids).size, ids.length);
      assert.equal((await visitor.get('/sitemap-2.xml')).status, 404);
      assert.match((await visitor.get('/robots.txt')).text, /Sitemap: https:\/\/site\.example\/sitemap\.xml/);
    });
  });
}

describe('a site whose API is unavailable', { timeout: 120_000 }, () => {
  it('starts without the API, reports that, and becomes ready with it (WEB-20, WEB-15)', async () => {
    const folder = new SiteFolder();
    let api = await nativeApi(folder);
    await api.stop();
    const site = await startSite(folder, api, [], { ready: false });
    const visitor = new Visitor(site.url);
    assert.equal((await visitor.get('/healthz')).status, 200);
    assert.equal((await visitor.get('/readyz')).status, 503);
    const page = await visitor.get('/');
    assert.equal(page.status, 503);
    assert.match(page.text, /<h1>Temporarily unavailable<\/h1>/);
    const json = await visitor.get('/site/search');
    assert.deepEqual([json.status, json.body.error, json.headers.get('retry-after')], [503, 'unavailable', '2']);
    const [listen, adminListen] = [api.url, api.adminUrl].map((url) => new URL(url).host);
    api = await nativeApi(folder, { listen, adminListen });
    await waitUntilReady(site.url);
    assert.equal((await visitor.get('/')).status, 200);
    await site.stop();
    await api.stop();
    folder.remove();
  });
});

describe('rate limits', { timeout: 600_000 }, () => {
  it('limit requests per address, and password attempts (WEB-4, WEB-8)', async () => {
    const folder = new SiteFolder();
    const api = await nativeApi(folder);
    const proxied = ['--visitor-rate', '1', '--trusted-proxy', '127.0.0.1'];
    const site = await startSite(folder, api, proxied, { burst: '40' });
    const from = (address) => ({ headers: { 'X-Forwarded-For': address } });
    const visitor = new Visitor(site.url);
    const statuses = [];
    for (let i = 0; i < 45; i += 1) statuses.push((await visitor.get('/site/meta', from('192.0.2.1'))).status);
    assert.equal(statuses.at(0), 200);
    const last = await visitor.get('/', from('192.0.2.1'));
    assert.equal(last.status, 429);
    assert.match(last.headers.get('retry-after'), /^[0-9]+$/);
    assert.match(last.headers.get('content-security-policy'), /default-src 'none'/); // WEB-14
    assert.equal((await visitor.get('/media/x', from('192.0.2.1'))).status, 404);
    assert.equal((await visitor.get('/site/meta', from('192.0.2.2'))).status, 200);

    const owner = new Visitor(site.url);
    await owner.get('/site/session', from('192.0.2.3'));
    const body = { name: 'owner', password: 'a long password' };
    assert.equal((await owner.request('POST', '/site/sign-up', { body, ...from('192.0.2.3') })).status, 201);
    const thief = new Visitor(site.url);
    await thief.get('/site/session', from('192.0.2.4'));
    const attempt = (i, address) => thief.request('POST', '/site/sign-in', { body: { name: 'OWNER', password: `guess number ${i}` }, ...from(address) });
    // A busy machine checks passwords so slowly that further guesses become free meanwhile.
    let guesses = 0;
    let slowed;
    do slowed = await attempt(guesses += 1, '198.51.100.1'); while (slowed.status === 401 && guesses < 60);
    assert.ok(guesses > 6, `${guesses} guesses`);
    assert.deepEqual([slowed.status, slowed.body.error], [429, 'rate_limited']);
    assert.match(slowed.headers.get('retry-after'), /^[1-9][0-9]*$/);
    assert.equal((await attempt(guesses + 1, '198.51.100.2')).status, 401, 'each address has guesses of its own');
    assert.equal((await owner.request('POST', '/site/sign-in', { body, ...from('192.0.2.3') })).status, 200);
    await site.stop();
    await api.stop();
    folder.remove();
  });

  it('cookies are Secure if a trusted proxy reports https (WEB-6, WEB-14)', async () => {
    const folder = new SiteFolder();
    const api = await nativeApi(folder);
    const site = await startSite(folder, api, ['--trusted-proxy', '127.0.0.1']);
    const { headers } = await new Visitor(site.url).get('/site/session', { headers: { 'X-Forwarded-Proto': 'https' } });
    assert.match(headers.getSetCookie()[0], /^__Host-tonearm_session=[0-9a-f]{64}; Path=\/; .*; Secure$/);
    assert.equal(headers.get('strict-transport-security'), 'max-age=31536000'); // WEB-14
    assert.equal((await new Visitor(site.url).get('/site/session')).headers.get('strict-transport-security'), null);
    await site.stop();
    await api.stop();
    folder.remove();
  });
});
