// The environment of a page test: a catalog with audio, the site with an API, and a browser.

import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { bin } from '../http/server_process.mjs';
import { freePort } from '../support/free_port.mjs';
import { LaunchedServer } from '../support/launched_server.mjs';
import { eventually } from '../support/waiting.mjs';
import { waitUntilReady, edgeApi, nativeApi, replaceCatalog, root, TOKEN } from '../web/site_process.mjs';

const require = createRequire(join(root, 'web-demo-server/site/package.json'));
const { chromium } = require('playwright-core');
export const axeSource = require('axe-core').source;
const CHROMIUM = '/usr/bin/chromium-headless-shell';

/** A tone of some seconds as an 8-bit WAV file. */
function tone(seconds, hertz) {
  const rate = 22_050;
  const samples = Math.round(seconds * rate);
  const bytes = Buffer.alloc(44 + samples);
  bytes.write('RIFF', 0);
  bytes.writeUInt32LE(36 + samples, 4);
  bytes.write('WAVEfmt ', 8);
  bytes.writeUInt32LE(16, 16);
  bytes.writeUInt16LE(1, 20);
  bytes.writeUInt16LE(1, 22);
  bytes.writeUInt32LE(rate, 24);
  bytes.writeUInt32LE(rate, 28);
  bytes.writeUInt16LE(1, 32);
  bytes.writeUInt16LE(8, 34);
  bytes.write('data', 36);
  bytes.writeUInt32LE(samples, 40);
  for (let at = 0; at < samples; at += 1) {
    const swell = 0.3 + 0.6 * Math.abs(Math.sin(at / rate));
    bytes[44 + at] = Math.round(128 + 100 * swell * Math.sin((2 * Math.PI * hertz * at) / rate));
  }
  return bytes;
}

/** Tracks with audio: file, title, license, kind, genre, tags. */
const AUDIBLE = [
  ['glass-piano', 'Glass Piano', 'CC0-1.0', 'music', 'ambient', 'piano;calm'],
  ['amber-piano', 'Amber Piano', 'CC-BY-4.0', 'music', 'ambient', 'piano;calm'],
  ['night-piano', 'Night Piano', 'CC-BY-NC-4.0', 'music', 'ambient', 'piano;calm'],
  ['tin-drum', 'Tin Drum', 'CC0-1.0', 'music', 'rock', 'drums;happy'],
  ['door-slam', 'Door Slam', 'CC0-1.0', 'sfx', '', 'door'],
];

/** `more`: further music as file, title, license and bytes. */
function writeSounds(folder, more) {
  mkdirSync(folder);
  const further = more.map(([file, title, license, bytes]) => {
    writeFileSync(join(folder, `${file}.wav`), bytes);
    return [`${file}.wav`, license, title, 'Ada Example', 'music', 'ambient', 'calm'].join(',');
  });
  const rows = AUDIBLE.map(([file, title, license, kind, genre, tags], index) => {
    writeFileSync(join(folder, `${file}.wav`), tone(kind === 'sfx' ? 2 : 12 + index, 220 + 60 * index));
    return [`${file}.wav`, license, title, 'Ada Example', kind, genre, tags].join(',');
  });
  writeFileSync(join(folder, 'list.csv'), ['file,license,title,author,kind,genre,tags', ...rows, ...further].join('\n'));
}

/** 60 tracks without audio, enough to scroll and to filter. */
export const SILENT = Array.from({ length: 60 }, (_, index) => ({
  id: `silent-${1000 + index}`, kind: 'music', title: `${index % 2 ? 'Quiet' : 'Loud'} River ${index}`, artist: index % 3 ? 'Paper Boats' : 'Bea Muster', duration_s: 60 + index,
  bpm: 70 + index, tags: { genre: [index % 2 ? 'ambient' : 'rock'], mood: [index % 5 ? 'calm' : 'dark'], instrument: ['piano'] }, energy: 'calm', tone: 'warm',
  quality: (60 - index) / 60, license: index % 4 ? 'cc0' : 'cc-by-4.0', license_status: index % 2 ? 'verified' : 'listed', source: 'river.example',
  source_page: `https://river.example/${index}`, description: 'A river, slowly.',
}));

function buildCatalog(stage, lines) {
  writeFileSync(stage.at('lines.jsonl'), lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  const built = spawnSync(join(bin, 'tonearm-catalog'), ['build', '--source', `folder:${stage.at('sounds')}`, '--input', stage.at('lines.jsonl'), '--output', stage.catalog,
    '--media-output', stage.at('media'), '--site-url', stage.url, '--media-url', `${stage.url}/media`, ...stage.words], { encoding: 'utf8' });
  if (built.status !== 0) throw new Error(built.stderr);
}

/** Scrolls down until the condition is true: the page loads more when its end is near. */
export const scrollUntil = (page, condition) => eventually(async () => (await condition()) || (await page.mouse.wheel(0, 4000)));

/** Runs in pages: keeps what each notice said, because a notice ends after a few seconds, whether or not a test has seen it. */
function recordNotices() {
  window.shownNotices = [];
  new MutationObserver((changes) => {
    const added = changes.flatMap((change) => [...change.addedNodes]).filter((node) => node.matches?.('.notice') && node.checkVisibility({ visibilityProperty: true }));
    window.shownNotices.push(...added.map((notice) => ({ text: notice.textContent, tone: notice.dataset.tone })));
  }).observe(document, { childList: true, subtree: true });
}

/** Waits until the page has shown a notice with the text since it was loaded; `tone`: that of the notice, if it matters. */
export function noticed(page, text, tone) {
  return page.waitForFunction((awaited) => window.shownNotices.some((notice) => notice.text.includes(awaited.text) && (!awaited.tone || notice.tone === awaited.tone)), { text, tone });
}

/** Everything that a test file needs; `end()` removes it. */
export class Stage {
  /** `assistants`: whether `/mcp` is a protected resource of the site (MCP-20); `words`: options of the builder; `sounds`: further music (writeSounds). */
  static async open({ lines = SILENT, api = 'native', assistants = false, words = [], sounds = [] } = {}) {
    const stage = new Stage();
    try {
      await stage.start(lines, api, assistants, words, sounds);
    } catch (error) {
      await stage.end();
      throw error;
    }
    return stage;
  }

  async start(lines, api, assistants, words, sounds) {
    this.path = mkdtempSync(join(tmpdir(), 'tonearm-page-'));
    this.catalog = this.at('catalog.sqlite');
    this.port = await freePort();
    this.url = `http://127.0.0.1:${this.port}`;
    writeFileSync(this.at('token'), `${TOKEN}\n`, { mode: 0o600 });
    writeSounds(this.at('sounds'), sounds);
    this.words = words;
    buildCatalog(this, lines);
    const listen = `127.0.0.1:${await freePort()}`;
    const settings = assistants ? { listen, words: ['--public-url', `http://${listen}`, '--authorization-server', this.url] } : {};
    this.api = await (api === 'edge' ? edgeApi : nativeApi)(this, settings);
    this.site = await LaunchedServer.launch(join(bin, 'tonearm-web'), ['--api', this.api.url, '--admin', this.api.adminUrl, '--public-api', assistants ? this.api.url : 'https://api.example', '--public-url', this.url,
      '--admin-token-file', this.at('token'), '--listen', `127.0.0.1:${this.port}`, '--data', this.at('site'), '--visitor-burst', '100000', '--allow-plan-choice',
      '--media', this.at('media'), '--catalog', this.catalog, '--site', join(root, 'build/site')]);
    await waitUntilReady(this.url);
    this.browser = await chromium.launch({ executablePath: CHROMIUM, args: process.getuid() === 0 ? ['--no-sandbox'] : [] });
  }

  at(name) { return join(this.path, name); }

  /** Replaces the catalog and waits until the native server has loaded it. */
  replaceCatalog(lines) { return replaceCatalog(this.url, this.api, () => buildCatalog(this, lines)); }

  /** Opens a page in a new browser context. `page.complaints` collects errors, `page.requests` the requested URLs. */
  async visit(path = '/', options = {}) {
    const context = await this.browser.newContext({ viewport: { width: 1280, height: 800 }, locale: 'en', baseURL: this.url, reducedMotion: 'reduce', permissions: ['clipboard-read', 'clipboard-write'], ...options });
    await context.addInitScript(recordNotices);
    const page = await context.newPage();
    page.setDefaultTimeout(60_000);
    page.complaints = [];
    page.requests = [];
    page.on('pageerror', (error) => page.complaints.push(error.message));
    page.on('console', (message) => { if (/Content Security Policy|Uncaught/.test(message.text())) page.complaints.push(message.text()); });
    context.on('request', (request) => page.requests.push(request.url()));
    await page.goto(path);
    return page;
  }

  async end() {
    await this.browser?.close();
    await this.site?.stop();
    await this.api?.stop();
    await LaunchedServer.endAll();
    if (this.path) rmSync(this.path, { recursive: true, force: true });
  }
}

/** Waits until the search shows this number of results. */
export const total = (page, number) => page.waitForSelector(`.total[data-total="${number}"]`);
/** Waits until the search shows results for these words, and so many rows. Offline, the first rows are painted before the rest. */
export async function listed(page, words, rows) {
  await page.waitForSelector(`.total[data-words="${words}"]`);
  await page.waitForFunction((count) => document.querySelectorAll('.found .row').length === count, rows);
}
export const titles = (page) => page.$$eval('.found .row h3', (found) => found.map((title) => title.textContent));
export const clipboard = (page) => page.evaluate(() => navigator.clipboard.readText());

/** Every public page of the stage's catalog once. */
export const PUBLIC_PAGES = ['/', '/?q=river&genre=rock', '/?q=glass+zebra', '/?kind=sfx&q=xyz', '/tracks/silent-1001', '/artists/Paper%20Boats', '/tags/genre/rock',
  '/categories/fx-o', '/sign-in', '/sign-up', '/recover', '/collections', '/account', '/nowhere', '/tracks/none-1', '/docs'];

/** Opens a page and waits until it is stable. */
export async function settle(page, path) {
  await page.goto(path);
  await page.waitForSelector('h1, #reference h1');
  await page.waitForTimeout(700);
}

let people = 0;
export async function signUp(page) {
  people += 1;
  await page.goto('/sign-up');
  await page.fill('input[name=username]', `person-${people}`);
  await page.fill('input[name=password]', 'a long sentence of words');
  await page.click('form.stack button[type=submit]');
  await page.click('.new-key button:not(.primary)'); // the recovery code
  await page.waitForURL('**/collections');
  return `person-${people}`;
}
