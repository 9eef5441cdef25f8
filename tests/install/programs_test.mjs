// Tests the completions and manual pages that the programs print, with bash and man(7).
// Usage: node --test tests/install/programs_test.mjs      (TONEARM_BIN: the programs' folder, by default build/native/bin)

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { dirname, join, resolve } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
const bin = resolve(process.env.TONEARM_BIN ?? join(root, 'build/native/bin'));
const PROGRAMS = ['tonearm-server', 'tonearm-admin', 'tonearm-catalog', 'tonearm-demo', 'tonearm-web', 'tonearm'];

function output(program, flag) {
  const ended = spawnSync(join(bin, program), [flag], { encoding: 'utf8' });
  assert.equal(ended.status, 0, ended.stderr);
  return ended.stdout;
}

/** Returns the completions that bash offers for the last of `words`. */
function completions(...words) {
  const script = `${output(words[0], '--completion')}
    COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)); _${words[0].replaceAll('-', '_')}; printf '%s ' "\${COMPREPLY[@]}"`;
  const ended = spawnSync('bash', ['-c', script, 'bash', ...words], { encoding: 'utf8' });
  assert.equal(ended.stderr, '');
  assert.equal(ended.status, 0);
  return ended.stdout.trim();
}

test('bash completes commands, options and choices', () => {
  assert.equal(completions('tonearm-admin', 'acc'), 'account');
  assert.equal(completions('tonearm-admin', 'account', 'cr'), 'create');
  assert.equal(completions('tonearm-admin', '--server', 'http://x', 'account', 'create', '--plan', ''), 'free pro unlimited');
  assert.equal(completions('tonearm-admin', 'account', 'create', '--pl'), '--plan');
  assert.equal(completions('tonearm-catalog', 'build', '--profile', 's'), 'standard');
  assert.equal(completions('tonearm-server', '--catalog-c'), '--catalog-cache --catalog-cache-size');
  assert.equal(completions('tonearm', 'collection', 'ad'), 'add');
  assert.equal(completions('tonearm', 'credits', '.', '--format', 'mark'), 'markdown');
  assert.equal(completions('tonearm-server', '--tls-key', ''), '', 'names of files are completed by bash itself');
  assert.equal(completions('tonearm-server', '--catalog', ''), '', 'a file is one of its alternatives');
});

test('every option of the help is in the manual page', () => {
  for (const program of PROGRAMS) {
    const page = output(program, '--man').replaceAll('\\-', '-');
    const flags = output(program, '--help').match(/--[a-z][a-z-]+/g);
    assert.ok(flags.length > 3, program);
    for (const flag of new Set(flags)) {
      if (!['--help', '--version', '--man', '--completion'].includes(flag)) assert.ok(page.includes(flag), `${program} ${flag}`);
    }
  }
});

const noGroff = spawnSync('groff', ['--version']).error !== undefined && 'skipped: groff is not installed';

test('man(7) has no warnings', { skip: noGroff }, () => {
  for (const program of PROGRAMS) {
    const ended = spawnSync('groff', ['-man', '-Tutf8', '-ww'], { encoding: 'utf8', input: output(program, '--man') });
    assert.equal(ended.stderr, '', program);
  }
});

/** What each program may load at most, also indirectly; Debian 12 has so many and a few more. */
const LIBRARIES_MAX = { 'tonearm-admin': 44, 'tonearm-catalog': 56, tonearm: 50 };

test('a program loads few libraries, and none for pictures, windows or sound output', () => {
  for (const [program, most] of Object.entries(LIBRARIES_MAX)) {
    const ended = spawnSync('ldd', [join(bin, program)], { encoding: 'utf8' });
    assert.equal(ended.status, 0, ended.stderr);
    const names = [...ended.stdout.matchAll(/^\s*(\S+?)\.so[.\d]* /gm)].map(([, name]) => name.split('/').at(-1));
    assert.ok(names.includes('libc'), program);
    assert.deepEqual(names.filter((name) => /^lib(av|sw|X|xcb|va|SDL|pulse|asound|jack|glib|chromaprint)/.test(name)), [], program);
    assert.ok(names.length <= most, `${program} loads ${names.length}: ${names.join(' ')}`);
  }
});
