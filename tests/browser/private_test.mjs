import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';

import { root } from '../web/site_process.mjs';
import { signUp, Stage, total } from './stage.mjs';

let stage;
before(async () => { stage = await Stage.open(); });
after(() => stage?.end());

test('the page asks its own server alone, and keeps no key anywhere', async () => {
  const page = await stage.visit('/');
  await total(page, 64);
  await page.fill('#search-box', 'piano');
  await total(page, 63);
  await page.click('.row .play-button >> nth=0');
  await signUp(page);
  await page.goto('/account');
  await page.click('text=Create a key');
  const key = await page.textContent('.new-key code');
  await page.goto('/docs');
  await page.waitForSelector('text=Search tracks');
  await page.waitForTimeout(800);
  const elsewhere = page.asked.filter((url) => /^https?:/.test(url) && !url.startsWith(`${stage.url}/`));
  assert.deepEqual(elsewhere, []);
  await page.goto('/account');
  await page.waitForSelector('.keys-list');
  const held = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, document.documentElement.outerHTML]));
  assert.doesNotMatch(held, /tonearm_[0-9A-Za-z]{20}/);
  const { cookies } = await page.context().storageState();
  assert.ok(cookies.length > 0 && cookies.every(({ httpOnly, sameSite }) => httpOnly && sameSite !== 'None'));
  for (const log of [stage.site.log]) assert.ok(!log.includes(key) && !/tonearm_[0-9A-Za-z]{20}/.test(log));
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
