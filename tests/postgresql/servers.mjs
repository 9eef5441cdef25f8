// Starts the programs for tests of shared state: a PostgreSQL server that can be stopped, and tonearm-servers.

import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

import { LaunchedServer } from '../support/launched_server.mjs';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
const bin = resolve(process.env.TONEARM_BIN ?? join(root, process.env.TONEARM_BUILD ?? 'build/dev', 'bin'));
const token = 'an-admin-token-of-the-tests-of-shared-state';

/** A folder with a snapshot and an admin token. */
export function makeFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'tonearm-servers-'));
  writeFileSync(join(folder, 'token'), token);
  const built = spawnSync(join(bin, 'tonearm-catalog'), ['build', '--allow-share-alike',
    '--input', join(root, 'tests/cases/catalog.jsonl'), '--output', join(folder, 'catalog.sqlite')], { encoding: 'utf8' });
  if (built.status !== 0) throw new Error(built.stderr);
  return { path: folder, remove: () => rmSync(folder, { recursive: true }) };
}

/** A PostgreSQL server with the commands `stop`, `crash` and `start`. */
export async function startPostgresql() {
  const child = spawn(join(bin, 'tonearm-with-postgresql'), [], { stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = new Promise((done) => { child.on('exit', done); });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const nextLine = async () => {
    const { done, value } = await lines.next();
    if (done) throw new Error('tonearm-with-postgresql ended early');
    return value;
  };
  const url = await nextLine();
  const [, host] = /host=(.*)$/.exec(url);
  /** Runs statements, each in its own transaction; returns the rows of the last, with values separated by `|`. */
  const sql = (...statements) => {
    const words = statements.flatMap((statement) => ['-c', statement]);
    const ran = spawnSync('psql', ['-qAt', '-h', host, '-U', 'postgres', ...words, 'postgres'], { encoding: 'utf8' });
    if (ran.status !== 0) throw new Error(ran.stderr);
    return ran.stdout.trimEnd().split('\n');
  };
  let schemas = 0;
  return {
    url,
    sql,
    say: (word) => {
      child.stdin.write(`${word}\n`);
      return nextLine();
    },
    /** Returns the URL of an empty schema. */
    freshSchema: () => {
      schemas += 1;
      sql(`CREATE SCHEMA own_${schemas}`);
      return `${url}&options=-csearch_path%3Down_${schemas}`;
    },
    end: () => {
      child.stdin.end();
      return ended;
    },
  };
}

const serverWords = (folder, more) => ['--catalog', join(folder.path, 'catalog.sqlite'), '--listen', '127.0.0.1:0',
  '--admin-listen', '127.0.0.1:0', '--admin-token-file', join(folder.path, 'token'), ...more];

/** Runs a server that cannot start, until it ends. */
export const startInVain = (folder, state, ...more) => spawnSync(join(bin, 'tonearm-server'), serverWords(folder, more), {
  encoding: 'utf8', timeout: 60_000, env: { ...process.env, TONEARM_STATE: state },
});

/** Starts a server and waits until it listens. The environment passes the URL of its state, as for one with a password. */
export const startServer = (folder, state, ...more) =>
  LaunchedServer.launch(join(bin, 'tonearm-server'), serverWords(folder, more), { env: { TONEARM_STATE: state } });

/** Runs tonearm-admin and returns `{status, out, errors}`. */
export function runAdmin(folder, adminUrl, words, begun = () => {}) {
  const options = ['--server', adminUrl, '--token-file', join(folder.path, 'token')];
  const child = spawn(join(bin, 'tonearm-admin'), [...options, ...words, '--json'], { stdio: ['ignore', 'pipe', 'pipe'] });
  begun(child);
  const ran = { out: '', errors: '' };
  child.stdout.on('data', (data) => { ran.out += data; });
  child.stderr.on('data', (data) => { ran.errors += data; });
  return new Promise((done) => { child.on('close', (status) => done({ ...ran, status })); });
}

function ask(server, method, url, bearer, body) {
  const headers = { Authorization: `Bearer ${bearer}`, ...(body ? { 'Content-Type': 'application/json' } : {}) };
  return new Promise((done, failed) => {
    const request = http.request(url, { method, headers, agent: server.agent }, (response) => {
      let text = '';
      response.on('data', (data) => { text += data; });
      response.on('end', () => done({ status: response.statusCode, body: JSON.parse(text) }));
      response.on('error', failed);
    });
    request.on('error', failed);
    request.end(body && JSON.stringify(body));
  });
}

/** These return `{status, body}`, and fail without a response. */
export const call = (server, key, path = '/v1/meta') => ask(server, 'GET', server.url + path, key);
export const admin = (server, method, path, body) => ask(server, method, `${server.adminUrl}/admin${path}`, token, body);

/** Returns the server's metrics as text. */
export const metrics = async (server) =>
  (await fetch(`${server.adminUrl}/metrics`, { headers: { Authorization: `Bearer ${token}` } })).text();
