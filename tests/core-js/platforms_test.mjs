// The package outside of Node.js: a bare workerd, and the bundle for pages.

import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import { after, before, test } from 'node:test';
import { createContext, SourceTextModule } from 'node:vm';

import { bytesSource, CatalogReader } from '../../core-js/src/index.ts';
import { bundle, RUNTIME } from '../../host-wasm/bundle.mjs';
import { casesOfBuild, root } from '../cases/build_folder.mjs';
import { startRangeServer } from './range_server.mjs';

const { Miniflare } = createRequire(`${root}/host-wasm/`)('miniflare');

const TARGETS = ['/v1/search?q=rain&limit=5', '/v1/meta', '/v1/tracks/os-101', '/v1/tracks/os-101/similar', '/v1/search?limit=many', '/v1/usage'];

const wasmFile = process.env.TONEARM_WASM ?? `${root}/build/wasm/bin/tonearm.wasm`;
const wasm = readFileSync(wasmFile);
const bytes = readFileSync(casesOfBuild().snapshot);
const folder = mkdtempSync(join(tmpdir(), 'tonearm-core-js-'));
const expected = [];
let server;

before(async () => {
  server = await startRangeServer(bytes);
  const reader = await CatalogReader.open({ module: wasm, source: bytesSource(bytes) });
  for (const target of TARGETS) {
    const { status, body } = await reader.answer(target);
    expected.push({ status, body: Buffer.from(body).toString('utf8') });
  }
  assert.deepEqual(expected.map(({ status }) => status), [200, 200, 200, 200, 400, 404]);
});
after(async () => {
  await server.end();
  rmSync(folder, { recursive: true });
});

test('a bare workerd returns the same answers', async () => {
  const miniflare = new Miniflare({
    compatibilityDate: RUNTIME.compatibilityDate,
    modules: [
      { type: 'ESModule', path: 'worker.js', contents: await bundle('tests/core-js/search_worker.ts') },
      { type: 'CompiledWasm', path: 'tonearm.wasm', contents: wasm },
    ],
  });
  try {
    for (const [i, body] of TARGETS.entries()) {
      const url = `http://worker/?snapshot=${encodeURIComponent(server.url)}`;
      const response = await miniflare.dispatchFetch(url, { method: 'POST', body });
      assert.deepEqual({ status: response.status, body: await response.text() }, expected[i], body);
    }
  } finally {
    await miniflare.dispose();
  }
});

test('another package can import it by name', async () => {
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(`${root}/core-js`, join(folder, 'node_modules/tonearm-core'));
  const program = `
    import { readFileSync } from 'node:fs';
    import { bytesSource, CatalogReader, httpRangeSource } from 'tonearm-core';
    const [wasm, url, snapshot, target] = process.argv.slice(2);
    const module = new Uint8Array(readFileSync(wasm)).buffer;
    for (const source of [await httpRangeSource(url), bytesSource(readFileSync(snapshot))]) {
      const reader = await CatalogReader.open({ module, source });
      const { status, body } = await reader.answer(target);
      console.log(JSON.stringify({ status, body: new TextDecoder().decode(body) }));
    }`;
  writeFileSync(join(folder, 'program.mjs'), program);
  const call = ['program.mjs', wasmFile, server.url, casesOfBuild().snapshot, TARGETS[0]];
  const child = spawn(process.execPath, call, { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] });
  const printed = await textOf(child.stdout);
  assert.deepEqual(printed.trim().split('\n').map((line) => JSON.parse(line)), [expected[0], expected[0]]);
});

/** The globals of a web worker, without Node.js. */
const pageGlobals = () => ({ WebAssembly, TextEncoder, TextDecoder, URL, fetch, crypto, console, AbortSignal });

test('the bundle for pages is one module that needs only web APIs', async () => {
  const file = join(folder, 'tonearm-core.js');
  const { status, stderr } = spawnSync(process.execPath, [`${root}/core-js/build.mjs`, file], { encoding: 'utf8' });
  assert.equal(status, 0, stderr);
  const page = new SourceTextModule(readFileSync(file, 'utf8'), { context: createContext(pageGlobals()) });
  await page.link((name) => assert.fail(`the bundle imports ${name}`));
  await page.evaluate();
  const { CatalogReader: PageReader, httpRangeSource: pageSource } = page.namespace;
  const reader = await PageReader.open({ module: await WebAssembly.compile(wasm), source: await pageSource(server.url) });
  for (const [i, target] of TARGETS.entries()) {
    const { status: found, body } = await reader.answer(target);
    assert.deepEqual({ status: found, body: Buffer.from(body).toString('utf8') }, expected[i], target);
  }
});
