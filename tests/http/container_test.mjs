// Compares the Containerfile with the programs. tests/install/container_test.mjs builds the image.
// Usage: node --test tests/http/container_test.mjs      (TONEARM_BIN: the programs, by default build/native/bin)

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, realpathSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { bin } from './server_process.mjs';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
const containerfile = readFileSync(join(root, 'packaging/Containerfile'), 'utf8');

function run(program, ...words) {
  const result = spawnSync(program, words, { encoding: 'utf8' });
  assert.equal(result.status, 0, result.stderr);
  return result.stdout;
}

/** Returns the package of a shared library; Debian registers the path with or without /lib's link. */
function packageOf(path) {
  const real = realpathSync(path);
  const found = [path, real, real.replace(/^\/usr/, '')].map((name) => spawnSync('dpkg', ['-S', name], { encoding: 'utf8' })).find(({ status }) => status === 0);
  assert.ok(found, `no package has ${path}`);
  return found.stdout.split(':')[0];
}

test('The image has the libraries that the programs need', () => {
  const installed = /apt-get install -y --no-install-recommends ([^\\]+) \\/.exec(containerfile)[1].split(' ');
  const needed = new Set(['ca-certificates']);
  for (const program of ['tonearm-server', 'tonearm-admin'].map((name) => join(bin, name))) {
    const names = [...run('readelf', '-d', program).matchAll(/\(NEEDED\).*\[(.+)\]/g)].map(([, name]) => name);
    const paths = new Map([...run('ldd', program).matchAll(/^\s*(\S+) => (\S+) /gm)].map(([, name, path]) => [name, path]));
    for (const name of names.filter((each) => paths.has(each) && !/asan|ubsan/.test(each))) needed.add(packageOf(paths.get(name)));
  }
  // Every Debian image has them.
  for (const base of ['libc6', 'libgcc-s1']) needed.delete(base);
  assert.ok(needed.size > 5);
  assert.deepEqual([...needed].filter((name) => !installed.includes(name)), []);
});

test('Every setting of the image is an option of the server', () => {
  const help = run(join(bin, 'tonearm-server'), '--help');
  const names = [...containerfile.matchAll(/\bTONEARM_([A-Z_]+)=/g)].map(([, name]) => name.toLowerCase().replaceAll('_', '-'));
  assert.ok(names.length > 4);
  for (const name of names) assert.match(help, new RegExp(`--${name}\\b`));
});
