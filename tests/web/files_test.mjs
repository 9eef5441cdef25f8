// Files of the site: the built page, media, the snapshot for offline search.

import assert from 'node:assert/strict';
import { copyFileSync, mkdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import { after, before, describe, it } from 'node:test';
import { brotliCompressSync, brotliDecompressSync, gzipSync } from 'node:zlib';

import { LaunchedServer } from '../support/launched_server.mjs';
import { nativeApi, SiteFolder, startSite } from './site_process.mjs';

after(() => LaunchedServer.endAll());

describe('files of the site', { timeout: 120_000 }, () => {
  const sound = Buffer.from(Array.from({ length: 200_000 }, (_, i) => i % 251));
  const script = `console.log(${JSON.stringify('x'.repeat(3_000))});\n`;
  let folder, api, site;
  before(async () => {
    folder = new SiteFolder();
    for (const path of ['built', 'built/assets', 'built/server', 'media']) mkdirSync(folder.at(path));
    writeFileSync(folder.at('secret.txt'), 'the secret');
    writeFileSync(folder.at('media/a-1.ogg'), sound);
    writeFileSync(folder.at('media/.hidden'), 'the secret');
    writeFileSync(folder.at('media/a-1.peaks.json'), '[1]');
    for (const name of ['page.html', 'script.js', 'note.txt', 'other.json', 'image.svg', 'a-1', 'a-1.ogg.html']) writeFileSync(folder.at(`media/${name}`), 'the secret');
    symlinkSync(folder.at('secret.txt'), folder.at('media/link.ogg'));
    writeFileSync(folder.at('built/assets/main-abc.js'), script);
    writeFileSync(folder.at('built/assets/main-abc.js.br'), brotliCompressSync(script));
    writeFileSync(folder.at('built/assets/main-abc.js.gz'), gzipSync(script));
    writeFileSync(folder.at('built/server/render.js'), `var site = { plan: () => '{"needs": []}', render: (json) =>
      JSON.stringify({ status: JSON.parse(json).target === '/' ? 200 : 404, language: 'en', html: '<script src="/assets/main-abc.js"></script>' }) }`);
    copyFileSync(folder.catalog, folder.at('offline.sqlite'));
    api = await nativeApi(folder);
    site = await startSite(folder, api, ['--media', folder.at('media'), '--site', folder.at('built'), '--catalog', folder.at('offline.sqlite')]);
  });
  after(async () => {
    await site?.stop();
    await api?.stop();
    folder?.remove();
  });

  /** Sends a request exactly as given: `fetch` would normalize the path and decode the body. */
  const request = (path, headers = {}, method = 'GET') => new Promise((done, fail) => {
    const { hostname, port } = new URL(site.url);
    http.request({ hostname, port, path, method, headers }, (response) => {
      const pieces = [];
      response.on('data', (piece) => pieces.push(piece));
      response.on('end', () => done({ status: response.statusCode, headers: response.headers, body: Buffer.concat(pieces) }));
    }).on('error', fail).end();
  });

  it('serves audio files whole and in ranges (WEB-13)', async () => {
    const whole = await request('/media/a-1.ogg');
    assert.equal(whole.status, 200);
    assert.equal(whole.headers['content-type'], 'audio/ogg');
    assert.equal(whole.headers['accept-ranges'], 'bytes');
    assert.ok(whole.body.equals(sound));
    const part = await request('/media/a-1.ogg', { Range: 'bytes=150000-' });
    assert.equal(part.status, 206);
    assert.equal(part.headers['content-range'], 'bytes 150000-199999/200000');
    assert.ok(part.body.equals(sound.subarray(150_000)));
    const last = await request('/media/a-1.ogg', { Range: 'bytes=-10', 'If-Range': whole.headers.etag });
    assert.ok(last.status === 206 && last.body.equals(sound.subarray(-10)));
    assert.equal((await request('/media/a-1.ogg', { Range: 'bytes=200000-' })).status, 416);
    assert.equal((await request('/media/a-1.ogg', { Range: 'bytes=0-1,3-4' })).status, 200);
    assert.equal((await request('/media/a-1.ogg', { Range: 'bytes=0-1', 'If-Range': '"another"' })).status, 200);
    assert.equal((await request('/media/a-1.ogg', { 'If-None-Match': whole.headers.etag })).status, 304);
    const head = await request('/media/a-1.ogg', {}, 'HEAD');
    assert.deepEqual([head.status, head.headers['content-length'], head.body.length], [200, '200000', 0]);
    assert.equal((await request('/media/a-1.ogg', {}, 'POST')).status, 405);
  });

  it('serves only audio and peaks from the media folder (WEB-12)', async () => {
    const peaks = await request('/media/a-1.peaks.json');
    for (const { headers } of [peaks, await request('/media/a-1.ogg')]) { // pages of other origins use them
      assert.deepEqual([headers['access-control-allow-origin'], headers['cross-origin-resource-policy']], ['*', 'cross-origin']);
    }
    assert.equal((await request('/offline/catalog.sqlite')).headers['access-control-allow-origin'], undefined);
    assert.deepEqual([peaks.status, peaks.headers['content-type'], peaks.headers['x-content-type-options']], [200, 'application/json', 'nosniff']);
    for (const name of ['page.html', 'script.js', 'note.txt', 'other.json', 'image.svg', 'a-1', 'a-1.ogg.html']) assert.equal((await request(`/media/${name}`)).status, 404, name);
  });

  it('serves no file outside its folders (WEB-12)', async () => {
    for (const path of ['/media/../secret.txt', '/media/%2e%2e/secret.txt', '/media/..%2fsecret.txt', '/media/%2e%2e%2fsecret.txt', '/media/link.ogg',
      '/media/.hidden', '/media/', '/media/./a-1.ogg', '/media//a-1.ogg', '/media/a-1.ogg%00', '/media/a-1%2eogg', '/assets/../server/render.js',
      '/assets/..%5c..%5csecret.txt', '/assets/%c0%ae%c0%ae/secret.txt', '/../secret.txt', '/server/render.js', '/secret.txt', '/token', '/media/x'.padEnd(5_000, 'x')]) {
      const { status, body } = await request(path);
      assert.ok(status === 404 || status === 400, `${path}: ${status}`);
      assert.ok(!body.includes('the secret') && !body.includes('isEntry'), path);
    }
  });

  it('does not forward paths with dot segments (WEB-2)', async () => {
    for (const path of ['/site/tracks/../collections', '/site/tracks/%2e%2e/collections', '/site/try/v1/../admin/accounts', '/site/collections/./x', '/site/tracks/%ff']) {
      assert.equal((await request(path)).status, 404, path);
    }
  });

  it('serves assets compressed, cacheable for a year (WEB-12)', async () => {
    const path = '/assets/main-abc.js';
    const plain = await request(path);
    assert.equal(plain.body.toString(), script);
    assert.match(plain.headers['cache-control'], /max-age=31536000, immutable/);
    assert.match(plain.headers['content-type'], /^text\/javascript/);
    const br = await request(path, { 'Accept-Encoding': 'gzip, br' });
    assert.equal(br.headers['content-encoding'], 'br');
    assert.equal(brotliDecompressSync(br.body).toString(), script);
    assert.equal((await request(path, { 'Accept-Encoding': 'gzip, br;q=0' })).headers['content-encoding'], 'gzip');
    for (const answer of [plain, br]) assert.equal(answer.headers.vary, 'Accept-Encoding');
    assert.notEqual(br.headers.etag, plain.headers.etag);
    assert.match((await request('/')).body.toString(), /<script src="\/assets\/main-abc.js"><\/script>/);
  });

  it('serves the snapshot in ranges, with a new entity tag when it is replaced (WEB-13)', async () => {
    const session = JSON.parse((await request('/site/session')).body);
    const bytes = readFileSync(folder.catalog);
    assert.deepEqual(session.offline, { size: bytes.length });
    const first = await request('/offline/catalog.sqlite', { Range: 'bytes=0-15' });
    assert.deepEqual([first.status, first.body.toString()], [206, 'SQLite format 3\0']);
    writeFileSync(folder.at('next.sqlite'), Buffer.concat([bytes, Buffer.alloc(4_096)]));
    renameSync(folder.at('next.sqlite'), folder.at('offline.sqlite'));
    const next = await request('/offline/catalog.sqlite', { Range: 'bytes=0-15', 'If-Range': first.headers.etag });
    assert.equal(next.status, 200);
    assert.notEqual(next.headers.etag, first.headers.etag);
    assert.equal(next.body.length, bytes.length + 4_096);
  });
});
