// Prints the includes between modules: node tests/structure/graph.mjs [FOLDER OF ANOTHER CHECKOUT]
//   module (files)
//     -> other module   direct includes, and the number of files that include it directly or indirectly

import { cyclesOf, importGraph, includeGraph, reachedFrom, moduleOf } from './includes.mjs';
import { readTree, ROOT } from './tree.mjs';

function printRooms(graph) {
  const modules = new Map();
  for (const [path, includes] of graph) {
    const own = moduleOf(path);
    if (!modules.has(own)) modules.set(own, { files: 0, edges: new Map() });
    const entry = modules.get(own);
    entry.files += 1;
    const edge = (target) => {
      if (!entry.edges.has(target)) entry.edges.set(target, { direct: 0, reaching: 0 });
      return entry.edges.get(target);
    };
    for (const { target } of includes) if (target && moduleOf(target) !== own) edge(moduleOf(target)).direct += 1;
    const reached = new Set([...reachedFrom(graph, path).keys()].map(moduleOf));
    for (const target of reached) if (target !== own) edge(target).reaching += 1;
  }
  for (const [name, { files, edges }] of [...modules].sort()) {
    console.log(`${name} (${files} files)`);
    for (const [target, { direct, reaching }] of [...edges].sort()) {
      console.log(`  -> ${target.padEnd(34)} ${String(direct).padStart(4)} includes ${String(reaching).padStart(4)} files reach it`);
    }
  }
}

const files = readTree(process.argv[2] ?? ROOT).filter((file) => !file.path.startsWith('tests/'));
console.log('C++, module by module');
printRooms(includeGraph(files));

console.log('\nTypeScript, file by file');
const imports = importGraph(files);
for (const [path, targets] of imports) {
  console.log(`${path} -> ${targets.map(({ name }) => name).join(' ') || 'nothing'}`);
}
const cycles = cyclesOf([...imports.keys()], (path) => imports.get(path).flatMap(({ target }) => target ?? []));
for (const cycle of cycles) console.log(`cycle: ${cycle.join(' -> ')}`);
