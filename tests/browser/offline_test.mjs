import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { listed, Stage, titles, total } from './stage.mjs';

let stage;
before(async () => { stage = await Stage.open(); });
after(() => stage?.end());

const searches = (page) => page.requests.filter((url) => url.includes('/site/search'));

test('offline search finds the same tracks as the server, by range requests only', async () => {
  const page = await stage.visit('/?q=river&genre=rock&sort=long');
  await total(page, 30);
  const online = await titles(page);
  await page.click('.found .menu summary');
  await page.click('.offline button');
  await page.waitForSelector('.offline .link');
  await page.waitForFunction(() => document.querySelector('.offline button[aria-pressed="true"]'));
  page.requests.length = 0;
  await page.fill('#search-box', '');
  await total(page, 31);
  await page.locator('#search-box').pressSequentially('river', { delay: 30 });
  await listed(page, 'river', online.length);
  assert.deepEqual(await titles(page), online);
  await page.locator('.side .facet-value', { hasText: 'Rock' }).click();
  await total(page, 60);
  assert.deepEqual(searches(page), []);
  assert.match(page.url(), /view=offline/);
  assert.deepEqual(page.complaints, []);
});

test('half-typed words find tracks as on the server, unless they are to be exact (WEB-25)', async () => {
  const page = await stage.visit('/?q=pian');
  await page.waitForSelector('.meant >> text=Piano');
  const online = await titles(page);
  await page.click('.found .menu summary');
  await page.click('.offline button');
  await page.waitForSelector('.offline button[aria-pressed=true]');
  page.requests.length = 0;
  await page.fill('#search-box', 'pia');
  await listed(page, 'pia', online.length);
  assert.match(await page.textContent('.meant'), /Piano/);
  assert.deepEqual(await titles(page), online);
  await page.click('.meant a');
  await page.waitForFunction(() => !document.querySelector('.meant'));
  assert.match(page.url(), /exact=1/);
  assert.deepEqual(page.requests.filter((url) => /\/site\/(search|complete)/.test(url)), []);
});

test('shows the size of the catalog before downloading it, and then works without a network', async () => {
  const page = await stage.visit('/');
  await total(page, 64);
  await page.click('.found .menu summary');
  await page.click('.offline button');
  await page.waitForSelector('.offline .link');
  assert.match(await page.textContent('.offline .link'), /Download all: [\d.,]+ (kB|MB)/);
  await page.click('.offline .link');
  await page.waitForSelector('.offline-read >> text=Whole catalog downloaded');
  await page.context().setOffline(true);
  await page.fill('#search-box', 'glass');
  await total(page, 1);
  assert.deepEqual(await titles(page), ['Glass Piano']);
});
