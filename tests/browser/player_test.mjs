// The player in conversations (MCP-21 to MCP-24), shown by a host with the AppBridge of the official package, with a real server and the
// site's media. TONEARM_PICTURES=FOLDER also saves the picture of docs/guide/assistant.md.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { after, before, test } from 'node:test';

import { startAppHost } from '../mcp/app_host.mjs';
import { axeSource, Stage } from './stage.mjs';

const hostile = (id, title, more = {}) => ({
  id, kind: 'music', title, artist: 'Mallory <img src=x onerror=window.hurt=1>', duration_s: 9, license: 'cc-by-4.0', source: 'evil.example', description: 'A hostile track.', ...more,
});
const LINES = [
  hostile('evil-1', '<script>window.hurt=1</script>hostile'),
  hostile('evil-2', 'hostile "onmouseover="window.hurt=1', { source_page: "https://evil.example/?a='onclick='window.hurt=1" }),
  hostile('evil-3', `hostile ${'W'.repeat(5000)}`),
  hostile('evil-4', 'hostile </script><!--</div></body>', { preview_url: 'https://evil.example/a.mp3', peaks_url: 'https://evil.example/a.json' }),
  hostile('plain-1', 'Lost Horn', { artist: 'Bea Muster', license: 'cc-by-sa-4.0', preview_url: 'lost.ogg' }),
  hostile('plain-2', 'Lost Tuba', { artist: 'Bea Muster', license: 'cc0' }),
];
const pictures = process.env.TONEARM_PICTURES;

let stage;
let host;
let key;
before(async () => {
  stage = await Stage.open({ lines: LINES, words: ['--allow-share-alike'] });
  host = await startAppHost(stage.api.url, () => key);
});
after(async () => {
  await host?.end();
  await stage?.end();
});

const newKey = async (plan) => {
  const { body: { account } } = await stage.api.admin('POST', '/admin/accounts', { plan });
  return (await stage.api.admin('POST', `/admin/accounts/${account}/keys`, {})).body.key;
};

/** Opens a host that shows the result of a tool to a new account. Returns its page and the frame of the player. */
async function show(name, given, { plan = 'pro', ...options } = {}) {
  key = await newKey(plan);
  const page = await stage.visit(host.url, { viewport: { width: 760, height: 900 } });
  await page.waitForFunction(() => window.app);
  await page.evaluate(([tool, args, how]) => window.app.open(tool, args, how), [name, given, { sandbox: host.sandbox, ...options }]);
  const player = page.frames().at(-1);
  return { page, player };
}

/** Calls a tool as the account of the newest player. */
async function call(name, given) {
  const response = await fetch(`${stage.api.url}/mcp`, { method: 'POST', headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: given } }) });
  return (await response.json()).result.structuredContent;
}

const PIANO = { q: 'piano', sort: 'short' };
const texts = (player, selector) => player.$$eval(selector, (found) => found.map((it) => it.textContent));
const row = (player, title) => player.locator('.track', { hasText: title });
const isComplete = (player) => player.waitForFunction(() => document.querySelector('.credit')?.textContent);
const noteOf = async (player, title, pattern) => {
  await player.waitForFunction(([name]) => [...document.querySelectorAll('.track')].find((it) => it.textContent.includes(name)).querySelector('.note').textContent, [title]);
  assert.match(await row(player, title).locator('.note').textContent(), pattern);
};
/** How many pixels of a canvas have a color. */
const inked = (locator) => locator.evaluate((canvas) => {
  const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
  return data.filter((value, at) => at % 4 === 3 && value > 0).length;
});

test('MCP-21, MCP-23: a search shows tracks with waveforms, licenses and credit lines', async () => {
  const { page, player } = await show('search_tracks', PIANO);
  await isComplete(player);
  assert.deepEqual(await texts(player, '.title'), ['Glass Piano', 'Amber Piano', 'Night Piano']);
  assert.deepEqual(await texts(player, '.length'), ['0:12', '0:13', '0:14']);
  assert.equal(await player.textContent('#count'), '3 tracks');
  assert.deepEqual(await texts(player, '.license-name'), ['CC0 1.0', 'CC BY 4.0', 'CC BY-NC 4.0']);
  assert.deepEqual(await texts(player, '.commercial'), ['Commercial use allowed', 'Commercial use allowed', 'No commercial use']);
  assert.deepEqual(await texts(player, '.attribution'), ['Credit optional', 'Credit required', 'Credit required']);
  assert.match((await texts(player, '.credit'))[1], /^"Amber Piano" by Ada Example/);
  const waveform = row(player, 'Amber Piano').locator('canvas');
  await waveform.waitFor();
  assert.ok(await inked(waveform) > 1000, 'the waveform is empty');
  if (pictures) {
    await row(player, 'Amber Piano').locator('.play').click();
    await page.waitForTimeout(3000);
    await page.locator('iframe').screenshot({ path: join(pictures, 'assistant-player.png') });
  }
  assert.deepEqual(page.complaints, []);
});

test('MCP-23: plays one track at a time, seeks, and draws what was played', async () => {
  const { page, player } = await show('search_tracks', PIANO);
  await isComplete(player);
  const glass = row(player, 'Glass Piano');
  const amber = row(player, 'Amber Piano');
  assert.ok(!page.requests.some((url) => url.endsWith('.wav')), 'audio was requested before the person pressed play');
  await glass.locator('.play').click();
  await glass.getByRole('button', { name: 'Pause Glass Piano' }).waitFor();
  await player.waitForFunction(() => Number(document.querySelector('.seek:enabled')?.value) > 0);
  await amber.locator('.play').click();
  await amber.getByRole('button', { name: 'Pause Amber Piano' }).waitFor();
  await glass.getByRole('button', { name: 'Play Glass Piano' }).waitFor();
  const seek = amber.getByRole('slider', { name: 'Position in Amber Piano' });
  await seek.fill('9');
  await player.waitForFunction(() => Number(document.querySelector('.seek:enabled').value) >= 9);
  assert.match(await seek.getAttribute('aria-valuetext'), /^0:(09|1\d) of 0:13$/);
  await amber.locator('.play').click();
  await amber.getByRole('button', { name: 'Play Amber Piano' }).waitFor();
  await page.evaluate(() => window.app.end());
  assert.deepEqual(page.complaints, []);
});

test('MCP-23: a track without peaks or sound says so, and one whose audio cannot be loaded', async () => {
  const { player } = await show('get_tracks', { track_ids: ['plain-1', 'plain-2', 'evil-4'] });
  await isComplete(player);
  assert.equal(await row(player, 'Lost Horn').locator('.no-waveform').textContent(), 'No waveform for this track.');
  assert.equal(await row(player, 'Lost Tuba').locator('.no-waveform').textContent(), 'This track cannot be played here.');
  assert.ok(await row(player, 'Lost Tuba').locator('.play').isHidden());
  await player.waitForFunction(() => document.body.textContent.includes('The waveform could not be loaded.'));
  assert.equal(await player.locator('canvas:visible').count(), 0);
  await row(player, 'Lost Horn').locator('.play').click();
  await noteOf(player, 'Lost Horn', /^The audio at 127\.0\.0\.1:\d+ could not be loaded\.$/);
});

test('MCP-24: Keep creates a collection once, adds tracks to it, and tells the model the ids', async () => {
  const { page, player } = await show('search_tracks', PIANO);
  await isComplete(player);
  await row(player, 'Glass Piano').getByRole('button', { name: 'Keep Glass Piano' }).click();
  await player.locator('#name').fill('Night train');
  await player.locator('#confirm').click();
  await noteOf(player, 'Glass Piano', /^Kept in Night train\.$/);
  await row(player, 'Amber Piano').locator('.keep').click();
  await noteOf(player, 'Amber Piano', /^Kept in Night train\.$/);
  assert.ok(await row(player, 'Amber Piano').locator('.keep').isDisabled());
  const { collections: [collection], total } = await call('list_collections', {});
  assert.deepEqual([total, collection.name, collection.track_count], [1, 'Night train', 2]);
  const { items } = await call('get_collection', { collection_id: collection.collection_id });
  assert.deepEqual(items.map(({ track }) => track.title), ['Glass Piano', 'Amber Piano']);
  await page.waitForFunction((id) => window.said.contexts.at(-1)?.content[0].text.includes(id), items[1].track_id); // a message, which arrives later
  const { contexts } = await page.evaluate(() => window.said);
  assert.equal(contexts.at(-1).content[0].text, `In the player, the user kept ${items.map((it) => it.track_id).join(', ')} in the collection ${collection.collection_id}.`);

  // Another collection, which refuses tracks that forbid commercial use.
  const { collection_id: commercial } = await call('create_collection', { name: 'Advertisement', commercial: true });
  await player.locator('#change').click();
  await player.locator('#collection').selectOption(commercial);
  await player.locator('#confirm').click();
  await player.locator('#chooser').waitFor({ state: 'hidden' });
  assert.ok(await row(player, 'Amber Piano').locator('.keep').isEnabled());
  await row(player, 'Night Piano').locator('.keep').click();
  await noteOf(player, 'Night Piano', /commercial/);
  assert.equal((await call('get_collection', { collection_id: commercial })).items.length, 0);
  assert.deepEqual(page.complaints, []);
});

test('MCP-24: a collection that exists is offered, and a person may think again', async () => {
  const { player } = await show('search_tracks', PIANO);
  const { collection_id: id } = await call('create_collection', { name: 'Already <b>there</b>' });
  await isComplete(player);
  await row(player, 'Glass Piano').locator('.keep').click();
  await player.locator('#chooser').waitFor();
  assert.deepEqual(await texts(player, '#collection option'), ['Already <b>there</b>', 'A new collection']);
  assert.ok(await player.locator('#name').isHidden());
  await player.locator('#collection').press('Escape');
  assert.ok(await player.locator('#chooser').isHidden());
  assert.equal((await call('get_collection', { collection_id: id })).items.length, 0);
  await row(player, 'Glass Piano').locator('.keep').click();
  await player.locator('#confirm').click();
  await noteOf(player, 'Glass Piano', /^Kept in Already <b>there<\/b>\.$/);
  assert.equal((await call('get_collection', { collection_id: id })).items.length, 1);
});

test('MCP-24: an account on the plan free that may not create a second collection reads why', async () => {
  const { player } = await show('search_tracks', PIANO, { plan: 'free' });
  await call('create_collection', { name: 'The only one' });
  await isComplete(player);
  await row(player, 'Glass Piano').locator('.keep').click();
  await player.locator('#collection').selectOption('new');
  await player.locator('#confirm').click();
  await player.waitForFunction(() => document.getElementById('chooser-notice').textContent);
  assert.match(await player.textContent('#chooser-notice'), /Pro plan|pro/);
});

test('MCP-23: a collection is shown with the credit lines that it recorded', async () => {
  key = await newKey('pro');
  const { page, player } = await show('search_tracks', PIANO);
  await isComplete(player);
  const { tracks } = await call('search_tracks', PIANO);
  const { collection_id: id } = await call('create_collection', { name: 'Night train' });
  await call('add_tracks', { collection_id: id, track_ids: tracks.map((track) => track.track_id) });
  await page.evaluate(([how, collection]) => window.app.open('get_collection', { collection_id: collection }, how), [{ sandbox: host.sandbox }, id]);
  const shown = page.frames().at(-1);
  await isComplete(shown);
  assert.equal(await shown.textContent('#heading'), 'Night train');
  assert.deepEqual(await texts(shown, '.title'), ['Glass Piano', 'Amber Piano', 'Night Piano']);
  assert.match((await texts(shown, '.credit'))[1], /^"Amber Piano" by Ada Example/);
});

test('MCP-23: hostile titles, artists and addresses stay text', async () => {
  const { page, player } = await show('search_tracks', { q: 'hostile' });
  await isComplete(player);
  const titles = await texts(player, '.title');
  assert.ok(titles.includes('<script>window.hurt=1</script>hostile'), titles.join('\n'));
  assert.ok(titles.every((title) => title.length <= 201), 'a title is too long');
  assert.ok((await texts(player, '.artist')).includes('Mallory <img src=x onerror=window.hurt=1>'));
  assert.equal(await player.evaluate(() => window.hurt), undefined);
  assert.deepEqual(await player.$$eval('main *', (found) => found.flatMap((it) => it.getAttributeNames()).filter((name) => /^on|^src|^href|^style/.test(name))), []);
  assert.equal(await player.locator('img, a, main script').count(), 0);
  const wide = await player.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  assert.ok(wide <= 0, `the page is ${wide} pixels too wide`);
  // The page's own policy refuses what a host would allow.
  await player.evaluate(() => {
    const script = document.createElement('script');
    try { script.text = 'window.hurt = 2'; } catch { /* Trusted Types */ }
    document.body.append(script);
    try { document.body.insertAdjacentHTML('beforeend', '<img src=x onerror="window.hurt=3">'); } catch { /* Trusted Types */ }
  });
  assert.equal(await player.evaluate(() => window.hurt), undefined);
  assert.equal(await player.locator('img').count(), 0);
  assert.deepEqual(page.complaints.filter((it) => !/Trusted|script-src|TrustedHTML/.test(it)), []);
});

test('MCP-23: links are opened by the host, and only http and https', async () => {
  const { page, player } = await show('search_tracks', PIANO);
  await isComplete(player);
  await player.getByRole('button', { name: 'Open the page of Amber Piano' }).click();
  await player.getByRole('button', { name: 'CC BY 4.0' }).click();
  // The player asks the host by messages, which arrive after the click has returned.
  await page.waitForFunction(() => window.said.links.length === 2);
  const { links } = await page.evaluate(() => window.said);
  assert.match(links[0], new RegExp(`^${stage.url}/tracks/`));
  assert.equal(links[1], 'https://creativecommons.org/licenses/by/4.0/');
});

test('MCP-22: a host that grants no domains blocks the audio, and the player says so', async () => {
  const { player } = await show('search_tracks', PIANO, { allowsMedia: false });
  await isComplete(player);
  await row(player, 'Glass Piano').locator('.play').click();
  await noteOf(player, 'Glass Piano', /^This host does not let the player load audio from 127\.0\.0\.1:\d+\. Listen at http:\/\/127\.0\.0\.1:\d+\/tracks\//);
  await player.waitForFunction(() => document.body.textContent.includes('The waveform could not be loaded.'));
  await row(player, 'Glass Piano').locator('.play').click(); // again
  await noteOf(player, 'Glass Piano', /^This host does not let the player load audio/);
});

test('MCP-23: a host that proxies no tools and opens no links gets what the result has', async () => {
  const { player } = await show('search_tracks', PIANO, { capabilities: { serverTools: undefined, openLinks: undefined, updateModelContext: undefined } });
  await player.waitForFunction(() => document.getElementById('notice').textContent.includes('lets the player call no tools'));
  assert.deepEqual(await texts(player, '.license-name'), ['CC0 1.0', 'CC BY 4.0', 'CC BY-NC 4.0']);
  assert.equal(await player.locator('.keep:visible').count(), 0);
  assert.equal(await player.locator('.link:visible').count(), 0);
  await row(player, 'Glass Piano').locator('.play').click();
  await row(player, 'Glass Piano').getByRole('button', { name: 'Pause Glass Piano' }).waitFor();
});

test('MCP-23: an error, an empty result and a cancelled call are shown as what they are', async () => {
  const { page, player } = await show('get_track', { track_id: 'nope-1' });
  await player.waitForFunction(() => document.getElementById('notice').textContent);
  assert.doesNotMatch(await player.textContent('#notice'), /^not_found|Next:/);
  assert.equal(await player.textContent('#count'), '');
  await page.evaluate(() => window.app.cancel('stopped'));
  await player.waitForFunction(() => document.getElementById('notice').textContent === 'The call was cancelled.');
  const { player: empty } = await show('search_tracks', { q: 'zither', match: 'all' });
  await empty.waitForFunction(() => document.getElementById('notice').textContent === 'No tracks.');
});

test('MCP-24: the keyboard reaches and does everything', async () => {
  const { page, player } = await show('search_tracks', PIANO);
  await isComplete(player);
  const focused = () => player.evaluate(() => document.activeElement.getAttribute('aria-label') ?? document.activeElement.id ?? document.activeElement.textContent);
  const pressUntil = async (name) => {
    for (let tries = 0; tries < 40; tries += 1) {
      await page.keyboard.press('Tab');
      if ((await focused()) === name) return;
    }
    assert.fail(`Tab does not reach ${name}`);
  };
  await pressUntil('Play Glass Piano');
  await page.keyboard.press('Enter');
  await player.waitForFunction(() => document.activeElement.getAttribute('aria-label') === 'Pause Glass Piano');
  await pressUntil('Position in Glass Piano');
  const before = await player.evaluate(() => Number(document.activeElement.value));
  for (let steps = 0; steps < 4; steps += 1) await page.keyboard.press('ArrowRight');
  await player.waitForFunction((at) => Number(document.activeElement.value) >= at + 3, before);
  await pressUntil('Keep Amber Piano');
  await page.keyboard.press('Enter');
  await player.waitForFunction(() => document.activeElement.id === 'collection');
  await page.keyboard.press('Escape');
  assert.equal(await focused(), 'Keep Amber Piano');
  await page.keyboard.press('Enter');
  await player.waitForFunction(() => document.activeElement.id === 'collection');
  await pressUntil('confirm');
  await page.keyboard.press('Enter');
  await noteOf(player, 'Amber Piano', /^Kept in Kept tracks\.$/);
  assert.equal(await focused(), 'change');
});

for (const theme of ['light', 'dark']) {
  test(`MCP-24: axe finds nothing, and the page follows the host's theme: ${theme}`, async () => {
    const variables = theme === 'dark' ? { '--color-background-primary': 'rgb(1, 2, 3)', '--color-text-primary': 'rgb(250, 251, 252)', '--color-border-primary': 'url(https://evil.example/x)' } : { '--color-background-primary': 'rgb(1, 2, 3)' };
    const { page, player } = await show('search_tracks', PIANO, { context: { theme, styles: { variables } } });
    await isComplete(player);
    await row(player, 'Glass Piano').locator('.play').click();
    await row(player, 'Amber Piano').locator('.keep').click();
    await player.locator('#chooser').waitFor();
    const background = () => player.evaluate(() => getComputedStyle(document.body).backgroundColor);
    // A color for the background without one for the text is not used.
    assert.equal(await background(), theme === 'dark' ? 'rgb(1, 2, 3)' : 'rgb(255, 255, 255)');
    await player.evaluate(axeSource);
    const { violations } = await player.evaluate(() => globalThis.axe.run());
    assert.deepEqual(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]), []);
    await page.evaluate((other) => window.app.setContext({ theme: other }), theme === 'dark' ? 'light' : 'dark');
    await player.waitForFunction((other) => document.documentElement.style.colorScheme === other, theme === 'dark' ? 'light' : 'dark');
  });
}

test('MCP-22: the page allows its own style and script by their hashes only', async () => {
  key = await newKey('pro');
  const response = await fetch(`${stage.api.url}/mcp`, { method: 'POST', headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'resources/read', params: { uri: 'ui://tonearm/player' } }) });
  const { result: { contents: [{ text, _meta: { ui } }] } } = await response.json();
  assert.deepEqual(ui.csp, { connectDomains: [stage.url, 'https://evil.example'], resourceDomains: [stage.url, 'https://evil.example', 'https://*.evil.example'] });
  const policy = /http-equiv="Content-Security-Policy" content="([^"]+)"/.exec(text)[1];
  for (const [tag, directive] of [['style', 'style-src'], ['script', 'script-src']]) {
    const [, ...parts] = new RegExp(`<${tag}>([^]*)</${tag}>`).exec(text);
    assert.equal(parts.length, 1);
    assert.ok(policy.includes(`${directive} 'sha256-${createHash('sha256').update(parts[0]).digest('base64')}';`), directive);
  }
  assert.doesNotMatch(policy, /unsafe/);
});
