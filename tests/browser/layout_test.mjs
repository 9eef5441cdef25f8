// Measures the layout of every page at six widths, and how soon a person can play something.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { noticed, PUBLIC_PAGES, scrollUntil, settle, signUp, SILENT, Stage, titles, total } from './stage.mjs';

const WIDTHS = [390, 768, 1024, 1280, 1440, 1920];
const PHONE = 860; // up to this width the layout is that of a phone
const ROW_MAX = 125; // CSS pixels; 200 on a phone

// Tracks with audio at another site, as most catalogs have them.
const FOREIGN = Array.from({ length: 40 }, (_, index) => ({
  ...SILENT[index], id: `foreign-${index}`, title: `Audible Harbor with a rather long name, the ${index}th of its kind`, original_url: `https://files.example/${index}.mp3`,
}));

let stage;
before(async () => { stage = await Stage.open({ lines: [...SILENT, ...FOREIGN] }); });
after(() => stage?.end());

const failuresOf = (page, limit) => page.evaluate((max) => {
  const failures = [...document.querySelectorAll('.row, .item')].filter((row) => row.offsetHeight > max)
    .map((row) => `a row is ${row.offsetHeight} px high: ${row.textContent.slice(0, 60)}`);
  const { scrollWidth, clientWidth } = document.documentElement;
  if (scrollWidth > clientWidth) failures.push(`${scrollWidth - clientWidth} px wider than the screen`);
  for (const element of document.querySelectorAll('.license, .row-what, .facts, .head > *')) {
    if (element.scrollWidth > element.clientWidth + 1 && getComputedStyle(element).overflow === 'visible' && element.clientWidth > 0) {
      failures.push(`${element.className} overflows by ${element.scrollWidth - element.clientWidth} px`);
    }
  }
  for (const label of document.querySelectorAll('.facet-label, .row-by .tags li, .badge')) {
    const { top, bottom, right } = label.getBoundingClientRect();
    const box = label.parentElement.getBoundingClientRect();
    if (bottom > box.bottom + 1 && top < box.bottom - 1) failures.push(`"${label.textContent}" is cut at the bottom`);
    if (label.scrollWidth > label.clientWidth + 1 && label.clientWidth > 0 && right > 0) failures.push(`"${label.textContent}" is cut at its end`);
  }
  return failures;
}, limit);

for (const width of WIDTHS) {
  test(`no row outgrows its text and nothing scrolls sideways, ${width} wide`, async () => {
    const page = await stage.visit('/', { viewport: { width, height: 900 } });
    const failures = [];
    const look = async (path) => failures.push(...(await failuresOf(page, width <= PHONE ? 200 : ROW_MAX)).map((failure) => `${path}: ${failure}`));
    for (const path of PUBLIC_PAGES.filter((one) => one !== '/docs')) {
      await settle(page, path);
      await look(path);
    }
    await signUp(page);
    await page.fill('.new-collection input[type=text]', 'Harbor film with a long name that has to wrap somewhere');
    await page.click('.new-collection button');
    await page.waitForURL('**/collections/col_*');
    const collection = page.url();
    await page.goto('/?q=audible');
    for (const index of [0, 1, 2]) await page.locator('.row-choose input').nth(index).click();
    await page.click('.chosen .primary');
    await page.click('.choices button');
    await noticed(page, 'added to Harbor film');
    for (const path of [collection, '/collections', '/account']) {
      await page.goto(path);
      await page.waitForTimeout(500);
      await look(path.replace(/col_.*/, 'ID'));
    }
    assert.deepEqual(failures, []);
  });
}

test('the tracks that can be played come first, and the others follow (WEB-24)', async () => {
  const page = await stage.visit('/');
  await total(page, 104);
  const canPlay = await page.$$eval('.found .row', (rows) => rows.slice(0, 24).map((row) => row.querySelector('button.play-button') !== null));
  assert.equal(canPlay.filter(Boolean).length, 24);
  await scrollUntil(page, async () => (await page.locator('.found .row').count()) >= 104);
  assert.equal(await page.locator('.found .row').count(), 104);
  assert.equal(new Set(await page.$$eval('.found .row', (rows) => rows.map((row) => row.dataset.track))).size, 104);
  const last = page.locator('.found .row').last();
  assert.equal(await last.locator('a.play-button').getAttribute('target'), '_blank');
  assert.match(await last.locator('a.play-button').getAttribute('aria-label'), /^Listen to .* at river\.example$/);
});

test('a shuffled search for a completion shows each track once (WEB-24, WEB-25)', async () => {
  const page = await stage.visit('/?q=paino&sort=shuffle');
  await page.waitForSelector('.meant >> text=Piano');
  const count = Number(await page.locator('.total').getAttribute('data-total'));
  assert.ok(count > 24, String(count));
  await scrollUntil(page, async () => (await page.locator('.found .more').count()) === 0);
  assert.equal(new Set(await page.$$eval('.found .row', (rows) => rows.map((row) => row.dataset.track))).size, count);
});

test('consent returns the focus to the play button, and counts even if the browser refuses storage (WEB-24)', async () => {
  const page = await stage.visit('/?q=audible');
  await page.evaluate(() => {
    for (const name of ['setItem', 'getItem']) Storage.prototype[name] = () => { throw new Error('refused'); };
  });
  const button = page.locator('.row button.play-button').first();
  await button.focus();
  await page.keyboard.press('Enter');
  await page.click('dialog >> text=Cancel');
  await page.waitForFunction(() => !document.querySelector('dialog') && document.activeElement.matches('.row button.play-button'));
  await page.keyboard.press('Enter');
  await page.click('dialog .primary');
  await page.waitForFunction(() => !document.querySelector('dialog') && document.activeElement.matches('.row button.play-button'));
  assert.equal(await page.locator('.row[data-current]').count(), 1);
});

for (const path of ['/?q=river', '/artists/Paper%20Boats']) {
  test(`if more of ${path} cannot be loaded, the list stays and the person tries again (WEB-25)`, async () => {
    const page = await stage.visit(path);
    await page.waitForSelector('.more');
    let requests = 0;
    await page.route(/\/site\/search\?.*cursor=/, (route) => { requests += 1; return route.abort(); });
    await page.evaluate(() => {
      const Observer = window.IntersectionObserver;
      window.reports = [];
      window.IntersectionObserver = class extends Observer {
        constructor(report, options) {
          super(report, options);
          window.reports.push(report);
        }
      };
    });
    await page.mouse.wheel(0, 9000);
    await noticed(page, 'The server cannot be reached', 'error');
    await page.evaluate(() => { for (const report of window.reports) report([{ isIntersecting: true }]); });  // one may be late
    await page.waitForTimeout(500);
    assert.equal(requests, 1);
    assert.equal(await page.locator('.row').count() >= 24, true);
    await page.unroute(/\/site\/search\?.*cursor=/);
    await page.click('.more button');
    await page.waitForFunction(() => document.querySelectorAll('.row').length > 24);
  });
}

for (const [typed, meant] of [['riv', 'River'], ['pian', 'Piano'], ['rivre', 'river'], ['paino', 'Piano']]) {
  test(`typing "${typed}" shows tracks for ${meant} (WEB-25)`, async () => {
    const page = await stage.visit('/');
    await total(page, 104);
    await page.locator('#search-box').pressSequentially(typed, { delay: 40 });
    await page.waitForSelector(`.meant >> text=${meant}`);
    assert.ok((await titles(page)).length > 0);
    await page.click('.meant a');
    await page.waitForFunction(() => !document.querySelector('.meant'));
    assert.match(page.url(), /exact=1/);
  });
}

test('the first play button is at most 15 Tabs away', async () => {
  for (const path of ['/', '/?q=river', '/tracks/foreign-1', '/artists/Paper%20Boats']) {
    const page = await stage.visit(path);
    await page.waitForSelector('.play-button');
    let tabs = 0;
    do {
      await page.keyboard.press('Tab');
      tabs += 1;
    } while (tabs < 30 && !await page.evaluate(() => document.activeElement.matches('.play-button')));
    assert.ok(tabs <= 15, `${path}: ${tabs} Tabs`);
    await page.context().close();
  }
});

test('signing in from "add" stays on the page and adds the track', async () => {
  const page = await stage.visit('/?q=audible');
  await page.click('.row [aria-label^="Add"]');
  await page.click('dialog >> text=No account yet? Create one');
  await page.fill('dialog input[name=username]', '!');
  await page.fill('dialog input[name=password]', 'short');
  await page.click('dialog form .primary');
  assert.equal(await page.locator('dialog small.error-text').count(), 2, 'both fields say what is wrong');
  await page.fill('dialog input[name=username]', `layout-${Date.now()}`);
  await page.fill('dialog input[name=password]', 'a long sentence of words');
  await page.click('dialog form .primary');
  await page.click('.new-key button:not(.primary)'); // the recovery code
  await page.fill('dialog .new-collection input[type=text]', 'Film');
  await page.click('dialog .new-collection .primary');
  await noticed(page, 'Added to Film');
  assert.match(page.url(), /\?q=audible$/);
});

test('the policy names the hosts of the audio, and nothing else', async () => {
  const page = await stage.visit('/');
  await page.waitForFunction(async () => !(await fetch('/healthz')).headers.get('content-security-policy').includes('media-src \'self\' https:'));
  const policy = (await page.request.get('/')).headers()['content-security-policy'];
  const own = stage.url.replace(/\/$/, '');
  assert.equal(/media-src ([^;]*)/.exec(policy)[1], `'self' ${own} https://*.files.example https://files.example`);
});
