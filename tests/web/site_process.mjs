// Starts tonearm-web for tests, with a native server or the edge's `dev` server, and provides a visitor with cookies.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

import { DevProcess, devLog } from '../edge/dev_process.mjs';
import { API_KEY } from '../edge/worker_log.mjs';
import { bin } from '../http/server_process.mjs';
import { LaunchedServer } from '../support/launched_server.mjs';
import { eventually } from '../support/waiting.mjs';

export const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
export const TOKEN = 'a-token-of-the-tests';

/** A folder with a catalog of the given canonical lines (by default those of the case files), a token, and all state. */
export class SiteFolder {
  constructor({ lines = null, words = [] } = {}) {
    this.path = mkdtempSync(join(tmpdir(), 'tonearm-web-'));
    this.at('token');
    writeFileSync(this.at('token'), `${TOKEN}\n`, { mode: 0o600 });
    this.catalog = this.at('catalog.sqlite');
    this.build(lines, words);
  }

  /** Builds the catalog, or replaces it. */
  build(lines, words = []) {
    const input = lines === null ? join(root, 'tests/cases/catalog.jsonl') : this.at('catalog.jsonl');
    if (lines !== null) writeFileSync(input, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    const built = spawnSync(join(bin, 'tonearm-catalog'), ['build', '--input', input, '--output', this.catalog,
      '--allow-share-alike', '--site-url', 'https://site.example', ...words], { encoding: 'utf8' });
    if (built.status !== 0) throw new Error(built.stderr);
  }

  at(name) { return join(this.path, name); }

  remove() { rmSync(this.path, { recursive: true, force: true }); }
}

/** The API on the native server: `url`, `adminUrl`, `pid`, `admin(method, path, body)`, `stop()`. */
export async function nativeApi(folder, { listen = '127.0.0.1:0', adminListen = '127.0.0.1:0', words = [] } = {}) {
  const server = await LaunchedServer.launch(join(bin, 'tonearm-server'), ['--catalog', folder.catalog, '--state', folder.at('state.sqlite'),
    '--listen', listen, '--admin-listen', adminListen, '--admin-token-file', folder.at('token'), ...words]);
  return { url: server.url, adminUrl: server.adminUrl, pid: server.pid, stop: (signal) => server.stop(signal), send: (signal) => server.child.kill(signal), admin: adminOf(server.adminUrl),
    assertCleanLog: () => assert.doesNotMatch(server.log, API_KEY) };
}

/** The same on the edge's `dev` server, which serves both interfaces on one port. */
export async function edgeApi(folder, { listen = '127.0.0.1:0', words = [] } = {}) {
  const args = ['--catalog', folder.catalog, '--admin-token-file', folder.at('token'), '--listen', listen, '--persist', folder.at('edge'), ...words];
  const dev = await DevProcess.start({ folder: folder.path, args });
  return { url: dev.base, adminUrl: dev.base, stop: (signal) => dev.stop(signal), admin: adminOf(dev.base), assertCleanLog: () => devLog.assertClean() };
}

function adminOf(url) {
  return async (method, path, body) => {
    const response = await fetch(new URL(path, url), {
      method,
      headers: { Authorization: `Bearer ${TOKEN}`, 'Content-Type': 'application/json' },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    return { status: response.status, body: await response.json() };
  };
}

/** A track of one catalog, with this license. */
export const river = (license) => ({
  id: 'river-1', kind: 'music', title: 'River', artist: 'Ada Example', duration_s: 60, bpm: 70, tags: { genre: ['ambient'] }, energy: 'calm', tone: 'warm', quality: 0.5, license, license_status: 'verified',
  source: 'river.example', source_page: 'https://river.example/1', description: 'A river.',
});

/** Replaces the catalog of a native server with `build`, and waits until the site serves the new one. */
export async function replaceCatalog(url, api, build) {
  const version = async () => (await fetch(`${url}/site/search?limit=1`)).headers.get('tonearm-catalog');
  const earlier = await version();
  build();
  api.send('SIGHUP');
  await eventually(async () => (await version()) !== earlier, 'the server serves the new catalog');
}

/** Starts the site for an API; `ready` waits until it is ready. */
export async function startSite(folder, api, words = [], { ready = true, burst = '100000', listen = '127.0.0.1:0' } = {}) {
  const site = await LaunchedServer.launch(join(bin, 'tonearm-web'), ['--api', api.url, '--admin', api.adminUrl,
    '--admin-token-file', folder.at('token'), '--listen', listen, '--data', folder.at('site'), '--visitor-burst', burst, ...words]);
  if (ready) await waitUntilReady(site.url);
  return site;
}

/** Waits until the site at the address is ready. */
export const waitUntilReady = (url) => eventually(async () => (await fetch(`${url}/readyz`)).status === 200, `${url} is ready`);

/** A visitor with a browser: stores cookies, and sends the CSRF token of the session with each write. */
export class Visitor {
  cookies = new Map();
  csrf = '';

  constructor(url) { this.url = url; }

  async request(method, path, { body, headers = {} } = {}) {
    const response = await fetch(new URL(path, this.url), {
      method,
      redirect: 'manual',
      headers: {
        ...(this.cookies.size ? { Cookie: [...this.cookies].map((pair) => pair.join('=')).join('; ') } : {}),
        ...(method === 'GET' ? {} : { 'X-CSRF-Token': this.csrf, Origin: this.url }),
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...headers,
      },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    for (const line of response.headers.getSetCookie()) {
      const [pair] = line.split(';');
      this.cookies.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1));
    }
    const text = await response.text();
    const isJson = /^application\/json(;|$)/.test(response.headers.get('content-type') ?? '');
    const answer = { status: response.status, headers: response.headers, text, body: isJson && text ? JSON.parse(text) : null };
    if (answer.body?.csrf) this.csrf = answer.body.csrf;
    return answer;
  }

  get(path, options) { return this.request('GET', path, options); }

  /** A visitor with a session who is not signed in. */
  static async withSession(url) {
    const visitor = new Visitor(url);
    await visitor.get('/site/session');
    return visitor;
  }

  static async signedUp(url, name, password = 'a long password') {
    const visitor = await Visitor.withSession(url);
    const answer = await visitor.request('POST', '/site/sign-up', { body: { name, password } });
    if (answer.status !== 201) throw new Error(answer.text);
    return visitor;
  }
}
