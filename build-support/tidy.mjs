// Runs clang-tidy over every unit of the project that build/tidy/compile_commands.json names, which is a file or a room
// compiled as one (docs/adr/0047-modules-are-compiled-as-one-file.md), as many at a time as there are processors. A unit that was clean is not checked again
// while its sources, the headers of the project that they reach, its command and .clang-tidy stay the same.
// Usage: node build-support/tidy.mjs [PART OF A PATH]

import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '..');
const buildDir = join(root, 'build/tidy');
const stampDir = join(buildDir, 'clean');
const OURS = /^(build\/tidy\/)?(audio|core|demo-composer|native|host-native|catalog-builder|command-line|web-demo-server|tests)\//;
const OUR_SOURCES = `${root}/(audio|core|demo-composer|native|host-native|host-wasm|catalog-builder|command-line|web-demo-server|tests)/.*\\.(h|cpp)$`;
const wanted = process.argv[2] ?? '';

/** The file and all files of the project that it includes, directly or not. */
function reached(file, includeDirs, found = new Set()) {
  if (found.has(file)) return found;
  found.add(file);
  for (const [, name] of readFileSync(file, 'utf8').matchAll(/^\s*#\s*include\s*"([^"]+)"/gm)) {
    const header = [dirname(file), ...includeDirs].map((dir) => resolve(dir, name)).find((path) => existsSync(path));
    if (header) reached(header, includeDirs, found);
  }
  return found;
}

function unitOf({ file, command }) {
  const includeDirs = [...command.matchAll(/-I(\S+)/g)].map(([, dir]) => dir);
  const files = [...reached(file, includeDirs)];
  const hash = createHash('sha256').update(command).update(readFileSync(join(root, '.clang-tidy')));
  for (const path of files) hash.update(path).update(readFileSync(path));
  return { file, sources: files.filter((path) => path.endsWith('.cpp')), stamp: join(stampDir, hash.digest('hex')) };
}

/** Resolves to what clang-tidy says of a file; empty: it is clean. */
function check(file) {
  // The compiler's own warnings are g++'s affair: clang has others by the same names.
  // A room is a file that includes sources, whose findings count as well.
  const child = spawn('clang-tidy', [
    '--quiet', '-p', buildDir, '--extra-arg=-Wno-everything', '--checks=-bugprone-suspicious-include', `--header-filter=${OUR_SOURCES}`, file,
  ]);
  let said = '';
  child.stdout.on('data', (data) => (said += data));
  child.stderr.on('data', (data) => (said += data));
  return new Promise((done, broken) => {
    child.on('error', broken);
    child.on('close', (status) => done(status === 0 ? '' : said.replace(/^\d+ warnings?.*\n/gm, '') || `clang-tidy ended with status ${status}\n`));
  });
}

// clang-tidy takes all commands of a file that several programs compile; one line of the list is enough.
const commands = JSON.parse(readFileSync(join(buildDir, 'compile_commands.json'), 'utf8'));
const units = [...new Map(commands.map((unit) => [unit.file, unit])).values()]
  .filter(({ file }) => OURS.test(relative(root, file)))
  .map(unitOf)
  .filter(({ sources }) => sources.some((path) => path.includes(wanted)));
const pending = units.filter(({ stamp }) => !existsSync(stamp));
mkdirSync(stampDir, { recursive: true });

let passed = units.length - pending.length;
let failed = 0;
console.log(`${units.length} units, of which ${passed} are unchanged since they were clean`);
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
console.log(`${passed} units clean, ${failed} not`);
process.exitCode = failed > 0 || units.length === 0 ? 1 : 0;
