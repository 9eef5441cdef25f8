// Checks that tests reach every source. A test reaches the files that it includes or imports, directly or indirectly, and the sources
// that implement a reached header: those that include it first, or from their own module. The main file of a program is reached if a
// test starts the program.

import { importGraph, includeGraph, moduleOf, modulesOf, ON_DEMAND_IMPORT } from './includes.mjs';
import { isCpp } from './tree.mjs';

/** The main files of programs, and a test that runs each one. */
const STARTED_BY = {
  'host-native/src/server/server_main.cpp': 'tests/http/server_test.mjs',
  'host-native/src/admin/admin_main.cpp': 'tests/http/admin_test.mjs',
  'web-demo-server/src/program/main.cpp': 'tests/web/site_test.mjs',
  'catalog-builder/src/program/main.cpp': 'tests/real/licenses_test.mjs',
  'demo-composer/src/program/main.cpp': 'tests/install/programs_test.mjs',
  'command-line/src/program/main.cpp': 'tests/command-line/commands_test.mjs',
  'host-wasm/bridge/bridge.cpp': 'tests/edge/run_cases.mjs',
  'audio/wasm/exports.cpp': 'tests/browser/fingerprint_test.mjs',
  'host-wasm/worker/worker.ts': 'tests/edge/worker_test.mjs',
  'host-wasm/worker/admin_worker.ts': 'tests/edge/worker_test.mjs',
  'host-wasm/worker/dev_worker.ts': 'tests/edge/dev_test.mjs',
  'core-js/src/index.ts': 'tests/core-js/reader_test.mjs',
  'host-wasm/bridge/memory.cpp': 'tests/edge/run_cases.mjs', // replaces functions of the C library
  'web-demo-server/site/src/main.tsx': 'tests/browser/search_test.mjs',
  'web-demo-server/site/src/server.tsx': 'tests/web/pages_test.mjs',
  'web-demo-server/site/src/docs.ts': 'tests/browser/pages_test.mjs',
};

/** Files with types only, and files that build the page. */
const NOT_RUN = /\.d\.ts$|^web-demo-server\/site\/[a-z_.]+\.ts$/;

const isProduct = (path) => !path.startsWith('tests/') && !path.startsWith('docs/');

/** Returns the paths that tests reach. */
function reachedFromTests(files) {
  const graph = new Map([...includeGraph(files), ...importGraph(files)]);
  const starts = [...graph.keys()].filter((path) => path.startsWith('tests/') && !path.startsWith('tests/bench/'));
  const reached = new Set([...starts, ...Object.keys(STARTED_BY)]);
  const implementations = new Map();
  for (const path of graph.keys()) {
    if (!path.endsWith('.cpp')) continue;
    const [own, ...others] = graph.get(path).map(({ target }) => target);
    const through = (graph.get(own) ?? []).map(({ target }) => target);
    const inModule = [...others, ...through].filter((target) => target && moduleOf(target) === moduleOf(path));
    for (const header of [own, ...inModule]) implementations.set(header, [...(implementations.get(header) ?? []), path]);
  }
  for (const [path, imports] of importGraph(files, ON_DEMAND_IMPORT)) graph.get(path).push(...imports);
  for (const path of reached) {
    for (const { target } of graph.get(path) ?? []) if (target) reached.add(target);
    for (const source of implementations.get(path) ?? []) reached.add(source);
  }
  return reached;
}

export const testedRules = [
  {
    name: 'Every source of the product is reached by a test',
    violations: ({ files }) => {
      const reached = reachedFromTests(files);
      return files
        .filter((file) => isProduct(file.path) && (isCpp(file) || /\.tsx?$/.test(file.path)) && !NOT_RUN.test(file.path))
        .filter(({ path }) => !reached.has(path))
        .map(({ path }) => path);
    },
  },
  {
    name: 'Every test that starts a program exists, and every program that it is listed for',
    violations: ({ files }) => {
      const paths = new Set(files.map((file) => file.path));
      return Object.entries(STARTED_BY).flat().filter((path) => !paths.has(path));
    },
  },
  {
    name: "Every module's README.md lists the tests that cover it",
    violations: ({ files }) => {
      const texts = new Map(files.map((file) => [file.path, file.text]));
      const folders = new Set(files.flatMap(({ path }) => path.split('/').map((_, index, parts) => parts.slice(0, index + 1).join('/'))));
      return modulesOf(files.filter((file) => isProduct(file.path)))
        .map((module) => `${module}/README.md`)
        .filter((path) => texts.has(path))
        .flatMap((path) => {
          const line = /^Tests: (.*)$/m.exec(texts.get(path))?.[1];
          if (!line) return [`${path} has no line "Tests: ..."`];
          return [...line.matchAll(/`([^`]+)`/g)].filter(([, test]) => !folders.has(test)).map(([, test]) => `${path} names ${test}, which does not exist`);
        });
    },
  },
];
