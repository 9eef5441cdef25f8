// Measures the page in Chromium with a catalog of any size: the first page, the time from a key stroke to painted results online
// and offline, and the time until a preview plays. See README.md.

import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

import { Stage, total } from '../../browser/stage.mjs';
import { bin } from '../../http/server_process.mjs';
import { LaunchedServer } from '../../support/launched_server.mjs';
import { waitUntilReady, root, TOKEN } from '../../web/site_process.mjs';
import { WORDS, writeTracks } from './tracks.mjs';

const require = createRequire(join(root, 'web-demo-server/site/package.json'));
const { chromium } = require('playwright-core');
const STROKE_PAUSE_MS = 180; // the pace of a fast typist
const WORD_PAUSE_MS = 600;

const { values: options } = parseArgs({ options: { tracks: { type: 'string', default: '100000' }, catalog: { type: 'string' }, rounds: { type: 'string', default: '3' }, words: { type: 'string', default: '20' } } });
const rounds = Number(options.rounds);
const typedWords = WORDS.slice(0, Number(options.words));
const folder = mkdtempSync(join(tmpdir(), 'tonearm-measure-'));
const at = (name) => join(folder, name);
const say = (line) => process.stdout.write(`${line}\n`);

function generated(count) {
  writeTracks(at('tracks.jsonl'), count);
  const built = spawnSync(join(bin, 'tonearm-catalog'), ['build', '--input', at('tracks.jsonl'), '--output', at('catalog.sqlite')], { encoding: 'utf8' });
  if (built.status !== 0) throw new Error(built.stderr);
  return at('catalog.sqlite');
}

function quantile(values, share) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
}
const median = (values) => quantile(values, 0.5);
const ms = (value) => `${value.toFixed(0).padStart(4)} ms`;

/** Runs in the page: measures the time from each key stroke to the frame that paints results for exactly these words. */
function watch() {
  window.strokes = [];
  let begun = null;
  document.addEventListener('input', (event) => { if (event.target.id === 'search-box') begun = { at: event.timeStamp, words: event.target.value.trim() }; }, true);
  new MutationObserver(() => {
    const list = document.querySelector('.total[data-words]');
    if (!begun?.words || list?.dataset.words !== begun.words) return;
    const { at: from } = begun;
    const found = Number(list.dataset.total);
    begun = null;
    requestAnimationFrame(() => {
      const painted = new MessageChannel();
      painted.port1.onmessage = () => window.strokes.push({ ms: performance.now() - from, found });
      painted.port2.postMessage(0);
    });
  }).observe(document.querySelector('.found'), { childList: true, subtree: true, characterData: true, attributes: true });
}

/** Returns the key strokes with results: without results, the page shows the last ones until a pause of 400 ms. */
async function type(page) {
  await page.evaluate(watch);
  for (const word of typedWords) {
    for (const letter of word) {
      await page.locator('#search-box').press(letter);
      await page.waitForTimeout(STROKE_PAUSE_MS);
    }
    await page.waitForTimeout(WORD_PAUSE_MS);
    await page.fill('#search-box', '');
    await page.waitForTimeout(WORD_PAUSE_MS);
  }
  const strokes = await page.evaluate(() => window.strokes);
  return strokes.filter(({ found }) => found > 0).map((stroke) => stroke.ms);
}

async function firstPage(page, url) {
  await page.goto(url);
  await page.waitForTimeout(2500);
  return page.evaluate(() => new Promise((done) => {
    const scripts = performance.getEntriesByType('resource').filter(({ name }) => /\.js(\?|$)/.test(name));
    const seen = { lcp: 0, shift: 0, script: scripts.reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0) };
    new PerformanceObserver((list) => { for (const entry of list.getEntries()) seen.lcp = entry.startTime; }).observe({ type: 'largest-contentful-paint', buffered: true });
    new PerformanceObserver((list) => { for (const entry of list.getEntries()) seen.shift += entry.value; }).observe({ type: 'layout-shift', buffered: true });
    setTimeout(() => done(seen), 300);
  }));
}

async function goOffline(page) {
  const begun = performance.now();
  await page.click('.found .menu summary');
  await page.click('.offline button');
  await page.waitForSelector('.offline .link', { timeout: 60_000 });
  const taken = performance.now() - begun;
  await page.waitForTimeout(1000);
  return taken;
}

/** Measures the time from the pointer reaching the play button to audio, in milliseconds, for each row of a list. */
async function firstSounds() {
  const stage = await Stage.open();
  try {
    const page = await stage.visit('/?q=piano+example&match=all');
    await total(page, 3);
    await page.click('.total'); // a browser plays no audio before the first click
    await page.evaluate(() => {
      window.sounds = [];
      const own = HTMLMediaElement.prototype.play;
      HTMLMediaElement.prototype.play = function play() {
        const from = window.entered;
        this.addEventListener('playing', () => window.sounds.push(performance.now() - from), { once: true });
        return own.call(this);
      };
      document.addEventListener('pointerenter', (event) => { if (event.target.matches?.('.play-button')) window.entered = performance.now(); }, true);
    });
    for (let hover = 0; hover < 12; hover += 1) {
      await page.hover(`.row .play-button >> nth=${hover % 3}`);
      await page.waitForFunction((count) => window.sounds.length > count, hover);
      await page.hover('.total');
      await page.waitForTimeout(300);
    }
    return await page.evaluate(() => window.sounds);
  } finally {
    await stage.end();
  }
}

async function newPage(browser) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, locale: 'en' });
  return context.newPage();
}

function tell(name, runs) {
  runs.forEach((strokes, round) => say(`${name} ${round + 1}  ${strokes.length} strokes  p50 ${ms(median(strokes))}  p95 ${ms(quantile(strokes, 0.95))}  max ${ms(quantile(strokes, 1))}`));
  say(`${name}    median of the runs' p95: ${ms(median(runs.map((strokes) => quantile(strokes, 0.95))))}`);
}

async function measure(browser, url) {
  const pages = [];
  for (let round = 0; round < 2 * rounds + 1; round += 1) pages.push(await firstPage(await newPage(browser), url));
  say(`first page  largest contentful paint ${pages.map(({ lcp }) => lcp.toFixed(0)).join(', ')} ms, median ${ms(median(pages.map(({ lcp }) => lcp)))}`);
  say(`first page  layout shift at most ${Math.max(...pages.map(({ shift }) => shift)).toFixed(4)}; ${pages[0].script} bytes of compressed script`);
  const online = [];
  const offline = [];
  const opened = [];
  for (let round = 0; round < rounds; round += 1) {
    const page = await newPage(browser);
    await firstPage(page, url);
    online.push(await type(page));
    await page.reload();
    await page.waitForSelector('.total[data-total]');
    opened.push(await goOffline(page));
    offline.push(await type(page));
    await page.context().close();
  }
  tell('online ', online);
  tell('offline', offline);
  say(`offline    opened in ${opened.map((value) => value.toFixed(0)).join(', ')} ms`);
}

let browser;
try {
  const catalog = options.catalog ? resolve(options.catalog) : generated(Number(options.tracks));
  writeFileSync(at('token'), `${TOKEN}\n`, { mode: 0o600 });
  const server = await LaunchedServer.launch(join(bin, 'tonearm-server'), ['--catalog', catalog, '--state', at('state.sqlite'), '--listen', '127.0.0.1:0', '--admin-listen', '127.0.0.1:0', '--admin-token-file', at('token')]);
  const site = await LaunchedServer.launch(join(bin, 'tonearm-web'), ['--api', server.url, '--admin', server.adminUrl, '--admin-token-file', at('token'), '--listen', '127.0.0.1:0',
    '--data', at('site'), '--visitor-burst', '100000', '--catalog', catalog, '--site', join(root, 'build/site')]);
  await waitUntilReady(site.url);
  browser = await chromium.launch({ executablePath: '/usr/bin/chromium-headless-shell', args: process.getuid() === 0 ? ['--no-sandbox'] : [] });
  await measure(browser, site.url);
  await browser.close();
  const sounds = await firstSounds();
  say(`preview     first sound after ${ms(median(sounds))} (median), at most ${ms(quantile(sounds, 1))}, of ${sounds.length}`);
} finally {
  await browser?.close();
  await LaunchedServer.endAll();
  rmSync(folder, { recursive: true, force: true });
}
