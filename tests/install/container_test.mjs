// Builds the image of packaging/Containerfile without a container engine: executes its instructions in bare Debian systems, then runs the
// server as docs/operate/container.md does: read-only, as user 10001, with a secret, a catalog and a volume. Takes half an hour.
// Usage: node --test tests/install/container_test.mjs      (requires root and debootstrap)

import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, chownSync, copyFileSync, cpSync, existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';

import { freePort } from '../support/free_port.mjs';
import { eventually } from '../support/waiting.mjs';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');

function run(program, words, options = {}) {
  const result = spawnSync(program, words, { encoding: 'utf8', maxBuffer: 1 << 28, ...options });
  assert.equal(result.status, 0, `${program} ${words.join(' ')}\n${result.stdout?.slice(-4_000)}\n${result.stderr?.slice(-4_000)}`);
  return result.stdout;
}

/** The instructions of a Containerfile: `[name, rest]`. */
function instructionsOf(text) {
  const lines = text.split('\n').filter((line) => !/^\s*#/.test(line)).join('\n').replaceAll(/\\\n/g, ' ').split('\n');
  return lines.filter((line) => line.trim()).map((line) => /^(\w+)\s+(.*)$/.exec(line.trim()).slice(1));
}

/** A bare Debian 12 with the package sources of this machine, which may be mirrors. */
function makeBase(folder) {
  const sources = ['/etc/apt/sources.list', ...globSync('/etc/apt/sources.list.d/*')].filter(existsSync).map((path) => readFileSync(path, 'utf8')).join('\n');
  const mirror = /^URIs:\s*(\S+)/m.exec(sources)?.[1] ?? /^deb\s+(?:\[.*?\]\s+)?(\S+)/m.exec(sources)?.[1];
  run('debootstrap', ['--variant=minbase', 'bookworm', folder, ...(mirror ? [mirror] : [])]);
  for (const path of ['/etc/apt/sources.list.d', '/etc/apt/apt.conf.d', '/usr/share/keyrings', '/etc/ssl/certs', '/etc/resolv.conf', join(homedir(), '.npmrc')]) {
    if (existsSync(path)) cpSync(path, join(folder, path), { recursive: true, dereference: true, force: true });
  }
  if (globSync('/etc/apt/sources.list.d/*').length > 0) writeFileSync(join(folder, 'etc/apt/sources.list'), '');
}

/** One stage of a build: a file system and its settings. */
class Stage {
  constructor(folder) {
    this.folder = folder;
    this.directory = '/';
    this.user = '0:0';
    this.settings = { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin' };
    for (const name of ['proc', 'dev']) run('mount', ['--rbind', `/${name}`, join(folder, name)]);
  }

  words(program, more = {}) {
    const settings = Object.entries({ ...this.settings, ...more }).map(([name, value]) => `${name}=${value}`);
    return [`--userspec=${this.user}`, this.folder, 'env', '-i', '-C', this.directory, ...settings, ...program];
  }

  run(...program) { return run('chroot', this.words(program, { HOME: homedir(), npm_config_registry: run('npm', ['config', 'get', 'registry']).trim() })); }
}

/** Executes the instructions. Returns the last stage, and the others by name. */
function build(containerfile, folder) {
  const base = join(folder, 'base');
  makeBase(base);
  const named = new Map();
  let stage;
  for (const [instruction, rest] of instructionsOf(containerfile)) {
    switch (instruction) {
      case 'FROM': {
        const [, image, name = 'last'] = /^(\S+)(?: AS (\S+))?$/.exec(rest);
        assert.match(image, /^docker\.io\/library\/debian:12(-slim)?$/);
        run('cp', ['-a', base, join(folder, name)]);
        stage = new Stage(join(folder, name));
        named.set(name, stage);
        break;
      }
      case 'WORKDIR':
        stage.directory = rest;
        mkdirSync(join(stage.folder, rest), { recursive: true });
        break;
      case 'COPY': {
        const [, from, source, target] = /^(?:--from=(\S+) )?(\S+) (\S+)$/.exec(rest);
        if (from) {
          cpSync(join(named.get(from).folder, source), join(stage.folder, target), { recursive: true });
        } else { // what .containerignore excludes is not in the index
          assert.deepEqual([source, target], ['.', '.']);
          run('sh', ['-c', `git ls-files -z | tar --null --files-from=- -c | tar -x -C "$0"`, join(stage.folder, stage.directory)], { cwd: root });
        }
        break;
      }
      case 'RUN':
        stage.run('sh', '-c', rest);
        break;
      case 'USER':
        stage.user = rest;
        break;
      case 'ENV':
        for (const [, name, value] of rest.matchAll(/(\w+)=(\S+)/g)) stage.settings[name] = value;
        break;
      case 'VOLUME':
        stage.volume = rest;
        break;
      case 'ENTRYPOINT':
        stage.entrypoint = JSON.parse(rest);
        break;
      default:
        assert.ok(['EXPOSE', 'STOPSIGNAL'].includes(instruction), instruction);
    }
  }
  return { image: stage, named };
}

const isRoot = process.getuid() === 0;
// Mounts end with their namespace, so the test runs itself in one.
if (isRoot && process.env.TONEARM_MOUNTS !== 'own') {
  const { status } = spawnSync('unshare', ['--mount', '--propagation', 'private', process.execPath, ...process.execArgv, fileURLToPath(import.meta.url)],
    { stdio: 'inherit', env: { ...process.env, TONEARM_MOUNTS: 'own', NODE_TEST_CONTEXT: '' } });
  process.exit(status ?? 1);
}

describe('the image of the Containerfile', { skip: !isRoot && 'this test requires root' }, () => {
  let folder, image, server, url;
  const token = 'an-admin-token-of-the-image-0123456789';
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'tonearm-image-'));
    const { image: built, named } = build(readFileSync(join(root, 'packaging/Containerfile'), 'utf8'), folder);
    image = built;
    // The catalog, the secret and the volume, as the documentation mounts them.
    const builder = named.get('build');
    builder.run('build/native/bin/tonearm-catalog', 'build', '--input', 'tests/cases/catalog.jsonl', '--output', '/catalog.sqlite', '--allow-share-alike', '--site-url', 'https://site.example');
    copyFileSync(join(builder.folder, 'catalog.sqlite'), join(image.folder, 'srv/tonearm/catalog.sqlite'));
    const secret = join(image.folder, 'run/secrets/tonearm-admin-token');
    mkdirSync(dirname(secret), { recursive: true });
    writeFileSync(secret, token);
    chmodSync(secret, 0o400);
    chownSync(secret, 10001, 10001);
    for (const path of [image.folder, join(image.folder, image.volume)]) run('mount', ['--bind', path, path]);
    run('mount', ['-o', 'remount,bind,ro', image.folder]);
  });
  after(() => {
    server?.kill('SIGKILL');
    // The innermost mounts first: the volume, the root that became read-only, then those of the stages.
    const mounted = () => readFileSync('/proc/self/mounts', 'utf8').split('\n').map((line) => line.split(' ')[1] ?? '').filter((path) => path.startsWith(`${folder}/`));
    for (const path of mounted().reverse()) spawnSync('umount', ['--lazy', path]);
    assert.deepEqual(mounted(), []);
    run('rm', ['-rf', '--one-file-system', folder]); // never what is mounted
  });

  it('starts as its own user on a read-only file system, and is ready', async () => {
    const [port, adminPort] = [await freePort(), await freePort()];
    const settings = { TONEARM_LISTEN: `127.0.0.1:${port}`, TONEARM_ADMIN_LISTEN: `127.0.0.1:${adminPort}` };
    server = spawn('chroot', image.words(image.entrypoint, settings), { stdio: ['ignore', 'pipe', 'inherit'] });
    url = `http://127.0.0.1:${port}`;
    await eventually(async () => (await fetch(`${url}/readyz`).catch(() => ({ status: 0 }))).status === 200, 'the server is ready');
    assert.equal((await fetch(`${url}/healthz`)).status, 200);
    const created = image.run('tonearm-admin', '--server', `http://127.0.0.1:${adminPort}`, '--token-file', '/run/secrets/tonearm-admin-token', 'account', 'create', '--plan', 'free', '--json');
    const { account } = JSON.parse(created);
    const { key } = JSON.parse(image.run('tonearm-admin', '--server', `http://127.0.0.1:${adminPort}`, '--token-file', '/run/secrets/tonearm-admin-token', 'key', 'create', account, '--json'));
    const found = await fetch(`${url}/v1/search?kind=music&q=rain`, { headers: { Authorization: `Bearer ${key}` } });
    assert.equal(found.status, 200);
    assert.ok((await found.json()).total > 0);
  });

  it('keeps its state in the volume, and stops on SIGTERM', async () => {
    assert.equal(statSync(join(image.folder, image.settings.TONEARM_STATE)).uid, 10001);
    const stopped = new Promise((done) => { server.once('exit', done); });
    server.kill('SIGTERM');
    assert.equal(await stopped, 0);
  });
});
