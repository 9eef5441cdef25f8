import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { checkPrivacy } from './privacy.mjs';
import { noticed, signUp, Stage, titles, total } from './stage.mjs';

let stage;
before(async () => { stage = await Stage.open({ api: 'edge' }); });
after(() => stage?.end());

test('on the edge: search, facets, a track, listening, a collection with a conflict', async () => {
  const page = await stage.visit('/');
  await total(page, 64);
  await page.fill('#search-box', 'glass');
  await total(page, 1);
  assert.deepEqual(await titles(page), ['Glass Piano']);
  await page.click('.row .play-button');
  await page.waitForSelector('.bar-controls button[aria-label="Pause"]');
  await page.click('.row h3 a');
  await page.waitForSelector('.hero h1');
  await signUp(page);
  await page.fill('.new-collection input[type=text]', 'Edge');
  await page.click('.new-collection button');
  await page.waitForURL('**/collections/col_*');
  const url = page.url();
  await page.goto('/?q=night+piano');
  await page.click('.row-actions button[aria-label^="Add"]');
  await page.click('.choices button');
  await noticed(page, 'Added to Edge');
  await page.goto(url);
  await page.waitForSelector('.item');
  await page.click('.switch');
  await page.waitForSelector('.conflict >> text=Night Piano');
  await page.goto('/account');
  await page.waitForSelector('.limit');
  await page.click('text=Create a key');
  await page.waitForSelector('.new-key code');
  assert.deepEqual(page.complaints, []);
});

test('on the edge, too, every page contacts only its own server and stores no key', () => checkPrivacy(stage));
