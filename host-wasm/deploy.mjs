// Builds both workers and deploys them with wrangler. The API is first, because the admin worker binds its objects.
// Usage: npm --prefix host-wasm run deploy -- [--secrets-file FILE] [--dry-run]
//   --secrets-file FILE  KEY_SECRET and ADMIN_TOKEN_SHA256, one line NAME=VALUE each. Required until both workers have
//                        been deployed; later deployments keep their secrets
//   --dry-run            do everything except the upload; needs no account
//   --help

import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs, parseEnv } from 'node:util';

import { root } from './bundle.mjs';

const FOLDER = join(root, 'host-wasm');
/** The format of each secret (docs/operate/edge.md). */
const SECRETS = {
  KEY_SECRET: { pattern: /^\S{32,1024}$/, rule: 'must have 32 to 1,024 characters, without white space' },
  ADMIN_TOKEN_SHA256: { pattern: /^[0-9a-fA-F]{64}$/, rule: 'must be 64 hex digits' },
};

function exitWith(status, message) {
  console.error(`deploy: ${message}`);
  process.exit(status);
}

function readArguments() {
  const options = { 'secrets-file': { type: 'string' }, 'dry-run': { type: 'boolean' }, help: { type: 'boolean' } };
  let values;
  try {
    ({ values } = parseArgs({ options }));
  } catch (failure) {
    exitWith(2, failure.message);
  }
  if (values.help) {
    console.log(readFileSync(new URL(import.meta.url), 'utf8').split('\n\n')[0].replaceAll(/^\/\/ ?/gm, ''));
    process.exit(0);
  }
  return values;
}

/** Exits if the file lacks a secret that the workers need. Prints no secret. */
function checkSecrets(path) {
  let found;
  try {
    found = parseEnv(readFileSync(path, 'utf8'));
  } catch (failure) {
    exitWith(1, `cannot read the secrets file: ${failure.message}`);
  }
  for (const [name, { pattern, rule }] of Object.entries(SECRETS)) {
    if (found[name] === undefined) exitWith(1, `${path} has no ${name}`);
    if (!pattern.test(found[name])) exitWith(1, `${name} in ${path} ${rule}`);
  }
  for (const name of Object.keys(found)) if (!(name in SECRETS)) exitWith(1, `${path} has ${name}, which is not a known secret`);
}

function run(program, ...args) {
  const { status, error } = spawnSync(process.execPath, [program, ...args], { cwd: FOLDER, stdio: ['ignore', 'inherit', 'inherit'] });
  if (error) exitWith(1, error.message);
  if (status !== 0) exitWith(1, `${program} exited with status ${status}`);
}

const values = readArguments();
const given = values['secrets-file'];
// npm changes into this folder; a path is relative to where npm was called.
const file = given && resolve(process.env.INIT_CWD ?? '.', given);
if (file) checkSecrets(file);
run('build.mjs');
for (const worker of ['api', 'admin']) {
  const args = ['deploy', '-c', `wrangler.${worker}.jsonc`];
  if (file) args.push('--secrets-file', file);
  if (values['dry-run']) args.push('--dry-run');
  run('node_modules/wrangler/bin/wrangler.js', ...args);
}
