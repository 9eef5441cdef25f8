// Proxies in front of the server: nginx and Caddy with the files in docs/operate/proxy, in which names, ports, paths and the
// settings that a test names are replaced, and HAProxy.

import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import https from 'node:https';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

import { writeCertificate } from '../support/certificates.mjs';
import { freePort } from '../support/free_port.mjs';
import { eventually } from '../support/waiting.mjs';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
const recipe = (name) => readFileSync(join(root, 'docs/operate/proxy', name), 'utf8');
/** Returns a reason to skip a test, or false if the program is installed. */
export const missing = (program) => (spawnSync(program, ['version']).error ? `${program} is not installed` : false);

const proxies = new Set();

/** Writes the certificate that the proxies use. */
export function makeCertificate(scratch) {
  writeCertificate({ certificate: scratch.at('cert.pem'), key: scratch.at('key.pem'), names: 'DNS:localhost' });
}

/** Stops all proxies that are still running. */
export async function stopProxies() {
  for (const proxy of proxies) await proxy.stop();
}

/** Each text must be in the file, so that a changed recipe does not lose its test. */
export function replaced(text, replacements) {
  let result = text;
  for (const [from, to] of replacements) {
    assert.ok(result.includes(from), `the recipe has ${from}`);
    result = result.replaceAll(from, () => to);
  }
  return result;
}

const STANDARD_SERVER = '127.0.0.1:8081';

export const NGINX = {
  file: 'nginx.conf',
  write: (port, upstream, scratch) => replaced(recipe('nginx.conf'), [
    // Only the test's user may enter its folders.
    ['user www-data;', process.getuid() === 0 ? 'user root;' : ''],
    ['/run/nginx.pid', scratch.at('nginx.pid')],
    ['/var/log/nginx/error.log', scratch.at('nginx-error.log')],
    ['/var/log/nginx/access.log', scratch.at('nginx-access.log')],
    ['http {\n', `http {\n${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${scratch.at(name)};\n`).join('')}`],
    [STANDARD_SERVER, upstream],
    ['listen 443 ssl', `listen 127.0.0.1:${port} ssl`],
    ['/etc/ssl/tonearm/', `${scratch.folder}/`],
  ]),
  command: (file, scratch) => ['nginx', ['-e', scratch.at('nginx-error.log'), '-c', file, '-g', 'daemon off;']],
};

export const CADDY = {
  file: 'Caddyfile',
  write: (port, upstream, scratch) => replaced(recipe('Caddyfile'), [
    ['admin off\n', 'admin off\n\tauto_https disable_redirects\n'],
    ['api.example.org {', `https://localhost:${port} {\n\tbind 127.0.0.1\n\ttls ${scratch.at('cert.pem')} ${scratch.at('key.pem')}`],
    [STANDARD_SERVER, upstream],
  ]),
  command: (file) => ['caddy', ['run', '--adapter', 'caddyfile', '--config', file]],
};

/** An address of the proxies below for which they have no short timeouts. */
export const PATIENT = '127.0.0.4';

/** nginx with the recipe's settings, but short timeouts, without limits of calls, and with one process, so that all clients share its connections to the server. */
export const FAST_NGINX = {
  ...NGINX,
  write: (...values) => {
    const file = replaced(NGINX.write(...values), [['rate=50r/s', 'rate=100000r/s'], ['worker_processes auto', 'worker_processes 1']]);
    const [block] = /^ {4}server \{$.*?^ {4}\}$/ms.exec(file);
    const on = (address, ofClient, ofServer) => replaced(block, [
      ['listen 127.0.0.1', `listen ${address}`],
      ['client_header_timeout 10s', `client_header_timeout ${ofClient}`],
      ['client_body_timeout 10s', `client_body_timeout ${ofClient}`],
      ['proxy_read_timeout 30s', `proxy_read_timeout ${ofServer}`],
      ['client_max_body_size 1m;', 'client_max_body_size 1m; keepalive_timeout 1s;'],
    ]);
    return replaced(file, [[block, `${on('127.0.0.1', '1s', '30s')}\n${on(PATIENT, '1h', '1h')}`]]);
  },
};

/** HAProxy with short timeouts, and connections to the server that all clients share, as a gateway that mixes them up most easily. */
export const HAPROXY = {
  file: 'haproxy.cfg',
  write: (port, upstream, scratch) => {
    writeFileSync(scratch.at('both.pem'), readFileSync(scratch.at('cert.pem'), 'utf8') + readFileSync(scratch.at('key.pem'), 'utf8'));
    return `global
  nbthread 1
defaults
  mode http
  timeout connect 1h
  timeout server 1h
${[['clients', '127.0.0.1', '1s'], ['patient', PATIENT, '1h']].map(([name, address, timeout]) => `frontend ${name}
  bind ${address}:${port} ssl crt ${scratch.at('both.pem')} proto h1
  timeout client ${timeout}
  default_backend servers
`).join('')}backend servers
  http-reuse always
  server tonearm ${upstream}
`;
  },
  command: (file) => ['haproxy', ['-db', '-f', file]],
};

export class Proxy {
  static async start(kind, upstream, scratch) {
    for (;;) {
      const { proxy, log } = await Proxy.#tryStart(kind, upstream, scratch);
      if (proxy) return proxy;
      assert.match(log, /address already in use/i); // another program was given the port before the proxy, which has its own certificate
    }
  }

  /** Resolves to the proxy once it responds, or to what it logged before it ended. */
  static async #tryStart({ file, write, command }, upstream, scratch) {
    const proxy = new Proxy();
    proxy.certificate = readFileSync(scratch.at('cert.pem'));
    proxy.port = await freePort();
    writeFileSync(scratch.at(file), write(proxy.port, upstream, scratch));
    const [program, words] = command(scratch.at(file), scratch);
    proxy.child = spawn(program, words, { stdio: ['ignore', 'ignore', 'pipe'], env: { ...process.env, XDG_DATA_HOME: scratch.folder, XDG_CONFIG_HOME: scratch.folder } });
    proxies.add(proxy);
    let log = '';
    proxy.child.stderr.on('data', (data) => { log += data; });
    proxy.ended = new Promise((done) => { proxy.child.on('close', done); });
    let isRunning = true;
    proxy.ended.then(() => { isRunning = false; });
    const responds = async () => (await proxy.call('/healthz').catch(() => ({}))).status !== undefined;
    await eventually(async () => !isRunning || responds(), `${program} on port ${proxy.port}`);
    if (isRunning) return { proxy };
    proxies.delete(proxy);
    return { log };
  }

  /** Sends a request, on a new connection unless there is an agent. `announced`: bytes of a body that is never sent. */
  call(path, { key, from = '127.0.0.1', method = 'GET', headers = {}, body, announced, agent = false } = {}) {
    const options = { method, agent, localAddress: from, host: '127.0.0.1', port: this.port, path, servername: 'localhost',
      ca: this.certificate, headers: { Host: 'localhost', ...(key && { Authorization: `Bearer ${key}` }), ...(announced && { 'Content-Length': announced }), ...headers } };
    return new Promise((done, failed) => {
      const request = https.request(options, (response) => {
        let text = '';
        response.on('data', (data) => { text += data; });
        response.on('end', () => { if (announced) request.destroy(); });
        response.on('end', () => done({ status: response.statusCode, headers: response.headers, body: text }));
        response.on('error', failed);
      });
      request.on('error', failed);
      if (announced) request.flushHeaders();
      else request.end(body);
    });
  }

  async stop() {
    proxies.delete(this);
    this.child.kill('SIGTERM');
    await this.ended;
  }
}
