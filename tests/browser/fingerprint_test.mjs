// The fingerprints of the page, from WebAssembly, are those of `tonearm credits FILM` (WEB-49).

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';

import { Fingerprinter } from '../../web-demo-server/site/src/film/fingerprint.ts';
import { fakeServer, tonearm, wav } from '../command-line/project.mjs';
import { root } from '../web/site_process.mjs';

const skip = spawnSync('ffmpeg', ['-version']).error !== undefined && 'skipped: there is no ffmpeg';
const SECONDS = 130; // two windows

let folder;
let server;
const at = (name) => join(folder, name);
before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tonearm-fingerprints-'));
  server = await fakeServer((_, body) => ({ text: JSON.stringify({ pieces: JSON.parse(body).pieces.map(() => ({ uses: [] })) }) }));
  writeFileSync(at('melody.wav'), wav(1, { seconds: SECONDS }));
});
after(() => {
  server.close();
  rmSync(folder, { recursive: true });
});

function ffmpeg(...words) {
  const made = spawnSync('ffmpeg', ['-v', 'error', '-nostdin', '-y', ...words], { encoding: 'utf8', cwd: folder });
  assert.equal(made.status, 0, made.stderr);
}

/** Writes a melody in noise as a film, and returns its interleaved samples. */
function makeFilm(rate, channels) {
  ffmpeg('-i', 'melody.wav', '-f', 'lavfi', '-i', `anoisesrc=d=${SECONDS}:c=pink:a=0.05:seed=3`, '-filter_complex', '[0][1]amix=inputs=2:normalize=0',
    '-ar', String(rate), '-ac', String(channels), '-c:a', 'pcm_s16le', 'film.mka');
  ffmpeg('-i', 'film.mka', '-f', 's16le', 'film.raw');
  const bytes = readFileSync(at('film.raw'));
  return new Int16Array(bytes.buffer, bytes.byteOffset, bytes.length / 2);
}

async function piecesOfPage(samples, rate, channels) {
  const fingerprinter = await Fingerprinter.start(readFileSync(join(root, 'build/wasm/bin/fingerprint.wasm')));
  assert.equal(fingerprinter.begin(500, channels), false, 'no rate that Chromaprint refuses');
  assert.equal(fingerprinter.begin(rate, channels), true);
  const block = 960 * channels;
  const pieces = [];
  for (let from = 0; from < samples.length; from += block) {
    const some = samples.subarray(from, from + block);
    fingerprinter.add(some.length / channels, (memory) => memory.set(some));
    pieces.push(...fingerprinter.takePieces());
  }
  fingerprinter.end();
  return [...pieces, ...fingerprinter.takePieces()];
}

async function piecesOfCommand() {
  server.requests.length = 0;
  const { errors } = await tonearm(['credits', at('film.mka')], { TONEARM_API: server.url, TONEARM_API_KEY: 'k' });
  assert.equal(errors, '');
  return server.requests.flatMap(({ body }) => JSON.parse(body).pieces.map(({ fingerprint }) => fingerprint));
}

/** Returns the values of Chromaprint's compressed form: the numbers of the bits that differ from the last value, in three bits each. */
function valuesOf(fingerprint) {
  const bytes = Buffer.from(fingerprint, 'base64url');
  const count = bytes.readUIntBE(1, 3);
  const bitsAt = (from, width) => Array.from({ length: width }, (_, i) => ((bytes[(from + i) >> 3] >> ((from + i) & 7)) & 1) << i).reduce((sum, bit) => sum | bit, 0);
  const steps = [];
  let from = 32;
  for (let zeros = 0; zeros < count; from += 3) {
    steps.push(bitsAt(from, 3));
    if (steps.at(-1) === 0) zeros += 1;
  }
  from = Math.ceil(from / 8) * 8;
  const values = [];
  let value = 0;
  let bit = 0;
  for (const step of steps) {
    if (step === 0) {
      values.push(value);
      bit = 0;
      continue;
    }
    bit += step;
    if (step === 7) {
      bit += bitsAt(from, 5); // longer steps are continued after all values
      from += 5;
    }
    value ^= 1 << (bit - 1);
  }
  return values.map((signed) => signed >>> 0);
}

const bitsOf = (value) => [...value.toString(2)].filter((bit) => bit === '1').length;

test('samples at the rate of fingerprints have the same fingerprints as on the command line', { skip }, async () => {
  const pieces = await piecesOfPage(makeFilm(11_025, 1), 11_025, 1);
  assert.deepEqual(pieces.map(({ begin_s }) => begin_s), [0, 0, 90, 90]);
  assert.deepEqual(pieces.map(({ fingerprint }) => fingerprint), await piecesOfCommand());
});

test('resampled sound differs from that of the command line in less than a thousandth of the bits', { skip }, async () => {
  const pieces = await piecesOfPage(makeFilm(48_000, 2), 48_000, 2);
  const expected = (await piecesOfCommand()).map(valuesOf);
  const found = pieces.map(({ fingerprint }) => valuesOf(fingerprint));
  assert.deepEqual(found.map((values) => values.length), expected.map((values) => values.length));
  const all = expected.flat();
  const wrong = found.flat().reduce((sum, value, index) => sum + bitsOf((value ^ all[index]) >>> 0), 0);
  assert.ok(wrong < (all.length * 32) / 1000, `${wrong} of ${all.length * 32} bits`);
});

test('silence has no pieces, and silence in a film moves its times', { skip }, async () => {
  const samples = makeFilm(11_025, 1).subarray(0, 20 * 11_025);
  const silent = await Fingerprinter.start(readFileSync(join(root, 'build/wasm/bin/fingerprint.wasm')));
  silent.begin(11_025, 1);
  silent.addSilence(215 * 11_025);
  assert.deepEqual(silent.takePieces(), []);
  silent.add(samples.length, (memory) => memory.set(samples));
  silent.end();
  assert.deepEqual(silent.takePieces().map(({ begin_s }) => begin_s), [180, 180]);
});
