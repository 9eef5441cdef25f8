// Matches audio files with tracks by sound and by bytes (CREDIT-25 to CREDIT-28): builds and serves a folder of real audio, and
// matches its own files and others. FFmpeg makes the fingerprints.
// Usage: node --test tests/real/sounds_test.mjs      (TONEARM_BIN: the folder of the programs, by default build/native/bin)

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';

import { data, endAll, objects, raw, serveSources, skip, tracksOf } from './real_catalog.mjs';

const OFFERED = ['CC0-1.0', 'CC-BY-3.0', 'CC-BY-4.0'];

/** Whether FFmpeg with Chromaprint is installed. */
const fingerprints = () => / chromaprint /.test(spawnSync('ffmpeg', ['-hide_banner', '-muxers'], { encoding: 'utf8' }).stdout ?? '');
const absent = skip || (!existsSync(join(data, 'audio')) && 'skipped: there is no ../shared/data/audio')
  || (!fingerprints() && 'skipped: there is no ffmpeg with Chromaprint');

function ffmpeg(...words) {
  const result = spawnSync('ffmpeg', ['-v', 'error', '-nostdin', ...words], { maxBuffer: 1 << 28 });
  assert.equal(result.status, 0, String(result.stderr));
  return result.stdout;
}

/** Returns the fingerprint of a file after `filter`. */
const fingerprintOf = (path, ...filter) =>
  String(ffmpeg('-t', '120', '-i', path, ...filter, '-f', 'chromaprint', '-algorithm', '1', '-'));

async function match(server, files) {
  const answers = [];
  for (let begin = 0; begin < files.length; begin += 20) {
    const response = await fetch(`${server.url}/v1/credits/match`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${server.key}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ files: files.slice(begin, begin + 20) }),
    });
    const answer = await response.json();
    assert.equal(response.status, 200, JSON.stringify(answer));
    answers.push(...answer.files);
  }
  return answers;
}

after(endAll);

test('files of a folder match by their bytes and by their sound', { skip: absent }, async (context) => {
  const audio = join(data, 'audio');
  const server = await serveSources([`folder:${audio}`]);
  const rows = objects(raw('audio/manifest.csv')).filter((row) => OFFERED.includes(row.license));
  const tracks = [...await tracksOf(server, 'kind=music'), ...await tracksOf(server, 'kind=sfx')];
  assert.equal(tracks.length, rows.length);
  const hashOf = (row) => createHash('sha256').update(readFileSync(join(audio, row.file))).digest('hex');

  const byHash = await match(server, rows.map((row) => ({ name: '?', sha256: hashOf(row) })));
  assert.deepEqual(byHash.map(({ found_by, score }) => `${found_by} ${score}`), rows.map(() => 'sha256 98'));
  assert.equal(new Set(byHash.map(({ track }) => track.id)).size, rows.length);

  const idOf = new Map(rows.map((row, i) => [row.file, byHash[i].track.id]));
  const count = { found: 0, silent: 0, wrong: [] };
  for (const filter of [[], ['-af', 'volume=-9dB,lowpass=f=9000']]) {
    const asked = rows.map((row) => ({ name: '?', fingerprint: fingerprintOf(join(audio, row.file), ...filter) }));
    for (const [i, { track, found_by }] of (await match(server, asked)).entries()) {
      if (track === null) ++count.silent;
      else if (track.id !== idOf.get(rows[i].file)) count.wrong.push(`${rows[i].file} is not ${track.id}`);
      else ++count.found;
      assert.equal(found_by, track && 'fingerprint');
    }
  }
  context.diagnostic(`by sound: ${count.found} found, ${count.silent} not`);
  assert.deepEqual(count.wrong, []);
  assert.ok(count.found > 0);

  const out = objects(raw('audio/manifest.csv')).filter((row) => !OFFERED.includes(row.license));
  const strangers = out.map((row) => ({ name: '?', sha256: hashOf(row), fingerprint: fingerprintOf(join(audio, row.file)) }));
  for (const [i, { track }] of (await match(server, strangers)).entries()) assert.equal(track, null, out[i].file);
});
