import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { eventually } from '../support/waiting.mjs';
import { scrollUntil, Stage, titles, total } from './stage.mjs';

let stage;
before(async () => { stage = await Stage.open(); });
after(() => stage?.end());

test('shows results while typing, with the exact total, and puts the words into the URL', async () => {
  const page = await stage.visit();
  await total(page, 64);
  await page.locator('#search-box').pressSequentially('glass pia', { delay: 40 });
  await page.locator('#search-box').pressSequentially('no', { delay: 40 });
  await total(page, 63);
  assert.equal((await titles(page))[0], 'Glass Piano');
  assert.equal(new URL(page.url()).searchParams.get('q'), 'glass piano');
  assert.deepEqual(page.complaints, []);
});

test('an older response never replaces a newer one', async () => {
  const page = await stage.visit();
  await total(page, 64);
  await page.route(/\/site\/search\?.*q=tin(&|$)/, async (route) => {
    await new Promise((done) => { setTimeout(done, 900); });
    await route.continue().catch(() => undefined);
  });
  await page.fill('#search-box', 'tin');
  await page.waitForRequest(/q=tin(&|$)/);
  await page.fill('#search-box', 'glass');
  await total(page, 1);
  await page.waitForTimeout(1100);
  assert.deepEqual(await titles(page), ['Glass Piano']);
});

test('while typing, the previous results stay until there are new ones or a pause of 400 ms', async () => {
  const page = await stage.visit('/?q=glass');
  await total(page, 1);
  await page.evaluate(() => {
    window.emptied = [];
    window.typed = [];
    document.addEventListener('input', (event) => window.typed.push(event.timeStamp), true);
    new MutationObserver(() => { if (!document.querySelector('.found .row[data-track]')) window.emptied.push(performance.now()); }).observe(document.querySelector('.found'), { childList: true, subtree: true });
  });
  await page.locator('#search-box').press('End');
  await page.locator('#search-box').pressSequentially('xqzqzq', { delay: 60 });
  await total(page, 0);
  const pause = await page.evaluate(() => window.emptied[0] - Math.max(...window.typed.filter((at) => at < window.emptied[0])));
  assert.ok(pause > 250, `${pause} ms after the last keystroke`);
});

test('tracks that match some of the words have a heading; suggestions are buttons', async () => {
  const page = await stage.visit('/?q=glass+zebra');
  await page.waitForSelector('.total >> text=No track matches all words. 1 matches some.');
  assert.ok((await titles(page)).includes('Glass Piano'));
  await page.click('.suggestions button >> nth=0');
  await total(page, 1);
  assert.equal(new URL(page.url()).searchParams.get('q'), 'glass');
});

test('music and effects are two modes', async () => {
  const page = await stage.visit();
  await page.click('.modes a >> text=Sound effects');
  await total(page, 1);
  assert.deepEqual(await titles(page), ['Door Slam']);
  await page.waitForSelector('.side .facet summary >> text=Length');
  assert.equal(await page.locator('.side summary', { hasText: 'Tempo' }).count(), 1);
});

test('facets have counts, filter and become removable chips; back and forward work', async () => {
  const page = await stage.visit('/?q=river');
  await total(page, 60);
  const rock = page.locator('.side .facet-value', { hasText: 'Rock' });
  await rock.waitFor();
  assert.equal(await rock.locator('.count').textContent(), '30');
  await rock.click();
  await total(page, 30);
  assert.match(page.url(), /genre=rock/);
  await page.locator('.side .facet-value', { hasText: 'Dark' }).first().click();
  await total(page, 6);
  assert.equal(await page.locator('.chips li button:not(.link)').count(), 2);
  await page.goBack();
  await total(page, 30);
  await page.goForward();
  await total(page, 6);
  await page.click('.chips button >> text=Rock');
  await total(page, 12);
  await page.reload();
  await total(page, 12);
});

const countOf = (page, label) => page.locator('.side .facet-value', { hasText: label }).locator('.count').textContent();

test('lengths and rights have counts, also in the browser; values that change nothing are hidden (WEB-40)', async () => {
  for (const path of ['/', '/?view=offline']) {
    const page = await stage.visit(path);
    await total(page, 64);
    if (path !== '/') await page.waitForSelector('.offline button[aria-pressed=true]', { state: 'attached' });
    assert.equal(page.requests.filter((url) => /length=/.test(url)).length, 0, 'lengths are not counted before they are shown');
    await page.click('.side summary >> text=Length');
    await page.waitForSelector('.side .facet-value:has-text("Under 0:30") .count');
    assert.equal(await countOf(page, 'Under 0:30'), '4');
    assert.equal(await countOf(page, '0:30 to 2:00'), '60');
    assert.equal(await page.locator('.side .facet-value', { hasText: 'Over 5:00' }).count(), 0, 'no track is so long');
    assert.equal(await countOf(page, 'Free for commercial use'), '63');
    assert.equal(await page.locator('.side .facet-value', { hasText: 'No share-alike' }).count(), 0, 'no track requires share-alike');
    await page.click('.side .facet-value >> text=Under 0:30');
    await total(page, 4);
    assert.equal(await page.locator('.chips button >> text=Under 0:30').count(), 1);
    assert.equal(await countOf(page, '0:30 to 2:00'), '60', 'the other lengths stay');
  }
});

test('a selected value does not hide the others of its filter, which add results', async () => {
  const page = await stage.visit('/?q=river&genre=rock');
  await total(page, 30);
  assert.equal(await countOf(page, 'Ambient'), '30');
});

test('the search is requested before the next frame, together with the completion, and options only after the results', async () => {
  const page = await stage.visit('/');
  await total(page, 64);
  page.requests.length = 0;
  await page.locator('#search-box').press('r');
  await page.waitForSelector('.meant');
  await eventually(() => page.requests.some((url) => /facets=/.test(url)), 'the options are requested');
  const kinds = page.requests.filter((url) => /\/site\/(search|complete)/.test(url)).map((url) => (/complete/.test(url) ? 'complete' : /fields=id&/.test(url) ? 'count' : new URL(url).searchParams.get('q')));
  assert.deepEqual(kinds.slice(0, 2).sort(), ['complete', 'r']);
  assert.equal(kinds.indexOf('count') > 2, true, kinds.join());
});

test('the first link skips to the results (WEB-43)', async () => {
  for (const [path, target] of [['/', 'results'], ['/?q=river', 'results'], ['/tracks/silent-1001', 'main'], ['/sign-in', 'main']]) {
    const page = await stage.visit(path);
    await page.waitForSelector('h1');
    await page.keyboard.press('Tab');
    assert.equal(await page.evaluate(() => document.activeElement.className), 'skip', path);
    await page.keyboard.press('Enter');
    await page.waitForFunction((id) => location.hash === `#${id}`, target);
    assert.equal(await page.evaluate(() => document.activeElement.id || document.querySelector(':target')?.id), target, path);
    await page.context().close();
  }
});

test('filters without counts: rights, length, tempo, excluded words', async () => {
  const page = await stage.visit('/');
  await total(page, 64);
  await page.locator('.side .facet-value', { hasText: 'Free for commercial use' }).click();
  await total(page, 63);
  await page.click('.side summary >> text=Tempo');
  await page.locator('.side details', { hasText: 'Tempo' }).locator('input').first().fill('100');
  await page.keyboard.press('Tab');
  await total(page, 30);
  await page.click('.side summary >> text=More');
  await page.fill('.side input[placeholder="Without these words"]', 'quiet');
  await page.keyboard.press('Tab');
  await total(page, 15);
  assert.equal(await page.locator('.chips li button:not(.link)').count(), 3);
});

test('sorts, and shuffles again', async () => {
  const page = await stage.visit('/?q=river&sort=short');
  await total(page, 60);
  assert.equal((await titles(page))[0], 'Loud River 0');
  await page.selectOption('.sorts select', 'long');
  await page.waitForFunction(() => document.querySelector('.row h3')?.textContent === 'Quiet River 59');
  await page.goto('/?sort=shuffle');
  await total(page, 64);
  const loaded = () => page.waitForFunction(() => document.querySelectorAll('.found .row').length >= 20);
  await loaded();
  const first = await titles(page);
  await page.click('.sorts button');
  await page.waitForFunction((before) => [...document.querySelectorAll('.found .row h3')].map((title) => title.textContent).join() !== before, first.join());
  assert.match(page.url(), /seed=/);
  await loaded();
  const again = await titles(page);
  await page.reload();
  await total(page, 64);
  await loaded();
  assert.deepEqual((await titles(page)).slice(0, 20), again.slice(0, 20));
});

test('scrolling loads more, and going back from a track restores the position', async () => {
  const page = await stage.visit('/?q=river&sort=short');
  await total(page, 60);
  await scrollUntil(page, async () => (await page.locator('.found .row[data-track]').count()) >= 60);
  assert.equal(await page.locator('.found .row[data-track]').count(), 60);
  await page.locator('.row h3 a', { hasText: 'River 50' }).click();
  await page.waitForSelector('.hero h1');
  await page.goBack();
  const row = page.locator('.row', { hasText: 'River 50' });
  await row.waitFor();
  const isVisible = () => row.evaluate((found) => found.getBoundingClientRect().top < innerHeight && found.getBoundingClientRect().bottom > 0);
  await eventually(isVisible, 'the row is visible');
  await page.waitForTimeout(600);
  assert.ok(await isVisible(), 'the row stays visible');
});

test('a failed search shows an error and can be retried', async () => {
  const page = await stage.visit('/');
  await total(page, 64);
  await page.route('**/site/search?**', (route) => route.abort());
  await page.fill('#search-box', 'tin');
  await page.waitForSelector('[role=alert] >> text=The server cannot be reached');
  await page.unroute('**/site/search?**');
  await page.click('text=Try again');
  await total(page, 1);
});
