// Runs the examples of the documentation with a server. README.md describes how pages mark them.
// Usage: node --test tests/docs/examples_test.mjs      (TONEARM_BIN: the programs' folder, by default build/native/bin)

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { LaunchedServer } from '../support/launched_server.mjs';
import { examplesOf, jsonDifference, textMatches } from './examples.mjs';
import { parametersModule, referencePage } from './reference.mjs';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
const bin = resolve(process.env.TONEARM_BIN ?? join(root, 'build/native/bin'));
const TOKEN = 'an-admin-token-of-the-examples';
const END = '\x1e'; // separates the outputs of a page's blocks

const pages = ['README.md', 'CONTRIBUTING.md', ...readdirSync(join(root, 'docs'), { recursive: true })
  .filter((name) => name.endsWith('.md')).map((name) => join('docs', name)).sort()]
  .map((name) => ({ name, ...examplesOf(readFileSync(join(root, name), 'utf8')) }));

/** Pages that must have examples. Otherwise a page without any would pass. */
const WITH_EXAMPLES = ['README.md', 'docs/guide/ten-minutes.md', 'docs/guide/mcp.md', 'docs/guide/catalog-builder.md', 'docs/guide/folder.md',
  'docs/api/collections.md', ...['search-and-ranking', 'licenses', 'attribution', 'limits', 'errors', 'untrusted-data', 'revisions']
    .map((name) => `docs/concepts/${name}.md`), ...['freesound', 'openverse', 'jamendo'].map((name) => `docs/guide/coming-from-${name}.md`)];

let folder;
let server;

before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tonearm-docs-'));
  writeFileSync(join(folder, 'token'), `${TOKEN}\n`);
  const built = spawnSync(join(bin, 'tonearm-catalog'), ['build', '--allow-share-alike', '--input', join(root, 'tests/cases/catalog.jsonl'),
    '--output', join(folder, 'catalog.sqlite')], { encoding: 'utf8' });
  assert.equal(built.status, 0, built.stderr);
  server = await LaunchedServer.launch(join(bin, 'tonearm-server'), ['--catalog', join(folder, 'catalog.sqlite'), '--state',
    join(folder, 'state.sqlite'), '--listen', '127.0.0.1:0', '--admin-listen', '127.0.0.1:0', '--admin-token-file', join(folder, 'token')]);
});

after(async () => {
  await LaunchedServer.endAll();
  rmSync(folder, { recursive: true, force: true });
});

async function administer(path, body) {
  const answer = await fetch(`${server.adminUrl}${path}`, { method: 'POST', body,
    headers: { Authorization: `Bearer ${TOKEN}`, 'Content-Type': 'application/json' } });
  assert.equal(answer.status, 201);
  return answer.json();
}

/** Returns a WAV file with two seconds of noise: mono, 16 bits, 8 kHz. */
function noise() {
  const RATE = 8_000;
  const samples = Buffer.alloc(2 * RATE * 2);
  for (let i = 0, state = 1; i < samples.length; i += 2) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    samples.writeInt16LE((state >>> 18) - 8_192, i);
  }
  const head = Buffer.alloc(44);
  head.write('RIFF', 0);
  head.writeUInt32LE(36 + samples.length, 4);
  head.write('WAVEfmt ', 8);
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20); // PCM
  head.writeUInt16LE(1, 22);
  head.writeUInt32LE(RATE, 24);
  head.writeUInt32LE(RATE * 2, 28);
  head.writeUInt16LE(2, 32);
  head.writeUInt16LE(16, 34);
  head.write('data', 36);
  head.writeUInt32LE(samples.length, 40);
  return Buffer.concat([head, samples]);
}

/** Runs the commands of a page in one shell, and returns the output of each block. */
async function run(page) {
  const { account } = await administer('/admin/accounts', '{"plan":"pro"}');
  const { key } = await administer(`/admin/accounts/${account}/keys`);
  const place = join(folder, page.name.replaceAll('/', '-'));
  mkdirSync(place);
  symlinkSync(join(root, 'tests'), join(place, 'tests'));
  writeFileSync(join(place, '.curlrc'), 'silent\nshow-error\n');
  writeFileSync(join(place, 'rain.wav'), noise());
  const script = ['set -euo pipefail', ...page.runs.map(({ text }) => `${text}\nprintf '\\036'`)].join('\n');
  const ended = spawnSync('bash', ['-c', script], { encoding: 'utf8', cwd: place, timeout: 120_000,
    env: { ...process.env, HOME: place, PATH: `${bin}:${process.env.PATH}`, URL: server.url, KEY: key } });
  const written = ended.stdout.split(END);
  const last = page.runs[Math.min(written.length, page.runs.length) - 1];
  assert.equal(ended.status, 0, `${page.name}, the block at line ${last.line}: ${ended.stderr}${written.at(-1)}`);
  return written.slice(0, -1);
}

function check(where, { form, text }, written) {
  if (form === 'text') {
    assert.ok(textMatches(text, written), `${where} states\n${text}\nand it was\n${written}`);
    return;
  }
  const difference = jsonDifference(JSON.parse(text), JSON.parse(written));
  assert.equal(difference, null, `${where}: ${difference}\n${written}`);
}

test('every example states that it runs, or why not', () => {
  assert.deepEqual(pages.flatMap(({ name, violations }) => violations.map((violation) => `${name}, ${violation}`)), []);
  for (const name of WITH_EXAMPLES) {
    const page = pages.find((one) => one.name === name);
    assert.ok(page?.runs.some(({ outputs }) => outputs.length > 0), `${name} has no executed example with its output`);
  }
  const runs = pages.reduce((sum, page) => sum + page.runs.length, 0);
  const left = pages.reduce((sum, page) => sum + page.skipped.length, 0);
  console.log(`# ${runs} examples run, ${left} do not`);
});

for (const page of pages.filter(({ runs }) => runs.length > 0)) {
  test(`the examples of ${page.name} have the documented output`, async () => {
    const written = await run(page);
    for (const [index, { line, outputs }] of page.runs.entries()) {
      if (outputs.length === 0) assert.doesNotMatch(written[index], /\{"error":/, `${page.name}, line ${line}`);
      for (const output of outputs) check(`${page.name}, line ${output.line}`, output, written[index]);
    }
  });
}

for (const [place, make] of [['docs/api/reference.md', referencePage], ['web-demo-server/site/src/search/parameters.ts', parametersModule]]) {
  test(`${place} is up to date with the table of routes`, async () => {
    const text = make(await (await fetch(`${server.url}/openapi.json`)).json());
    const path = join(root, place);
    if (process.env.TONEARM_RECORD) writeFileSync(path, text);
    assert.equal(readFileSync(path, 'utf8'), text);
  });
}

test('a wrong output is detected', () => {
  assert.equal(jsonDifference({ a: '...', b: [1, '...'] }, { a: 5, b: [1, 2, 3], c: null }), null);
  assert.equal(jsonDifference({ a: 1 }, { a: 2 }), '$.a: 2, not 1');
  assert.equal(jsonDifference({ a: 1 }, {}), '$.a: is missing');
  assert.equal(jsonDifference([1], [1, 2]), '$: 2 elements');
  assert.equal(jsonDifference({ a: null }, { a: {} }), '$.a: {}, not null');
  assert.ok(textMatches('a ... c\n...\nend', 'a b c\nx\ny\nend\n'));
  assert.ok(!textMatches('a ... c\nend', 'a b c\nx\nend\n'));
  assert.ok(!textMatches('a', 'ab\n'));
  assert.deepEqual(examplesOf('```sh\nls\n```\n').violations, ['line 1: `sh` has neither run nor not-run: REASON']);
  assert.throws(() => examplesOf('```sh run\nls\n'), /line 1: the block is not closed/);
});
