import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';

import { root } from '../web/site_process.mjs';
import { asksItsServerAlone } from './privacy.mjs';
import { Stage, total } from './stage.mjs';

let stage;
before(async () => { stage = await Stage.open(); });
after(() => stage?.end());

test('every page asks its own server alone, names no API, and keeps no key anywhere', () => asksItsServerAlone(stage));

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
