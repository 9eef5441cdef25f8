import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';

import { root } from '../web/site_process.mjs';
import { checkPrivacy } from './privacy.mjs';
import { Stage, total } from './stage.mjs';

let stage;
before(async () => { stage = await Stage.open(); });
after(() => stage?.end());

test('every page contacts only its own server, names no API address, and stores no key', () => checkPrivacy(stage));

test('loads at most 32 KB of compressed script before the first result, one language, and no style of later views, and nothing inline', async () => {
  const page = await stage.visit('/');
  await total(page, 64);
  const scripts = await page.evaluate(() => performance.getEntriesByType('resource').filter(({ name }) => /\.js(\?|$)/.test(name)).map(({ name, encodedBodySize }) => [name, encodedBodySize]));
  const bytes = scripts.reduce((sum, [, size]) => sum + size, 0);
  assert.ok(bytes > 10_000 && bytes <= 32_000, `${bytes} bytes: ${scripts.join(' ')}`);
  assert.deepEqual(page.requests.filter((url) => /german|later_texts|people|bar-/.test(url)), []);
  const inline = await page.$$eval('script:not([src]):not([type="application/json"]):not([type="application/ld+json"]), style, [onclick], [style*="expression"]', (found) => found.map((one) => one.outerHTML.slice(0, 80)));
  assert.deepEqual(inline, []);
});

test('both languages have the same texts, of the first page and of later views', () => {
  const folder = join(root, 'web-demo-server/site/texts');
  const read = (name) => Object.entries(JSON.parse(readFileSync(join(folder, name))));
  const shape = (texts) => texts.map(([key, text]) => `${key} ${(text.match(/\{\w+\}/g) ?? []).sort().join()}`).sort();
  for (const begin of ['', 'later.']) assert.deepEqual(shape(read(`${begin}de.json`)), shape(read(`${begin}en.json`)));
});
