import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { noticed, Stage } from './stage.mjs';

const line = (id, title, more = {}) => ({
  id, kind: 'music', title, artist: 'Mallory <img src=x onerror=window.hurt=1>', duration_s: 9, license: 'cc-by-4.0', source: 'evil.example', description: `${title} hostile`, ...more,
});
const LINES = [
  line('evil-1', '<script>window.hurt=1</script>hostile'),
  line('evil-2', 'hostile "onmouseover="window.hurt=1', { source_page: "https://evil.example/?a='onclick='window.hurt=1&lt;script&gt;" }),
  line('evil-3', 'hostile \u202Egnirts desrever\u2066', { tags: { genre: ['rock'] } }),
  line('evil-4', `hostile ${'W'.repeat(10_000)}`, { artist: 'V'.repeat(3000) }),
  line('evil-5', 'hostile </script><!--</div></body>'),
  line('evil-6', 'hostile [x](javascript:window.hurt=1) {{7*7}} ${window.hurt=1}'),
];

let stage;
before(async () => { stage = await Stage.open({ lines: LINES }); });
after(() => stage?.end());

async function assertIntact(page, what) {
  assert.equal(await page.evaluate(() => window.hurt), undefined, what);
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  assert.ok(wide <= 0, `${what} is ${wide} pixels too wide`);
  const links = await page.$$eval('a[href]', (found) => found.map((link) => link.href).filter((href) => !/^https?:/.test(href)));
  assert.deepEqual(links, [], what);
  assert.deepEqual(page.complaints, [], what);
}

for (const viewport of [{ width: 1280, height: 800 }, { width: 390, height: 844 }]) {
  test(`a hostile catalog is shown as text and does not break the page, ${viewport.width} wide`, async () => {
    const page = await stage.visit('/?q=hostile', { viewport });
    await page.waitForSelector('.total[data-total="6"]');
    await assertIntact(page, 'search');
    assert.ok((await page.$$eval('.row h3', (found) => found.map((title) => title.textContent))).includes('<script>window.hurt=1</script>hostile'));
    for (const row of await page.$$eval('.row', (found) => found.map((one) => one.getBoundingClientRect().height))) assert.ok(row < 260, `a row is ${row} high`);
    for (const { id } of LINES) {
      await page.goto(`/tracks/${id}`);
      await page.waitForSelector('.hero h1');
      await assertIntact(page, id);
    }
    await page.goto(`/artists/${encodeURIComponent(LINES[0].artist)}`);
    await page.waitForSelector('h1');
    await assertIntact(page, 'artist');
  });
}

test('credits of hostile tracks are harmless in every format', async () => {
  const page = await stage.visit('/tracks/evil-2');
  await page.waitForSelector('.hero h1');
  await page.click('text=Copy as HTML');
  await noticed(page, 'Credit copied as HTML');
  const tags = await page.evaluate(async () => {
    const inert = new DOMParser().parseFromString(await navigator.clipboard.readText(), 'text/html');
    return [...inert.querySelectorAll('*')].flatMap((element) => [element.localName, ...element.getAttributeNames()]);
  });
  assert.deepEqual([...new Set(tags)].sort(), ['a', 'body', 'head', 'href', 'html']);
  await page.goto('/tracks/evil-6');
  await page.waitForSelector('.hero h1');
  await page.click('text=Copy as Markdown');
  await noticed(page, 'Credit copied as Markdown');
  assert.ok(!(await page.evaluate(() => navigator.clipboard.readText())).includes('](javascript'));
});
