// Checks the glossary (docs/glossary.md): names in backticks in its last column are in the tree. A name is a path of a file or
// folder, or the end of one, or else an identifier in the code of a program, outside comments and literals.

import { withoutProse } from './tree.mjs';

const GLOSSARY = 'docs/glossary.md';
const PROGRAMS = /^(core|core-js|native|audio|host-native|host-wasm|catalog-builder|command-line|web-demo-server|demo-composer)\/.*\.(h|cpp|ts|mjs)$/;

/** Returns every name in the last column: `{name, line}`. */
function namesOf(text) {
  return text.split('\n').flatMap((row, index) => {
    const cells = row.startsWith('|') ? row.split('|') : [];
    const last = cells.at(-2) ?? '';
    return [...last.matchAll(/`([^`]+)`/g)].map(([, name]) => ({ name, line: index + 1 }));
  });
}

const isPath = (name) => /[./]/.test(name);

export const glossaryRules = [
  {
    name: 'Every name of code in the glossary is in the tree',
    violations: ({ files }) => {
      const paths = files.map(({ path }) => `/${path}`);
      const hasPath = (name) => paths.some((path) => (name.endsWith('/') ? path.includes(`/${name}`) : path.endsWith(`/${name}`)));
      const identifiers = new Set(
        files.filter(({ path }) => PROGRAMS.test(path)).flatMap(({ text }) => withoutProse(text).match(/[A-Za-z_]\w*/g) ?? []),
      );
      const isThere = (name) =>
        isPath(name) ? hasPath(name) : name.replace(/\(\)$/, '').split('::').every((part) => identifiers.has(part));
      return namesOf(files.find(({ path }) => path === GLOSSARY)?.text ?? '')
        .filter(({ name }) => !isThere(name))
        .map(({ name, line }) => `${GLOSSARY}:${line}: ${name}`);
    },
  },
];
