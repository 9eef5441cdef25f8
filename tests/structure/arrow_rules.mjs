// Rules about includes between modules: compares the table of arrows.mjs with the direct and indirect includes of the tree.

import { ARROWS, EXCEPTIONS, IMPORT_EXCEPTIONS, PUBLIC_HEADERS, UNEXPLAINED } from './arrows.mjs';
import { cyclesOf, importGraph, includeGraph, moduleOf, modulesOf, reachedFrom } from './includes.mjs';

const isProduct = (path) => !path.startsWith('tests/');
const productOf = (files) => files.filter((file) => isProduct(file.path));
const isException = (exception, path, module) =>
  exception.to === module && (exception.from === path || exception.from === moduleOf(path));

/** Returns every path of includes from a file to a module that its module's row does not allow: `{path, module, way}`, the shortest. */
function forbiddenWays(files) {
  const graph = includeGraph(files);
  return [...graph.keys()].filter(isProduct).flatMap((path) => {
    const own = moduleOf(path);
    const ways = new Map();
    for (const [target, way] of reachedFrom(graph, path)) {
      const module = moduleOf(target);
      if (module !== own && !ARROWS[own]?.includes(module) && !ways.has(module)) ways.set(module, way);
    }
    return [...ways].map(([module, way]) => ({ path, module, way }));
  });
}

/** Returns one violation for each pair of modules: the shortest path, and the number of files that have one. */
function summary(ways) {
  const pairs = new Map();
  for (const way of ways) {
    const pair = `${moduleOf(way.path)} reaches ${way.module}`;
    pairs.set(pair, [...(pairs.get(pair) ?? []), way]);
  }
  return [...pairs].map(([pair, all]) => {
    const [shortest] = all.toSorted((a, b) => a.way.length - b.way.length);
    return `${pair} (from ${all.length} files): ${shortest.way.join(' -> ')}`;
  });
}

function importCycles(files) {
  const graph = importGraph(files);
  return cyclesOf([...graph.keys()], (path) => graph.get(path).flatMap(({ target }) => target ?? []));
}

/** The folders of programs. None may include another's; what several programs need is a library in native/ or audio/. */
const PROGRAMS = ['host-native', 'host-wasm', 'catalog-builder', 'demo-composer', 'command-line', 'web-demo-server'];
const programOf = (path) => PROGRAMS.find((program) => path.startsWith(`${program}/`));

/** The maximum number of C++ files in a module of the core. */
const FILES_MAX = 25;
const LARGE_MODULES = { 'core/src/catalog/index': 47, 'core/src/table': 26, 'core/src/catalog/query': 40 };

export const arrowRules = [
  {
    name: 'No program includes another program',
    violations: ({ files }) =>
      [...includeGraph(productOf(files))].flatMap(([path, includes]) =>
        includes
          .filter(({ target }) => target && programOf(path) && programOf(target) && programOf(path) !== programOf(target))
          .map(({ line, name }) => `${path}:${line}: ${name}`),
      ),
  },
  {
    name: `A module of the core has at most ${FILES_MAX} files, or as many as its row allows`,
    violations: ({ files }) => {
      const modules = Map.groupBy([...includeGraph(productOf(files)).keys()].filter((path) => path.startsWith('core/src/')), moduleOf);
      return [...modules]
        .filter(([module, paths]) => paths.length > (LARGE_MODULES[module] ?? FILES_MAX))
        .map(([module, paths]) => `${module}: ${paths.length} files`);
    },
  },
  {
    name: 'A file reaches only the modules that the row of its module names, through indirect includes too',
    violations: ({ files }) =>
      summary(
        forbiddenWays(files).filter(({ path, module }) => !EXCEPTIONS.some((exception) => isException(exception, path, module))),
      ),
  },
  {
    name: 'Every folder with C++ has a row in the table of arrows, and every public header a module',
    violations: ({ files }) => {
      const modules = modulesOf(productOf(files));
      return modules.filter((module) => !(module in ARROWS)).map((module) => `${module} has no row in tests/structure/arrows.mjs`);
    },
  },
  {
    name: 'Every module has a README.md',
    violations: ({ files }) => {
      const paths = new Set(files.map((file) => file.path));
      const modules = modulesOf(productOf(files));
      return modules.filter(
        (module) => !(module in PUBLIC_HEADERS) && !paths.has(`${module}/README.md`) && !UNEXPLAINED.includes(module),
      );
    },
  },
  {
    name: 'The table of arrows names existing modules, from the inside out',
    violations: ({ files }) => {
      const paths = new Set(files.map((file) => file.path));
      const modules = new Set(modulesOf(productOf(files)));
      const above = new Set();
      const violations = [];
      for (const [module, targets] of Object.entries(ARROWS)) {
        if (!modules.has(module)) violations.push(`${module} has a row, but no files`);
        for (const target of targets) if (!above.has(target)) violations.push(`${module} names ${target}, which is not above it`);
        above.add(module);
      }
      for (const header of Object.values(PUBLIC_HEADERS).flat()) {
        if (!paths.has(`core/include/${header}`)) violations.push(`${header} has a module, but does not exist`);
      }
      return violations;
    },
  },
  {
    name: 'Every exception to the table of arrows is needed',
    violations: ({ files }) => {
      const ways = forbiddenWays(files);
      const unused = EXCEPTIONS.filter((exception) => !ways.some(({ path, module }) => isException(exception, path, module)));
      return unused.map(({ from, to }) => `${from} -> ${to}`);
    },
  },
  {
    name: 'Every quoted include is in the tree or is generated',
    violations: ({ files }) =>
      [...includeGraph(productOf(files))].flatMap(([path, includes]) =>
        includes
          .filter(({ name, target }) => !target && !/^(generated\/|case_folding)/.test(name))
          .map(({ line, name }) => `${path}:${line}: ${name}`),
      ),
  },
  {
    name: 'TypeScript imports have no cycles',
    violations: ({ files }) => {
      const cycles = importCycles(files).map((cycle) => cycle.join(' -> '));
      const allowed = IMPORT_EXCEPTIONS.map(({ circle }) => circle);
      return [
        ...cycles.filter((cycle) => !allowed.includes(cycle)),
        ...allowed.filter((cycle) => !cycles.includes(cycle)).map((cycle) => `${cycle}: the cycle no longer exists`),
      ];
    },
  },
];
