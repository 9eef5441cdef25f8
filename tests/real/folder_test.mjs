// Compares a build of a folder of real audio with the folder's own list: which files are rejected, and how many tracks have
// each license. The rules are written from the list's words and share nothing with the builder.
// Usage: node --test tests/real/folder_test.mjs      (TONEARM_BIN: the folder of the programs, by default build/native/bin)

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { data, endAll, objects, raw, serveSources, skip } from './real_catalog.mjs';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
const bin = resolve(process.env.TONEARM_BIN ?? join(root, 'build/native/bin'));

/** License ids of the catalog by the names in the list. */
const offered = { 'CC0-1.0': 'cc0', 'CC-BY-3.0': 'cc-by-3.0', 'CC-BY-4.0': 'cc-by-4.0' };

function build(folder, name, audio) {
  const path = (ending) => join(folder, `${name}.${ending}`);
  const built = spawnSync(join(bin, 'tonearm-catalog'), ['build', '--source', `folder:${audio}`,
    '--output', path('sqlite'), '--report', path('json'), '--measurements', join(folder, 'measurements')], { encoding: 'utf8' });
  assert.equal(built.status, 0, built.stderr);
  const verified = spawnSync(join(bin, 'tonearm-catalog'), ['verify', path('sqlite')], { encoding: 'utf8' });
  assert.equal(verified.status, 0, verified.stderr);
  return { report: JSON.parse(readFileSync(path('json'), 'utf8')), bytes: readFileSync(path('sqlite')) };
}

after(endAll);

test('a folder of real audio has the licenses of its list, and builds the same bytes from a cache and in another location', { skip }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'tonearm-folder-'));
  try {
    const rows = objects(raw('audio/manifest.csv'));
    const first = build(folder, 'first', join(data, 'audio'));
    const out = new Set(first.report.left_out.map((entry) => entry.file.slice(join(data, 'audio').length + 1)));
    assert.deepEqual([...out].sort(), rows.filter((row) => !offered[row.license]).map((row) => row.file).sort());
    const counts = {};
    for (const row of rows) if (offered[row.license]) counts[offered[row.license]] = (counts[offered[row.license]] ?? 0) + 1;
    assert.deepEqual(first.report.tracks_by_license, counts);
    const second = build(folder, 'second', join(data, 'audio'));
    assert.equal(second.report.folders[0].from_cache, rows.length);
    assert.equal(second.report.folders[0].measured, 0);
    assert.ok(first.bytes.equals(second.bytes));
    const elsewhere = join(folder, 'elsewhere');
    cpSync(join(data, 'audio'), join(elsewhere, 'audio'), { recursive: true });
    const third = build(elsewhere, 'third', join(elsewhere, 'audio'));
    assert.equal(third.report.folders[0].measured, rows.length);
    assert.ok(first.bytes.equals(third.bytes));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test('each file of the folder is a track with the license and the author of its row', { skip }, async () => {
  const audio = join(data, 'audio');
  const server = await serveSources([`folder:${audio}`]);
  const rows = objects(raw('audio/manifest.csv')).filter((row) => offered[row.license]);
  const tracks = [];
  for (let begin = 0; begin < rows.length; begin += 50) {
    const files = rows.slice(begin, begin + 50).map((row) => ({
      name: row.file, sha256: createHash('sha256').update(readFileSync(join(audio, row.file))).digest('hex'),
    }));
    const response = await fetch(`${server.url}/v1/credits/match`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${server.key}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ files }),
    });
    tracks.push(...(await response.json()).files.map(({ track }) => track));
  }
  assert.deepEqual(tracks.map((track) => [track?.license.id, track?.artist]), rows.map((row) => [offered[row.license], row.author]));
  const wrong = rows.filter((row, i) => Math.abs(tracks[i].duration_s - Number(row.duration_s)) > 0.05);
  assert.deepEqual(wrong.map((row) => row.file), []);
});
