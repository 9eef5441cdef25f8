// `tonearm-catalog demo`: it runs the tonearm-demo beside itself and builds a catalog of its files (BUILD-15, PROGRAM-23).
// Usage: node --test tests/http/demo_test.mjs      (TONEARM_BIN: the programs' folder, by default build/native/bin)

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';

import { wav } from '../command-line/project.mjs';
import { bin } from './server_process.mjs';

const folder = mkdtempSync(join(tmpdir(), 'tonearm-demo-'));
after(() => rmSync(folder, { recursive: true }));
const at = (name) => join(folder, name);
copyFileSync(join(bin, 'tonearm-catalog'), at('tonearm-catalog'));

/** Runs `tonearm-catalog demo` beside a tonearm-demo with this shell script. */
function runDemo(script) {
  rmSync(at('tonearm-demo'), { force: true });
  if (script) writeFileSync(at('tonearm-demo'), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  return spawnSync(at('tonearm-catalog'), ['demo', '--output', at('two words'), '--media-url', 'https://media.example'], { encoding: 'utf8' });
}

test('without its program or after its failure nothing is built, and the exit status is passed on', () => {
  const missing = runDemo();
  assert.equal(missing.status, 1);
  assert.equal(missing.stderr, `tonearm-catalog: ${at('tonearm-demo')}: cannot be started: No such file or directory\n`);
  const failed = runDemo("echo 'tonearm-demo: no soundfont' >&2; exit 3");
  assert.deepEqual([failed.status, failed.stdout, failed.stderr], [3, '', 'tonearm-demo: no soundfont\n']);
  assert.ok(!existsSync(at('two words/catalog.sqlite')));
});

test('the files of the program become a catalog with media', () => {
  writeFileSync(at('tone.wav'), wav(1, { seconds: 2 }));
  const built = runDemo(`
    dir=\${1#--output=}
    mkdir -p "$dir/audio" && cp '${at('tone.wav')}' "$dir/audio/tone.wav"
    printf 'file,title,artist,license,kind\\r\\ntone.wav,Tone,Ann,CC0-1.0,music\\r\\n' >"$dir/audio/list.csv"
    echo "$dir: 1 piece" >&2`);
  assert.equal(built.status, 0, built.stderr);
  assert.ok(built.stderr.startsWith(`${at('two words')}: 1 piece\n`), built.stderr);
  assert.match(built.stderr, /two words\/catalog\.sqlite: version [0-9a-f]{16}, /);
  const inspected = JSON.parse(spawnSync(at('tonearm-catalog'), ['inspect', '--json', at('two words/catalog.sqlite')], { encoding: 'utf8' }).stdout);
  assert.equal(inspected.track_count, 1);
  assert.ok(existsSync(at('two words/media')));
});
