// Where a build of the native programs lies, and what `tonearm-cases` left there.

import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

export const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');

/**
 * Reads `--build DIR` (default: TONEARM_BUILD of the environment, or build/dev) and gives the paths of a build, and `--cases DIR`, what `tonearm-cases` left
 * (default: BUILD/cases). Where it has not run yet for the whole build, it runs now.
 */
export function casesOfBuild(furtherOptions = {}) {
  const { values } = parseArgs({
    options: { build: { type: 'string', default: process.env.TONEARM_BUILD ?? 'build/dev' }, cases: { type: 'string' }, ...furtherOptions },
  });
  const build = resolve(root, values.build);
  const cases = values.cases ? resolve(root, values.cases) : join(build, 'cases');
  const paths = {
    ...values,
    server: join(build, 'bin/tonearm-cases-server'),
    snapshot: join(cases, 'catalog.sqlite'),
    transcript: join(cases, 'transcript.jsonl'),
    openapi: join(cases, 'openapi.json'),
  };
  if (!values.cases && !existsSync(paths.transcript)) {
    const { status, error } = spawnSync(join(build, 'bin/tonearm-cases'), { stdio: ['ignore', 'ignore', 'inherit'] });
    if (error) throw error;
    if (!existsSync(paths.transcript)) throw new Error(`tonearm-cases ended with ${status} and left no transcript`);
  }
  return paths;
}
