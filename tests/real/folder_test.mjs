// Whether a build of a folder of real audio states the licenses of the folder's own list: which files are left out, and how
// many tracks have each license. The rules here are written from the list's words and share nothing with the builder.
// Usage: node --test tests/real/folder_test.mjs      (TONEARM_BIN: the folder of the programs, by default build/native/bin)

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { data, objects, raw, skip } from './real_catalog.mjs';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
const bin = resolve(process.env.TONEARM_BIN ?? join(root, 'build/native/bin'));

/** The license of a row by its words, or null where the catalog takes none. */
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

test('a folder of real audio has the licenses of its list, and builds the same bytes from a cache and in another place', { skip }, () => {
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
