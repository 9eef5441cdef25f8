// Whom each page asks, and what it holds and keeps.

import assert from 'node:assert/strict';

import { PUBLIC_PAGES, settle, signUp } from './stage.mjs';

const KEY = /tonearm_[0-9A-Za-z]{20}/;

/** All that the page holds, shows and keeps where its scripts can read it. */
const held = (page) => page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, document.documentElement.outerHTML]));

async function holdsNothing(page, at, on) {
  const text = await held(page);
  assert.doesNotMatch(text, KEY, at);
  for (const api of [on.api.url, on.api.adminUrl]) assert.ok(!text.includes(new URL(api).host), `${at} names the API's address`);
}

/** On every page, and as somebody with a collection and a key. */
export async function asksItsServerAlone(on) {
  const page = await on.visit('/');
  const said = [];
  page.on('console', (message) => said.push(message.text()));
  for (const path of PUBLIC_PAGES) {
    await settle(page, path);
    await holdsNothing(page, path, on);
  }
  await signUp(page);
  await page.fill('.new-collection input[type=text]', 'Private');
  await page.click('.new-collection button');
  await page.waitForURL('**/collections/col_*');
  await holdsNothing(page, 'a collection', on);
  await page.goto('/account');
  await page.click('text=Create a key');
  const key = await page.textContent('.new-key code');
  assert.match(key, KEY);
  await page.click('text=I have it');
  await page.waitForSelector('.new-key', { state: 'detached' });
  await holdsNothing(page, 'the account', on);
  await settle(page, '/docs');
  await page.goto('/account');
  await page.waitForSelector('.keys-list');
  await holdsNothing(page, 'the account again', on);
  const elsewhere = page.asked.filter((url) => /^(https?|wss?):/.test(url) && !url.startsWith(`${on.url}/`));
  assert.deepEqual(elsewhere, []);
  assert.ok(!page.asked.some((url) => KEY.test(url)));
  assert.ok(!said.some((text) => KEY.test(text)), said.join('\n'));
  const { cookies } = await page.context().storageState();
  assert.ok(cookies.length > 0 && cookies.every(({ httpOnly, sameSite }) => httpOnly && sameSite !== 'None'));
  assert.ok(!KEY.test(on.site.log), on.site.log);
}
