// Builds both workers and deploys them with wrangler, the API first: it has the objects that the admin worker binds.
// Usage: npm --prefix host-wasm run deploy -- [--secrets-file FILE] [--dry-run]
//   --secrets-file FILE  KEY_SECRET and ADMIN_TOKEN_SHA256, a line NAME=VALUE each. Needed until both workers have been
//                        deployed; a later deployment keeps the secrets that they have
//   --dry-run            everything but the upload; needs no account
//   --help

import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs, parseEnv } from 'node:util';

import { root } from './bundle.mjs';

const FOLDER = join(root, 'host-wasm');
/** What each secret must look like (docs/operate/edge.md). */
const SECRETS = {
  KEY_SECRET: { form: /^\S{32,1024}$/, says: 'must have 32 to 1,024 characters, none of them white space' },
  ADMIN_TOKEN_SHA256: { form: /^[0-9a-fA-F]{64}$/, says: 'must be 64 hex digits' },
};

function end(status, message) {
  console.error(`deploy: ${message}`);
  process.exit(status);
}

function readArguments() {
  const options = { 'secrets-file': { type: 'string' }, 'dry-run': { type: 'boolean' }, help: { type: 'boolean' } };
  let values;
  try {
    ({ values } = parseArgs({ options }));
  } catch (failure) {
    end(2, failure.message);
  }
  if (values.help) {
    console.log(readFileSync(new URL(import.meta.url), 'utf8').split('\n\n')[0].replaceAll(/^\/\/ ?/gm, ''));
    process.exit(0);
  }
  return values;
}

/** Ends where the file would give the workers secrets with which they answer nothing. No secret is printed. */
function checkSecrets(path) {
  let found;
  try {
    found = parseEnv(readFileSync(path, 'utf8'));
  } catch (failure) {
    end(1, `the secrets file cannot be read: ${failure.message}`);
  }
  for (const [name, { form, says }] of Object.entries(SECRETS)) {
    if (found[name] === undefined) end(1, `${path} has no ${name}`);
    if (!form.test(found[name])) end(1, `${name} in ${path} ${says}`);
  }
  for (const name of Object.keys(found)) if (!(name in SECRETS)) end(1, `${path} has ${name}, which is none of the secrets`);
}

function run(program, ...args) {
  const { status, error } = spawnSync(process.execPath, [program, ...args], { cwd: FOLDER, stdio: ['ignore', 'inherit', 'inherit'] });
  if (error) end(1, error.message);
  if (status !== 0) end(1, `${program} ended with ${status}`);
}

const values = readArguments();
const given = values['secrets-file'];
// npm changes into this folder; a path is meant from where it was called.
const file = given && resolve(process.env.INIT_CWD ?? '.', given);
if (file) checkSecrets(file);
run('build.mjs');
for (const worker of ['api', 'admin']) {
  const args = ['deploy', '-c', `wrangler.${worker}.jsonc`];
  if (file) args.push('--secrets-file', file);
  if (values['dry-run']) args.push('--dry-run');
  run('node_modules/wrangler/bin/wrangler.js', ...args);
}
