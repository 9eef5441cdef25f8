// Writes the deployable workers, each with the core next to it, to build/edge/. Usage: build.mjs

import { copyFileSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { bundle, root } from './bundle.mjs';

const wasm = resolve(root, 'build/wasm/bin/tonearm.wasm');
if (!existsSync(wasm)) {
  console.error('build.mjs: the core is missing; build it with: cmake --preset wasm && cmake --build --preset wasm');
  process.exit(1);
}
for (const [folder, entry] of Object.entries({ api: 'worker.ts', admin: 'admin_worker.ts' })) {
  const out = join(root, 'build/edge', folder);
  mkdirSync(out, { recursive: true });
  writeFileSync(join(out, 'worker.js'), await bundle(`host-wasm/worker/${entry}`));
  copyFileSync(wasm, join(out, 'tonearm.wasm'));
}
