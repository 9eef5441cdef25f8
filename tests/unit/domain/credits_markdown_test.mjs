// Renders Markdown credits: a CommonMark parser reads the golden file, which credits_test.cpp compares with the code, and
// must find only headings, lists, words and links to the pages of the entries.
// Usage: node --test tests/unit/domain/credits_markdown_test.mjs

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const require = createRequire(resolve(here, '../../../build-support/package.json'));
const { HtmlRenderer, Parser } = require('commonmark');

const golden = (name) => readFileSync(join(here, 'golden', name), 'utf8');
const markdown = golden('credits.md');
const entries = golden('credit_entries.jsonl').trimEnd().split('\n').map((line) => JSON.parse(line));

const HEADINGS = { required: 'Credit required', requested: 'Credit requested', optional: 'No credit needed' };
const CHIPS = ['trimmed', 'loudness adjusted', 'looped', 'edited'];
const ALLOWED = new Set(['document', 'heading', 'list', 'item', 'paragraph', 'text', 'link']);

/** LICENSE-1, as far as the entries name it. */
const licenseName = (id) =>
  id === 'cc0' ? 'CC0 1.0' : id.toUpperCase().replace(/^CC-/, 'CC ').replace(/-(?=\d)/, ' ');
const licensePage = (id) => {
  const [, family, kind, version] = /^(cc|oga)-?(.*?)-?([\d.]+)$/.exec(id);
  if (id === 'cc0') return 'https://creativecommons.org/publicdomain/zero/1.0/';
  if (family === 'oga') return `https://static.opengameart.org/OGA-BY-${version}.txt`;
  return `https://creativecommons.org/licenses/${kind}/${version}/`;
};

/** The text as one line, without controls and overrides. */
const oneLine = (text) =>
  text
    .replaceAll(/[\u202a-\u202e\u2066-\u2069]/g, '')
    .replaceAll(/[\u0000-\u0008\u000e-\u001f\u007f-\u0084\u0086-\u009f]/g, '')
    .replaceAll('\t', ' ')
    .replaceAll(/ *[\n\v\f\r\u0085\u2028\u2029][ \n\v\f\r\u0085\u2028\u2029]*/g, ' ')
    .replaceAll(/^ +| +$/g, '');

/** What has to be read: the words of an entry, and where its links lead. */
function expected(entry) {
  const title = oneLine(entry.title.repeat(entry.repeat ?? 1));
  const artist = oneLine(entry.artist);
  const page = oneLine(entry.source_page);
  const links = /^https?:\/\//i.test(page);
  const name = licenseName(entry.license);
  const chips = CHIPS.filter((chip) => entry.chips?.includes(chip)).join(', ');
  const changes = [chips, oneLine(oneLine(entry.text ?? '').replace(/\.$/, ''))].filter(Boolean).join('; ');
  let words = title ? `"${title}"` : 'This work';
  if (artist) words += ` by ${artist}`;
  if (page && !links) words += ` (${page})`;
  words += ` is ${entry.license === 'cc0' ? 'marked with' : 'licensed under'} ${name}.`;
  if (changes) words += ` Changes: ${changes}.`;
  if (entry.license_changed) {
    const day = new Date(entry.recorded_s * 1000).toISOString().slice(0, 10);
    words += ` License recorded on ${day}; the source now states another one.`;
  }
  return { words, links: [...(links ? [page] : []), licensePage(entry.license)] };
}

function nodesOf(root) {
  const nodes = [];
  const walker = root.walker();
  for (let event = walker.next(); event; event = walker.next()) {
    if (event.entering) nodes.push(event.node);
  }
  return nodes;
}

/** With every escape of bytes undone: a reader escapes what a URL may not hold. */
const unescaped = (url) => url.replaceAll(/(%[0-9a-f]{2})+/gi, (bytes) => decodeURIComponent(bytes));

const read = (node) => {
  const nodes = nodesOf(node);
  const linked = nodes.filter(({ type }) => type === 'link');
  assert.ok(linked.every(({ title }) => !title));
  return {
    words: nodes.map(({ literal }) => literal ?? '').join(''),
    links: linked.map(({ destination }) => unescaped(destination)),
  };
};

const children = (node) => {
  const list = [];
  for (let child = node.firstChild; child; child = child.next) list.push(child);
  return list;
};

test('the names and pages of licenses that this test expects are those of the specification', () => {
  assert.equal(licenseName('cc-by-nc-sa-4.0'), 'CC BY-NC-SA 4.0');
  assert.equal(licenseName('cc-by-3.0'), 'CC BY 3.0');
  assert.equal(licenseName('oga-by-3.0'), 'OGA-BY 3.0');
  assert.equal(licenseName('cc0'), 'CC0 1.0');
  assert.equal(licensePage('cc-by-nc-sa-4.0'), 'https://creativecommons.org/licenses/by-nc-sa/4.0/');
});

// CREDIT-8
test('hostile credits hold nothing but headings, lists, words and links', () => {
  for (const node of nodesOf(new Parser().parse(markdown))) assert.ok(ALLOWED.has(node.type), node.type);
});

test('each list stands under its heading, with the words and the links of its entries in collection order', () => {
  const blocks = children(new Parser().parse(markdown));
  const groups = Object.keys(HEADINGS);
  assert.equal(blocks.length, 2 * groups.length + 1);
  const nonCommercial = entries.filter(({ license }) => license.includes('-nc-'));
  assert.equal(read(blocks.at(-1)).words, `${nonCommercial.length} of these tracks are for non-commercial use only.`);
  groups.forEach((group, index) => {
    const [heading, list] = blocks.slice(2 * index);
    assert.equal(heading.type, 'heading');
    assert.equal(heading.level, 2);
    assert.equal(read(heading).words, HEADINGS[group]);
    assert.equal(list.type, 'list');
    const wanted = entries.filter(({ attribution }) => attribution === group).map(expected);
    for (const each of wanted) each.links = each.links.map(unescaped);
    assert.deepEqual(children(list).map(read), wanted);
  });
});

test('as HTML they are inert, also where a reader lets HTML pass', () => {
  const html = new HtmlRenderer({ safe: false }).render(new Parser().parse(markdown));
  const tags = html.match(/<[^>]*>/g);
  for (const tag of tags) assert.match(tag, /^<\/?(h2|ul|li|p|a)>$|^<a href="https?:\/\/[^"<>]*">$/i);
  assert.equal(tags.filter((tag) => tag === '<li>').length, entries.length);
  assert.ok(!/[\u202a-\u202e\u2066-\u2069\u0000-\u0009\u000b-\u001f\u007f-\u009f]/.test(html));
});
