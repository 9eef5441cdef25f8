// Runs clang-tidy over every file of the project that build/tidy/compile_commands.json names, as many at a
// time as there are processors. A file that was clean is not checked again while it, the headers of the project
// that it reaches, its command and .clang-tidy stay the same. Usage: node build-support/tidy.mjs [PART OF A PATH]

import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '..');
const buildDir = join(root, 'build/tidy');
const stampDir = join(buildDir, 'clean');
const OURS = /^(core|settings|host-native|catalog-builder|tests)\//;
const wanted = process.argv[2] ?? '';

/** The file and all files of the project that it includes, directly or not. */
function reached(file, includeDirs, found = new Set()) {
  if (found.has(file)) return found;
  found.add(file);
  for (const [, name] of readFileSync(file, 'utf8').matchAll(/^\s*#\s*include\s*"([^"]+)"/gm)) {
    const header = [dirname(file), ...includeDirs].map((dir) => join(dir, name)).find((path) => existsSync(path));
    if (header) reached(header, includeDirs, found);
  }
  return found;
}

function stampOf({ file, command }) {
  const includeDirs = [...command.matchAll(/-I(\S+)/g)].map(([, dir]) => dir);
  const hash = createHash('sha256').update(command).update(readFileSync(join(root, '.clang-tidy')));
  for (const path of reached(file, includeDirs)) hash.update(path).update(readFileSync(path));
  return join(stampDir, hash.digest('hex'));
}

/** Resolves to what clang-tidy says of a file; empty: it is clean. */
function check(file) {
  // The compiler's own warnings are g++'s affair: clang has others by the same names.
  const child = spawn('clang-tidy', ['--quiet', '-p', buildDir, '--extra-arg=-Wno-everything', file]);
  let said = '';
  child.stdout.on('data', (data) => (said += data));
  child.stderr.on('data', (data) => (said += data));
  return new Promise((done, broken) => {
    child.on('error', broken);
    child.on('close', (status) => done(status === 0 ? '' : said.replace(/^\d+ warnings?.*\n/gm, '') || `clang-tidy ended with status ${status}\n`));
  });
}

const units = JSON.parse(readFileSync(join(buildDir, 'compile_commands.json'), 'utf8'))
  .filter(({ file }) => OURS.test(relative(root, file)) && file.includes(wanted))
  .map((unit) => ({ file: unit.file, stamp: stampOf(unit) }));
const pending = units.filter(({ stamp }) => !existsSync(stamp));
mkdirSync(stampDir, { recursive: true });

let passed = units.length - pending.length;
let failed = 0;
console.log(`${units.length} files, of which ${passed} are unchanged since they were clean`);
async function work() {
  for (let unit = pending.shift(); unit; unit = pending.shift()) {
    const said = await check(unit.file);
    if (said) {
      failed += 1;
      console.log(`${relative(root, unit.file)}:\n${said}`);
    } else {
      passed += 1;
      writeFileSync(unit.stamp, '');
    }
  }
}
await Promise.all(Array.from({ length: availableParallelism() }, work));
console.log(`${passed} files clean, ${failed} not`);
process.exitCode = failed > 0 || units.length === 0 ? 1 : 0;
