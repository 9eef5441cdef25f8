// Runs a tool over the units of a build's compile_commands.json, one per processor at a time. A unit that passed is not checked
// again until its sources, the project's headers that they include, its command or the tool's settings change.

import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';

export const root = resolve(import.meta.dirname, '..');

/** Returns the file and all files of the project that it includes, directly or indirectly. */
function reached(file, includeDirs, found = new Set()) {
  if (found.has(file)) return found;
  found.add(file);
  for (const [, name] of readFileSync(file, 'utf8').matchAll(/^\s*#\s*include\s*"([^"]+)"/gm)) {
    const header = [dirname(file), ...includeDirs].map((dir) => resolve(dir, name)).find((path) => existsSync(path));
    if (header) reached(header, includeDirs, found);
  }
  return found;
}

/** Resolves to the output of a command; empty if it exits with 0. */
function run({ program, words, directory }) {
  const child = spawn(program, words, { cwd: directory });
  let output = '';
  child.stdout.on('data', (data) => (output += data));
  child.stderr.on('data', (data) => (output += data));
  return new Promise((done, broken) => {
    child.on('error', broken);
    child.on('close', (status) => done(status === 0 ? '' : output || `${program} exited with status ${status}\n`));
  });
}

/**
 * Checks every unit of `build` whose path relative to the root matches `ours` and that has a source whose path contains `wanted`.
 * `commandOf({file, command, directory})` returns the command to run; the result also depends on the text `settings`. Prints
 * the findings and a count, and sets the exit status.
 */
export async function checkUnits({ build, stamps, ours, wanted = '', settings = '', commandOf }) {
  const stampDir = join(root, 'build', stamps);
  const commands = JSON.parse(readFileSync(join(root, 'build', build, 'compile_commands.json'), 'utf8'));
  // Several programs may compile the same file; one command is enough.
  const units = [...new Map(commands.map((unit) => [unit.file, unit])).values()]
    .filter(({ file }) => ours.test(relative(root, file)))
    .map((unit) => {
      const includeDirs = [...unit.command.matchAll(/-I(\S+)/g)].map(([, dir]) => dir);
      const files = [...reached(unit.file, includeDirs)];
      const hash = createHash('sha256').update(unit.command).update(settings);
      for (const path of files) hash.update(path).update(readFileSync(path));
      return { ...unit, sources: files.filter((path) => path.endsWith('.cpp')), stamp: join(stampDir, hash.digest('hex')) };
    })
    .filter(({ sources }) => sources.some((path) => path.includes(wanted)));
  const pending = units.filter(({ stamp }) => !existsSync(stamp));
  mkdirSync(stampDir, { recursive: true });

  let passed = units.length - pending.length;
  let failed = 0;
  console.log(`${units.length} units, of which ${passed} are unchanged since they passed`);
  async function work() {
    for (let unit = pending.shift(); unit; unit = pending.shift()) {
      const findings = await run(commandOf(unit));
      if (findings) {
        failed += 1;
        console.log(`${relative(root, unit.file)}:\n${findings}`);
      } else {
        passed += 1;
        writeFileSync(unit.stamp, '');
      }
    }
  }
  await Promise.all(Array.from({ length: availableParallelism() }, work));
  console.log(`${passed} units clean, ${failed} not`);
  process.exitCode = failed > 0 || units.length === 0 ? 1 : 0;
}
