// Starts tonearm-server for tests: on free ports, with a catalog and a state in a temporary folder.

import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import net from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

import { LaunchedServer } from '../support/launched_server.mjs';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
export const bin = resolve(process.env.TONEARM_BIN ?? join(root, 'build/native/bin'));
const TOKEN = 'a-token-of-the-tests';

/** A folder with a catalog, a token, and a state. */
export class Scratch {
  constructor() {
    this.folder = mkdtempSync(join(tmpdir(), 'tonearm-connections-'));
    writeFileSync(this.at('token'), `${TOKEN}\n`);
    const built = spawnSync(join(bin, 'tonearm-catalog'), ['build', '--input', join(root, 'tests/cases/catalog.jsonl'),
      '--output', this.at('catalog.sqlite'), '--allow-share-alike'], { encoding: 'utf8' });
    if (built.status !== 0) throw new Error(built.stderr);
  }

  at(name) { return join(this.folder, name); }

  remove() { rmSync(this.folder, { recursive: true }); }
}

/** A running server of `scratch`, with the calls of its admin interface. */
export class ServerProcess extends LaunchedServer {
  /** `limits`: arguments of ulimit in the shell that starts the server, such as "-n 300". `env`: variables of its environment. */
  static async start(scratch, { words = [], limits = [], env = {} } = {}) {
    const all = [join(bin, 'tonearm-server'), '--catalog', scratch.at('catalog.sqlite'), '--state', scratch.at('state.sqlite'),
      '--listen', '127.0.0.1:0', '--admin-listen', '127.0.0.1:0', '--admin-token-file', scratch.at('token'), ...words];
    const script = [...limits.map((limit) => `ulimit ${limit} && `), 'exec "$@"'].join('');
    return this.launch('bash', ['-c', script, 'bash', ...all], { env });
  }

  get port() { return Number(new URL(this.url).port); }

  async admin(method, path, body) {
    const response = await fetch(`${this.adminUrl}${path}`, {
      method,
      headers: { Authorization: `Bearer ${TOKEN}`, 'Content-Type': 'application/json' },
      body: body && JSON.stringify(body),
    });
    const type = response.headers.get('content-type') ?? '';
    return { status: response.status, body: type.startsWith('application/json') ? await response.json() : await response.text() };
  }

  /** Resolves to the number of requests that it has counted, without those for its metrics and to /admin. It counts some only after it has sent their answers. */
  async countedRequests() {
    const { body } = await this.admin('GET', '/metrics');
    return [...body.matchAll(/^tonearm_requests_total\{route="(?!\/admin|\/metrics).*\} (\d+)$/gm)].reduce((sum, [, count]) => sum + Number(count), 0);
  }

  /** Returns the key of a new account. */
  async newKey(plan = 'unlimited') {
    const { body: { account } } = await this.admin('POST', '/admin/accounts', { plan });
    return (await this.admin('POST', `/admin/accounts/${account}/keys`, {})).body.key;
  }
}

/** Sends a request on a new connection, or on `agent`'s. Fails if the connection does. */
export function get(server, path, { key, agent, from = '127.0.0.1', method = 'GET', body } = {}) {
  const headers = key ? { Authorization: `Bearer ${key}` } : {};
  const options = { method, headers, agent: agent ?? false, localAddress: from };
  return new Promise((done, failed) => {
    const request = http.request(`${server.url}${path}`, options, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (data) => { text += data; });
      response.on('end', () => done({ status: response.statusCode, body: text }));
      response.on('error', failed);
    });
    request.on('error', failed);
    request.end(body);
  });
}

/** Opens a connection that sends nothing. Its `closed` becomes true when the server closes it. */
export function connect(server, from = '127.0.0.1', options = {}) {
  return new Promise((done, failed) => {
    const socket = net.connect({ port: server.port, host: '127.0.0.1', localAddress: from, ...options });
    socket.closed_ = new Promise((gone) => { socket.on('close', gone); });
    socket.on('error', failed);
    socket.on('connect', () => {
      socket.removeListener('error', failed);
      socket.on('error', () => {});
      done(socket);
    });
  });
}
