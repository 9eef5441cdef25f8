// Makes keys with openssl, and snapshots that tonearm-catalog signs with them.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Runs a program, which must succeed; returns its output. */
export function run(program, ...words) {
  const { status, stdout, stderr } = spawnSync(program, words, { encoding: 'utf8' });
  assert.equal(status, 0, `${program} ${words.join(' ')}: ${stderr}`);
  return stdout;
}

/** Writes `NAME.key` and `NAME.pem` to the folder. */
export function makeKey(folder, name) {
  const secret = join(folder, `${name}.key`);
  run('openssl', 'genpkey', '-algorithm', 'ed25519', '-out', secret);
  run('openssl', 'pkey', '-in', secret, '-pubout', '-out', join(folder, `${name}.pem`));
}

/** Builds a snapshot of the first `tracks` lines of the case files' catalog. `key`: a file; without it, the snapshot is unsigned. */
export function buildSnapshot({ catalog, lines, folder, output, tracks, key }) {
  const input = join(folder, `lines-${tracks}.jsonl`);
  writeFileSync(input, `${readFileSync(lines, 'utf8').split('\n').slice(0, tracks).join('\n')}\n`);
  run(catalog, 'build', '--input', input, '--output', output, '--allow-share-alike', ...(key ? ['--signing-key', key] : []));
  return readFileSync(output);
}

const FOOTER = 128;
const SIGNATURE = 104;

/** Returns one file with the signature of another. */
export function withSignatureOf(bytes, other) {
  const forged = Buffer.from(bytes);
  other.copy(forged, forged.length - FOOTER - SIGNATURE, other.length - FOOTER - SIGNATURE, other.length - FOOTER);
  return forged;
}
