// Tests the core as a library: builds a program from an installed tree only, and searches a snapshot with it.
// Usage: node --test tests/install/library_test.mjs      (requires tonearm-catalog of the preset release in build/native)

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
const build = join(root, 'build/native');
let folder;
const at = (name) => join(folder, name);

function run(command, ...words) {
  const ended = spawnSync(command, words, { encoding: 'utf8', cwd: folder });
  assert.equal(ended.status, 0, `${command} ${words.join(' ')}\n${ended.stdout}${ended.stderr}`);
  return ended.stdout;
}

before(() => {
  folder = mkdtempSync(join(tmpdir(), 'tonearm-library-'));
  for (const name of ['CMakeLists.txt', 'find_a_track.cpp', 'examples']) {
    cpSync(join(root, 'tests/install', name), at(`program/${name}`), { recursive: true });
  }
  run('cmake', '--install', build, '--component', 'development', '--prefix', at('installed'));
});

after(() => rmSync(folder, { recursive: true, force: true }));

test('find_package(tonearm) gives a library that searches a snapshot', () => {
  run(join(build, 'bin/tonearm-catalog'), 'build', '--input', join(root, 'tests/cases/catalog.jsonl'), '--output', at('catalog.sqlite'));
  run('cmake', '-S', at('program'), '-B', at('program/build'), '-G', 'Ninja', `-DCMAKE_PREFIX_PATH=${at('installed')}`);
  run('cmake', '--build', at('program/build'));
  const [totals, ...lines] = run(at('program/build/find_a_track'), 'catalog.sqlite', 'calm piano').trimEnd().split('\n');
  const [total, with_all_words] = totals.split(' ').map(Number);
  assert.equal(total, lines.length);
  assert.ok(with_all_words > 0);
  for (const [index, line] of lines.entries()) {
    const track = JSON.parse(line);
    if (index < with_all_words) assert.match(JSON.stringify([track.title, track.artist, track.tags, track.description]), /piano/i);
    assert.ok(track.license.id && track.credit_line);
  }
});

test('the example of every public header compiles and succeeds', () => {
  const headers = readdirSync(at('installed/include/tonearm')).map((name) => name.replace('.h', ''));
  assert.ok(headers.length > 0);
  for (const name of headers) run(at(`program/build/example_${name}`), 'catalog.sqlite');
});

test('the installed tree has every public header, and contains no path of the build', () => {
  assert.deepEqual(readdirSync(at('installed/include/tonearm')), readdirSync(join(root, 'core/include/tonearm')));
  const config = at('installed/lib/cmake/tonearm');
  for (const name of readdirSync(config)) assert.ok(!readFileSync(join(config, name), 'utf8').includes(root), name);
});
