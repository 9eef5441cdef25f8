// Who includes whom: the includes of C++, resolved to files of the tree, and the imports of the edge's TypeScript. What a
// file reaches is what it includes, what that includes, and so on.

import { dirname, join } from 'node:path/posix';

import { PUBLIC_HEADERS } from './arrows.mjs';
import { isCpp } from './tree.mjs';

/** The module of a file: its folder; a public header belongs to the module that it is declared for. */
export function moduleOf(path) {
  const header = /^core\/include\/(.+)$/.exec(path)?.[1];
  if (!header) return dirname(path);
  return Object.keys(PUBLIC_HEADERS).find((module) => PUBLIC_HEADERS[module].includes(header)) ?? 'core/include/tonearm';
}

/** The includes of one file: `{line, angled, name}`. */
export function includesOf(file) {
  return file.text.split('\n').flatMap((text, index) => {
    const found = /^\s*#\s*include\s*([<"])([^>"]+)/.exec(text);
    return found ? [{ line: index + 1, angled: found[1] === '<', name: found[2] }] : [];
  });
}

/**
 * The include graph: path -> [{line, name, target}], quoted includes alone. `target` is null for what is not in the tree,
 * which the build generates. A name is looked for beside the file, then in the folders `src` and `include` of the file's
 * own part of the tree, then in those of the core and the others.
 */
export function includeGraph(files) {
  const sources = files.filter(isCpp);
  const paths = new Set(files.map((file) => file.path));
  const roots = [...new Set([...paths].flatMap((path) => /^([a-z-]+\/(?:src|include))\//.exec(path)?.[1] ?? []))];
  roots.push('tests/support', 'tests');
  const resolve = (file, name) => {
    const own = file.path.split('/')[0] + '/';
    const rank = (root) => (root.startsWith(own) ? 0 : root.startsWith('core/') ? 1 : 2);
    const folders = [dirname(file.path), ...roots.toSorted((a, b) => rank(a) - rank(b))];
    return folders.map((folder) => join(folder, name)).find((path) => paths.has(path)) ?? null;
  };
  return new Map(
    sources.map((file) => [
      file.path,
      includesOf(file)
        .filter((include) => !include.angled)
        .map(({ line, name }) => ({ line, name, target: resolve(file, name) })),
    ]),
  );
}

/** The imports of TypeScript among files of the tree, in the same form; an import of types alone counts too. */
export function importGraph(files) {
  const sources = files.filter((file) => /\.tsx?$/.test(file.path));
  const paths = new Set(sources.map((file) => file.path));
  return new Map(
    sources.map((file) => [
      file.path,
      [...file.text.matchAll(/^(?:import|export)\b[^;]*?\bfrom\s+'(\.[^']*)'/gm)].map((found) => {
        const path = join(dirname(file.path), found[1]);
        const target = [path, `${path}.ts`, `${path}.tsx`, `${path}/index.ts`].find((candidate) => paths.has(candidate)) ?? null;
        return { line: file.text.slice(0, found.index).split('\n').length, name: found[1], target };
      }),
    ]),
  );
}

/** Every file that `start` reaches: path -> the shortest way to it, `[start, ..., path]`. */
export function reachedFrom(graph, start) {
  const ways = new Map([[start, [start]]]);
  for (const [path, way] of ways) {
    for (const { target } of graph.get(path) ?? []) {
      if (target && !ways.has(target)) ways.set(target, [...way, target]);
    }
  }
  ways.delete(start);
  return ways;
}

/** Cycles of a graph of names: `edges(name)` gives its neighbours. Each cycle once, as the names along it. */
export function cyclesOf(names, edges) {
  const cycles = [];
  const done = new Set();
  const way = [];
  const visit = (name) => {
    const from = way.indexOf(name);
    if (from >= 0) return cycles.push([...way.slice(from), name]);
    if (done.has(name)) return undefined;
    way.push(name);
    edges(name).forEach(visit);
    way.pop();
    done.add(name);
    return undefined;
  };
  names.forEach(visit);
  return cycles;
}
