// The paths of a build of the native programs, and of the output of `tonearm-cases`.

import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

export const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');

/**
 * Returns the paths of a build, `--build DIR` (default: TONEARM_BUILD of the environment, or build/dev), and of the output of
 * `tonearm-cases`, `--cases DIR` (default: BUILD/cases). Runs `tonearm-cases` if BUILD/cases has no transcript yet.
 */
export function casesOfBuild(extraOptions = {}) {
  const { values } = parseArgs({
    options: { build: { type: 'string', default: process.env.TONEARM_BUILD ?? 'build/dev' }, cases: { type: 'string' }, ...extraOptions },
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
    if (!existsSync(paths.transcript)) throw new Error(`tonearm-cases ended with ${status} and wrote no transcript`);
  }
  return paths;
}
