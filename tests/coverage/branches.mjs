// Prints which branches of the domain its unit tests take, as Clang's coverage counts them.
// Usage: node tests/coverage/branches.mjs        fails if a branch of a measured source is never taken

import { join } from 'node:path';

import { DomainProgram, MEASURED, ROOT, run } from './domain_program.mjs';

const program = new DomainProgram('clang++', ['-fprofile-instr-generate', '-fcoverage-mapping'], 'coverage');
program.compile();
const tests = program.link('tests');
const raw = join(program.folder, 'tests.profraw');
const merged = join(program.folder, 'tests.profdata');
const outcome = run(tests, [], { env: { ...process.env, LLVM_PROFILE_FILE: raw } });
if (outcome.status !== 0) throw new Error(outcome.stdout);
run('llvm-profdata', ['merge', '-o', merged, raw]);
const exported = run('llvm-cov', ['export', tests, `-instr-profile=${merged}`, ...MEASURED.map((source) => join(ROOT, source))]);

/** The branches of a file by their place: instances of a template are one. */
function branchesOf(file) {
  const places = new Map();
  for (const [line, column, , , whenTrue, whenFalse] of file.branches) {
    const place = `${line}:${column}`;
    const [t, f] = places.get(place) ?? [0, 0];
    places.set(place, [t + whenTrue, f + whenFalse]);
  }
  return places;
}

let covered = 0;
let total = 0;
const missed = [];
for (const file of JSON.parse(exported.stdout).data[0].files) {
  const name = file.filename.slice(ROOT.length + 1);
  const sides = [...branchesOf(file)].flatMap(([place, [whenTrue, whenFalse]]) => [
    { place, side: 'true', count: whenTrue },
    { place, side: 'false', count: whenFalse },
  ]);
  const taken = sides.filter(({ count }) => count > 0).length;
  covered += taken;
  total += sides.length;
  console.log(`${name}: ${taken} of ${sides.length} branches`);
  for (const { place, side, count } of sides) if (count === 0) missed.push(`${name}:${place} is never ${side}`);
}
for (const line of missed) console.log(line);
console.log(`${covered} of ${total} branches, ${((100 * covered) / total).toFixed(1)} %`);
console.log(`${missed.length === 0 ? 1 : 0} passed, ${missed.length === 0 ? 0 : 1} failed`);
process.exitCode = missed.length === 0 ? 0 : 1;
