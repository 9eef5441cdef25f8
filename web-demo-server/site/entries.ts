// The files of the browser's build, from its manifest, for the pages that the server renders.

import { readFileSync } from 'node:fs';

interface Chunk {
  file: string;
  css?: string[];
  imports?: string[];
}

type Manifest = Record<string, Chunk>;

function entryOf(manifest: Manifest, name: string) {
  const seen = new Map<string, Chunk>();
  const visit = (key: string) => {
    const chunk = manifest[key];
    if (!chunk) throw new Error(`the manifest has no ${key}`);
    if (seen.has(key)) return;
    seen.set(key, chunk);
    chunk.imports?.forEach(visit);
  };
  visit(name);
  const [entry, ...imports] = seen.values();
  const path = (file: string) => `/${file}`;
  return {
    script: path((entry as Chunk).file),
    styles: [...new Set([...seen.values()].flatMap(({ css = [] }) => css))].map(path),
    modules: imports.map(({ file }) => path(file)),
  };
}

export function entriesOf(folder: string) {
  const manifest = JSON.parse(readFileSync(`${folder}/.vite/manifest.json`, 'utf8')) as Manifest;
  return { main: entryOf(manifest, 'src/main.tsx'), docs: entryOf(manifest, 'src/docs.ts') };
}
