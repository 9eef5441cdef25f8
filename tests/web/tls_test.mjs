// The site over https: as a client of the API, and as a server of browsers.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import https from 'node:https';
import { after, before, describe, it } from 'node:test';

import { writeCertificate } from '../support/certificates.mjs';
import { LaunchedServer } from '../support/launched_server.mjs';
import { eventually } from '../support/waiting.mjs';
import { nativeApi, SiteFolder, startSite } from './site_process.mjs';

after(() => LaunchedServer.endAll());

describe('the site over https', { timeout: 120_000 }, () => {
  let folder, api, certificate, tls;
  before(async () => {
    folder = new SiteFolder();
    certificate = folder.at('certificate.pem');
    tls = ['--tls-cert', certificate, '--tls-key', folder.at('key.pem')];
    writeCertificate({ certificate, key: folder.at('key.pem'), subject: 'test', names: 'IP:127.0.0.1' });
    api = await nativeApi(folder, { words: tls });
  });
  after(async () => {
    await api?.stop();
    folder?.remove();
  });

  const get = (url) => new Promise((done, fail) => {
    https.get(url, { ca: readFileSync(certificate), agent: false }, (response) => {
      response.resume().on('end', () => done({ status: response.statusCode, headers: response.headers }));
    }).on('error', fail);
  });

  it('connects to an API whose certificate it trusts, and sets Secure cookies (WEB-6)', async () => {
    const site = await startSite(folder, api, ['--ca-file', certificate, ...tls], { ready: false });
    assert.match(site.url, /^https:/);
    await eventually(async () => (await get(`${site.url}/readyz`)).status === 200, 'the site is ready');
    assert.equal((await get(`${site.url}/site/search?limit=1`)).status, 200);
    const { headers } = await get(`${site.url}/site/session`);
    assert.match(headers['set-cookie'][0], /^__Host-tonearm_session=.*; Secure$/);
    await site.stop();
  });

  it('sends no request to an API whose certificate it does not trust', async () => {
    const site = await startSite(folder, api, [], { ready: false });
    await site.logged('the site is not ready: ');
    assert.equal((await fetch(`${site.url}/readyz`)).status, 503);
    assert.equal((await fetch(`${site.url}/site/search`)).status, 503);
    await site.stop();
  });
});
