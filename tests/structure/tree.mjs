// Reads the text files of the tree: those that git tracks, and untracked ones that it does not ignore.

import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

export const ROOT = resolve(import.meta.dirname, '../..');

/** Returns every text file of the checkout at `root`: `{path, text}`, sorted by path. */
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

const COMMENT_OR_LITERAL = /\/\/[^\n]*|\/\*[\s\S]*?\*\/|("(?:\\.|[^"\\\n])*"|(?<!\w)'(?:\\.|[^'\\\n])*')/g;
const blanked = (text) => text.replace(/[^\n]/g, ' ');

/** Replaces comments and literals by blanks, keeping lines. */
export const withoutProse = (text) => text.replace(COMMENT_OR_LITERAL, blanked);
/** Replaces comments by blanks, keeping lines. */
export const withoutComments = (text) => text.replace(COMMENT_OR_LITERAL, (match, literal) => literal ?? blanked(match));
