// Measures the sizes of the module and the package, and the time and reads of opening and searching in Node.js.
//
//     node tests/core-js/measure.mjs --snapshot FILE [--wasm FILE] [--repeat N]
//
// A separate process on this machine serves the snapshot over HTTP ranges. Cold is the first call of a new reader. Warm repeats
// the words with another limit, so that blocks are cached but whole answers are not.

import { fork, spawnSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

import { CatalogReader, httpRangeSource } from '../../core-js/src/index.ts';
import { root } from '../cases/build_folder.mjs';
import { startRangeServer } from './range_server.mjs';

const WORDS = 60;

const { values } = parseArgs({
  options: {
    snapshot: { type: 'string' },
    wasm: { type: 'string', default: `${root}/build/wasm/bin/tonearm.wasm` },
    repeat: { type: 'string', default: '5' },
    serve: { type: 'boolean', default: false },
  },
});

const percentile = (numbers, share) => numbers.toSorted((a, b) => a - b)[Math.min(numbers.length - 1, Math.floor(share * numbers.length))];
const kib = (bytes) => Math.round(bytes / 1024);

/** Prints `name: p50, p95, most` of a list of numbers. */
function show(name, numbers, unit) {
  const [p50, p95, most] = [percentile(numbers, 0.5), percentile(numbers, 0.95), Math.max(...numbers)].map((value) => value.toFixed(unit === 'ms' ? 1 : 0));
  console.log(`${name}: p50 ${p50}, p95 ${p95}, most ${most} ${unit}`);
}

async function timed(work) {
  const start = performance.now();
  const result = await work();
  return { result, ms: performance.now() - start };
}

function showSizes() {
  const bundle = resolve(root, 'build/core-js/tonearm-core.js');
  const { status, stderr } = spawnSync(process.execPath, [`${root}/core-js/build.mjs`, bundle], { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  for (const file of [values.wasm, bundle]) {
    const bytes = readFileSync(file);
    const brotli = brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } });
    console.log(`${file}: ${bytes.length} bytes, gzip -9 ${gzipSync(bytes, { level: 9 }).length}, brotli -q 11 ${brotli.length}`);
  }
}

/** Returns rare and common words from titles. */
async function wordsOf(reader) {
  const { body } = await reader.answer(`/v1/search?limit=50`);
  const titles = JSON.parse(new TextDecoder().decode(body)).tracks.map(({ title }) => title);
  const words = new Set(titles.flatMap((title) => title.toLowerCase().split(/[^a-z]+/)).filter((word) => word.length > 3));
  return [...words].slice(0, WORDS);
}

async function measure(url) {
  showSizes();
  const wasm = readFileSync(values.wasm);
  const compiling = await timed(() => WebAssembly.compile(wasm));
  const module = compiling.result;
  console.log(`compiling the module: ${compiling.ms.toFixed(0)} ms`);
  const open = () => CatalogReader.open({ module, source: httpRangeSource(url), allowEvaluation: true });
  const opened = [];
  for (let i = 0; i < Number(values.repeat); ++i) {
    const { result, ms } = await timed(open);
    opened.push({ ms, ...result.statistics });
    result.close();
  }
  show('open', opened.map(({ ms }) => ms), 'ms');
  console.log(`open reads ${opened[0].rounds} rounds, ${kib(opened[0].bytes)} KiB`);
  const words = await wordsOf(await open());
  const [cold, rounds, bytes, warm] = [[], [], [], []];
  let reader;
  for (const word of words) {
    reader = await open();
    const before = reader.statistics;
    const { result, ms } = await timed(() => reader.answer(`/v1/search?q=${word}&limit=20`));
    if (result.status !== 200) throw new Error(`${word} was answered with ${result.status}`);
    cold.push(ms);
    rounds.push(reader.statistics.rounds - before.rounds);
    bytes.push(kib(reader.statistics.bytes - before.bytes));
    warm.push((await timed(() => reader.answer(`/v1/search?q=${word}&limit=19`))).ms);
  }
  show(`cold search, ${words.length} words`, cold, 'ms');
  show('cold search', rounds, 'rounds');
  show('cold search', bytes, 'KiB');
  show('warm search', warm, 'ms');
  const typed = [];
  for (const word of words) typed.push((await timed(() => reader.answer(`/v1/search?q=${word}&limit=20`))).ms);
  show('one reader, word after word', typed, 'ms');
  console.log(`memory: ${kib(reader.memoryBytes)} KiB; snapshot: ${kib(statSync(values.snapshot).size)} KiB`);
}

if (values.serve) {
  const server = await startRangeServer(readFileSync(values.snapshot));
  process.send(server.url);
} else {
  const server = fork(fileURLToPath(import.meta.url), ['--serve', '--snapshot', values.snapshot]);
  try {
    await measure(await new Promise((resolve) => server.once('message', resolve)));
  } finally {
    server.kill();
  }
}
