// A page in Chromium whose web worker searches a snapshot on the page's own server. Skipped with a message without Chromium.

import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';

import { bytesSource, CatalogReader } from '../../core-js/src/index.ts';
import { casesOfBuild, root } from '../cases/build_folder.mjs';
import { startRangeServer } from './range_server.mjs';

const CHROMIUM = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'].find((name) => spawnSync(name, ['--version']).status === 0);
const WAIT_MS = 120_000;

const TARGETS = ['/v1/search?q=rain&limit=5', '/v1/meta', '/v1/tracks/os-101/similar', '/v1/search?limit=many', '/v1/usage'];

const PAGE = `<!doctype html><script type="module">
  const worker = new Worker('/worker.js', { type: 'module' });
  const report = (result) => fetch('/result', { method: 'POST', body: JSON.stringify(result) });
  worker.onmessage = ({ data }) => report(data);
  worker.onerror = ({ message }) => report({ failure: message });
</script>`;

const WORKER = `
  import { bytesSource, CatalogReader, httpRangeSource } from '/tonearm-core.js';
  async function answersOver(source, module) {
    const reader = await CatalogReader.open({ module, source });
    const answers = await Promise.all(${JSON.stringify(TARGETS)}.map((target) => reader.answer(target)));
    return answers.map(({ status, body }) => ({ status, body: new TextDecoder().decode(body) }));
  }
  async function result() {
    const module = await WebAssembly.compileStreaming(fetch('/tonearm.wasm'));
    const whole = new Uint8Array(await (await fetch('/catalog.sqlite')).arrayBuffer());
    return { ranges: await answersOver(httpRangeSource('/catalog.sqlite'), module), whole: await answersOver(bytesSource(whole), module) };
  }
  result().catch((error) => ({ failure: String(error) })).then((message) => postMessage(message));`;

const wasm = readFileSync(process.env.TONEARM_WASM ?? `${root}/build/wasm/bin/tonearm.wasm`);
const bytes = readFileSync(casesOfBuild().snapshot);
const folder = mkdtempSync(join(tmpdir(), 'tonearm-browser-'));
let server;

before(async () => {
  server = await startRangeServer(bytes);
});
after(async () => {
  await server.end();
  rmSync(folder, { recursive: true, maxRetries: 10, retryDelay: 200 });
});

/** Serves page, worker, package and module next to the snapshot. Passes the result of the page to `reported`. */
function servePage(bundle, reported) {
  const files = new Map([
    ['/', ['text/html', PAGE]],
    ['/worker.js', ['text/javascript', WORKER]],
    ['/tonearm-core.js', ['text/javascript', readFileSync(bundle)]],
    ['/tonearm.wasm', ['application/wasm', wasm]],
  ]);
  server.override = (request, response) => {
    if (request.url === '/result') {
      const parts = [];
      request.on('data', (part) => parts.push(part));
      request.on('end', () => {
        response.end();
        reported(JSON.parse(Buffer.concat(parts).toString('utf8')));
      });
      return true;
    }
    const [type, content] = files.get(request.url) ?? [];
    if (type === undefined) return false;
    response.writeHead(200, { 'Content-Type': type }).end(content);
    return true;
  };
}

test('a web worker returns the same answers as a Node.js program', { skip: CHROMIUM === undefined && 'Chromium is not installed' }, async () => {
  const bundle = join(folder, 'tonearm-core.js');
  assert.equal(spawnSync(process.execPath, [`${root}/core-js/build.mjs`, bundle]).status, 0);
  const expected = [];
  const reader = await CatalogReader.open({ module: wasm, source: bytesSource(bytes) });
  for (const target of TARGETS) {
    const { status, body } = await reader.answer(target);
    expected.push({ status, body: new TextDecoder().decode(body) });
  }
  const result = new Promise((reported, failed) => {
    servePage(bundle, reported);
    setTimeout(() => failed(new Error(`the page reported nothing within ${WAIT_MS / 1000} s`)), WAIT_MS).unref();
  });
  const switches = ['--headless', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', `--user-data-dir=${join(folder, 'profile')}`];
  const browser = spawn(CHROMIUM, [...switches, new URL('/', server.url).href], { stdio: 'ignore', detached: true });
  try {
    assert.deepEqual(await result, { ranges: expected, whole: expected });
  } finally {
    const ended = new Promise((resolve) => browser.on('exit', resolve));
    process.kill(-browser.pid); // with its child processes
    await ended;
  }
});
