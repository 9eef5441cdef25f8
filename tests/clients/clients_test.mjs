// Runs the programs of docs/guide/clients with a server: they must print what the guide promises. The TypeScript client is
// generated from the server's description and compiled in the strictest mode.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { Scratch, ServerProcess } from '../http/server_process.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const examples = resolve(here, '../../docs/guide/clients');
const modules = join(here, 'node_modules');
const scratch = new Scratch();
let server;
let key;
let work; // a folder in which the compiler finds the modules

before(async () => {
  server = await ServerProcess.start(scratch);
  key = await server.newKey('pro');
  mkdirSync(join(modules, '.work'), { recursive: true });
  work = mkdtempSync(join(modules, '.work', 'client-'));
});
after(async () => {
  await ServerProcess.endAll();
  scratch.remove();
  rmSync(work, { recursive: true });
});

/** Runs a program and returns `{status, stdout, stderr}`. */
function run(program, words, { cwd = scratch.folder, env = {} } = {}) {
  return new Promise((done, failed) => {
    const child = spawn(program, words, { cwd, env: { ...process.env, ...env } });
    const said = { stdout: '', stderr: '' };
    for (const stream of ['stdout', 'stderr']) child[stream].setEncoding('utf8').on('data', (text) => { said[stream] += text; });
    child.on('error', failed);
    child.on('close', (status) => done({ status, ...said }));
  });
}

const environment = () => ({ TONEARM_URL: server.url, TONEARM_KEY: key, URL: server.url, KEY: key });
const node = (program, ...words) => run(process.execPath, [join(modules, program), ...words], { cwd: work });

async function collections() {
  const answer = await fetch(`${server.url}/v1/collections`, { headers: { Authorization: `Bearer ${key}` } });
  return (await answer.json()).collections;
}

const CREDIT_LINE = /"Rain on a Tin Roof" by Paper Lanterns \(https:\/\/openshelf\.example\.org\/tracks\/101\) is marked with CC0 1\.0\./;

/** Checks the output that the sessions in Python and TypeScript have in common. */
function checkSession(stdout) {
  assert.match(stdout, /^\d+ tracks\nos-101: Rain on a Tin Roof, credit none\n\S+: .+, credit \w+\n/);
  assert.match(stdout, /\nrevision 2\n/);
  assert.match(stdout, CREDIT_LINE);
  assert.match(stdout, /\nerror: .*There is no track with the id/);
}

async function compiled() {
  writeFileSync(join(work, 'openapi.json'), await (await fetch(`${server.url}/openapi.json`)).text());
  const made = await node('openapi-typescript/bin/cli.js', 'openapi.json', '-o', 'api.d.ts');
  assert.equal(made.status, 0, made.stderr);
  copyFileSync(join(examples, 'session.ts'), join(work, 'session.ts'));
  writeFileSync(join(work, 'package.json'), '{"type":"module"}');
  copyFileSync(join(here, 'tsconfig.json'), join(work, 'tsconfig.json'));
  return node('typescript/bin/tsc', '--project', '.');
}

test('the TypeScript client generated from the description compiles and works', async () => {
  const built = await compiled();
  assert.equal(built.status, 0, built.stdout);
  const ended = await run(process.execPath, [join(work, 'session.js')], { env: environment() });
  assert.equal(ended.status, 0, ended.stderr);
  checkSession(ended.stdout);
  assert.match(ended.stdout, /\nlicense cc0\n/);
  assert.match(ended.stdout, /\nwrong: limit\n/);
  assert.deepEqual(await collections(), []);
});

test('the TypeScript client does not compile with an unknown value, field or code', async () => {
  const session = readFileSync(join(examples, 'session.ts'), 'utf8');
  for (const [right, wrong] of [["sort: 'relevance'", "sort: 'loudest'"],
    ["=== 'not_found'", "=== 'not_there'"], ["name: 'Rainy evenings'", 'name: 7'], ['terms?.credit', 'terms?.price']]) {
    assert.ok(session.includes(right), right);
    writeFileSync(join(work, 'session.ts'), session.replace(right, wrong));
    const built = await node('typescript/bin/tsc', '--project', '.', '--noEmit');
    assert.notEqual(built.status, 0, wrong);
    assert.match(built.stdout, /session\.ts\(\d+,\d+\): error TS/);
  }
});

test('the Python session runs with the standard library only', async () => {
  const ended = await run('python3', ['-I', join(examples, 'session.py')], { env: environment() });
  assert.equal(ended.status, 0, ended.stderr);
  checkSession(ended.stdout);
  assert.match(ended.stdout, /\nerror: 404 not_found: /);
  assert.match(ended.stdout, /\nwrong: limit\n/);
  assert.deepEqual(await collections(), []);
});

test('the Python session reports an error in one line', async () => {
  const ended = await run('python3', ['-I', join(examples, 'session.py')], { env: { ...environment(), TONEARM_KEY: 'tonearm_wrong' } });
  assert.equal(ended.status, 1);
  assert.match(ended.stderr, /^401 invalid_api_key: .*\n$/);
});

test('the tour with curl prints the answers of the service', async () => {
  const ended = await run('bash', [join(examples, 'tour.sh')], { env: environment() });
  assert.equal(ended.status, 0, ended.stderr);
  const { stdout } = ended;
  assert.match(stdout, /^Is it ready\?\n\{"status":"ok"\}\n/);
  assert.match(stdout, /\n\{"tracks":\[\{"id":"os-101","title":"Rain on a Tin Roof","terms":\{"commercial":true,/);
  assert.match(stdout, /\nKeep one of them:\nstatus 201\n/);
  assert.match(stdout, /Rain on a Tin Roof/);
  assert.match(stdout, /\{"error":"invalid_parameter","message":"limit [^"]*got \\"0\\"[^}]*\}/);
  assert.match(stdout, /\nDelete the collection:\nstatus 200\n$/);
  assert.deepEqual(await collections(), []);
});
