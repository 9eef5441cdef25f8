// Reads documents with parsers of their own formats.

import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

const requireFrom = (folder) => createRequire(new URL(`../../${folder}/package.json`, import.meta.url));
const { Parser } = requireFrom('build-support')('commonmark');
const yaml = requireFrom('tests/clients')('js-yaml');

function byPython(format, text) {
  const program = fileURLToPath(new URL('read_format.py', import.meta.url));
  const { status, stdout, stderr } = spawnSync('python3', ['-I', program, format], { input: text, encoding: 'utf8', maxBuffer: 1 << 28 });
  if (status !== 0) throw new Error(`${format}: ${stderr}`);
  return JSON.parse(stdout);
}

export const readCsv = (text) => byPython('csv', text);
export const readToml = (text) => byPython('toml', text);
/** Returns `tags`, pairs of name and attributes, and `items`, the texts of list items. */
export const readHtml = (text) => byPython('html', text);
export const readYaml = (text) => yaml.load(text, { schema: yaml.CORE_SCHEMA });

/** Returns the types of all nodes of a Markdown document, the addresses of links and images, and the texts of list items. */
export function readMarkdown(text) {
  const types = new Set();
  const links = [];
  const items = [];
  let item = null;
  const walker = new Parser().parse(text).walker();
  for (let event = walker.next(); event; event = walker.next()) {
    const { node, entering } = event;
    types.add(node.type);
    if (node.type === 'item' && entering) item = '';
    if (node.type === 'item' && !entering) items.push(item);
    if (!entering) continue;
    if (node.type === 'link' || node.type === 'image') links.push(node.destination);
    if (node.type === 'text' || node.type === 'code') item = (item ?? '') + node.literal;
    if (node.type === 'softbreak' || node.type === 'linebreak') item += '\n';
  }
  return { types, links, items };
}
