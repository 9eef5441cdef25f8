// Measures the page in Chromium over a snapshot of any size: key stroke to painted results, online and offline, and the first
// page. README.md

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

import { bin } from '../../http/server_process.mjs';
import { LaunchedServer } from '../../support/launched_server.mjs';
import { becomesReady, root, TOKEN } from '../../web/site_process.mjs';

const require = createRequire(join(root, 'web-demo-server/site/package.json'));
const { chromium } = require('playwright-core');
const WORDS = ['rain', 'piano', 'night', 'calm', 'dark', 'river', 'happy', 'drums', 'storm', 'guitar'];
const STROKE_PAUSE_MS = 180; // a quick typist

const [catalogName] = process.argv.slice(2);
if (!catalogName) {
  process.stderr.write('usage: measure.mjs CATALOG\n');
  process.exit(2);
}
const catalog = resolve(catalogName);
const folder = mkdtempSync(join(tmpdir(), 'tonearm-measure-'));
const at = (name) => join(folder, name);

function quantile(values, share) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
}

/** In the page: from each input to the frame after the list has changed for it. */
function watch() {
  window.strokes = [];
  let begun = 0;
  document.addEventListener('input', (event) => { if (event.target.id === 'search-box') begun = event.timeStamp; }, true);
  new MutationObserver((changes) => {
    // Each answer writes how long it took.
    if (!begun || !changes.some(({ target }) => (target.nodeType === 3 ? target.parentElement : target)?.closest('.took'))) return;
    const from = begun;
    begun = 0;
    requestAnimationFrame(() => { const channel = new MessageChannel(); channel.port1.onmessage = () => window.strokes.push(performance.now() - from); channel.port2.postMessage(0); });
  }).observe(document.querySelector('.found'), { childList: true, subtree: true, characterData: true });
}

async function type(page) {
  await page.evaluate(watch);
  for (const word of WORDS) {
    for (const letter of word) {
      await page.locator('#search-box').press(letter);
      await page.waitForTimeout(STROKE_PAUSE_MS);
    }
    await page.waitForTimeout(700);
    await page.fill('#search-box', '');
    await page.waitForTimeout(700);
  }
  return page.evaluate(() => window.strokes);
}

const told = (name, values) => {
  const ms = (share) => quantile(values, share).toFixed(0).padStart(5);
  process.stdout.write(`${name.padEnd(10)} ${String(values.length).padStart(4)} strokes   p50 ${ms(0.5)} ms   p95 ${ms(0.95)} ms   max ${ms(1)} ms\n`);
};

async function firstPage(page, url) {
  await page.goto(url);
  await page.waitForTimeout(2500);
  const paints = await page.evaluate(() => new Promise((done) => {
    const seen = { lcp: 0, cls: 0 };
    new PerformanceObserver((list) => { for (const entry of list.getEntries()) seen.lcp = entry.startTime; }).observe({ type: 'largest-contentful-paint', buffered: true });
    new PerformanceObserver((list) => { for (const entry of list.getEntries()) seen.cls += entry.value; }).observe({ type: 'layout-shift', buffered: true });
    setTimeout(() => done(seen), 300);
  }));
  process.stdout.write(`first page  largest contentful paint ${paints.lcp.toFixed(0)} ms, layout shift ${paints.cls.toFixed(3)}\n`);
}

let browser;
try {
  writeFileSync(at('token'), `${TOKEN}\n`, { mode: 0o600 });
  const server = await LaunchedServer.launch(join(bin, 'tonearm-server'), ['--catalog', catalog, '--state', at('state.sqlite'), '--listen', '127.0.0.1:0', '--admin-listen', '127.0.0.1:0', '--admin-token-file', at('token')]);
  const site = await LaunchedServer.launch(join(bin, 'tonearm-web'), ['--api', server.url, '--admin', server.adminUrl, '--admin-token-file', at('token'), '--listen', '127.0.0.1:0',
    '--data', at('site'), '--visitor-burst', '100000', '--catalog', catalog, '--site', join(root, 'build/site')]);
  await becomesReady(site.url);
  browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: process.getuid() === 0 ? ['--no-sandbox'] : [] });
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  await firstPage(page, site.url);
  told('online', await type(page));
  await page.click('.offline button');
  await page.waitForSelector('.offline .link', { timeout: 60_000 });
  await page.waitForTimeout(1000);
  told('offline', await type(page));
} finally {
  await browser?.close();
  await LaunchedServer.endAll();
  rmSync(folder, { recursive: true, force: true });
}
