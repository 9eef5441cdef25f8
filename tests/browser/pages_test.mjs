import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';

import { axeSource, clipboard, noticed, PUBLIC_PAGES, settle, signUp, Stage, total } from './stage.mjs';

const looks = join(import.meta.dirname, 'looks');
let stage;
before(async () => { stage = await Stage.open(); });
after(() => stage?.end());

async function trackPath(page, query) {
  await page.goto(`/?${query}`);
  await page.waitForSelector('.row h3 a');
  return page.$eval('.row h3 a', (link) => link.getAttribute('href'));
}

test('a track page has a license summary and credits in three formats', async () => {
  const page = await stage.visit();
  await page.goto(await trackPath(page, 'q=quiet&sort=short&license=cc0'));
  await page.waitForSelector('.hero h1');
  assert.equal(await page.textContent('.panel .license-sentence'), 'Free for commercial use, no credit needed · CC0 1.0');
  assert.match(await page.textContent('.panel'), /This license was checked on the source's page/);
  assert.equal(await page.getAttribute('.panel .license-sentence a', 'href'), 'https://creativecommons.org/publicdomain/zero/1.0/');
  for (const [label, held] of [['Text', 'is marked with CC0 1.0. To view'], ['Markdown', '](https://creativecommons'], ['HTML', '<a href="https://river.example/']]) {
    await page.click(`text=Copy as ${label}`);
    await noticed(page, `Credit copied as ${label}`);
    assert.ok((await clipboard(page)).includes(held), `${label}: ${await clipboard(page)}`);
  }
  assert.equal(await page.locator('.similar .row[data-track]').count() > 0, true);
  assert.deepEqual(page.complaints, []);
});

test('a row has a license summary and copies the credit in the selected format with one click', async () => {
  const page = await stage.visit('/?q=amber+piano');
  await total(page, 63);
  assert.equal(await page.textContent('.row .license-words'), 'Free for commercial use, credit required');
  await page.click('.found .menu summary');
  await page.selectOption('.credit-picker select', 'markdown');
  await page.click('.row [aria-label^="Copy the credit"]');
  await noticed(page, 'Credit copied as Markdown');
  assert.equal(await clipboard(page), '"Amber Piano" by Ada Example is licensed under [CC BY 4\\.0](https://creativecommons.org/licenses/by/4.0/).');
});

test('artists, tags and categories have pages; missing pages say so', async () => {
  const page = await stage.visit('/artists/Paper%20Boats');
  await page.waitForSelector('h1 >> text=Paper Boats');
  await page.waitForSelector('.lead >> text=40 tracks');
  await page.goto('/tags/genre/rock');
  await page.waitForSelector('.lead >> text=tracks');
  await page.goto('/tracks/silent-9');
  await page.waitForSelector('text=This track does not exist or was removed');
  await page.goto('/nowhere');
  await page.waitForSelector('text=Page not found');
});

test('the API reference shows the real address and header, and sends requests through the site', async () => {
  const page = await stage.visit('/docs');
  const example = page.locator('pre, code').filter({ hasText: 'curl https://api.example/v1/search' }).first();
  await example.waitFor();
  assert.match(await example.textContent(), /--header 'Authorization: Bearer <API_KEY>'/);
  await page.locator('button:has-text("Test Request")').first().click();
  const sent = page.waitForRequest('**/site/try/v1/**');
  await page.locator('button:has-text("Send")').last().click();
  const { authorization, 'x-csrf-token': csrf } = (await sent).headers();
  assert.equal(authorization, undefined);
  assert.match(csrf, /^[0-9a-f]+$/);
});

test('every public page has its own title and description, in both languages', async () => {
  for (const language of ['en', 'de']) {
    const titles = new Set();
    const descriptions = new Set();
    const paths = ['/', '/tracks/silent-1001', '/artists/Paper%20Boats', '/tags/genre/rock', '/categories/fx-o', '/docs'];
    for (const path of paths) {
      const html = await (await fetch(`${stage.url}${path}`, { headers: { 'Accept-Language': language } })).text();
      titles.add(/<title>(.+?)<\/title>/.exec(html)[1]);
      descriptions.add(/<meta name="description" content="(.{30,300}?)"/.exec(html)[1]);
    }
    assert.equal(titles.size, paths.length, [...titles].join());
    assert.equal(descriptions.size, paths.length, [...descriptions].join());
  }
});

test('the page switches to German and remembers it', async () => {
  const page = await stage.visit('/?lang=de');
  await page.waitForSelector('text=Geräusche');
  assert.equal(await page.getAttribute('html', 'lang'), 'de');
  await page.selectOption('.foot select', 'de');
  await page.goto('/');
  await page.waitForSelector('text=Sammlungen');
});

async function axe(page, name) {
  await page.evaluate(axeSource);
  const { violations } = await page.evaluate(() => globalThis.axe.run({ resultTypes: ['violations'] }));
  return violations.map(({ id, nodes }) => `${name}: ${id}: ${nodes.slice(0, 3).map((node) => node.html.slice(0, 140)).join(' | ')}`);
}

for (const colorScheme of ['light', 'dark']) {
  test(`axe finds no violations on any page, ${colorScheme}`, async () => {
    const found = [];
    const page = await stage.visit('/', { colorScheme });
    await total(page, 64);
    found.push(...await axe(page, 'search'));
    await page.goto('/?q=amber');
    await page.click('.row .play-button');
    await page.waitForSelector('.bar');
    found.push(...await axe(page, 'with player'));
    await page.keyboard.press('?');
    await page.waitForSelector('dialog[open] .keys');
    found.push(...await axe(page, 'keys'));
    for (const path of PUBLIC_PAGES) {
      await settle(page, path);
      found.push(...await axe(page, path));
    }
    await signUp(page);
    await page.fill('.new-collection input[type=text]', 'Axe');
    await page.click('.new-collection button');
    await page.waitForURL('**/collections/col_*');
    await page.goto('/?q=night+piano');
    await page.click('.row-actions button[aria-label^="Add"]');
    await page.waitForSelector('.choices button');
    found.push(...await axe(page, 'dialog'));
    await page.click('.choices button');
    await noticed(page, 'Added to Axe');
    await page.goto('/collections');
    await page.click('.card a');
    await page.waitForSelector('.item');
    await page.click('.switch');
    await page.waitForSelector('.conflict');
    found.push(...await axe(page, 'collection'));
    await page.goto('/account');
    await page.waitForSelector('.chart svg');
    await page.click('text=Create a key');
    await page.waitForSelector('.new-key');
    await page.click('text=Change password');
    await page.click('.panel button >> text=Delete account');
    found.push(...await axe(page, 'account'));
    await page.setViewportSize({ width: 390, height: 844 });
    found.push(...await axe(page, 'account on a phone'));
    await page.goto('/?q=river');
    await page.click('text=Filters');
    await page.waitForSelector('dialog[open] .facet');
    found.push(...await axe(page, 'filters on a phone'));
    assert.deepEqual(found, []);
  });
}

test('axe finds no violations in the HTML of the server, without JavaScript', async () => {
  const found = [];
  for (const colorScheme of ['light', 'dark']) {
    const page = await stage.visit('/healthz', { colorScheme });
    await page.route('**/assets/*.js', (route) => route.abort());
    for (const path of PUBLIC_PAGES.filter((one) => one !== '/docs')) {
      await page.goto(path);
      found.push(...await axe(page, `${colorScheme} ${path}`));
    }
    await page.context().close();
  }
  assert.deepEqual(found, []);
});

/** Loads a page, and returns its layout shifts. */
async function layoutShifts(page, path) {
  await settle(page, path);
  return page.evaluate(() => new Promise((done) => {
    const seen = [];
    new PerformanceObserver((list) => { for (const { value, sources } of list.getEntries()) seen.push({ value, what: sources.map(({ node }) => (node?.outerHTML ?? node?.textContent ?? '').slice(0, 80)) }); })
      .observe({ type: 'layout-shift', buffered: true });
    setTimeout(() => done(seen), 100);
  }));
}

const sumOf = (shifts) => shifts.reduce((all, { value }) => all + value, 0);

// A busy browser sometimes paints a page of which it has parsed a half; what the page itself shifts, it shifts at each load.
test('pages load without layout shifts', async () => {
  for (const viewport of [{ width: 1280, height: 800 }, { width: 390, height: 844 }]) {
    const page = await stage.visit('/', { viewport });
    for (const path of PUBLIC_PAGES.filter((one) => one !== '/docs')) {
      let shifts = await layoutShifts(page, path);
      for (let loads = 1; loads < 4 && sumOf(shifts) >= 0.0005; ++loads) shifts = await layoutShifts(page, path);
      assert.ok(sumOf(shifts) < 0.0005, `${path}, ${viewport.width} wide: ${sumOf(shifts)} ${JSON.stringify(shifts)}`);
    }
    await page.context().close();
  }
});

test('the whole page can be used with the keyboard', async () => {
  const page = await stage.visit('/?q=piano+example&sort=short');
  await total(page, 64);
  const reached = new Set();
  for (let tabs = 0; tabs < 80; tabs += 1) {
    await page.keyboard.press('Tab');
    reached.add(await page.evaluate(() => { const on = document.activeElement; return on?.getAttribute('aria-label') ?? on?.textContent?.trim() ?? ''; }));
  }
  for (const name of ['Skip to results', 'Search', 'Sound effects', 'Play Glass Piano', 'Glass Piano', 'Copy the credit of Glass Piano as Text', 'Add Glass Piano to a collection']) {
    assert.ok(reached.has(name), `${name} is reached; there is ${[...reached].join(', ')}`);
  }
});

test('on a phone nothing is wider than the screen, and filters open in a drawer', async () => {
  const page = await stage.visit('/?q=river', { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
  await total(page, 60);
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 390);
  await page.click('text=Filters');
  await page.locator('dialog .facet-value', { hasText: 'Rock' }).click();
  await page.click('dialog >> text=Show 30 tracks');
  await total(page, 30);
});

/** Returns the share of pixels that differ noticeably. */
async function difference(page, reference, now) {
  return page.evaluate(async ([before, after]) => {
    const pixels = async (data) => {
      const bytes = Uint8Array.from(atob(data), (sign) => sign.charCodeAt(0));
      const image = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
      const canvas = new OffscreenCanvas(image.width, image.height);
      const context = canvas.getContext('2d');
      context.drawImage(image, 0, 0);
      return context.getImageData(0, 0, image.width, image.height);
    };
    const [a, b] = [await pixels(before), await pixels(after)];
    if (a.width !== b.width || a.height !== b.height) return 1;
    let differing = 0;
    for (let at = 0; at < a.data.length; at += 4) if (Math.abs(a.data[at] - b.data[at]) + Math.abs(a.data[at + 1] - b.data[at + 1]) + Math.abs(a.data[at + 2] - b.data[at + 2]) > 60) differing += 1;
    return (4 * differing) / a.data.length;
  }, [reference.toString('base64'), now.toString('base64')]);
}

const TOLERANCE = 0.02; // for fonts of other machines

for (const [name, path, viewport] of [
  ['search-wide', '/?q=river&sort=short', { width: 1280, height: 800 }],
  ['search-phone', '/?q=river&sort=short', { width: 390, height: 844 }],
  ['sign-in', '/sign-in', { width: 640, height: 600 }],
]) {
  test(`${name} looks like its reference screenshot`, async () => {
    const page = await stage.visit(path, { viewport });
    await page.waitForSelector(path === '/sign-in' ? 'form.stack' : '.side .facet-value .count, .total[data-total="60"]', { state: 'attached' });
    await page.waitForTimeout(900);
    const now = await page.screenshot();
    const file = join(looks, `${name}.png`);
    if (process.env.LOOKS === 'record') {
      mkdirSync(looks, { recursive: true });
      writeFileSync(file, now);
    }
    assert.ok(existsSync(file), `${file} exists`);
    const share = await difference(page, readFileSync(file), now);
    assert.ok(share <= TOLERANCE, `${(100 * share).toFixed(2)} % of the pixels differ`);
  });
}
