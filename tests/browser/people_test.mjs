import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';

import { eventually } from '../support/waiting.mjs';
import { axeSource, clipboard, noticed, signUp, SILENT, Stage, total } from './stage.mjs';

let stage;
before(async () => { stage = await Stage.open(); });
after(() => stage?.end());

const items = (page) => page.$$eval('.item', (rows) => rows.map((row) => row.querySelector('h3').textContent));

async function newCollection(page, name) {
  await page.goto('/collections');
  await page.fill('.new-collection input[type=text]', name);
  await page.click('.new-collection button');
  await page.waitForURL('**/collections/col_*');
  return page.url();
}

/** Performs an action and waits until the server has accepted the write that it causes. */
async function writes(page, method, act) {
  const accepted = page.waitForResponse((response) => response.request().method() === method && response.ok());
  await act();
  await accepted;
}

/** Adds the first tracks of a search at once. */
async function addFound(page, query, count) {
  await page.goto(`/?${query}`);
  await page.waitForSelector('.row[data-track]');
  for (let row = 1; row <= count; row += 1) await page.click(`.rows > li:nth-child(${row}) .row-choose`);
  await page.click('.chosen .primary');
  await page.click('.choices button');
}

/** Chooses the format of a collection's credits, and waits until the page shows them. */
async function chooseFormat(page, format) {
  await page.selectOption('.panel .picker select', format);
  await page.waitForFunction((name) => document.querySelector('.credits-text').dataset.format === name, format);
}

async function filled(page, query = 'q=piano+example&sort=short', count = 2) {
  const url = await newCollection(page, 'Rainy evenings');
  await addFound(page, query, count);
  await noticed(page, 'to Rainy evenings');
  await page.goto(url);
  await page.waitForSelector('.item');
  return url;
}

test('sign-up, sign-out, sign-in; a wrong password shows an error', async () => {
  const page = await stage.visit();
  const name = await signUp(page);
  await page.goto('/account');
  await page.click('text=Sign out');
  await page.waitForSelector('.account-link >> text=Sign in');
  await page.goto('/sign-in?then=/%09/evil.example/'); // another site, because URLs ignore tabs
  await page.fill('input[name=username]', name);
  await page.fill('input[name=password]', 'not the password');
  await page.click('form.stack button[type=submit]');
  await page.waitForSelector('.error-text');
  await page.fill('input[name=password]', 'a long sentence of words');
  await page.click('form.stack button[type=submit]');
  await page.waitForURL('**/collections');
  assert.deepEqual(page.complaints, []);
});

test('a key is shown once, copied, and revoked; at most five', async () => {
  const page = await stage.visit();
  await signUp(page);
  await page.goto('/account');
  await page.click('text=Create a key');
  const key = await page.textContent('.new-key code');
  assert.match(key, /^tonearm_/);
  await page.click('text=Copy key');
  await noticed(page, 'Copied');
  assert.equal(await clipboard(page), key);
  await page.reload();
  await page.waitForSelector('.keys-list li');
  assert.ok(!(await page.content()).includes(key));
  for (let keys = 2; keys <= 5; keys += 1) {
    await page.click('text=Create a key');
    await page.waitForFunction((count) => document.querySelectorAll('.keys-list li').length === count, keys);
  }
  await page.waitForSelector('text=You have five keys');
  await page.click('.keys-list button >> nth=0');
  await page.waitForFunction(() => document.querySelectorAll('.keys-list li').length === 4);
});

test('plan, usage, and account deletion', async () => {
  const page = await stage.visit();
  await signUp(page);
  await page.goto('/account');
  await page.waitForSelector('.chart svg rect');
  assert.equal(await page.locator('.limit').count(), 2);
  await page.click('text=Switch to Pro');
  await page.waitForSelector('.limit >> text=This month');
  await page.click('.panel button >> text=Delete account');
  await page.fill('.panel input[type=password]', 'a long sentence of words');
  await page.click('text=Delete account permanently');
  await page.waitForSelector('.account-link >> text=Sign in');
});

test('changing the password needs the old one and signs out other browsers', async () => {
  const page = await stage.visit();
  const name = await signUp(page);
  const elsewhere = await stage.visit('/sign-in');
  const signIn = async (password) => {
    await elsewhere.fill('input[name=username]', name);
    await elsewhere.fill('input[name=password]', password);
    await elsewhere.click('form.stack button[type=submit]');
  };
  await signIn('a long sentence of words');
  await elsewhere.waitForURL('**/collections');
  await page.goto('/account');
  await page.click('text=Change password');
  await page.fill('input[autocomplete=current-password]', 'not the password');
  await page.fill('input[autocomplete=new-password]', 'another sentence of words');
  await page.click('form.stack >> text=Change password');
  await page.waitForSelector('.error-text >> text=The name or the password is wrong');
  await page.fill('input[autocomplete=current-password]', 'a long sentence of words');
  await page.click('form.stack >> text=Change password');
  await noticed(page, 'Your password was changed');
  await page.click('text=Create a key'); // the page uses its new session
  await page.waitForSelector('.new-key code');
  await elsewhere.goto('/account');
  await elsewhere.waitForSelector('h1 >> text=Sign in');
  await elsewhere.goto('/sign-in');
  await signIn('another sentence of words');
  await elsewhere.waitForURL('**/collections');
});

test('downloads all collections as one file, however many pieces they have (WEB-42)', async () => {
  const page = await stage.visit();
  await signUp(page);
  const piece = (name, cursor) => `{"format":"tonearm-collections","version":1}\n{"type":"collection","name":"${name}"}\n{"type":"end","lines":2,"cursor":${JSON.stringify(cursor)}}\n`;
  let broken = true;
  await page.route('**/site/export**', (route) => {
    if (!route.request().url().includes('cursor')) return route.fulfill({ body: piece('First', 'a b') });
    assert.match(route.request().url(), /cursor=a%20b/);
    return broken ? route.fulfill({ status: 503, body: '{"error":"unavailable","message":"Try again."}' }) : route.fulfill({ body: piece('Second', null) });
  });
  await page.goto('/account');
  const press = () => page.click('.account-page .buttons button >> nth=0');
  await press();
  await noticed(page, 'temporarily unavailable', 'error');
  broken = false;
  const [download] = await Promise.all([page.waitForEvent('download'), press()]);
  assert.equal(download.suggestedFilename(), 'collections.jsonl');
  assert.deepEqual(readFileSync(await download.path(), 'utf8').split('\n'), [
    '{"format":"tonearm-collections","version":1}', '{"type":"collection","name":"First"}', '{"type":"collection","name":"Second"}', '{"type":"end","lines":3,"cursor":null}', '',
  ]);
});

test('adds several tracks at once; stores notes and modifications', async () => {
  const page = await stage.visit();
  await signUp(page);
  const url = await filled(page);
  await page.click('.item >> nth=0 >> .item-edit summary');
  await writes(page, 'PATCH', () => page.click('.item >> nth=0 >> .chip >> text=trimmed'));
  await page.waitForSelector('.item >> nth=0 >> .chip[aria-pressed=true]');
  await page.fill('.item >> nth=0 >> textarea', 'opening');
  await writes(page, 'PATCH', () => page.keyboard.press('Tab'));
  await page.goto(url);
  await page.waitForSelector('.item');
  assert.equal(await page.inputValue('.item >> nth=0 >> textarea'), 'opening');
  assert.equal(await page.textContent('.item >> nth=0 >> .chip[aria-pressed=true]'), 'trimmed');
});

test('reorders by keyboard and by dragging', async () => {
  const page = await stage.visit();
  await signUp(page);
  const url = await filled(page, 'q=river&sort=short', 3);
  const before = await items(page);
  await page.focus('.item >> nth=0 >> .handle');
  await writes(page, 'PUT', () => page.keyboard.press('ArrowDown'));
  assert.deepEqual(await items(page), [before[1], before[0], before[2]]);
  await page.waitForSelector(`[role=status] >> text=${before[0]}: position 2 of 3`, { state: 'attached' });
  const handle = await page.locator('.item .handle').first().boundingBox();
  const last = await page.locator('.item').last().boundingBox();
  await page.mouse.move(handle.x + 10, handle.y + 10);
  await page.mouse.down();
  await page.mouse.move(handle.x + 10, handle.y + 80, { steps: 5 });
  await page.mouse.move(handle.x + 10, last.y + 40, { steps: 8 });
  await writes(page, 'PUT', () => page.mouse.up());
  await page.goto(url);
  await page.waitForSelector('.item');
  assert.deepEqual(await items(page), [before[0], before[2], before[1]]);
});

test('undo restores a removed track at its position and says that its license was recorded again (WEB-23)', async () => {
  const page = await stage.visit();
  await signUp(page);
  await filled(page, 'q=river&sort=short', 3);
  const before = await items(page);
  await page.click('.item >> nth=1 >> button[aria-label^="Remove"]');
  await page.waitForFunction(() => document.querySelectorAll('.item').length === 2);
  await page.click('.notice >> text=Undo');
  await page.waitForFunction((titles) => [...document.querySelectorAll('.item h3')].map((title) => title.textContent).join() === titles, before.join());
  await noticed(page, 'Its license was recorded again');
});

test('explains why a non-commercial track conflicts with commercial use, and replaces it with a similar one', async () => {
  const page = await stage.visit();
  await signUp(page);
  await filled(page, 'q=piano+example&sort=short', 3);
  assert.ok((await items(page)).includes('Night Piano'));
  await page.click('.switch');
  await page.waitForSelector('.conflict >> text=Night Piano');
  assert.equal(await page.isChecked('.switch input'), false);
  await page.click('.offers button >> nth=0');
  await page.waitForFunction(() => ![...document.querySelectorAll('.item h3')].some((title) => title.textContent === 'Night Piano'));
  await writes(page, 'PATCH', () => page.click('.switch'));
  await page.waitForFunction(() => document.querySelector('.switch input').checked);
  await page.goto('/?q=night+piano');
  await total(page, 63);
  await page.click('.row-actions button[aria-label^="Add"]');
  await page.click('.choices button');
  await page.waitForSelector('dialog .conflict >> text=non-commercial');
});

test('shows two versions of a collection side by side and keeps the chosen one', async () => {
  const page = await stage.visit();
  await signUp(page);
  const url = await filled(page);
  const other = await page.context().newPage();
  await other.goto(url);
  await other.waitForSelector('.item');
  await other.fill('.title-field input', 'Sunny mornings');
  await writes(other, 'PATCH', () => other.keyboard.press('Tab'));
  await page.fill('.title-field input', 'Foggy nights');
  await page.keyboard.press('Tab');
  await page.waitForSelector('dialog[open] .version >> text=Sunny mornings');
  await page.waitForSelector('dialog[open] .version >> text=Foggy nights');
  await writes(page, 'PATCH', () => page.click('text=Keep my version'));
  await page.reload();
  await page.waitForSelector('.item');
  assert.equal(await page.inputValue('.title-field input'), 'Foggy nights');
});

test('keeping the version of the server writes nothing', async () => {
  const page = await stage.visit();
  await signUp(page);
  const url = await filled(page, 'q=river&sort=short', 3);
  const [first, second, third] = await items(page);
  const other = await page.context().newPage();
  await other.goto(url);
  await other.waitForSelector('.item');
  await writes(other, 'DELETE', () => other.click('.item >> nth=2 >> button[aria-label^="Remove"]'));
  await page.focus('.item >> nth=0 >> .handle');
  await page.keyboard.press('ArrowDown');
  await page.waitForSelector('dialog[open] .version');
  const versions = await page.$$eval('dialog[open] .version', (found) => found.map((version) => [...version.querySelectorAll('li bdi:first-child')].map((title) => title.textContent)));
  assert.deepEqual(versions, [[second, first, third], [first, second]]);
  const written = [];
  page.on('request', (request) => { if (request.method() !== 'GET') written.push(request.url()); });
  await page.click('text=Keep the server\'s');
  await page.waitForSelector('dialog[open]', { state: 'detached' });
  assert.deepEqual(await items(page), [first, second]);
  assert.deepEqual(written, []);
  await page.reload();
  await page.waitForSelector('.item');
  assert.deepEqual(await items(page), [first, second]);
});

test('credits in every format, to copy and to download; the license record', async () => {
  const page = await stage.visit();
  await signUp(page);
  await filled(page, 'q=piano+example&sort=short', 2);
  for (const [format, held] of [['text', 'licensed under'], ['markdown', '](https://creativecommons'], ['html', '<li>'], ['youtube', 'Credit'], ['csv', 'track_id'],
    ['json', '"credits"'], ['reuse', 'version'], ['attributions', '- ']]) {
    await chooseFormat(page, format);
    await page.waitForFunction((text) => document.querySelector('.credits-text').value.includes(text), held);
  }
  await chooseFormat(page, 'text');
  await page.waitForFunction(() => document.querySelector('.credits-text').value.includes('is licensed under'));
  await page.click('.panel button >> text=Copy');
  await noticed(page, 'Copied');
  assert.match(await clipboard(page), /Amber Piano/);
  const [download] = await Promise.all([page.waitForEvent('download'), page.click('.panel button >> text=Download')]);
  assert.equal(download.suggestedFilename(), 'Rainy-evenings-credits.txt');
  await page.click('.record summary >> nth=0');
  await page.waitForSelector('.record[open] >> text=The catalog still states the same license.');
});

test('a download has the name of its collection, without what a file name may not have (WEB-42)', async () => {
  const page = await stage.visit();
  await signUp(page);
  await newCollection(page, '../CON: "N\u00e4chte" <b>/7?');
  await page.goto('/?q=glass');
  await page.click('.row [aria-label^="Add"]');
  await writes(page, 'POST', () => page.click('.choices button'));
  await page.goto('/collections');
  await page.click('.card a');
  for (const [format, ending] of [['csv', 'csv'], ['json', 'json'], ['reuse', 'toml'], ['attributions', 'yaml']]) {
    await chooseFormat(page, format);
    const [download] = await Promise.all([page.waitForEvent('download'), page.click('.panel button >> text=Download')]);
    assert.equal(download.suggestedFilename(), `CON-N\u00e4chte-b-7-credits.${ending}`);
  }
});

test('tracks of a collection are marked in lists, by a text too, until they are removed or the person signs out (WEB-41)', async () => {
  const page = await stage.visit();
  await signUp(page);
  const url = await newCollection(page, 'Rainy evenings');
  const marked = () => page.$$eval('.row:has(.collected)', (rows) => rows.map((row) => `${row.querySelector('h3').textContent}: ${row.querySelector('.collected').textContent}`));
  await page.goto('/?q=glass');
  await page.waitForSelector('.row[data-track]');
  assert.deepEqual(await marked(), []);
  await page.click('.row [aria-label^="Add"]');
  await page.click('.choices button');
  await page.waitForSelector('.row .collected');
  assert.deepEqual(await marked(), ['Glass Piano: In your collections: Rainy evenings']);
  await page.reload();
  await page.waitForSelector('.row .collected');
  await page.click('.row h3 a');
  await page.waitForSelector('.hero .collected');
  await page.goto(url);
  await writes(page, 'DELETE', () => page.click('.item [aria-label^="Remove"]'));
  await page.click('.brand');
  await page.fill('#search-box', 'glass');
  await total(page, 1);
  assert.deepEqual(await marked(), []);
});

test('after Pro ends, all collections but one are read-only, and the page explains why', async () => {
  const page = await stage.visit();
  await signUp(page);
  await page.goto('/account');
  await page.click('text=Switch to Pro');
  await noticed(page, 'Your plan is now Pro');
  const first = await newCollection(page, 'First');
  await newCollection(page, 'Second');
  await page.goto('/account');
  await page.click('text=Switch to Free');
  await noticed(page, 'Your plan is now Free');
  await page.goto('/collections');
  await page.waitForSelector('.card >> text=Read-only');
  await page.goto(first);
  await page.waitForSelector('.banner >> text=Your Pro plan has ended');
  assert.equal(await page.isDisabled('.switch input'), true);
  await page.click('text=Delete collection');
  await page.click('text=Delete permanently');
  await page.waitForURL('**/collections');
});

test('the API reference lists the calls and sends them as the signed-in person, without a key', async () => {
  const page = await stage.visit();
  await signUp(page);
  await page.goto('/docs');
  await page.waitForSelector('text=Search tracks');
  await page.locator('button', { hasText: 'Test Request' }).first().click();
  const tried = page.waitForResponse((response) => response.url().includes('/site/try/v1/search'));
  await page.locator('button', { hasText: 'Send' }).last().click();
  assert.equal((await tried).status(), 200);
  assert.equal((await (await tried).request().allHeaders()).authorization, undefined);
});

test('a collection shows changes in the catalog, and removing an affected track asks first (WEB-23)', async () => {
  const page = await stage.visit();
  await signUp(page);
  const url = await filled(page, 'q=river&sort=short', 3);
  const [first, second, third] = await items(page);
  const changed = SILENT.filter(({ title }) => title !== third).map((line) => (line.title === second ? { ...line, license: 'cc-by-nc-4.0' } : line));
  await stage.replaceCatalog(changed);
  try {
    await page.goto('/collections');
    await page.waitForSelector('.card .sign.warn >> text=1 license changed');
    await page.waitForSelector('.card .sign.warn >> text=1 no longer in the catalog');
    await page.goto(url);
    await page.waitForSelector('.item');
    const record = page.locator('.item', { hasText: second }).locator('.record');
    await record.locator('summary >> text=License changed').click();
    assert.match(await record.textContent(), /Recorded .*CC0 1\.0.*The catalog now states: Non-commercial use only, credit required \(CC BY-NC 4\.0\)/s);
    assert.equal(await page.locator('.item', { hasText: first }).locator('.sign.warn').count(), 0);
    const gone = page.locator('.item', { hasText: third });
    await gone.locator('.record summary').click();
    assert.match(await gone.locator('.record').textContent(), /The catalog no longer has this track\. Your record is kept\./);
    await page.click(`button[aria-label="Remove ${second}"]`);
    await page.waitForSelector('dialog[open] >> text=The catalog now states a different license');
    await page.click('dialog[open] >> text=Cancel');
    assert.equal((await items(page)).length, 3);
    await page.click(`button[aria-label="Remove ${third}"]`);
    await page.waitForSelector('dialog[open] >> text=The catalog no longer has this track');
    await writes(page, 'DELETE', () => page.click('dialog[open] >> text=Remove track and record'));
    await page.waitForFunction(() => document.querySelectorAll('.item').length === 2);
    assert.equal(await page.locator('.notice >> text=Undo').count(), 0);
  } finally {
    await stage.replaceCatalog(SILENT);
  }
});

test('a collection is shared by a link with its description, until sharing stops (WEB-28 to WEB-30)', async () => {
  const page = await stage.visit();
  await signUp(page);
  await filled(page);
  await writes(page, 'PUT', async () => {
    await page.fill('[aria-labelledby=share-title] textarea', 'Music for a rainy film.');
    await page.press('[aria-labelledby=share-title] textarea', 'Tab');
  });
  await writes(page, 'POST', () => page.click('text=Create a link'));
  const link = await page.inputValue('[aria-labelledby=share-title] input >> nth=0');
  const code = await page.inputValue('[aria-labelledby=share-title] input >> nth=1');
  const reader = await stage.visit(link);
  await reader.waitForSelector('text=Music for a rainy film.');
  assert.equal((await reader.$$('.shared-item')).length, 2);
  assert.match(await reader.inputValue('.credits-text'), /Piano/);
  assert.deepEqual(reader.complaints, []);
  const embed = /src="([^"]+)"/.exec(code)[1];
  await reader.goto(embed);
  assert.equal((await reader.$$('.embed li')).length, 2);
  assert.equal((await reader.$$('.embed audio')).length, 2);
  assert.deepEqual(reader.complaints, []);
  await writes(page, 'DELETE', () => page.click('text=Stop sharing'));
  await reader.goto(link);
  await reader.waitForSelector('text=its owner stopped sharing');
  assert.deepEqual(page.complaints, []);
});

test('a forgotten password is replaced with the recovery code (WEB-32)', async () => {
  const page = await stage.visit('/sign-up');
  await page.fill('input[name=username]', 'forgetful');
  await page.fill('input[name=password]', 'a long sentence of words');
  await page.click('form.stack button[type=submit]');
  const code = await page.textContent('.new-key code');
  const elsewhere = await stage.visit('/sign-in');
  await elsewhere.click('text=Forgot your password?');
  await elsewhere.fill('input[name=username]', 'forgetful');
  await elsewhere.fill('input[name=code]', code);
  await elsewhere.fill('input[name=password]', 'another sentence of words');
  await elsewhere.click('form.stack button[type=submit]');
  assert.notEqual(await elsewhere.textContent('.new-key code'), code);
  await elsewhere.click('.new-key button:not(.primary)');
  await elsewhere.waitForURL('**/collections');
  assert.deepEqual(elsewhere.complaints, []);
});

test('a webhook has an address, a secret that is shown once, and a list of what was not delivered (WEB-46)', async () => {
  const page = await stage.visit();
  await signUp(page);
  const panel = '.panel:has(> #webhook-title)';
  const input = page.locator(`${panel} input[type=url]`);
  let answerFirst;
  const typed = new Promise((resolve) => { answerFirst = resolve; });
  await page.route('**/site/webhook', async (route) => {
    await typed;
    await route.continue();
  });
  await page.reload();
  await page.click('#webhook-title');
  await input.fill('https://user@receiver.example/');
  const first = page.waitForResponse('**/site/webhook');
  answerFirst();
  await first;
  await page.unroute('**/site/webhook');
  await page.click(`${panel} [type=submit]`);
  assert.match(await page.textContent(`${panel} [role=alert]`), /without user/);
  await input.fill('https://127.0.0.1:9/hook');
  await page.click(`${panel} [type=submit]`);
  const secret = page.locator(`${panel} input[readonly]`);
  assert.match(await secret.inputValue(), /^whsec_/);
  await page.click('text=Send a test message');
  await secret.waitFor({ state: 'detached' });
  await eventually(async () => {
    await page.reload();
    await page.click('#webhook-title');
    return /its address is not public/.test(await page.textContent(`${panel} li`));
  }, 'the failed try is shown');
  await page.evaluate(axeSource);
  assert.deepEqual((await page.evaluate(() => globalThis.axe.run())).violations, []);
  await writes(page, 'POST', () => page.click('text=Send again'));
  await page.click('text=Remove the webhook');
  await page.waitForFunction((selector) => document.querySelector(selector).value === '', `${panel} input[type=url]`);
});

test('the feed of license changes has an address that can be renewed (WEB-34)', async () => {
  const page = await stage.visit();
  await signUp(page);
  await writes(page, 'POST', () => page.click('text=Create a feed'));
  const address = await page.inputValue('[aria-labelledby=feed-title] input');
  await writes(page, 'POST', () => page.click('text=New address'));
  await page.waitForFunction((old) => document.querySelector('[aria-labelledby=feed-title] input')?.value !== old, address);
  assert.equal((await fetch(address)).status, 404);
});
