// The graphs of C++ includes, resolved to files of the tree, and of TypeScript imports. A file reaches the files that it includes
// directly or indirectly.

import { dirname, join } from 'node:path/posix';

import { PUBLIC_HEADERS } from './arrows.mjs';
import { isCpp } from './tree.mjs';

/** Returns the module of a file: its folder, or for a public header the module that it is declared for. */
export function moduleOf(path) {
  const header = /^core\/include\/(.+)$/.exec(path)?.[1];
  if (!header) return dirname(path);
  return Object.keys(PUBLIC_HEADERS).find((module) => PUBLIC_HEADERS[module].includes(header)) ?? 'core/include/tonearm';
}

/** Returns the includes of a file: `{line, angled, name}`. */
export function includesOf(file) {
  return file.text.split('\n').flatMap((text, index) => {
    const found = /^\s*#\s*include\s*([<"])([^>"]+)/.exec(text);
    return found ? [{ line: index + 1, angled: found[1] === '<', name: found[2] }] : [];
  });
}

/**
 * Returns the graph of quoted includes: path -> [{line, name, target}]. `target` is null for files that the build generates. A
 * name is searched beside the file, then in the folders `src` and `include` of the file's part of the tree, then in those of the
 * core and the other parts.
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

/** Returns the modules of some files. */
export const modulesOf = (files) => [...new Set(files.filter(isCpp).map((file) => moduleOf(file.path)))];

const STATIC_IMPORT = /^(?:import|export)\b[^;]*?\bfrom\s+'(?<name>\.[^']*)'/gm;
/** `import('./x')` and `new URL('./x', ...)`. */
export const ON_DEMAND_IMPORT = /(?:import\(|new URL\()'(?<name>\.[^']*)'/g;

/**
 * Returns the graph of the TypeScript imports that match `pattern`, in the same form. Type-only imports count too. By default only
 * static imports count.
 */
export function importGraph(files, pattern = STATIC_IMPORT) {
  const sources = files.filter((file) => /\.tsx?$/.test(file.path));
  const paths = new Set(sources.map((file) => file.path));
  return new Map(
    sources.map((file) => [
      file.path,
      [...file.text.matchAll(pattern)].map((found) => {
        const { name } = found.groups;
        const path = join(dirname(file.path), name);
        const target = [path, `${path}.ts`, `${path}.tsx`, `${path}/index.ts`].find((candidate) => paths.has(candidate)) ?? null;
        return { line: file.text.slice(0, found.index).split('\n').length, name, target };
      }),
    ]),
  );
}

/** Returns every file that `start` reaches: path -> the shortest path to it, `[start, ..., path]`. */
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

/** Returns the cycles of a graph, each once, as the names along it. `edges(name)` returns the neighbors of a name. */
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
