// The rules of the house that no compiler checks: what no file may include or hold.
// Each rule is a sentence and a function from the tree to its violations.

import { spawnSync } from 'node:child_process';

import { arrowRules } from './arrow_rules.mjs';
import { citationRules, clauseRules } from './clauses.mjs';
import { glossaryRules } from './glossary.mjs';
import { includesOf } from './includes.mjs';
import { retiredWordRules } from './retired_words.mjs';
import { isCpp, withoutProse } from './tree.mjs';
import { unusedRules } from './unused.mjs';

// Headers that give a core what only a host may give it: threads, clocks, sockets, files, an environment.
const HOST_HEADERS =
  /^(thread|stop_token|future|condition_variable|barrier|latch|semaphore|shared_future|filesystem|fstream|iostream|random|ctime|time\.h|csignal|signal\.h|unistd\.h|fcntl\.h|cstdio|stdio\.h|(sys|arpa|netinet|linux|emscripten)\/.*|boost\/(asio|beast|thread|filesystem|process|interprocess)\b.*|openssl\/.*|zstd\.h|zlib\.h|pthread\.h|spdlog\/.*|toml.*|CLI\/.*|libpq.*)$/;

const HOST_CALLS =
  /\b(getenv|secure_getenv|system_clock|steady_clock|high_resolution_clock|random_device|localtime|gmtime|clock_gettime|gettimeofday|this_thread|fopen|ifstream|ofstream|std::time|srand|thread_local)\b/;

const LINES_MAX = 600;

const isCode = (file) => /\.(cpp|h|mjs|js|ts|sh|cmake)$/.test(file.path) || /^#!/.test(file.text);
const folderOf = (file) => /^core\/src\/([a-z]+)\//.exec(file.path)?.[1];

/** Line number and text of each line of `text` that `pattern` finds. */
function linesWith(file, text, pattern) {
  return text
    .split('\n')
    .flatMap((line, index) => (pattern.test(line) ? [`${file.path}:${index + 1}: ${line.trim()}`] : []));
}

function forbiddenIncludes(files, isViolation) {
  return files.flatMap((file) =>
    includesOf(file)
      .filter((include) => isViolation(include, file))
      .map((include) => `${file.path}:${include.line}: includes ${include.name}`),
  );
}

/** Words are put together here, so that this file does not hold them itself. */
const joined = (...halves) => halves.map(([a, b]) => a + b).join('|');

export const rules = [
  {
    name: 'The core includes no host header, thread, clock, filesystem or environment (invariant 1)',
    violations: ({ files }) =>
      forbiddenIncludes(
        files.filter((file) => isCpp(file) && file.path.startsWith('core/')),
        (include) => HOST_HEADERS.test(include.name),
      ),
  },
  {
    name: 'The core reads no clock, random source, file or environment variable (invariant 1)',
    violations: ({ files }) =>
      files
        .filter((file) => isCpp(file) && file.path.startsWith('core/'))
        .flatMap((file) => linesWith(file, withoutProse(file.text), HOST_CALLS)),
  },
  {
    name: 'Rules on plain values (core/src/domain) include the standard library and the core alone',
    violations: ({ files }) =>
      forbiddenIncludes(
        files.filter((file) => folderOf(file) === 'domain'),
        (include) => include.angled && !/^[a-z_]+$/.test(include.name),
      ),
  },
  {
    name: 'No header opens a namespace to all who include it',
    violations: ({ files }) =>
      files
        .filter((file) => file.path.endsWith('.h'))
        .flatMap((file) => linesWith(file, withoutProse(file.text), /^using namespace\b/)),
  },
  ...arrowRules,
  ...clauseRules,
  ...citationRules,
  ...glossaryRules,
  ...retiredWordRules,
  ...unusedRules,
  {
    name: 'No mathematics library is used where orders are decided (invariant 7)',
    violations: ({ files }) =>
      forbiddenIncludes(
        files.filter((file) => ['catalog', 'domain'].includes(folderOf(file))),
        (include) => /^(cmath|math\.h|numbers|valarray)$/.test(include.name),
      ),
  },
  {
    name: 'A header begins with #pragma once and says what it is for',
    violations: ({ files }) =>
      files
        .filter((file) => file.path.endsWith('.h') && !/^#pragma once\n\/\/ \S/.test(file.text))
        .map((file) => file.path),
  },
  {
    name: 'Every public header of the core has an example in tests/install/examples, and each of these a header',
    violations: ({ files }) => {
      const stems = (pattern) => new Set(files.map((file) => pattern.exec(file.path)?.[1]).filter(Boolean));
      const headers = stems(/^core\/include\/tonearm\/(\w+)\.h$/);
      const examples = stems(/^tests\/install\/examples\/(\w+)\.cpp$/);
      const included = (name) => files.find((file) => file.path === `tests/install/examples/${name}.cpp`).text.includes(`#include <tonearm/${name}.h>`);
      return [
        ...[...headers].filter((name) => !examples.has(name) || !included(name)).map((name) => `core/include/tonearm/${name}.h`),
        ...[...examples].filter((name) => !headers.has(name)).map((name) => `tests/install/examples/${name}.cpp`),
      ];
    },
  },
  {
    name: `No file of code is longer than ${LINES_MAX} lines`,
    violations: ({ files }) =>
      files
        .filter(isCode)
        .map((file) => ({ file, lines: file.text.split('\n').length - 1 }))
        .filter(({ lines }) => lines > LINES_MAX)
        .map(({ file, lines }) => `${file.path}: ${lines} lines`),
  },
  {
    name: 'Nothing is named after things without a place',
    violations: ({ files }) => {
      const placeless = new RegExp(`(^|[/_-])(${joined(['uti', 'ls?'], ['com', 'mon'], ['hel', 'pers?'], ['mana', 'gers?'])})([/._-]|$)`);
      return files.filter((file) => placeless.test(file.path)).map((file) => file.path);
    },
  },
  {
    name: 'No word that marks unfinished work',
    violations: ({ files }) => {
      const words = joined(['to', 'do'], ['fix', 'me'], ['ha', 'ck'], ['xx', 'x'], ['not imple', 'mented'], ['stu', 'b(bed)?']);
      const unfinished = new RegExp(`\\b(${words})\\b`, 'i');
      return files
        .filter((file) => !file.path.endsWith('package-lock.json'))
        .flatMap((file) => linesWith(file, file.text.replaceAll(/\b501\b.*/g, ''), unfinished)); // HTTP's own words
    },
  },
  {
    name: 'No test is switched off',
    violations: ({ files }) => {
      const switchedOff = new RegExp(joined(['doctest::', 'skip'], ['doctest::', 'may_fail'], ['\\.sk', 'ip\\('], ['test\\.on', 'ly'], ['describe\\.on', 'ly']));
      return files
        .filter((file) => file.path.startsWith('tests/'))
        .flatMap((file) => linesWith(file, file.text, switchedOff));
    },
  },
  {
    name: 'No file holds a path of the machine it was written on',
    violations: ({ files, machinePaths }) =>
      files.flatMap((file) =>
        machinePaths.flatMap((path) =>
          file.text.includes(path) ? [`${file.path}: holds ${path}`] : [],
        ),
      ),
  },
  {
    name: 'The programs of the shell pass shellcheck',
    violations: ({ files }) => {
      const scripts = files.filter((file) => /^#!.*\b(ba)?sh\n/.test(file.text)).map((file) => file.path);
      const result = spawnSync('shellcheck', ['--severity=warning', '--', ...scripts], { encoding: 'utf8' });
      return result.status === 0 ? [] : (result.error?.message ?? result.stdout).trim().split('\n');
    },
  },
];
