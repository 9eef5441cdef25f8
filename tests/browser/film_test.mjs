// The page that finds the tracks in a film: the film is decoded and fingerprinted in the browser (WEB-49 to WEB-51).

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { after, before, test } from 'node:test';

import { tonearm, wav } from '../command-line/project.mjs';
import { axeSource, clipboard, noticed, signUp, Stage } from './stage.mjs';

const skip = spawnSync('ffmpeg', ['-version']).error !== undefined && 'skipped: there is no ffmpeg';
const HOSTILE = 'Night <img src=x onerror=window.hurt=1>';
const SOUNDS = [
  ['copper', 'Copper Bells', 'CC-BY-4.0', wav(1)],
  ['night', HOSTILE, 'CC-BY-NC-4.0', wav(3)],
];

let stage;
const at = (name) => stage.at(name);

function ffmpeg(...words) {
  const made = spawnSync('ffmpeg', ['-v', 'error', '-nostdin', '-y', ...words], { encoding: 'utf8', cwd: stage.path });
  assert.equal(made.status, 0, made.stderr);
}

before(async () => {
  stage = await Stage.open({ lines: [], sounds: SOUNDS });
  if (skip) return;
  writeFileSync(at('none.wav'), wav(88, { seconds: 30 }));
  writeFileSync(at('one.wav'), wav(1, { seconds: 15, skip_s: 3 }));
  writeFileSync(at('three.wav'), wav(3, { seconds: 12 }));
  const picture = ['-f', 'lavfi', '-i', 'testsrc=size=64x48:rate=5:duration=10', '-c:v', 'mpeg4'];
  // 30 s of other sound, 15 s of Copper Bells, 30 s, 12 s of Night, all under noise.
  ffmpeg('-i', 'none.wav', '-i', 'one.wav', '-i', 'none.wav', '-i', 'three.wav', '-f', 'lavfi', '-i', 'anoisesrc=d=87:c=pink:a=0.02:seed=3',
    '-filter_complex', '[0][1][2][3]concat=n=4:v=0:a=1[a];[a][4]amix=inputs=2:normalize=0', '-ar', '48000', '-ac', '2', 'film.wav');
  for (const [name, ...codec] of [['film.webm', 'libopus'], ['film.mp4', 'libopus', '-strict', '-2'], ['film.m4a', 'aac', '-f', 'ipod'], ['film.mka', 'libvorbis'], ['film.flac', 'flac'], ['film.mp3', 'libmp3lame'], ['film.mkv', 'ac3']]) {
    ffmpeg('-i', 'film.wav', '-c:a', ...codec, name);
  }
  ffmpeg('-i', 'none.wav', '-i', 'one.wav', '-map', '0', '-map', '1', '-c:a', 'libopus', '-disposition:a:0', '0', '-disposition:a:1', 'default', 'two.mkv');
  ffmpeg(...picture, '-itsoffset', '6', '-i', 'one.wav', '-map', '0', '-map', '1', '-c:a', 'libopus', 'late.mkv');
  ffmpeg(...picture, 'silent.mp4');
  // The picture lasts longer than the sound.
  ffmpeg('-f', 'lavfi', '-i', 'testsrc=size=64x48:rate=5:duration=40', '-i', 'one.wav', '-map', '0', '-map', '1', '-c:v', 'libvpx', '-c:a', 'libopus', 'picture.webm');
  const rate = readFileSync(at('one.wav'));
  rate.writeUInt32LE(30_000_000, 24);
  writeFileSync(at('rate.wav'), rate);
  ffmpeg('-stream_loop', '39', '-i', 'none.wav', '-c:a', 'libopus', '-b:a', '16k', 'long.webm');
  const bytes = readFileSync(at('film.webm'));
  writeFileSync(at('truncated.webm'), bytes.subarray(0, bytes.length / 2));
  writeFileSync(at('damaged.mp4'), readFileSync(at('film.mp4')).fill(0xff, 20_000, 400_000));
  writeFileSync(at('text.mp4'), 'This is no film.\n');
  writeFileSync(at('list.mp4'), '#EXTM3U\n#EXT-X-TARGETDURATION:10\n#EXTINF:10,\nfilm.mp4\n#EXT-X-ENDLIST\n');
  writeFileSync(at('empty.mp4'), '');
});
after(() => stage?.end());

/** Opens the page. `page.bodies` collects what it sends. */
async function open(options) {
  const page = await stage.visit('/film', options);
  page.bodies = [];
  page.on('request', (request) => { if (request.method() !== 'GET') page.bodies.push([new URL(request.url()).pathname, request.postData() ?? '']); });
  await page.waitForSelector('.drop');
  return page;
}

/** Chooses a film and waits until the page has listened to it. */
async function listen(page, name) {
  await page.setInputFiles('.drop input', at(name));
  await page.waitForSelector(`.state[data-state=done]`, { state: 'attached' });
}

const rows = (page) => page.$$eval('.items li[data-track]', (found) => found.map((row) => ({
  title: row.querySelector('h3').textContent, verdict: row.dataset.verdict, times: [...row.querySelectorAll('.times li')].map((time) => time.textContent),
})));
const secondsOf = (range) => range.split(' to ').map((clock) => clock.split(':').reduce((sum, part) => 60 * sum + Number(part), 0));
const isNear = (range, expected) => secondsOf(range).every((seconds, index) => Math.abs(seconds - expected[index]) <= 3);

async function assertFound(page, name) {
  const found = await rows(page);
  assert.deepEqual(found.map(({ title, verdict }) => [title, verdict]), [['Copper Bells', 'allowed'], [HOSTILE, 'not_allowed']], name);
  assert.ok(isNear(found[0].times[0], [30, 45]) && isNear(found[1].times[0], [75, 87]), `${name}: ${JSON.stringify(found)}`);
}

async function download(page, selector) {
  const [file] = await Promise.all([page.waitForEvent('download'), page.click(selector)]);
  return { name: file.suggestedFilename(), text: readFileSync(await file.path(), 'utf8') };
}

test('finds the tracks of a film with their times, and sends only fingerprints (WEB-49)', { skip }, async () => {
  const page = await open();
  await listen(page, 'film.webm');
  await assertFound(page, 'film.webm');
  assert.match(await page.textContent('.state'), /2 tracks found in film\.webm/);
  assert.deepEqual(page.bodies.map(([path]) => path), ['/site/credits/recognize']);
  for (const [, body] of page.bodies) {
    const { pieces, ...others } = JSON.parse(body);
    assert.deepEqual(others, {});
    assert.ok(pieces.length <= 4 && body.length < 33_000);
    for (const piece of pieces) {
      assert.deepEqual(Object.keys(piece), ['fingerprint']);
      assert.match(piece.fingerprint, /^[\w-]{100,8192}$/);
    }
  }
  const sent = page.bodies.reduce((sum, [, body]) => sum + body.length, 0);
  assert.ok(sent < readFileSync(at('film.webm')).length / 20, `${sent} bytes`);
  assert.ok(page.requests.every((url) => url.startsWith(`${stage.url}/`) || url.startsWith('blob:')), page.requests.join('\n'));
  assert.equal(await page.evaluate(() => window.hurt), undefined);
  assert.deepEqual(page.complaints, []);
});

test('finds the same in every format that the browser decodes (WEB-49)', { skip }, async () => {
  const page = await open();
  for (const name of ['film.mp4', 'film.mka', 'film.flac', 'film.mp3', 'film.wav', 'film.m4a']) {
    await listen(page, name);
    const problem = await page.$eval('[data-problem]', (notice) => notice.textContent).catch(() => null);
    if (name === 'film.m4a' && /mp4a/.test(problem ?? '')) continue; // Chromium without AAC
    assert.equal(problem, null, name);
    await assertFound(page, name);
  }
  assert.deepEqual(page.complaints, []);
});

test('the cue sheet and the credits are those of the command line (WEB-50)', { skip }, async () => {
  const page = await open();
  await listen(page, 'film.flac');
  const sheet = await download(page, 'text=Download cue sheet');
  assert.equal(sheet.name, 'film-cue-sheet.csv');
  const text = await page.inputValue('.credits-text');
  await page.selectOption('.panel select', 'html');
  const html = await download(page, '.panel button:has-text("Download")');
  assert.equal(html.name, 'film-credits.html');
  await page.click('.panel button:has-text("Copy")');
  await noticed(page, 'Copied');
  assert.equal(await clipboard(page), html.text);
  assert.match(html.text, /^<h2>Credit required<\/h2>\n<ul>\n<li>/);
  assert.ok(!html.text.includes('<img'));
  ffmpeg('-i', 'film.flac', '-c:a', 'copy', 'film.copy.mka');
  const { body: { account } } = await stage.api.admin('POST', '/admin/accounts', { plan: 'unlimited' });
  const { body: { key } } = await stage.api.admin('POST', `/admin/accounts/${account}/keys`, {});
  const run = (format) => tonearm(['credits', at('film.copy.mka'), '--format', format], { TONEARM_API: stage.api.url, TONEARM_API_KEY: key });
  assert.equal(text, (await run('text')).out);
  const withoutTimes = (csv) => csv.replaceAll('film.copy.mka', 'film.flac').replace(/\d\d:\d\d:\d\d\.\d{3}/g, 'TIME');
  assert.equal(withoutTimes(sheet.text), withoutTimes((await run('cue-sheet')).out));
});

test('the use decides what is allowed, and all tracks can be added to a collection (WEB-50)', { skip }, async () => {
  const page = await stage.visit('/');
  await signUp(page);
  await page.click('.foot a[href="/film"]');
  await page.waitForSelector('.drop');
  await listen(page, 'film.webm');
  assert.ok(await page.isVisible('text=Not allowed for commercial use'));
  await page.click('.switch');
  await page.waitForSelector('[data-verdict=not_allowed]', { state: 'detached' });
  await page.click('text=Add all to a collection');
  await page.fill('dialog .new-collection input[type=text]', 'Film');
  await page.click('dialog .new-collection button');
  await page.waitForSelector('dialog', { state: 'detached' });
  await page.waitForSelector('.collected');
  await page.click('.items h3 a');
  await page.waitForSelector('.hero h1');
  await page.goBack();
  assert.equal((await rows(page)).length, 2, 'the film stays');
});

test('a film that drops into the box is listened to, and one beside it changes nothing (WEB-49)', { skip }, async () => {
  const page = await open();
  const drop = (selector) => page.evaluate(async ([target, bytes]) => {
    const transfer = new DataTransfer();
    transfer.items.add(new File([Uint8Array.from(atob(bytes), (sign) => sign.charCodeAt(0))], 'dropped.webm'));
    for (const type of ['dragover', 'drop']) document.querySelector(target).dispatchEvent(new DragEvent(type, { dataTransfer: transfer, bubbles: true, cancelable: true }));
  }, [selector, readFileSync(at('film.webm')).toString('base64')]);
  await drop('h1');
  assert.ok(await page.isVisible('.drop'));
  await drop('.drop');
  await page.waitForSelector('.state[data-state=done]', { state: 'attached' });
  await assertFound(page, 'dropped.webm');
});

test('says what is wrong with a file, and sends nothing (WEB-51)', { skip }, async () => {
  const page = await open();
  for (const [name, problem, text] of [
    ['text.mp4', 'notMedia', /not a film or audio file/],
    ['list.mp4', 'notMedia', /not a film or audio file/],
    ['empty.mp4', 'notMedia', /not a film or audio file/],
    ['silent.mp4', 'noAudio', /no audio track/],
    ['film.mkv', 'codec', /cannot decode the audio of this film: ac-3.*tonearm credits film\.mp4/],
  ]) {
    await listen(page, name);
    assert.equal(await page.getAttribute('[data-problem]', 'data-problem'), problem, `${name}: ${await page.textContent('[data-problem]')}`);
    assert.match(await page.textContent('[data-problem]'), text);
  }
  assert.deepEqual(page.bodies, []);
  assert.deepEqual(page.complaints, []);
});

test('a truncated or damaged film has the tracks before its end, and a warning (WEB-51)', { skip }, async () => {
  const page = await open();
  await listen(page, 'truncated.webm');
  assert.equal(await page.getAttribute('[data-problem]', 'data-problem'), 'truncated');
  assert.deepEqual((await rows(page)).map(({ title }) => title), ['Copper Bells']);
  await listen(page, 'damaged.mp4');
  assert.match(await page.getAttribute('[data-problem]', 'data-problem'), /damaged|truncated/);
});

test('sound that ends before the picture is not truncated (WEB-51)', { skip }, async () => {
  const page = await open();
  await listen(page, 'picture.webm');
  assert.deepEqual((await rows(page)).map(({ title }) => title), ['Copper Bells']);
  assert.equal(await page.locator('[data-problem]').count(), 0);
});

test('a sample rate that no film has is refused (WEB-51)', { skip }, async () => {
  const page = await open();
  await listen(page, 'rate.wav');
  assert.equal(await page.getAttribute('[data-problem]', 'data-problem'), 'codec');
});

test('listens to the default audio track, and names the others (WEB-49)', { skip }, async () => {
  const page = await open();
  await listen(page, 'two.mkv');
  assert.ok(await page.isVisible('text=The page listened to audio track 2 of 2'));
  assert.deepEqual((await rows(page)).map(({ title }) => title), ['Copper Bells']);
});

test('sound that begins after the picture has the times of the film (WEB-49)', { skip }, async () => {
  const page = await open();
  await listen(page, 'late.mkv');
  const found = await rows(page);
  assert.ok(isNear(found.find(({ title }) => title === 'Copper Bells').times[0], [6, 21]), JSON.stringify(found));
});

test('a person can cancel, and then choose another film (WEB-49)', { skip }, async () => {
  const page = await open();
  let release;
  const held = new Promise((done) => { release = done; });
  await page.route('**/site/credits/recognize', async (route) => { await held; await route.abort().catch(() => undefined); });
  await page.setInputFiles('.drop input', at('long.webm'));
  await page.waitForSelector('progress.heard[value]');
  await page.click('text=Cancel');
  await page.waitForSelector('.state[data-state=canceled]');
  release();
  assert.match(await page.textContent('.state'), /You canceled/);
  await page.unroute('**/site/credits/recognize');
  await listen(page, 'film.webm');
  await assertFound(page, 'film.webm');
});

test('waits if the server limits requests, and tries again after an error when the person asks (WEB-51)', { skip }, async () => {
  const page = await open();
  const answers = [
    { status: 429, headers: { 'Retry-After': '1' }, json: { error: 'rate_limited', message: 'Too many requests.' } },
    { status: 500, json: { error: 'internal_error', message: 'It fails.' } },
  ];
  await page.route('**/site/credits/recognize', (route) => {
    const answer = answers.shift();
    return answer ? route.fulfill(answer) : route.continue();
  });
  await page.setInputFiles('.drop input', at('film.webm'));
  await page.waitForSelector('text=or limits requests');
  await page.waitForSelector('text=It fails.');
  await page.click('text=Try again');
  await page.waitForSelector('.state[data-state=done]', { state: 'attached' });
  await assertFound(page, 'film.webm');
});

test('without a connection the film is not lost (WEB-51)', { skip }, async () => {
  const page = await open();
  await page.route('**/site/credits/recognize', (route) => route.abort('internetdisconnected'));
  await page.setInputFiles('.drop input', at('film.webm'));
  await page.waitForSelector('.state[data-state=stopped]', { state: 'attached' });
  await page.unroute('**/site/credits/recognize');
  await page.click('text=Try again');
  await page.waitForSelector('.state[data-state=done]', { state: 'attached' });
  await assertFound(page, 'film.webm');
});

test('can be used with the keyboard, has no violation of axe, and fits a phone, light and dark, in both languages', { skip }, async () => {
  for (const [colorScheme, lang, viewport] of [['light', 'en', { width: 1280, height: 800 }], ['dark', 'de', { width: 390, height: 844 }]]) {
    const page = await stage.visit(`/film?lang=${lang}`, { colorScheme, viewport });
    await page.waitForSelector('.drop');
    await page.waitForLoadState('networkidle'); // the scripts have taken over the page of the server
    const chosen = page.waitForEvent('filechooser');
    for (let isOpen = false; !isOpen;) { // a busy browser may drop a key
      await page.focus('.drop input');
      await page.keyboard.press('Space');
      isOpen = await Promise.race([chosen.then(() => true), page.waitForTimeout(5_000).then(() => false)]);
    }
    const chooser = await chosen;
    await chooser.setFiles(at('film.webm'));
    await page.waitForSelector('.state[data-state=done]', { state: 'attached' });
    await page.waitForSelector('.items li[data-track]');
    await page.evaluate(axeSource);
    const found = await page.evaluate(() => globalThis.axe.run());
    assert.deepEqual(found.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`), []);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    assert.ok(wide <= 0, `${wide} pixels too wide`);
    assert.deepEqual(page.complaints, []);
    if (process.env.PICTURES) await page.screenshot({ path: `${process.env.PICTURES}/film-${colorScheme}-${viewport.width}.png`, fullPage: true });
  }
});
