// Writes a .gz and a .br variant of each text file of the build, so that the server does not have to compress.

import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Plugin } from 'vite';

const TEXT = /\.(js|css|html|json|svg|wasm)$/;
const SMALLEST = 512; // bytes; compression does not pay off for smaller files

async function compress(file: string) {
  const bytes = await readFile(file);
  if (bytes.length < SMALLEST) return;
  await Promise.all([
    promisify(gzip)(bytes, { level: 9 }).then((small) => writeFile(`${file}.gz`, small)),
    promisify(brotliCompress)(bytes, {
      // Level 11 takes half a minute for a few megabytes and saves only a few percent more.
      params: { [constants.BROTLI_PARAM_QUALITY]: bytes.length > 1_000_000 ? 9 : 11 },
    }).then((small) => writeFile(`${file}.br`, small)),
  ]);
}

export function compressed(): Plugin {
  let folder = '';
  return {
    name: 'compressed',
    apply: 'build',
    configResolved(config) { folder = join(config.root, config.build.outDir, 'assets'); },
    async writeBundle() {
      const files = (await readdir(folder)).filter((name) => TEXT.test(name));
      await Promise.all(files.map((name) => compress(join(folder, name))));
    },
  };
}
