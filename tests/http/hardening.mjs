// Checks with readelf and objdump that the release programs are hardened (cmake/flags.cmake, PROGRAM-21). Reports programs that
// are not built, or are older than the flags; any other that is not hardened fails. After a build, their age does not matter.
// Usage: node tests/http/hardening.mjs [--built] [FOLDER]      (by default build/native/bin; --built: after a build)

import { spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
const words = process.argv.slice(2);
const isBuilt = words[0] === '--built';
const folder = resolve(words[isBuilt ? 1 : 0] ?? join(root, 'build/native/bin'));
const flags = join(root, 'cmake/flags.cmake');
const PROGRAMS = ['tonearm-server', 'tonearm-admin', 'tonearm-catalog', 'tonearm-demo', 'tonearm-web', 'tonearm'];

function output(command, ...words) {
  const { status, stdout, stderr, error } = spawnSync(command, words, {
    encoding: 'utf8', maxBuffer: 2 ** 30, env: { ...process.env, LC_ALL: 'C' },
  });
  if (status !== 0) throw new Error(`${command} ${words.join(' ')}: ${error ?? stderr}`);
  return stdout;
}

/** The required properties of a program, and how to detect them. */
const CHECKS = [
  ['is position-independent', ({ head, dynamic }) => /Type:\s+DYN/.test(head) && /FLAGS_1.*\bPIE\b/.test(dynamic)],
  ['has a table of addresses that is read-only once it is loaded', ({ segments }) => /GNU_RELRO/.test(segments)],
  ['resolves all of its addresses when it is loaded', ({ dynamic }) => /BIND_NOW|FLAGS_1.*\bNOW\b/.test(dynamic)],
  ['has a stack that cannot be executed', ({ segments }) => /GNU_STACK\s+(\S+\s+){5}RW\s/.test(segments)],
  ['has no segment that can be written and executed', ({ segments }) => !/LOAD\s+(\S+\s+){5}RWE/.test(segments)],
  ['guards its stack frames', ({ symbols }) => /UND __stack_chk_fail/.test(symbols)],
  ['calls functions of the C library that check sizes', ({ symbols }) => /UND __\w+_chk\b/.test(symbols)],
  // A function whose address is never used needs none.
  ['marks where indirect calls may land', ({ head, code }) => !/X86-64/.test(head) || code() > 100],
];

function parts(program) {
  return {
    head: output('readelf', '-W', '-h', program),
    segments: output('readelf', '-W', '-l', program),
    dynamic: output('readelf', '-W', '-d', program),
    symbols: output('readelf', '-W', '--dyn-syms', program),
    code: () => output('objdump', '-d', '--no-show-raw-insn', '--section=.text', program).split('endbr64').length - 1,
  };
}

let passed = 0;
let failed = 0;
for (const name of PROGRAMS) {
  const program = join(folder, name);
  if (!existsSync(program)) {
    console.log(`${name} is not built in ${folder}: the check of its hardening is left to the part that builds it`);
    continue;
  }
  if (!isBuilt && statSync(program).mtimeMs < statSync(flags).mtimeMs) {
    console.log(`${name} is older than cmake/flags.cmake: the check of its hardening is left to the part that builds it again`);
    continue;
  }
  const found = parts(program);
  for (const [what, holds] of CHECKS) {
    if (holds(found)) {
      passed += 1;
    } else {
      failed += 1;
      console.log(`BROKEN  ${name} ${what}`);
    }
  }
}
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed > 0 ? 1 : 0);
