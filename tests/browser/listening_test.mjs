import assert from 'node:assert/strict';
import http from 'node:http';
import { after, before, test } from 'node:test';

import { noticed, Stage, total } from './stage.mjs';

let stage;
let otherSite; // another site with media
const otherSiteRequests = [];

before(async () => {
  otherSite = http.createServer((request, response) => {
    otherSiteRequests.push(request.url);
    response.writeHead(404).end();
  });
  await new Promise((done) => { otherSite.listen(0, '127.0.0.1', done); });
  const url = `http://127.0.0.1:${otherSite.address().port}`;
  const track = { id: 'other-1', kind: 'music', title: 'Foreign Horn', artist: 'Else Where', duration_s: 20, license: 'cc0', source: 'other.example', preview_url: `${url}/horn.ogg`, peaks_url: `${url}/horn.json` };
  stage = await Stage.open({ lines: [track] });
});
after(async () => {
  otherSite.close();
  await stage?.end();
});

const bar = '.bar';
const seconds = (page) => page.$eval('.bar .time', (time) => time.textContent.split(':').reduce((sum, part) => sum * 60 + Number(part), 0));
const isPlaying = (page) => page.waitForSelector('.bar-controls button[aria-label="Pause"]');
const isPaused = (page) => page.waitForSelector('.bar-controls button[aria-label="Play"]');

test('a click plays and draws the waveform; music continues while browsing', async () => {
  const page = await stage.visit('/?q=piano&sort=short');
  await total(page, 3);
  await page.click('.row .play-button >> nth=0');
  await isPlaying(page);
  await page.waitForFunction(() => document.querySelector('.bar-waveform > div')?.shadowRoot?.querySelector('canvas'));
  await page.locator('.row h3 a').first().click();
  await page.waitForSelector('.hero h1');
  await isPlaying(page);
  assert.equal(await page.textContent('.bar-title'), 'Glass Piano');
  await page.waitForFunction(() => document.querySelector('.bar .time').textContent !== '0:00');
  assert.deepEqual(page.complaints, []);
});

test('keyboard shortcuts: space, arrows, J, K, L, M and ?', async () => {
  const page = await stage.visit('/?q=piano&sort=short');
  await total(page, 3);
  await page.locator('body').press(' ');
  await isPlaying(page);
  await page.keyboard.press(' ');
  await isPaused(page);
  const before = await seconds(page);
  await page.keyboard.press('ArrowRight');
  await page.waitForFunction((at) => Number(document.querySelector('.bar .time').textContent.split(':')[1]) >= at + 4, before);
  await page.keyboard.press('ArrowLeft');
  await page.waitForFunction((at) => Number(document.querySelector('.bar .time').textContent.split(':')[1]) <= at + 1, before);
  const first = await page.textContent('.bar-title');
  await page.keyboard.press('j');
  await page.waitForFunction((title) => document.querySelector('.bar-title').textContent !== title, first);
  await page.keyboard.press('k');
  await page.waitForFunction((title) => document.querySelector('.bar-title').textContent === title, first);
  await page.keyboard.press('l');
  await page.waitForSelector('.bar button[aria-label="Loop"][aria-pressed="true"]');
  await page.keyboard.press('m');
  await page.waitForFunction(() => document.querySelector('.bar-volume input').value === '0');
  await page.keyboard.press('?');
  await page.waitForSelector('dialog[open] .keys');
});

test('keys typed into the search box are text', async () => {
  const page = await stage.visit('/');
  await page.locator('body').press('/');
  await page.keyboard.type('jk l');
  assert.equal(await page.inputValue('#search-box'), 'jk l');
  assert.equal(await page.locator(bar).count(), 0);
});

test('the volume is remembered', async () => {
  const page = await stage.visit('/?q=piano');
  await total(page, 3);
  await page.click('.row .play-button >> nth=0');
  await page.locator('.bar-volume input').fill('0.3');
  await page.reload();
  await total(page, 3);
  await page.click('.row .play-button >> nth=0');
  assert.equal(await page.inputValue('.bar-volume input'), '0.3');
});

// tests/bench/web measures how soon.
test('hovering over play previews, and only one sound plays at a time', async () => {
  const page = await stage.visit('/?q=piano');
  await total(page, 3);
  await page.click('.total'); // browsers play nothing before the first click
  await page.evaluate(() => {
    window.sounds = [];
    for (const name of ['play', 'pause']) {
      const own = HTMLMediaElement.prototype[name];
      HTMLMediaElement.prototype[name] = function wrapped(...words) {
        if (name === 'play') this.addEventListener('playing', () => window.sounds.push(this.src), { once: true });
        window.elements = (window.elements ?? new Set()).add(this);
        return own.apply(this, words);
      };
    }
  });
  await page.hover('.row .play-button >> nth=1');
  await page.waitForFunction(() => window.sounds.length > 0);
  await page.hover('.total');
  await page.waitForFunction(() => [...window.elements].every((element) => element.paused));
  await page.click('.row .play-button >> nth=0');
  await isPlaying(page);
  await page.hover('.row .play-button >> nth=1');
  await page.waitForTimeout(200);
  assert.equal(await page.evaluate(() => [...window.elements].filter((element) => !element.paused).length), 1);
});

test('media of other sites is requested only after a click on play', async () => {
  const page = await stage.visit('/?q=foreign');
  await total(page, 1);
  await page.hover('.row');
  await page.hover('.row .play-button');
  await page.waitForTimeout(500);
  assert.deepEqual(otherSiteRequests, []);
  await page.click('.row .play-button');
  await page.waitForSelector('dialog[open] >> text=Play audio from 127.0.0.1');
  await page.keyboard.press('Escape');
  await page.waitForTimeout(300);
  assert.deepEqual(otherSiteRequests, [], 'nothing is requested without consent');
  await page.click('.row .play-button');
  await page.click('dialog[open] .primary');
  await noticed(page, 'could not be played');
  assert.ok(otherSiteRequests.length > 0 && otherSiteRequests.every((path) => path === '/horn.ogg'));
});

test('touching play previews for as long as the touch lasts', async () => {
  const page = await stage.visit('/?q=piano&sort=short', { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
  await total(page, 3);
  await page.touchscreen.tap(200, 300); // browsers play nothing before the first click
  await page.evaluate(() => {
    window.elements = new Set();
    const own = HTMLMediaElement.prototype.play;
    HTMLMediaElement.prototype.play = function play() { window.elements.add(this); return own.call(this); };
  });
  const box = await page.locator('.row .play-button').first().boundingBox();
  const finger = await page.context().newCDPSession(page);
  const touch = (type, points) => finger.send('Input.dispatchTouchEvent', { type, touchPoints: points });
  await touch('touchStart', [{ x: box.x + box.width / 2, y: box.y + box.height / 2 }]);
  await page.waitForFunction(() => [...window.elements].some((element) => !element.paused && element.currentTime > 0));
  await touch('touchEnd', []);
  await page.waitForFunction(() => [...window.elements].every((element) => element.paused));
  await page.waitForTimeout(400);
  assert.equal(await page.locator(bar).count(), 0, 'a preview does not open the player bar');
  await page.locator('.row .play-button').first().tap();
  await isPlaying(page);
});

test('a looping track starts again at its end instead of the next one', async () => {
  const page = await stage.visit('/?q=piano&sort=short');
  await total(page, 3);
  await page.click('.row .play-button >> nth=0');
  await isPlaying(page);
  const title = await page.textContent('.bar-title');
  await page.click('.bar button[aria-label="Loop"]');
  for (let presses = 0; presses < 2; presses += 1) await page.keyboard.press('ArrowRight');
  await page.waitForFunction(() => Number(document.querySelector('.bar .time').textContent.split(':')[1]) >= 9);
  await page.waitForFunction(() => Number(document.querySelector('.bar .time').textContent.split(':')[1]) <= 3);
  await isPlaying(page);
  assert.equal(await page.textContent('.bar-title'), title);
});

test('reduced motion turns animations off', async () => {
  for (const [reducedMotion, moves] of [['reduce', false], ['no-preference', true]]) {
    const page = await stage.visit('/?q=piano', { reducedMotion });
    await total(page, 3);
    await page.click('.row .play-button >> nth=0');
    await isPlaying(page);
    const longest = await page.evaluate(() => Math.max(...[...document.querySelectorAll('*')].flatMap((element) => {
      const style = getComputedStyle(element);
      const times = `${style.transitionDuration},${style.animationDuration}`.split(',');
      return times.map((time) => (time.trim().endsWith('ms') ? parseFloat(time) : 1000 * parseFloat(time)));
    })));
    assert.equal(longest > 10, moves, `${reducedMotion}: ${longest} ms`);
  }
});
