// Beside each text file of the build, the same as .gz and .br, so that the server need not compress.

import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Plugin } from 'vite';

const TEXT = /\.(js|css|html|json|svg|wasm)$/;
const SMALLEST = 512; // bytes; below that a compressed file saves nothing

async function compress(file: string) {
  const bytes = await readFile(file);
  if (bytes.length < SMALLEST) return;
  await Promise.all([
    promisify(gzip)(bytes, { level: 9 }).then((small) => writeFile(`${file}.gz`, small)),
    promisify(brotliCompress)(bytes, {
      // Level 11 of some megabytes takes half a minute and saves a few per cent more.
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
