// tonearm-catalog check-links against a local web: what it requests, what it refuses, how it resumes, and how the next
// build uses its results.
// Usage: node --test tests/http/links_test.mjs      (TONEARM_BIN: the programs' folder)

import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';

import { eventually } from '../support/waiting.mjs';
import { bin } from './server_process.mjs';

const BY = 'https://creativecommons.org/licenses/by/4.0/';
const NC = 'https://creativecommons.org/licenses/by-nc/4.0/';
const program = join(bin, 'tonearm-catalog');

let folder;
let web;
let base;
const asked = []; // "GET /path"
const answers = {
  '/robots.txt': (response) => response.end('User-agent: *\nDisallow: /secret\n'),
  '/song.mp3': (response) => response.writeHead(200, { 'content-type': 'audio/mpeg' }).end(),
  '/page': (response) => response.writeHead(200, { 'content-type': 'text/html' }).end(`<a rel="license" href="${BY}">`),
  '/other': (response) => response.writeHead(200, { 'content-type': 'text/html' }).end(`<a rel="license" href="${NC}">`),
  '/soft404.mp3': (response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Oh no</h1>'),
  '/inside': (response, { port }) => response.writeHead(302, { location: `http://127.0.0.2:${port}/x` }).end(),
  '/endless': (response) => {
    response.writeHead(200, { 'content-type': 'text/html' });
    const more = () => { while (!response.destroyed && response.write('x'.repeat(65_536))); };
    response.on('drain', more);
    more();
  },
};

const at = (name) => join(folder, name);

function track(number, { preview = null, page = null, license = 'cc-by-4.0' }) {
  return { id: `t-${number}`, kind: 'music', title: `Song ${number}`, artist: 'A', duration_s: 60, license, source: 'a.example',
    preview_url: preview, source_page: page };
}

function build(name, tracks, ...words) {
  writeFileSync(at(`${name}.jsonl`), tracks.map((one) => `${JSON.stringify(one)}\n`).join(''));
  const built = spawnSync(program, ['build', '--input', at(`${name}.jsonl`), '--output', at(`${name}.sqlite`), '--report',
    at(`${name}.json`), ...words], { encoding: 'utf8' });
  assert.equal(built.status, 0, built.stderr);
  return { report: JSON.parse(readFileSync(at(`${name}.json`), 'utf8')), errors: built.stderr };
}

const words = (name, ...more) => ['check-links', at(`${name}.sqlite`), '--results', at(`${name}.links`), '--pause',
  more.includes('--slowly') ? '100' : '1', ...more.filter((word) => word !== '--slowly')];

/** Runs a check while this process serves it. */
function check(name, ...more) {
  const child = spawn(program, words(name, ...more), { env: { ...process.env, http_proxy: base, ALL_PROXY: base } });
  const run = { child, out: '', errors: '' };
  child.stdout.on('data', (data) => { run.out += data; });
  child.stderr.on('data', (data) => { run.errors += data; });
  run.ended = new Promise((done) => { child.on('close', (status, signal) => done(status ?? signal)); });
  return run;
}

async function checked(name, ...more) {
  const run = check(name, ...more);
  const status = await run.ended;
  assert.equal(status, 0, run.errors);
  return run.out;
}

const results = (name) => Object.fromEntries(readFileSync(at(`${name}.links`), 'utf8').trim().split('\n')
  .map((line) => JSON.parse(line)).map((record) => [record.url, record]));

before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tonearm-links-'));
  web = http.createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    const answer = answers[request.url] ?? ((one) => one.writeHead(404).end());
    answer(response, web.address());
  });
  await new Promise((done) => { web.listen(0, '127.0.0.1', done); });
  base = `http://127.0.0.1:${web.address().port}`;
});

after(async () => {
  web.closeAllConnections();
  await new Promise((done) => { web.close(done); });
  rmSync(folder, { recursive: true, force: true });
});

const allow = ['--allow-address', '127.0.0.1'];

test('findings are used by the next build', async () => {
  const tracks = [
    track(1, { preview: `${base}/song.mp3`, page: `${base}/page` }),
    track(2, { preview: `${base}/lost.mp3`, page: `${base}/lost` }),
    track(3, { preview: `${base}/soft404.mp3`, page: `${base}/other` }),
    track(4, { preview: `${base}/secret/x.mp3`, page: `${base}/endless` }),
  ];
  build('found', tracks);
  const out = await checked('found', ...allow, '--contact', 'https://a.example/robots');
  assert.equal(out, '8 URLs checked\n  ok  4\n  gone  3\n  refused  1\n');
  const found = results('found');
  assert.deepEqual(found[`${base}/page`].licenses, [BY]);
  assert.equal(found[`${base}/soft404.mp3`].reason, 'a page in the place of audio');
  assert.ok(!asked.some((one) => one.includes('/secret')), 'robots.txt is obeyed');
  assert.equal(asked.filter((one) => one.endsWith('/robots.txt')).length, 1);

  const { report } = build('found', tracks, '--links', at('found.links'));
  assert.deepEqual(report.links, { previews_dropped: 2, originals_dropped: 0, pages_gone: 1, verified: 1 });
  assert.deepEqual(report.license_page_differences, [{ id: 't-3', license: BY, page_names: NC }]);
  const shown = spawnSync(program, ['verify', at('found.sqlite')], { encoding: 'utf8' });
  assert.equal(shown.status, 0, shown.stderr);
});

test('only public addresses are connected to, however they are written or redirected to', async () => {
  const { port } = web.address();
  const hosts = ['127.0.0.1', 'localhost', '[::1]', '[::ffff:127.0.0.1]', '2130706433', '0x7f000001', '0177.0.0.1', '127.1', '0'];
  build('inside', hosts.map((host, i) => track(i + 1, { preview: `http://${host}:${port}/song.mp3` })));
  const before = asked.length;
  await checked('inside');
  assert.equal(asked.length, before, 'no request came');
  for (const record of Object.values(results('inside'))) {
    assert.ok(['not_public', 'unreachable'].includes(record.state), JSON.stringify(record));
  }
  assert.equal(results('inside')[`${base}/song.mp3`].state, 'not_public');

  build('led', [track(1, { page: `${base}/inside` })]);
  await checked('led', ...allow);
  assert.equal(results('led')[`${base}/inside`].state, 'not_public');
});

test('a killed check resumes where it stopped', async () => {
  const count = 30;
  build('killed', Array.from({ length: count }, (_, i) => track(i + 1, { page: `${base}/missing/${i}` })));
  const run = check('killed', ...allow, '--slowly');
  await eventually(() => existsSync(at('killed.links')) && readFileSync(at('killed.links'), 'utf8').split('\n').length > 5);
  run.child.kill('SIGKILL');
  await run.ended;
  appendFileSync(at('killed.links'), '{"url":"http');
  const known = readFileSync(at('killed.links'), 'utf8').split('\n').length - 1;
  await eventually(() => new Promise((done) => { web.getConnections((_, open) => done(open === 0)); }), 'the end of the requests of the killed check');
  const before = asked.filter((one) => one.includes('/missing/')).length;
  assert.equal(await checked('killed', ...allow), `${count - known} URLs checked\n  gone  ${count - known}\n`);
  assert.equal(asked.filter((one) => one.includes('/missing/')).length - before, count - known);
  assert.equal(Object.keys(results('killed')).length, count);
  assert.equal(await checked('killed', ...allow), '0 URLs checked\n');
  assert.match(await checked('killed', ...allow, '--max-age', '0', '--limit', '7'), /^7 URLs checked/);
});

test('a second check of the same results is refused, and so is an invalid address block', async () => {
  build('twice', Array.from({ length: 10 }, (_, i) => track(i + 1, { page: `${base}/missing/twice${i}` })));
  const first = check('twice', ...allow, '--slowly');
  await eventually(() => existsSync(at('twice.links')) && readFileSync(at('twice.links'), 'utf8').includes('\n'));
  const second = spawnSync(program, words('twice', ...allow), { encoding: 'utf8' });
  assert.equal(second.status, 1);
  assert.match(second.stderr, /twice\.links: another check is writing this file\n$/);
  assert.equal(await first.ended, 0);
  const wrong = spawnSync(program, words('twice', '--allow-address', '10.0.0.1/8'), { encoding: 'utf8' });
  assert.equal(wrong.status, 2);
});

test('a build refuses an invalid results file', () => {
  writeFileSync(at('none.links'), 'not a result}\n');
  writeFileSync(at('none.jsonl'), `${JSON.stringify(track(1, {}))}\n`);
  for (const [links, message] of [[at('none.links'), /none\.links:1: is not a result of check-links/], [at('absent'), /absent/]]) {
    const built = spawnSync(program, ['build', '--input', at('none.jsonl'), '--output', at('none.sqlite'), '--links', links],
      { encoding: 'utf8' });
    assert.equal(built.status, 1);
    assert.match(built.stderr, message);
    assert.ok(!existsSync(at('none.sqlite')));
  }
});
