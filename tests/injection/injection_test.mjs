// Hostile texts as titles, artists, descriptions, notes, names of collections and files: each output is read by a parser of its
// own format, and must contain the texts as data. Prints the number of checks.
// Usage: node --test tests/injection/injection_test.mjs      (TONEARM_BIN: the programs' folder)

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';

import { wav } from '../command-line/project.mjs';
import { bin, Scratch, ServerProcess } from '../http/server_process.mjs';
import { HOSTILE_TEXTS, inCatalog, oneLine, STEERING } from '../support/hostile_texts.mjs';
import { readCsv, readHtml, readMarkdown, readToml, readYaml } from './documents.mjs';

const TEXTS = HOSTILE_TEXTS.map(({ text }) => text);
const idOf = (number) => `evil-${number}`;
const KINDS = ['music', 'sfx'];

let checks = 0;
const check = {};
for (const name of ['ok', 'equal', 'deepEqual', 'match', 'doesNotMatch']) {
  check[name] = (...values) => {
    checks += 1;
    assert[name](...values);
  };
}

/** A track whose every text is hostile. */
const lineOf = (text, number) => ({
  id: idOf(number), kind: KINDS[number % 2], title: text, artist: `${text} by`, description: text, credit_as: number % 3 ? undefined : text,
  duration_s: 9, license: 'cc-by-4.0', source: 'evil.example', source_page: `https://evil.example/?q=${encodeURIComponent(inCatalog(text)).replaceAll("'", '%27')}`,
});

/** Lines that the builder rejects, with hostile texts where a report quotes them. */
const rejectedLines = TEXTS.flatMap((text, number) => [
  { ...lineOf('x', 5000 + number), id: text },
  { ...lineOf('x', 6000 + number), tags: { genre: [text] } },
  { ...lineOf('x', 7000 + number), license: text },
  { ...lineOf('x', 8000 + number), [`key ${text}`]: text },
  { ...lineOf('x', 9000 + number), source_page: text },
]);

let scratch;
let server;
let key;
let account;
let collection;

const call = async (method, path, body, headers = {}) => {
  const response = await fetch(`${server.url}${path}`, {
    method,
    headers: { Authorization: `Bearer ${key}`, ...(body === undefined ? {} : { 'Content-Type': 'application/json' }), ...headers },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  const text = await response.text();
  const isJson = /^application\/json(;|$)/.test(response.headers.get('content-type') ?? '');
  return { status: response.status, headers: response.headers, text, body: isJson ? JSON.parse(text) : null };
};

function run(program, words, options = {}) {
  return spawnSync(join(bin, program), words, { encoding: 'utf8', maxBuffer: 1 << 28, ...options });
}

/** No line for a person or a log contains what steers it. */
function checkLines(text, what) {
  for (const line of text.split('\n')) check.doesNotMatch(line, STEERING, what);
}

before(async () => {
  scratch = new Scratch();
  writeFileSync(scratch.at('lines.jsonl'), [...TEXTS.map(lineOf), ...rejectedLines].map((line) => `${JSON.stringify(line)}\n`).join(''));
  const built = run('tonearm-catalog', ['build', '--input', scratch.at('lines.jsonl'), '--output', scratch.at('catalog.sqlite'), '--report', scratch.at('report.json')]);
  assert.equal(built.status, 0, built.stderr);
  checkLines(built.stdout + built.stderr, 'the output of build');
  server = await ServerProcess.start(scratch, { words: ['--audit-log', scratch.at('audit.log'), '--log-file', scratch.at('server.log'), '--log-format', 'json'] });
  account = (await server.admin('POST', '/admin/accounts', { plan: 'unlimited' })).body.account;
  key = (await server.admin('POST', `/admin/accounts/${account}/keys`, {})).body.key;
});

after(async () => {
  assert.equal(await server?.stop(), 0);
  scratch?.remove();
  console.log(`${checks} checks of ${TEXTS.length} hostile texts`);
});

// LINE-4, LINE-9
test('the builder reports hostile lines as data, and its snapshot has the texts as they were', () => {
  const report = JSON.parse(readFileSync(scratch.at('report.json'), 'utf8'));
  check.ok(report.left_out_total >= 4 * TEXTS.length - 10, 'each hostile line is reported');
  for (const { message } of report.left_out) check.ok(!STEERING.test(message), message);
  for (const words of [['inspect'], ['inspect', '--json'], ['verify']]) {
    const { status, stdout, stderr } = run('tonearm-catalog', [words[0], scratch.at('catalog.sqlite'), ...words.slice(1)]);
    check.equal(status, 0, stderr);
    checkLines(stdout + stderr, words.join(' '));
  }
});

// API answers: JSON-1, TRACK-1, SEARCH-2
test('every answer of the API has a hostile text as data', async () => {
  for (const [number, text] of TEXTS.entries()) {
    const kept = inCatalog(text);
    const track = await call('GET', `/v1/tracks/${idOf(number)}`);
    check.equal(track.status, 200, text);
    check.equal(track.body.title, kept);
    check.equal(track.body.artist, `${kept} by`);
    check.equal(track.body.description, kept);
    check.equal(track.headers.get('x-content-type-options'), 'nosniff');
    check.ok(!STEERING.test(track.body.credit_line ?? ''), 'a credit line is one line');
    const value = encodeURIComponent(text);
    for (const path of [`/v1/search?kind=${KINDS[number % 2]}&q=${value}`, `/v1/search?kind=music&match=all&q=${value}`, `/v1/complete?kind=music&q=${value}`,
      `/v1/meta?artist=${value}`, `/v1/tracks?ids=${value}`, `/v1/tracks/${value}`, `/v1/search?kind=music&cursor=${value}`, `/v1/${value}`, `/v1/search?${value}=1`]) {
      const answer = await call('GET', path);
      check.ok([200, 304, 400, 404].includes(answer.status), `${answer.status} for ${path}`);
      check.ok(answer.body !== null, path);
      if (answer.body.error) check.ok(!STEERING.test(answer.body.message), path);
    }
    const artist = await call('GET', `/v1/search?kind=${KINDS[number % 2]}&artist=${encodeURIComponent(`${kept} by`)}`);
    check.ok([200, 400].includes(artist.status), text);
    if (artist.status === 200) check.ok(artist.body.tracks.some(({ id }) => id === idOf(number)), `the artist of ${JSON.stringify(text)}`);
  }
});

/** COLLECTION-6: a text without Unicode's white space at its ends. */
const trimmed = (text) => text.replaceAll(/^\p{White_Space}+|\p{White_Space}+$/gu, '');

// COLLECTION-6, ITEM-9
test('names, notes and modifications are stored as they were sent, or rejected', async () => {
  collection = (await call('POST', '/v1/collections', { name: 'Hostile' })).body.id;
  for (const [number, text] of TEXTS.entries()) {
    const made = await call('POST', '/v1/collections', { name: text });
    check.ok([201, 400].includes(made.status), text);
    if (made.status === 201) {
      check.equal(made.body.name, trimmed(text));
      check.equal((await call('GET', `/v1/collections/${made.body.id}`)).body.name, trimmed(text));
      check.equal((await call('DELETE', `/v1/collections/${made.body.id}?confirm=true`)).status, 200);
    } else {
      check.ok(!STEERING.test(made.body.message), text);
    }
    const item = { track: idOf(number), note: text, modifications: { chips: ['trimmed'], text } };
    let added = await call('POST', `/v1/collections/${collection}/items`, item);
    if (added.status === 400) {
      check.ok(!STEERING.test(added.body.message), text);
      added = await call('POST', `/v1/collections/${collection}/items`, { track: idOf(number) });
    }
    check.equal(added.status, 201, added.text);
    const stored = added.body.items.find(({ track_id: id }) => id === idOf(number));
    check.equal(stored.license_record.title, inCatalog(text));
    if (stored.note !== null) check.equal(trimmed(stored.note), trimmed(text));
  }
});

const credits = async (format, heading = '') => (await call('GET', `/v1/collections/${collection}/credits?format=${format}${heading}`)).text;
const entries = async () => JSON.parse(await credits('json')).credits;

/** CREDIT-10 for one cell. */
function cellOf(text) {
  const kept = text.replaceAll(/[\u202a-\u202e\u2066-\u2069\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g, '');
  return /^[=+\-@\t\r]/.test(kept) ? `'${kept}` : kept;
}

// CREDIT-3 to CREDIT-10, CREDIT-13, CREDIT-16 to CREDIT-19
test('credits are data in every format', async () => {
  const all = await entries();
  check.equal(all.length, TEXTS.length);

  const [header, ...rows] = readCsv(await credits('csv'));
  const column = (name) => header.indexOf(name);
  check.equal(rows.length, all.length);
  for (const [i, row] of rows.entries()) {
    check.equal(row.length, header.length);
    check.equal(row[column('title')], cellOf(all[i].title));
    check.equal(row[column('artist')], cellOf(all[i].artist));
    for (const cell of row) check.doesNotMatch(cell, /^[=+\-@\t\r]/, 'a formula');
  }

  const list = readYaml(await credits('attributions'));
  check.equal(list.length, all.length);
  for (const [i, entry] of list.entries()) {
    check.equal(entry.title, oneLine(all[i].title));
    check.equal(entry.artist, oneLine(all[i].artist));
    check.deepEqual(Object.keys(entry), ['track_id', 'title', 'artist', 'source_page', 'license', 'license_name', 'license_url', 'attribution', 'changes', 'license_changed', 'credit_line']);
    for (const [name, value] of Object.entries(entry)) check.ok(value === null || typeof value === (name === 'license_changed' ? 'boolean' : 'string'), name);
  }

  const reuse = readToml(await credits('reuse'));
  check.deepEqual(Object.keys(reuse).sort(), ['annotations', 'version']);
  check.equal(reuse.annotations.length, all.length);
  for (const [i, annotation] of reuse.annotations.entries()) {
    check.deepEqual(Object.keys(annotation).sort(), ['SPDX-FileCopyrightText', 'SPDX-License-Identifier', 'path']);
    check.equal(annotation.path, `**${all[i].track_id}.*`);
  }

  const html = readHtml(await credits('html'));
  check.equal(html.items.length, all.length);
  for (const [tag, attributes] of html.tags) {
    check.ok(['h2', 'ul', 'li', 'a', 'p'].includes(tag), tag);
    check.deepEqual(Object.keys(attributes), tag === 'a' ? ['href'] : []);
    if (tag === 'a') check.match(attributes.href, /^https?:\/\//);
  }
  for (const [i, item] of html.items.entries()) check.ok(item.includes(oneLine(all[i].title)), JSON.stringify(all[i].title));

  const markdown = readMarkdown(await credits('markdown'));
  check.deepEqual([...markdown.types].filter((type) => !['document', 'heading', 'list', 'item', 'paragraph', 'text', 'link'].includes(type)), []);
  check.equal(markdown.items.length, all.length);
  for (const address of markdown.links) check.match(address, /^https?:\/\//);
  for (const [i, item] of markdown.items.entries()) check.ok(item.includes(oneLine(all[i].title)), JSON.stringify(all[i].title));

  for (const format of ['text', 'youtube']) {
    const text = await credits(format);
    checkLines(text, format);
    if (format === 'youtube') check.doesNotMatch(text, /[<>]/);
    if (format === 'text') check.equal(text.split('\n').filter((line) => line.includes(' is licensed under ')).length, all.length);
  }
  for (const text of TEXTS) {
    const heading = `&heading=${encodeURIComponent(text)}`;
    const shown = await call('GET', `/v1/collections/${collection}/credits?format=html${heading}`);
    check.ok([200, 400].includes(shown.status), text);
    if (shown.status === 200) check.ok(!/<(script|img|svg|iframe|x)\b/i.test(shown.text), text);
  }
});

test('the export has a line for each thing, and the texts as data', async () => {
  const exported = await call('GET', '/v1/export');
  check.equal(exported.status, 200);
  const lines = exported.text.trimEnd().split('\n').map((line) => JSON.parse(line));
  const text = JSON.stringify(lines);
  for (const title of TEXTS) check.ok(text.includes(JSON.stringify(inCatalog(title)).slice(1, -1)), title);
});

const message = (name, words) => ({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: words } });

// MCP-9, MCP-15
test('tools of MCP have hostile texts as data, in the structure and in the text', async () => {
  for (const [number, text] of TEXTS.entries()) {
    const unknown = number % 3 === 0 ? [[text, {}]] : []; // such messages are limited to 60 a minute (LIMIT-16)
    for (const [name, words] of [['get_track', { track_id: idOf(number) }], ['search_tracks', { kind: KINDS[number % 2], q: text }], ['search_tracks', { kind: text }], ...unknown]) {
      const { status, body } = await call('POST', '/mcp', message(name, words), { Accept: 'application/json, text/event-stream' });
      check.ok(status === 200 || status === 400, `${status} for ${name}`);
      check.equal(body.jsonrpc, '2.0');
      if (body.error) {
        check.ok(!STEERING.test(body.error.message), body.error.message);
      } else {
        const { content, structuredContent } = body.result;
        if (structuredContent) check.ok(content.some((part) => isSame(part.text, structuredContent)), name);
        if (name === 'get_track') {
          check.equal(visible(structuredContent.title), visible(cut(inCatalog(text))));
          for (const shown of [structuredContent.title, structuredContent.artist]) check.doesNotMatch(shown, HIDDEN);
        }
        check.ok(body.result.isError === undefined || typeof body.result.isError === 'boolean');
      }
    }
  }
  for (const format of ['json', 'text', 'csv']) {
    const { body } = await call('POST', '/mcp', message('export_credits', { collection_id: collection, format }), { Accept: 'application/json, text/event-stream' });
    check.ok(body.result, JSON.stringify(body.error));
  }
});

/** MCP-9: a title as tools show it. */
const cut = (text) => ([...text].length > 120 ? `${[...text].slice(0, 120).join('')}…` : text);

/** MCP-11: controls, direction marks and overrides, tag characters. */
const HIDDEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]|[\u{e0000}-\u{e007f}]/u;

/** A text without characters that nobody sees. */
const visible = (text) => text.replaceAll(/[\p{C}\u3164\u115f]/gu, '');

function isSame(text, value) {
  try {
    assert.deepEqual(JSON.parse(text), value);
    return true;
  } catch {
    return false;
  }
}

// RECORD-1, ADMIN-7, PROGRAM-20
test('call records, the audit log and the log have one line for each entry, and the texts as data', async () => {
  const latin = (text) => text.replaceAll(/[^\t\x20-\x7e\u0080-\u00ff]/g, '?').replaceAll(/[\x7f-\x9f]/g, '?').trim();
  for (const text of TEXTS) {
    await call('GET', `/v1/search?kind=music&q=${encodeURIComponent(text)}`, undefined, { 'User-Agent': latin(text) || 'x', 'X-Request-Id': latin(text) || 'x' });
    await server.admin('GET', `/admin/accounts/${encodeURIComponent(text)}`);
    await server.admin('POST', '/admin/accounts', { plan: text });
    await server.admin('GET', `/admin/accounts?cursor=${encodeURIComponent(text)}`);
  }
  const { body: { calls } } = await server.admin('GET', `/admin/accounts/${account}/calls?limit=1000`);
  const searched = new Set(calls.map(({ search_text: text }) => text));
  check.ok(searched.has("'; DROP TABLE tracks; --"), 'the text of a search is in its record');
  const audit = readFileSync(scratch.at('audit.log'), 'utf8').trimEnd().split('\n');
  check.ok(audit.length >= TEXTS.length); // plain reads are counted, not audited (ADMIN-7)
  for (const line of audit) {
    check.equal(typeof JSON.parse(line).status, 'number', line);
    check.doesNotMatch(line, STEERING);
  }
  for (const line of readFileSync(scratch.at('server.log'), 'utf8').trimEnd().split('\n')) {
    check.doesNotMatch(line, STEERING);
    check.ok(JSON.parse(line));
  }
  for (const words of [['calls', account], ['usage', account], ['account', 'list']]) {
    const shown = run('tonearm-admin', ['--server', server.adminUrl, '--token-file', scratch.at('token'), ...words]);
    check.equal(shown.status, 0, shown.stderr);
    checkLines(shown.stdout, words.join(' '));
  }
});

// CLI-4
test('the command line prints hostile texts as data', () => {
  const environment = { env: { ...process.env, TONEARM_API_KEY: key, TONEARM_API: server.url } };
  for (const words of [['search', '--kind', 'music', '--limit', '50'], ['collection', 'show', collection], ['collection', 'credits', collection]]) {
    for (const form of ['--table', '--json']) {
      const { stdout, stderr } = run('tonearm', [...words, form], environment);
      check.ok(stdout.length > 0, stderr);
      checkLines(stdout.replaceAll('\t', ' '), `${words.join(' ')} ${form}`);
    }
  }
});

// BUILD-11
test('files with hostile names are tracks, and no path leaves the folder', async () => {
  const names = TEXTS.map((text) => text.replaceAll(/[/\u0000]/g, '_').slice(0, 60)).filter((name) => name !== '' && Buffer.byteLength(name) < 200);
  const audio = scratch.at('audio');
  mkdirSync(audio);
  const sound = wav(1, { seconds: 1 });
  for (const [number, name] of names.entries()) {
    const bytes = Buffer.from(sound);
    bytes.writeInt16LE(number, 44);
    writeFileSync(join(audio, `${name}.wav`), bytes);
    writeFileSync(join(audio, `${name}.wav.license`), 'SPDX-License-Identifier: CC-BY-4.0\nSPDX-FileCopyrightText: Mallory\n');
  }
  writeFileSync(join(audio, 'tonearm.toml'), 'domain = "evil.example"\nid_prefix = "file"\n');
  const built = run('tonearm-catalog', ['build', '--source', `folder:${audio}`, '--output', scratch.at('folder.sqlite'), '--report', scratch.at('folder.json'),
    '--media-output', scratch.at('media'), '--media-url', 'https://evil.example/media']);
  check.equal(built.status, 0, built.stderr);
  checkLines(built.stdout + built.stderr, 'the output of build');
  const report = JSON.parse(readFileSync(scratch.at('folder.json'), 'utf8'));
  check.ok(report, 'the report is JSON');
  for (const file of readdirSync(scratch.at('media'), { recursive: true })) check.doesNotMatch(file, /\.\.|[\u0000-\u001f]/);
  const here = readdirSync(scratch.folder).sort();
  check.ok(!existsSync(join(scratch.folder, '..', 'etc')), 'nothing outside of the folder');
  check.deepEqual(here.filter((name) => !/^(audio|audit\.log|catalog\.sqlite|folder\.(json|sqlite.*)|lines\.jsonl|media|report\.json|server\.log|state\.sqlite.*|token)$/.test(name)), []);
  const files = names.slice(0, 100).map((name) => ({ name: `${name}.wav` }));
  const matched = await call('POST', '/v1/credits/match', { files });
  check.equal(matched.status, 200, matched.text);
  check.deepEqual(matched.body.files.map(({ name }) => name), files.map(({ name }) => name));
});
