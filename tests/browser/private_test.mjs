import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';

import { root } from '../web/site_process.mjs';
import { PUBLIC_PAGES, settle, signUp, Stage, total } from './stage.mjs';

let stage;
before(async () => { stage = await Stage.open(); });
after(() => stage?.end());

const KEY = /tonearm_[0-9A-Za-z]{20}/;

/** All that the page holds, shows and keeps where its scripts can read it. */
const held = (page) => page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, document.documentElement.outerHTML]));

async function holdsNothing(page, at, on) {
  const text = await held(page);
  assert.doesNotMatch(text, KEY, at);
  for (const api of [on.api.url, on.api.adminUrl]) assert.ok(!text.includes(new URL(api).host), `${at} names the API's address`);
}

async function asksItsServerAlone(on) {
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

test('every page asks its own server alone, names no API, and keeps no key anywhere', () => asksItsServerAlone(stage));

test('over the edge too', async () => {
  const edge = await Stage.open({ api: 'edge' });
  try {
    await asksItsServerAlone(edge);
  } finally {
    await edge.end();
  }
});

test('at most 90 KB of compressed script before the first result; nothing inline', async () => {
  const page = await stage.visit('/');
  await total(page, 64);
  const scripts = await page.evaluate(() => performance.getEntriesByType('resource').filter(({ name }) => /\.js(\?|$)/.test(name)).map(({ name, encodedBodySize }) => [name, encodedBodySize]));
  const bytes = scripts.reduce((sum, [, size]) => sum + size, 0);
  assert.ok(bytes > 10_000 && bytes <= 90_000, `${bytes} bytes: ${scripts.join(' ')}`);
  const inline = await page.$$eval('script:not([src]):not([type="application/json"]):not([type="application/ld+json"]), style, [onclick], [style*="expression"]', (found) => found.map((one) => one.outerHTML.slice(0, 80)));
  assert.deepEqual(inline, []);
});

test('both languages have the same texts', () => {
  const folder = join(root, 'web-demo-server/site/texts');
  const [first, ...others] = readdirSync(folder).map((name) => Object.entries(JSON.parse(readFileSync(join(folder, name)))));
  const shape = (texts) => texts.map(([key, text]) => `${key} ${(text.match(/\{\w+\}/g) ?? []).sort().join()}`).sort();
  for (const other of others) assert.deepEqual(shape(other), shape(first));
});
