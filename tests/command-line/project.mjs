// Support for the tests of `tonearm`: generated audio, a server with a catalog of it, and the program itself.

import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { after, before } from 'node:test';
import { fileURLToPath } from 'node:url';

import { bin, ServerProcess } from '../http/server_process.mjs';
import { LaunchedServer } from '../support/launched_server.mjs';

const RATE = 22050;
const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');

/** Returns a WAV file with a melody that is unique to the seed: notes of 200 ms with three overtones. `level` is 0 to 1; `skip_s` is cut off at the start. */
export function wav(seed, { seconds = 20, level = 0.5, skip_s = 0 } = {}) {
  const count = Math.round(seconds * RATE);
  const bytes = Buffer.alloc(44 + 2 * count);
  bytes.write('RIFF', 0);
  bytes.writeUInt32LE(36 + 2 * count, 4);
  bytes.write('WAVEfmt ', 8);
  bytes.writeUInt32LE(16, 16);
  bytes.writeUInt16LE(1, 20);
  bytes.writeUInt16LE(1, 22);
  bytes.writeUInt32LE(RATE, 24);
  bytes.writeUInt32LE(2 * RATE, 28);
  bytes.writeUInt16LE(2, 32);
  bytes.writeUInt16LE(16, 34);
  bytes.write('data', 36);
  bytes.writeUInt32LE(2 * count, 40);
  const noteAt = (i) => {
    let state = (seed * 7919 + i * 104729) >>> 0; // a hash finalizer, so that no melody is a shifted copy of another
    state = Math.imul(state ^ (state >>> 16), 0x85ebca6b);
    state = Math.imul(state ^ (state >>> 13), 0xc2b2ae35);
    return 220 * 2 ** (((state ^ (state >>> 16)) >>> 0) % 24 / 12);
  };
  for (let i = 0; i < count; ++i) {
    const t = i / RATE + skip_s;
    const pitch = noteAt(Math.floor(t / 0.2));
    let sample = 0;
    for (let overtone = 1; overtone <= 3; ++overtone) sample += Math.sin(2 * Math.PI * pitch * overtone * t) / overtone;
    bytes.writeInt16LE(Math.round(sample / 2 * level * 32767), 44 + 2 * i);
  }
  return bytes;
}

/** The sources of the catalog: file, license, title, author, audio. */
export const TRACKS = [
  ['copper.wav', 'CC-BY-4.0', 'Copper Bells', 'Ada Reed', wav(1)],
  ['glass.wav', 'CC0-1.0', 'Glass Rain', 'Bo Lund', wav(2)],
  ['night.wav', 'CC-BY-NC-4.0', 'Night Drive', 'Cy Moor', wav(3)],
  ['click.wav', 'CC0-1.0', 'Click', 'Bo Lund', wav(4, { seconds: 1 })],
  ['shared.wav', 'CC-BY-SA-4.0', 'Common Ground', 'Di Fenn', wav(5)],
];

/** A server with a catalog of TRACKS, and a folder for the test. */
export class Project {
  constructor() {
    this.folder = mkdtempSync(join(tmpdir(), 'tonearm-command-line-'));
    writeFileSync(this.at('token'), 'a-token-of-the-tests\n');
    mkdirSync(this.at('source'));
    const rows = TRACKS.map(([file, license, title, author, bytes]) => {
      writeFileSync(this.at(`source/${file}`), bytes);
      return `${file},${license},${title},${author},music`;
    });
    writeFileSync(this.at('source/tracks.csv'), ['file,license,title,author,kind', ...rows, ''].join('\n'));
    writeFileSync(this.at('source/tonearm.toml'), 'domain = "melodies.example"\nid_prefix = "mel"\n');
    const built = spawnSync(join(bin, 'tonearm-catalog'), ['build', '--source', `folder:${this.at('source')}`, '--output', this.at('catalog.sqlite'),
      '--allow-share-alike', '--media-url', 'https://melodies.example/media'], { encoding: 'utf8' });
    if (built.status !== 0) throw built.error ?? new Error(built.stderr);
  }

  at(name) { return join(this.folder, name); }

  /** Writes files into a new folder and returns its path. */
  write(name, files) {
    for (const [path, bytes] of Object.entries(files)) {
      mkdirSync(dirname(this.at(`${name}/${path}`)), { recursive: true });
      writeFileSync(this.at(`${name}/${path}`), bytes);
    }
    return this.at(name);
  }

  async start() {
    this.server = await ServerProcess.start(this);
    this.key = await this.server.newKey();
  }

  /** Runs `tonearm` with these words against the server, with its key. */
  run(words, env = {}, url = this.server.url) {
    return tonearm(words, { TONEARM_API: url, TONEARM_API_KEY: this.key, ...env });
  }

  remove() { rmSync(this.folder, { recursive: true }); }
}

/** Runs `tonearm` without the settings of this process. */
export function tonearm(words, env = {}) {
  return runToEnd(join(bin, 'tonearm'), words, env);
}

/** Runs `tonearm` on a terminal of so many columns; `out` is its screen. */
export function onTerminal(words, env, columns = 80) {
  const quoted = [join(bin, 'tonearm'), ...words].map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(' ');
  return runToEnd('script', ['-qec', `stty cols ${columns}; ${quoted}`, '/dev/null'], { TERM: 'xterm', ...env });
}

function runToEnd(command, words, env) {
  return new Promise((done, failed) => {
    const child = spawn(command, words, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'], env: { PATH: process.env.PATH, HOME: '/nonexistent', ...env } });
    let out = '';
    let errors = '';
    child.stdout.setEncoding('utf8').on('data', (text) => { out += text; });
    child.stderr.setEncoding('utf8').on('data', (text) => { errors += text; });
    child.on('error', failed);
    child.on('close', (status, signal) => done({ status: status ?? signal, out, errors, json: () => JSON.parse(out) }));
  });
}

/** Starts a fake server that returns `answer(number, body)` for each request and records the requests. */
export function fakeServer(answer) {
  const requests = [];
  const server = http.createServer((request, response) => {
    let body = '';
    request.on('data', (text) => { body += text; });
    request.on('end', () => {
      requests.push({ method: request.method, url: request.url, headers: request.headers, body });
      const { status = 200, headers = {}, text } = answer(requests.length, body);
      response.writeHead(status, { 'Content-Type': 'application/json', ...headers });
      response.end(text);
    });
  });
  return new Promise((done) => {
    server.listen(0, '127.0.0.1', () => done({ url: `http://127.0.0.1:${server.address().port}`, requests, close: () => server.close() }));
  });
}

/** Makes a project for the tests of a file: its server is started before them, and it is removed after them. */
export function projectOfTests() {
  const project = new Project();
  before(() => project.start());
  after(async () => {
    await LaunchedServer.endAll();
    project.remove();
  });
  return project;
}
