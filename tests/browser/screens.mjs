// Takes pictures of every page of a running site, to look at them: three widths, light and dark, in build/screens.
// Usage: node tests/browser/screens.mjs [--site http://127.0.0.1:8080] [--output FOLDER] [--only PART OF A NAME]
// Signs up a person, who collects three tracks, and deletes the account at the end. Needs a catalog with music and effects, as ./run has.

import { mkdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { root } from '../web/site_process.mjs';

const require = createRequire(join(root, 'web-demo-server/site/package.json'));
const { chromium } = require('playwright-core');

const SIZES = { phone: { width: 390, height: 844 }, wide: { width: 1280, height: 800 }, full: { width: 1920, height: 1080 } };
const SCHEMES = ['light', 'dark'];
const PASSWORD = 'a long sentence of words';

const { values: options } = parseArgs({
  options: { site: { type: 'string', default: 'http://127.0.0.1:8080' }, output: { type: 'string', default: join(root, 'build/screens') }, only: { type: 'string', default: '' } },
});
mkdirSync(options.output, { recursive: true });

const browser = await chromium.launch({ executablePath: '/usr/bin/chromium-headless-shell', args: process.getuid() === 0 ? ['--no-sandbox'] : [] });
const person = await browser.newContext({ baseURL: options.site, locale: 'en', reducedMotion: 'reduce' });
const page = await person.newPage();
page.setDefaultTimeout(15_000);

async function signUp() {
  await page.goto('/sign-up');
  await page.fill('input[name=username]', `visitor-${Date.now()}`);
  await page.fill('input[name=password]', PASSWORD);
  await page.click('form.stack button[type=submit]');
  await page.click('.new-key button:not(.primary)');
  await page.waitForURL('**/collections');
}

/** Returns the paths of a track, an artist, and a collection with three tracks. */
async function collected() {
  await page.fill('.new-collection input[type=text]', 'Night train documentary');
  await page.click('.new-collection button');
  await page.waitForURL('**/collections/col_*');
  const collection = new URL(page.url()).pathname;
  await page.goto('/?q=piano');
  await page.waitForSelector('.found .row');
  for (const index of [0, 1, 2]) await page.locator('.row-choose input').nth(index).click();
  await page.click('.chosen .primary');
  await page.click('.choices button');
  await page.waitForSelector('.notice');
  const track = await page.locator('.found .row h3 a').first().getAttribute('href');
  await page.goto(track);
  const artist = await page.locator('a[href^="/artists/"]').first().getAttribute('href');
  return { collection, track, artist };
}

await signUp();
const { collection, track, artist } = await collected();
const PAGES = {
  start: '/', results: '/?q=calm+piano', filtered: '/?mood=calm&commercial=true', effects: '/?kind=sfx&q=door', nothing: '/?q=glass+zebra+xyz', track, artist,
  tag: '/tags/mood/calm', collection, collections: '/collections', account: '/account', missing: '/nowhere', docs: '/docs',
};
const SIGNED_OUT = { 'sign-in': '/sign-in', 'sign-up': '/sign-up', recover: '/recover' };

async function picture(view, name, path, size, scheme) {
  if (!`${name}-${size}-${scheme}`.includes(options.only)) return;
  await view.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' });
  await view.setViewportSize(SIZES[size]);
  await view.goto(path);
  await view.waitForSelector('h1');
  await view.waitForTimeout(900);
  await view.screenshot({ path: join(options.output, `${name}-${size}-${scheme}.png`) });
}

const stranger = await (await browser.newContext({ baseURL: options.site, locale: 'en', reducedMotion: 'reduce' })).newPage();
for (const scheme of SCHEMES) {
  for (const size of Object.keys(SIZES)) {
    for (const [name, path] of Object.entries(PAGES)) await picture(page, name, path, size, scheme);
    for (const [name, path] of Object.entries(SIGNED_OUT)) await picture(stranger, name, path, size, scheme);
  }
}
const ended = await page.evaluate(async (password) => {
  const { csrf } = await (await fetch('/site/session')).json();
  const headers = { 'Content-Type': 'application/json', 'X-CSRF-Token': csrf };
  return (await fetch('/site/account', { method: 'DELETE', headers, body: JSON.stringify({ password }) })).status;
}, PASSWORD);
await browser.close();
console.log(`The pictures are in ${options.output}. The account was deleted with status ${ended}.`);
