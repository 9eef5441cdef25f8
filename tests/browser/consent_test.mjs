// Applications that a person connects in the browser (docs/spec/oauth.md): the consent page, and the list on the account page.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import http from 'node:http';
import { after, before, test } from 'node:test';

import { signUp, Stage } from './stage.mjs';

const VERIFIER = 'v'.repeat(64);
let stage, application, client, redirect;

before(async () => {
  stage = await Stage.open();
  application = http.createServer((_, response) => response.setHeader('Content-Type', 'text/html').end('<h1>Back</h1>'));
  await new Promise((done) => { application.listen(0, '127.0.0.1', done); });
  redirect = `http://127.0.0.1:${application.address().port}/callback`;
  const registered = await fetch(`${stage.url}/oauth/register`, { method: 'POST', body: JSON.stringify({ client_name: 'A <b>friendly</b> assistant', redirect_uris: [redirect] }) });
  ({ client_id: client } = await registered.json());
});
after(async () => {
  application?.closeAllConnections();
  application?.close();
  await stage?.end();
});

const pageOf = (changes = {}) => `/oauth/authorize?${new URLSearchParams({ response_type: 'code', client_id: client, redirect_uri: redirect, code_challenge_method: 'S256',
  code_challenge: createHash('sha256').update(VERIFIER).digest('base64url'), state: 'the state', ...changes })}`;

test('a person signs in, allows an application, returns to it, and disconnects it (OAUTH-6, OAUTH-9)', async () => {
  const name = await signUp(await stage.visit());
  const page = await stage.visit(pageOf());
  await page.fill('input[name=username]', name);
  await page.fill('input[name=password]', 'a long sentence of words');
  assert.equal(await page.getByText('friendly').count(), 0);
  await page.click('form.stack button[type=submit]');
  await page.waitForSelector('.permissions');
  const text = await page.innerText('main');
  for (const shown of ['A <b>friendly</b> assistant', 'your computer', name, 'create, change and delete your collections']) assert.ok(text.includes(shown), shown);
  await page.click('.panel button.primary');
  await page.waitForURL(`${redirect}*`);
  const returned = new URL(page.url());
  assert.deepEqual([returned.searchParams.get('state'), returned.searchParams.get('iss')], ['the state', stage.url]);
  const answer = await fetch(`${stage.url}/oauth/token`, { method: 'POST', body: new URLSearchParams({ grant_type: 'authorization_code', client_id: client, redirect_uri: redirect, code: returned.searchParams.get('code'), code_verifier: VERIFIER }) });
  assert.equal(answer.status, 200);
  await page.goto(`${stage.url}/account`);
  const listed = page.locator('section[aria-labelledby=connections-title]');
  await listed.getByText('A <b>friendly</b> assistant').waitFor();
  await listed.locator('button.danger').click();
  await listed.getByText('No application is connected.').waitFor();
  assert.deepEqual(page.complaints, []);
});

test('a person declines in German, and no wrong request leads to another site by itself (OAUTH-4, OAUTH-5)', async () => {
  const page = await stage.visit('/', { locale: 'de' });
  await signUp(page);
  await page.goto(pageOf());
  await page.getByRole('button', { name: 'Abbrechen' }).click();
  await page.waitForURL(`${redirect}*`);
  assert.equal(new URL(page.url()).searchParams.get('error'), 'access_denied');
  await page.goto(stage.url + pageOf({ code_challenge_method: 'plain' }));
  const link = page.getByRole('link', { name: `Zurück zu ${new URL(redirect).host}` });
  await link.waitFor();
  assert.equal(new URL(await link.getAttribute('href')).searchParams.get('error'), 'invalid_request');
  await page.goto(stage.url + pageOf({ redirect_uri: 'https://evil.example/' }));
  await page.waitForSelector('main .error-text');
  assert.ok(page.url().startsWith(stage.url));
  assert.equal(await page.locator('main a').count(), 0);
  assert.deepEqual(page.complaints, []);
});
