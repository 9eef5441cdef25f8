// Rules about who may include whom: the table of arrows.mjs held against the includes of the tree, direct and indirect.

import { ARROWS, EXCEPTIONS, IMPORT_EXCEPTIONS, PUBLIC_HEADERS, UNEXPLAINED } from './arrows.mjs';
import { cyclesOf, importGraph, includeGraph, reachedFrom, roomOf } from './includes.mjs';

const isProduct = (path) => !path.startsWith('tests/');
const productOf = (files) => files.filter((file) => isProduct(file.path));
const isException = (exception, path, room) =>
  exception.to === room && (exception.from === path || exception.from === roomOf(path));

/** Every way from a file to a room that its own room's row does not name: `{path, room, way}`, the shortest for each. */
function forbiddenWays(files) {
  const graph = includeGraph(files);
  return [...graph.keys()].filter(isProduct).flatMap((path) => {
    const own = roomOf(path);
    const ways = new Map();
    for (const [target, way] of reachedFrom(graph, path)) {
      const room = roomOf(target);
      if (room !== own && !ARROWS[own]?.includes(room) && !ways.has(room)) ways.set(room, way);
    }
    return [...ways].map(([room, way]) => ({ path, room, way }));
  });
}

/** One violation for each pair of rooms: the shortest way, and how many files have one. */
function summary(ways) {
  const pairs = new Map();
  for (const way of ways) {
    const pair = `${roomOf(way.path)} reaches ${way.room}`;
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

export const arrowRules = [
  {
    name: 'A file reaches only the rooms that the row of its room names, through indirect includes too',
    violations: ({ files }) =>
      summary(
        forbiddenWays(files).filter(({ path, room }) => !EXCEPTIONS.some((exception) => isException(exception, path, room))),
      ),
  },
  {
    name: 'Every folder with C++ has a row in the table of arrows, every public header a room',
    violations: ({ files }) => {
      const rooms = [...new Set([...includeGraph(productOf(files)).keys()].map(roomOf))];
      return rooms.filter((room) => !(room in ARROWS)).map((room) => `${room} has no row in tests/structure/arrows.mjs`);
    },
  },
  {
    name: 'Every room begins with a README.md that says what it is for',
    violations: ({ files }) => {
      const paths = new Set(files.map((file) => file.path));
      const rooms = [...new Set([...includeGraph(productOf(files)).keys()].map(roomOf))];
      return rooms.filter(
        (room) => !(room in PUBLIC_HEADERS) && !paths.has(`${room}/README.md`) && !UNEXPLAINED.includes(room),
      );
    },
  },
  {
    name: 'The table of arrows names what exists, from the inside out',
    violations: ({ files }) => {
      const paths = new Set(files.map((file) => file.path));
      const rooms = new Set([...includeGraph(productOf(files)).keys()].map(roomOf));
      const above = new Set();
      const violations = [];
      for (const [room, targets] of Object.entries(ARROWS)) {
        if (!rooms.has(room)) violations.push(`${room} has a row, but no file`);
        for (const target of targets) if (!above.has(target)) violations.push(`${room} names ${target}, which does not stand above it`);
        above.add(room);
      }
      for (const header of Object.values(PUBLIC_HEADERS).flat()) {
        if (!paths.has(`core/include/${header}`)) violations.push(`${header} has a room, but does not exist`);
      }
      return violations;
    },
  },
  {
    name: 'Every exception to the table of arrows is still needed',
    violations: ({ files }) => {
      const ways = forbiddenWays(files);
      const unused = EXCEPTIONS.filter((exception) => !ways.some(({ path, room }) => isException(exception, path, room)));
      return unused.map(({ from, to }) => `${from} -> ${to}`);
    },
  },
  {
    name: 'Every quoted include is found in the tree, or is generated',
    violations: ({ files }) =>
      [...includeGraph(productOf(files))].flatMap(([path, includes]) =>
        includes
          .filter(({ name, target }) => !target && !/^(generated\/|case_folding)/.test(name))
          .map(({ line, name }) => `${path}:${line}: ${name}`),
      ),
  },
  {
    name: 'Imports of TypeScript make no circle',
    violations: ({ files }) => {
      const cycles = importCycles(files).map((cycle) => cycle.join(' -> '));
      const allowed = IMPORT_EXCEPTIONS.map(({ circle }) => circle);
      return [
        ...cycles.filter((cycle) => !allowed.includes(cycle)),
        ...allowed.filter((cycle) => !cycles.includes(cycle)).map((cycle) => `${cycle}: is no circle any more`),
      ];
    },
  },
];
