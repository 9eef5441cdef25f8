// Checks which servers each page contacts, and which data it contains and stores.

import assert from 'node:assert/strict';

import { PUBLIC_PAGES, settle, signUp } from './stage.mjs';

const KEY = /tonearm_[0-9A-Za-z]{20}/;

/** All data of the page that its scripts can read. */
const readableData = (page) => page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, document.documentElement.outerHTML]));

async function assertNoSecrets(page, at, on) {
  const text = await readableData(page);
  assert.doesNotMatch(text, KEY, at);
  for (const api of [on.api.url, on.api.adminUrl]) assert.ok(!text.includes(new URL(api).host), `${at} contains the address of the API`);
}

/** Checks every page, also as a person with a collection and a key. */
export async function checkPrivacy(on) {
  const page = await on.visit('/');
  const logged = [];
  page.on('console', (message) => logged.push(message.text()));
  for (const path of PUBLIC_PAGES) {
    await settle(page, path);
    await assertNoSecrets(page, path, on);
  }
  await signUp(page);
  await page.fill('.new-collection input[type=text]', 'Private');
  await page.click('.new-collection button');
  await page.waitForURL('**/collections/col_*');
  await assertNoSecrets(page, 'a collection', on);
  await page.goto('/account');
  await page.click('text=Create a key');
  const key = await page.textContent('.new-key code');
  assert.match(key, KEY);
  await page.click('text=I saved it');
  await page.waitForSelector('.new-key', { state: 'detached' });
  await assertNoSecrets(page, 'the account', on);
  await settle(page, '/docs');
  await page.goto('/account');
  await page.waitForSelector('.keys-list');
  await assertNoSecrets(page, 'the account again', on);
  const elsewhere = page.requests.filter((url) => /^(https?|wss?):/.test(url) && !url.startsWith(`${on.url}/`));
  assert.deepEqual(elsewhere, []);
  assert.ok(!page.requests.some((url) => KEY.test(url)));
  assert.ok(!logged.some((text) => KEY.test(text)), logged.join('\n'));
  const { cookies } = await page.context().storageState();
  assert.ok(cookies.length > 0 && cookies.every(({ httpOnly, sameSite }) => httpOnly && sameSite !== 'None'));
  assert.ok(!KEY.test(on.site.log), on.site.log);
}
