// The rules of the house that no compiler checks: which file may include what, and what no file may hold.
// Each rule is a sentence and a function from the tree to its faults.

import { spawnSync } from 'node:child_process';

// Headers that give a core what only a host may give it: threads, clocks, sockets, files, an environment.
const HOST_HEADERS =
  /^(thread|stop_token|future|condition_variable|barrier|latch|semaphore|shared_future|filesystem|fstream|iostream|random|ctime|time\.h|csignal|signal\.h|unistd\.h|fcntl\.h|cstdio|stdio\.h|(sys|arpa|netinet|linux|emscripten)\/.*|boost\/(asio|beast|thread|filesystem|process|interprocess)\b.*|openssl\/.*|zstd\.h|zlib\.h|pthread\.h|spdlog\/.*|toml.*|CLI\/.*|libpq.*)$/;

const HOST_CALLS =
  /\b(getenv|secure_getenv|system_clock|steady_clock|high_resolution_clock|random_device|localtime|gmtime|clock_gettime|gettimeofday|this_thread|fopen|ifstream|ofstream|std::time|srand|thread_local)\b/;

// From the inside out: a folder of core/src includes itself and what stands here, nothing else.
const INNER_FOLDERS = {
  text: [],
  json: ['text'],
  domain: ['text'],
  sql: [],
  state: ['domain', 'text', 'json', 'sql'],
  table: ['domain', 'text', 'json', 'state'],
  catalog: ['domain', 'text', 'json', 'table', 'sql'],
  api: ['domain', 'text', 'json', 'table', 'sql', 'catalog', 'state'],
  mcp: ['domain', 'text', 'json', 'table', 'sql', 'catalog', 'state', 'api'],
};

// Public headers that speak for an outer folder, and so are closed to the inner ones.
const OUTER_HEADERS = {
  text: ['sql', 'catalog', 'search', 'service', 'snapshot_writer'],
  json: ['sql', 'catalog', 'search', 'service', 'snapshot_writer'],
  domain: ['sql', 'catalog', 'search', 'service', 'snapshot_writer'],
  sql: ['catalog', 'service', 'snapshot_writer'],
  state: ['catalog', 'snapshot_writer'],
  table: ['sql', 'service', 'snapshot_writer'],
  catalog: ['service'],
};

// What hosts and builder take from the core besides its public headers, and why: builder and core must agree
// to the byte on what text is, and on how JSON is written.
const SHARED_INSIDES = { 'catalog-builder': ['json', 'text'] };

const LINES_MAX = 600;

const isCpp = (file) => /\.(cpp|h)$/.test(file.path);
const isCode = (file) => /\.(cpp|h|mjs|js|ts|sh|cmake)$/.test(file.path) || /^#!/.test(file.text);
const folderOf = (file) => /^core\/src\/([a-z]+)\//.exec(file.path)?.[1];

/** Line number and text of each line of `text` that `pattern` finds. */
function linesWith(file, text, pattern) {
  return text
    .split('\n')
    .flatMap((line, index) => (pattern.test(line) ? [`${file.path}:${index + 1}: ${line.trim()}`] : []));
}

/** The includes of a file: `{line, name, angled}`. */
function includesOf(file) {
  return file.text.split('\n').flatMap((text, index) => {
    const found = /^\s*#\s*include\s*([<"])([^>"]+)/.exec(text);
    return found ? [{ line: index + 1, angled: found[1] === '<', name: found[2] }] : [];
  });
}

/** C++ without comments and literals, line by line as it was. */
const withoutProse = (text) =>
  text.replace(/\/\/[^\n]*|\/\*[\s\S]*?\*\/|"(?:\\.|[^"\\\n])*"/g, (match) => match.replace(/[^\n]/g, ' '));

function faultyIncludes(files, isFault) {
  return files.flatMap((file) =>
    includesOf(file)
      .filter((include) => isFault(include, file))
      .map((include) => `${file.path}:${include.line}: includes ${include.name}`),
  );
}

/** Words are put together here, so that this file does not hold them itself. */
const joined = (...halves) => halves.map(([a, b]) => a + b).join('|');

export const rules = [
  {
    name: 'The core includes no host header, thread, clock, filesystem or environment (invariant 1)',
    faults: ({ files }) =>
      faultyIncludes(
        files.filter((file) => isCpp(file) && file.path.startsWith('core/')),
        (include) => HOST_HEADERS.test(include.name),
      ),
  },
  {
    name: 'The core reads no clock, random source, file or environment variable (invariant 1)',
    faults: ({ files }) =>
      files
        .filter((file) => isCpp(file) && file.path.startsWith('core/'))
        .flatMap((file) => linesWith(file, withoutProse(file.text), HOST_CALLS)),
  },
  {
    name: 'Rules on plain values (core/src/domain) include the standard library and the core alone',
    faults: ({ files }) =>
      faultyIncludes(
        files.filter((file) => folderOf(file) === 'domain'),
        (include) => include.angled && !/^[a-z_]+$/.test(include.name),
      ),
  },
  {
    name: 'Arrows between the folders of the core point inward',
    faults: ({ files }) =>
      faultyIncludes(
        files.filter((file) => isCpp(file) && folderOf(file)),
        (include, file) => {
          const [folder, header] = include.name.split('/');
          const own = folderOf(file);
          if (include.angled || !header) return false;
          if (folder === 'tonearm') return OUTER_HEADERS[own]?.includes(header.replace(/\.h$/, '')) ?? false;
          return folder !== own && !INNER_FOLDERS[own]?.includes(folder);
        },
      ),
  },
  {
    name: 'Every folder of the core has its place in the order of arrows',
    faults: ({ files }) =>
      [...new Set(files.map(folderOf).filter(Boolean))]
        .filter((folder) => !(folder in INNER_FOLDERS))
        .map((folder) => `core/src/${folder} is not in INNER_FOLDERS`),
  },
  {
    name: 'The core includes nothing of hosts and builder; they include its public headers alone',
    faults: ({ files }) => {
      const insides = Object.keys(INNER_FOLDERS);
      return faultyIncludes(files.filter(isCpp), (include, file) => {
        const top = file.path.split('/')[0];
        const folder = include.name.split('/')[0];
        if (top === 'core') return /^(host-native|host-wasm|catalog-builder|\.\.)\b/.test(include.name);
        if (top === 'tests') return false;
        return !include.angled && insides.includes(folder) && !SHARED_INSIDES[top]?.includes(folder);
      });
    },
  },
  {
    name: 'No mathematics library is used where orders are decided (invariant 7)',
    faults: ({ files }) =>
      faultyIncludes(
        files.filter((file) => ['catalog', 'domain'].includes(folderOf(file))),
        (include) => /^(cmath|math\.h|numbers|valarray)$/.test(include.name),
      ),
  },
  {
    name: 'A header begins with #pragma once and says what it is for',
    faults: ({ files }) =>
      files
        .filter((file) => file.path.endsWith('.h') && !/^#pragma once\n\/\/ \S/.test(file.text))
        .map((file) => file.path),
  },
  {
    name: `No file of code is longer than ${LINES_MAX} lines`,
    faults: ({ files }) =>
      files
        .filter(isCode)
        .map((file) => ({ file, lines: file.text.split('\n').length - 1 }))
        .filter(({ lines }) => lines > LINES_MAX)
        .map(({ file, lines }) => `${file.path}: ${lines} lines`),
  },
  {
    name: 'Nothing is named after things without a place',
    faults: ({ files }) => {
      const placeless = new RegExp(`(^|[/_-])(${joined(['uti', 'ls?'], ['com', 'mon'], ['hel', 'pers?'], ['mana', 'gers?'])})([/._-]|$)`);
      return files.filter((file) => placeless.test(file.path)).map((file) => file.path);
    },
  },
  {
    name: 'No word that marks unfinished work',
    faults: ({ files }) => {
      const words = joined(['to', 'do'], ['fix', 'me'], ['ha', 'ck'], ['xx', 'x'], ['not imple', 'mented'], ['stu', 'b(bed)?']);
      const unfinished = new RegExp(`\\b(${words})\\b`, 'i');
      return files
        .filter((file) => !file.path.endsWith('package-lock.json'))
        .flatMap((file) => linesWith(file, file.text.replaceAll(/\b501\b.*/g, ''), unfinished)); // HTTP's own words
    },
  },
  {
    name: 'No test is switched off',
    faults: ({ files }) => {
      const switchedOff = new RegExp(joined(['doctest::', 'skip'], ['doctest::', 'may_fail'], ['\\.sk', 'ip\\('], ['test\\.on', 'ly'], ['describe\\.on', 'ly']));
      return files
        .filter((file) => file.path.startsWith('tests/'))
        .flatMap((file) => linesWith(file, file.text, switchedOff));
    },
  },
  {
    name: 'No file holds a path of the machine it was written on',
    faults: ({ files, machinePaths }) =>
      files.flatMap((file) =>
        machinePaths.flatMap((path) =>
          file.text.includes(path) ? [`${file.path}: holds ${path}`] : [],
        ),
      ),
  },
  {
    name: 'The programs of the shell pass shellcheck',
    faults: ({ files }) => {
      const scripts = files.filter((file) => /^#!.*\b(ba)?sh\n/.test(file.text)).map((file) => file.path);
      const result = spawnSync('shellcheck', ['--severity=warning', '--', ...scripts], { encoding: 'utf8' });
      return result.status === 0 ? [] : (result.error?.message ?? result.stdout).trim().split('\n');
    },
  },
];
