// Changes one operator, constant, condition or statement of the domain at a time, and counts how many of these mutants its unit
// tests catch. A mutant that does not compile is not counted.
// Usage: node tests/coverage/mutants.mjs [PART OF A SOURCE'S NAME]
//   TONEARM_MUTANTS=N   only N of them, chosen with TONEARM_SEED (1)
//   TONEARM_MUTANT=K    only this one

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { DomainProgram, MEASURED, ROOT, run } from './domain_program.mjs';

const GOAL = 0.95;
const OPERATORS = [
  [/ == /g, ' != '],
  [/ != /g, ' == '],
  [/ < /g, ' <= '],
  [/ <= /g, ' < '],
  [/ > /g, ' >= '],
  [/ >= /g, ' > '],
  [/ && /g, ' || '],
  [/ \|\| /g, ' && '],
  [/ \+ /g, ' - '],
  [/ - /g, ' + '],
  [/\+\+/g, '--'],
  [/\btrue\b/g, 'false'],
  [/\bfalse\b/g, 'true'],
  [/(?<=[(!&|= ])!(?=[\w(*])/g, ''],
  [/(?<![\w."'])\d[\d']*(?=U?\b(?![\w."]))/g, (number) => String(Number(number.replaceAll("'", '')) + 1)],
  [/(?<=\bif )\((?!const |auto )(.*)\)(?= |$)/g, (whole, condition) => `(!(${condition}))`],
  [/^(\s+)(?!return|using|const|constexpr|static|auto|std::|throw|break|case|continue)[\w+*][^{}]*;$/g, (whole, indent) => `${indent};`],
  [/^(\s+)(if|for) \(.*\) (?!\{)\S.*;$/g, (whole, indent) => `${indent};`],
];

/** Replaces the contents of texts and of comments by spaces, so that operators are found only in code. */
const codeOf = (line) => line.replace(/"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])'/g, (text) => `"${' '.repeat(text.length - 2)}"`).replace(/\/\/.*/, '');

/** Returns the mutants of a source: the number of a line, and the line that replaces it. */
function mutantsOf(source) {
  const lines = readFileSync(join(ROOT, source), 'utf8').split('\n');
  const mutants = [];
  for (const [index, line] of lines.entries()) {
    const code = codeOf(line);
    if (/^\s*(#|template|static_assert|namespace)|\.reserve\(/.test(code)) continue; // a reservation only saves time
    for (const [pattern, replacement] of OPERATORS) {
      for (const match of code.matchAll(pattern)) {
        const found = line.slice(match.index, match.index + match[0].length);
        const changed = typeof replacement === 'string' ? replacement : found.replace(new RegExp(pattern.source.replace(/^\(\?<[^)]*\)|\(\?= \|\$\)$/g, '')), replacement);
        const mutated = line.slice(0, match.index) + changed + line.slice(match.index + match[0].length);
        if (mutated !== line) mutants.push({ source, index, line, mutated });
      }
    }
  }
  return mutants;
}

/** The same numbers in every run. */
function shuffled(list, seed) {
  let state = BigInt(seed);
  const next = (bound) => Number((state = (state * 6364136223846793005n + 1442695040888963407n) & ((1n << 64n) - 1n)) >> 33n) % bound;
  for (let i = list.length - 1; i > 0; --i) {
    const j = next(i + 1);
    [list[i], list[j]] = [list[j], list[i]];
  }
  return list;
}

const program = new DomainProgram('g++', [], 'mutants');
program.compile();
if (run(program.link('unchanged'), ['--no-version=true']).status !== 0) throw new Error('the tests fail without a mutant');

/** Compiles the headers of a source once, because most of a compilation reads them. Returns the path that includes them. */
function precompiled(source) {
  const text = readFileSync(join(ROOT, source), 'utf8');
  const header = join(program.folder, `${source.replaceAll('/', '_')}.h`);
  writeFileSync(header, text.match(/^\s*#include.*$/gm).join('\n'));
  const words = program.compileWords(source, header, `${header}.gch`);
  words.splice(words.indexOf('-c'), 1, '-x', 'c++-header');
  if (run('g++', words).status !== 0) throw new Error(`the headers of ${source} do not compile alone`);
  return header;
}
const headers = new Map(MEASURED.map((source) => [source, undefined]));

/** Returns whether the tests catch a mutant; undefined: it does not compile. */
function isCaught({ source, index, mutated }) {
  if (!headers.get(source)) headers.set(source, precompiled(source));
  const lines = readFileSync(join(ROOT, source), 'utf8').split('\n');
  lines[index] = mutated;
  const file = join(program.folder, 'mutant.cpp');
  const object = join(program.folder, 'mutant.o');
  writeFileSync(file, lines.map((line) => (/^\s*#include/.test(line) ? '' : line)).join('\n'));
  const words = ['-include', headers.get(source), ...program.compileWords(source, file, object)];
  if (run('g++', words).status !== 0) return undefined;
  const tests = program.link('mutant', new Map([[source, object]]));
  if (!tests) return undefined;
  return run(tests, ['--abort-after=1', '--no-version=true'], { timeout: 20_000 }).status !== 0;
}

const wanted = process.argv[2] ?? '';
let mutants = MEASURED.filter((source) => source.includes(wanted)).flatMap(mutantsOf);
mutants = shuffled(mutants.map((mutant, number) => ({ ...mutant, number })), process.env.TONEARM_SEED ?? 1);
if (process.env.TONEARM_MUTANT) mutants = mutants.filter(({ number }) => number === Number(process.env.TONEARM_MUTANT));
mutants = mutants.slice(0, Number(process.env.TONEARM_MUTANTS ?? mutants.length));

let caught = 0;
let compiled = 0;
for (const mutant of mutants) {
  const result = isCaught(mutant);
  if (result === undefined) continue;
  ++compiled;
  if (result) ++caught;
  else console.log(`TONEARM_MUTANT=${mutant.number} survives: ${mutant.source}:${mutant.index + 1}\n  ${mutant.line.trim()}\n  ${mutant.mutated.trim()}`);
}
const share = compiled === 0 ? 0 : caught / compiled;
console.log(`${caught} of ${compiled} mutants caught, ${(100 * share).toFixed(1)} %; ${mutants.length - compiled} do not compile`);
console.log(`${share >= GOAL ? 1 : 0} passed, ${share >= GOAL ? 0 : 1} failed`);
process.exitCode = share >= GOAL ? 0 : 1;
