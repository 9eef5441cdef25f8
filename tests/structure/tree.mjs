// The files of the tree that have text: what git knows and what it does not ignore. The rules and the graph read them.

import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

export const ROOT = resolve(import.meta.dirname, '../..');

/** Every text file of the checkout at `root`: `{path, text}`, by path. */
export function readTree(root = ROOT) {
  const options = { encoding: 'utf8', cwd: root, maxBuffer: 64 * 1024 * 1024 };
  return execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], options)
    .split('\0')
    .filter((path) => path && existsSync(join(root, path)))
    .sort()
    .map((path) => ({ path, bytes: readFileSync(join(root, path)) }))
    .filter(({ bytes }) => !bytes.includes(0))
    .map(({ path, bytes }) => ({ path, text: bytes.toString('utf8') }));
}

export const isCpp = (file) => /\.(cpp|h)$/.test(file.path);

/** Comments and literals as blanks, line by line as they were. */
export const withoutProse = (text) =>
  text.replace(/\/\/[^\n]*|\/\*[\s\S]*?\*\/|"(?:\\.|[^"\\\n])*"|(?<!\w)'(?:\\.|[^'\\\n])*'/g, (match) => match.replace(/[^\n]/g, ' '));
