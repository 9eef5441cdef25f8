// Finds functions that no program calls: cppcheck reads all product code, without the tests.

import { spawnSync } from 'node:child_process';

import { isCpp } from './tree.mjs';

/** Functions whose calls cppcheck cannot find, and their callers. A row that matches no function is a violation. */
const CALLED_ELSEWHERE = [
  { name: /^on_\w+$/, path: /body\.cpp$/, by: 'Boost.JSON, which calls its handler' },
  { name: /^on_\w+_impl$/, path: /body_parser\.h$/, by: 'Beast, which calls its parser' },
  { name: /^On[A-Z]\w+$/, path: /attributions\.cpp$/, by: 'yaml-cpp, which calls its handler' },
  { name: /^into_\w+$/, path: /json_line\.cpp$/, by: 'the table of fields, as template arguments' },
  { name: /^credits_\w+$/, path: /credits\w*\.cpp$/, by: 'the table of formats (credits_files.h)' },
  { name: /^throw_exception_from_error$/, path: /result\.h$/, by: 'Boost.System, found by argument-dependent lookup' },
  { name: /^next_layer$/, path: /tls_stream\.h$/, by: 'Beast, which asks a stream for its lowest layer' },
];

/** Returns `{path, line, name}` of each function that is unused according to cppcheck. */
function unusedFunctions(files) {
  const sources = files.filter((file) => isCpp(file) && !file.path.startsWith('tests/')).map((file) => file.path);
  const options = ['--enable=unusedFunction', '--quiet', '--language=c++', '--std=c++20', '--template={id}\t{file}\t{line}\t{message}'];
  const result = spawnSync('cppcheck', [...options, ...sources], { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
  if (result.error) throw result.error;
  return result.stderr.split('\n').flatMap((row) => {
    const [id, path, line, message] = row.split('\t');
    return id === 'unusedFunction' ? [{ path, line, name: /'([^']+)'/.exec(message)[1] }] : [];
  });
}

export const unusedRules = [
  {
    name: 'Every function of the product is called by the product, not only by tests',
    violations: ({ files }) => {
      const found = unusedFunctions(files);
      const matches = (row, { path, name }) => row.path.test(path) && row.name.test(name);
      return [
        ...found
          .filter((unused) => !CALLED_ELSEWHERE.some((row) => matches(row, unused)))
          .map(({ path, line, name }) => `${path}:${line}: ${name}`),
        ...CALLED_ELSEWHERE.filter((row) => !found.some((unused) => matches(row, unused))).map(
          (row) => `no function is ${row.name} in ${row.path}: remove the row`,
        ),
      ];
    },
  },
];
