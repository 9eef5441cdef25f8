// Rules of the tree that no compiler checks: what files must not include or contain. Each rule is a sentence and a function from
// the tree to its violations.

import { spawnSync } from 'node:child_process';

import { arrowRules } from './arrow_rules.mjs';
import { citationRules, clauseRules } from './clauses.mjs';
import { glossaryRules } from './glossary.mjs';
import { includesOf } from './includes.mjs';
import { retiredWordRules } from './retired_words.mjs';
import { similarMethodRules } from './similar_method.mjs';
import { testedRules } from './tested.mjs';
import { isCpp, withoutProse } from './tree.mjs';
import { unusedRules } from './unused.mjs';

// Headers of facilities that only hosts may use: threads, clocks, sockets, files, the environment.
const HOST_HEADERS =
  /^(thread|stop_token|future|condition_variable|barrier|latch|semaphore|shared_future|filesystem|fstream|iostream|random|ctime|time\.h|csignal|signal\.h|unistd\.h|fcntl\.h|cstdio|stdio\.h|(sys|arpa|netinet|linux|emscripten)\/.*|boost\/(asio|beast|thread|filesystem|process|interprocess)\b.*|openssl\/.*|zstd\.h|zlib\.h|pthread\.h|spdlog\/.*|toml.*|CLI\/.*|libpq.*)$/;

const HOST_CALLS =
  /\b(getenv|secure_getenv|system_clock|steady_clock|high_resolution_clock|random_device|localtime|gmtime|clock_gettime|gettimeofday|this_thread|fopen|ifstream|ofstream|std::time|srand|thread_local)\b/;

const LINES_MAX = 600;

const isCode = (file) => /\.(cpp|h|mjs|js|ts|sh|cmake)$/.test(file.path) || /^#!/.test(file.text);
const folderOf = (file) => /^core\/src\/([a-z]+)\//.exec(file.path)?.[1];

/** Returns path, number and text of each line of `text` that matches `pattern`. */
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

/** Joins parts of words, so that this file does not contain the words. */
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
    name: 'core/src/domain includes only the standard library and the core',
    violations: ({ files }) =>
      forbiddenIncludes(
        files.filter((file) => folderOf(file) === 'domain'),
        (include) => include.angled && !/^[a-z_]+$/.test(include.name),
      ),
  },
  {
    name: 'No header has a using directive',
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
  ...similarMethodRules,
  ...unusedRules,
  ...testedRules,
  {
    name: 'No mathematics library is used where orders are decided (invariant 7)',
    violations: ({ files }) =>
      forbiddenIncludes(
        files.filter((file) => ['catalog', 'domain'].includes(folderOf(file))),
        (include) => /^(cmath|math\.h|numbers|valarray)$/.test(include.name),
      ),
  },
  {
    name: 'A header begins with #pragma once and a comment',
    violations: ({ files }) =>
      files
        .filter((file) => file.path.endsWith('.h') && !/^#pragma once\n\/\/ \S/.test(file.text))
        .map((file) => file.path),
  },
  {
    name: 'Every public header of the core has an example in tests/install/examples, and every example a header',
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
    name: `No source file is longer than ${LINES_MAX} lines`,
    violations: ({ files }) =>
      files
        .filter(isCode)
        .map((file) => ({ file, lines: file.text.split('\n').length - 1 }))
        .filter(({ lines }) => lines > LINES_MAX)
        .map(({ file, lines }) => `${file.path}: ${lines} lines`),
  },
  {
    name: 'No file or folder has a catch-all name',
    violations: ({ files }) => {
      const catchAll = new RegExp(`(^|[/_-])(${joined(['uti', 'ls?'], ['com', 'mon'], ['hel', 'pers?'], ['mana', 'gers?'])})([/._-]|$)`);
      return files.filter((file) => catchAll.test(file.path)).map((file) => file.path);
    },
  },
  {
    name: 'No marker of unfinished work',
    violations: ({ files }) => {
      const words = joined(['to', 'do'], ['fix', 'me'], ['ha', 'ck'], ['xx', 'x'], ['not imple', 'mented'], ['stu', 'b(bed)?']);
      const unfinished = new RegExp(`\\b(${words})\\b`, 'i');
      return files
        .filter((file) => !file.path.endsWith('package-lock.json'))
        .flatMap((file) => linesWith(file, file.text.replaceAll(/\b501\b.*/g, ''), unfinished)); // an HTTP reason phrase
    },
  },
  {
    name: 'No test is disabled',
    violations: ({ files }) => {
      const switchedOff = new RegExp(joined(['doctest::', 'skip'], ['doctest::', 'may_fail'], ['\\.sk', 'ip\\('], ['test\\.on', 'ly'], ['describe\\.on', 'ly']));
      return files
        .filter((file) => file.path.startsWith('tests/'))
        .flatMap((file) => linesWith(file, file.text, switchedOff));
    },
  },
  {
    name: 'No file contains a path of this machine',
    violations: ({ files, machinePaths }) =>
      files.flatMap((file) =>
        machinePaths.flatMap((path) =>
          file.text.includes(path) ? [`${file.path}: contains ${path}`] : [],
        ),
      ),
  },
  {
    name: 'Shell scripts pass shellcheck',
    violations: ({ files }) => {
      const scripts = files.filter((file) => /^#!.*\b(ba)?sh\n/.test(file.text)).map((file) => file.path);
      const result = spawnSync('shellcheck', ['--severity=warning', '--', ...scripts], { encoding: 'utf8' });
      return result.status === 0 ? [] : (result.error?.message ?? result.stdout).trim().split('\n');
    },
  },
];
