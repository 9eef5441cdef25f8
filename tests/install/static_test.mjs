// Tests the static `tonearm` (CLI-30) as release/build-static packs it: it has no shared library, does in a folder without any other
// program what the ordinary one does, and passes the tests of the ordinary one.
// Usage: node --test tests/install/static_test.mjs      (TONEARM_BIN: the folder of the ordinary programs, by default build/native/bin;
// some tests require root, those of arm64 on another processor qemu-user-static)

import assert from 'node:assert/strict';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import dgram from 'node:dgram';
import { chmodSync, copyFileSync, cpSync, existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { fakeServer, projectOfTests, TRACKS } from '../command-line/project.mjs';
import { bin } from '../http/server_process.mjs';
import { writeCertificate } from '../support/certificates.mjs';
import { LaunchedServer } from '../support/launched_server.mjs';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
const version = /^project\(tonearm VERSION (\S+)/m.exec(readFileSync(join(root, 'CMakeLists.txt'), 'utf8'))[1];
const folder = mkdtempSync(join(tmpdir(), 'tonearm-static-'));
const noRoot = process.getuid() !== 0 && 'skipped: it requires root';
const noFfmpeg = spawnSync('ffmpeg', ['-version']).error !== undefined && 'skipped: there is no ffmpeg';
const native = { x64: 'x86_64', arm64: 'aarch64' }[process.arch];
const emulatorOf = (processor) => globSync(`/usr/bin/qemu-${processor}-static`)[0];

const project = projectOfTests();
after(() => rmSync(folder, { recursive: true }));

/** The files that a linker's map says it loaded. */
function loadedFiles(map) {
  return [...new Set([...map.matchAll(/^LOAD (\S+)$/gm)].map(([, path]) => path))];
}

const versionIn = (notices, name) => new RegExp(`^${name.replaceAll('+', '\\+')} (\\d\\S*)$`, 'm').exec(notices)?.[1];
const output = (command, ...words) => execFileSync(command, words, { encoding: 'utf8', cwd: root });

/** Runs a command to its end without blocking the servers of this process. */
function run(command, words, env = {}) {
  return new Promise((done, failed) => {
    const child = spawn(command, words, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'], env });
    let [out, errors] = ['', ''];
    child.stdout.on('data', (data) => { out += data; });
    child.stderr.on('data', (data) => { errors += data; });
    child.on('error', failed);
    child.on('close', (status, signal) => done({ status: status ?? signal, out, errors }));
  });
}

/** A server of DNS on port 53 of `address`, which knows one name. */
function dnsServer(address, name) {
  const socket = dgram.createSocket('udp4');
  socket.on('message', (question, { port, address: from }) => {
    const end = question.indexOf(0, 12) + 5;
    const labels = [];
    for (let at = 12; question[at] !== 0; at += question[at] + 1) labels.push(question.toString('latin1', at + 1, at + 1 + question[at]));
    const isAddress = question.readUInt16BE(end - 4) === 1 && labels.join('.') === name;
    const head = Buffer.from(question.subarray(0, 12));
    head.writeUInt16BE(0x8180, 2);
    head.writeUInt16BE(isAddress ? 1 : 0, 6);
    head.writeUInt32BE(0, 8);
    const answer = Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, 127, 0, 0, 1]);
    socket.send(Buffer.concat([head, question.subarray(12, end), ...(isAddress ? [answer] : [])]), port, from);
  });
  return new Promise((done) => { socket.bind(53, address, () => done(socket)); });
}

/** Folders with the audio of the project in each format that ffmpeg writes here. */
function encodings() {
  const path = project.write('encoded', { 'a.wav': TRACKS[0][4], 'z.txt': 'no audio' });
  if (noFfmpeg) return path;
  for (const name of ['b.flac', 'c.mp3', 'd.ogg', 'e.opus', 'f.aiff']) {
    execFileSync('ffmpeg', ['-v', 'error', '-nostdin', '-y', '-i', `${path}/a.wav`, `${path}/${name}`]);
  }
  return path;
}

for (const processor of ['x86_64', 'aarch64']) {
  const name = `tonearm-${version}-linux-${processor}`;
  const archive = join(root, 'build/static', `${name}.tar.gz`);
  const emulator = processor === native ? undefined : emulatorOf(processor);
  const cannotRun = processor !== native && !emulator && `skipped: there is no qemu-${processor}-static`;
  const program = join(folder, name, 'tonearm');
  const command = emulator ? [emulator, program] : [program];

  describe(`the static program for ${processor}`, () => {
    before(() => execFileSync('tar', ['-xzf', archive, '-C', folder]));

    test('it has no shared library, and no path of the machine that built it', () => {
      const kind = execFileSync('file', [program], { encoding: 'utf8' });
      assert.match(kind, /static-pie linked.*, stripped/);
      const parts = execFileSync('readelf', ['-W', '-l', '-d', program], { encoding: 'utf8' });
      assert.doesNotMatch(parts, /INTERP|NEEDED/);
      assert.match(parts, /GNU_RELRO/);
      assert.match(parts, /GNU_STACK\s+(\S+\s+){5}RW\s/);
      assert.equal(readFileSync(program).includes(root), false, 'the folder of the tree');
    });

    test('its licenses are beside it', () => {
      assert.equal(readFileSync(join(folder, name, 'LICENSE'), 'utf8'), readFileSync(join(root, 'LICENSE'), 'utf8'));
      const notices = readFileSync(join(folder, name, 'NOTICES'), 'utf8');
      for (const library of ['curl', 'libsndfile', 'mpg123', 'kissfft', 'chromaprint', 'libssl-dev', 'libc6-dev', 'libflac-dev', 'libopus-dev']) {
        assert.match(notices, new RegExp(`^${library} \\d`, 'm'));
      }
      const referred = [...notices.matchAll(/\/usr\/share\/common-licenses\/([\w.-]*\w)/g)].map(([path]) => realpathSync(path));
      assert.ok(referred.length > 10, referred.join());
      for (const path of referred) assert.ok(notices.includes(readFileSync(path, 'utf8')), path);
    });

    test('the versions in its notices are those of the files that the linker loaded', () => {
      const built = join(root, 'build/static', processor);
      const notices = readFileSync(join(folder, name, 'NOTICES'), 'utf8');
      const loaded = loadedFiles(readFileSync(join(built, 'program/tonearm.map'), 'utf8'));
      const packages = new Set();
      for (const path of loaded.map((file) => resolve(join(built, 'program'), file))) {
        if (path.startsWith(join(built, 'prefix/libc/'))) {
          const original = join(built, `debian/libc6-dev/usr/lib/${processor}-linux-gnu`, basename(path));
          if (basename(path) !== 'libm.a') assert.ok(readFileSync(path).equals(readFileSync(original)), path);
          packages.add('libc6-dev');
        } else if (path.startsWith(join(built, 'prefix/lib/'))) {
          const original = globSync(`${built}/debian/*/usr/lib/${processor}-linux-gnu/${basename(path)}`)[0];
          if (original) packages.add(relative(join(built, 'debian'), original).split('/', 1)[0]);
        } else if (!path.startsWith(join(built, 'program/'))) {
          const owner = output('dpkg-query', '-S', realpathSync(path)).split(':', 1)[0];
          assert.equal(versionIn(notices, owner), output('dpkg-query', '-W', '-f=${Version}\n', owner).split('\n', 1)[0], path);
          assert.match(owner, /^lib(gcc|stdc\+\+)-\d+-dev/, path);
        }
      }
      for (const expected of ['libc6-dev', 'libssl-dev', 'zlib1g-dev', 'libopus-dev']) assert.ok(packages.has(expected), expected);
      for (const package_ of packages) {
        const [file] = globSync(`${built}/debian/packages/${package_}_*.deb`);
        assert.equal(versionIn(notices, package_), output('dpkg-deb', '--field', file, 'Version').trim(), package_);
      }
    });

    test('it sends the same requests as the ordinary program, and prints the same', { skip: cannotRun }, async () => {
      const path = encodings();
      const env = { PATH: process.env.PATH, HOME: '/nonexistent', TONEARM_API_KEY: project.key };
      const words = ['credits', path, '--json'];
      const [ordinary, single] = [
        await run(join(bin, 'tonearm'), words, { ...env, TONEARM_API: project.server.url }),
        await run(command[0], [...command.slice(1), ...words], { ...env, TONEARM_API: project.server.url }),
      ];
      assert.equal(single.errors, ordinary.errors);
      assert.equal(single.out, ordinary.out);
      assert.equal(JSON.parse(single.out).files.every((file) => file.track.title === 'Copper Bells'), true, single.out);
      const bodies = [];
      for (const [file, ...more] of [[join(bin, 'tonearm')], command]) {
        const server = await fakeServer(() => ({ text: '{"files":[]}' }));
        await run(file, [...more, ...words], { ...env, TONEARM_API: server.url });
        bodies.push(server.requests.map(({ body }) => body));
        server.close();
      }
      assert.deepEqual(bodies[1], bodies[0]);
    });

    test('it passes the tests of the ordinary program', { skip: cannotRun, timeout: 1_500_000 }, async () => {
      const programs = join(folder, `bin-${processor}`);
      mkdirSync(programs);
      for (const other of ['tonearm-server', 'tonearm-catalog', 'tonearm-admin']) symlinkSync(join(bin, other), join(programs, other));
      writeFileSync(join(programs, 'tonearm'), `#!/bin/sh\nexec ${command.join(' ')} "$@"\n`);
      chmodSync(join(programs, 'tonearm'), 0o755);
      const files = globSync('tests/{command-line,receipts}/*_test.mjs', { cwd: root });
      const env = { ...process.env, TONEARM_BIN: programs };
      delete env.NODE_TEST_CONTEXT;
      const ended = await run(process.execPath, ['--test', '--test-reporter=tap', ...files], env);
      assert.equal(ended.status, 0, ended.out.split('\n').filter((line) => /not ok|^# /.test(line)).join('\n'));
    });

    test('it works in a folder without other files', { skip: noRoot || cannotRun }, async () => {
      const bare = join(folder, `bare-${processor}`);
      mkdirSync(join(bare, 'etc'), { recursive: true });
      copyFileSync(program, join(bare, 'tonearm'));
      if (emulator) copyFileSync(emulator, join(bare, 'emulator'));
      const words = emulator ? ['/emulator', '/tonearm'] : ['/tonearm'];
      const inside = (arguments_, env = {}) => run('chroot', [bare, ...words, ...arguments_], { PATH: process.env.PATH, TONEARM_API_KEY: project.key, ...env });
      const http = { TONEARM_API: project.server.url };
      assert.equal((await inside(['--version'])).out, `tonearm ${version}\n`);
      assert.match((await inside(['--help'])).out, /credits/);
      const found = await inside(['search', 'copper'], http);
      assert.equal(JSON.parse(found.out).tracks[0].title, 'Copper Bells', found.errors);
      cpSync(encodings(), join(bare, 'project'), { recursive: true });
      const credits = await inside(['credits', '/project'], http);
      assert.equal(credits.status, 0, credits.errors + credits.out);
      writeFileSync(join(bare, 'film.mp4'), 'no film');
      const film = await inside(['credits', '/film.mp4'], http);
      assert.deepEqual([film.status, /ffmpeg/i.test(film.errors)], [2, true], film.errors);

      const host = `api-${processor.replace('_', '-')}.tonearm.test`;
      writeCertificate({ certificate: join(folder, 'tls.pem'), key: join(folder, 'tls.key'), subject: 'test', names: `DNS:localhost,DNS:${host},DNS:named.test` });
      const server = await LaunchedServer.launch(join(bin, 'tonearm-server'), ['--catalog', project.at('catalog.sqlite'), '--state', join(folder, `tls-${processor}.sqlite`),
        '--listen', '127.0.0.1:0', '--admin-listen', '127.0.0.1:0', '--admin-token-file', project.at('token'), '--tls-cert', join(folder, 'tls.pem'), '--tls-key', join(folder, 'tls.key')]);
      const https = (name_) => ({ TONEARM_API: `https://${name_}:${new URL(server.url).port}` });
      // The server does not know the key: its answer proves that the certificate was accepted.
      const isAnswered = ({ errors }) => assert.match(errors, /\(401\)\n$/);

      const without = await inside(['usage'], https('localhost'));
      assert.equal(without.status, 3);
      assert.match(without.errors, /^tonearm: this system has no file of trusted certificates: install ca-certificates, or name a PEM file /);
      const missing = await inside(['usage'], { ...https('localhost'), SSL_CERT_FILE: '/nowhere.pem' });
      assert.match(missing.errors, /the file of trusted certificates is not usable: .*\/nowhere\.pem/);
      copyFileSync(join(folder, 'tls.pem'), join(bare, 'ca.pem'));
      isAnswered(await inside(['usage'], { ...https('localhost'), SSL_CERT_FILE: '/ca.pem' }));
      isAnswered(await inside(['usage', '--ca-file', '/ca.pem'], https('localhost')));
      for (const path of ['etc/ssl/cert.pem', 'etc/pki/tls/certs/ca-bundle.crt', 'etc/ssl/certs/ca-certificates.crt']) {
        mkdirSync(dirname(join(bare, path)), { recursive: true });
        copyFileSync(join(folder, 'tls.pem'), join(bare, path));
        isAnswered(await inside(['usage'], https('localhost')));
        rmSync(join(bare, path));
      }
      copyFileSync(join(folder, 'tls.pem'), join(bare, 'etc/ssl/cert.pem'));

      // Names: from /etc/hosts and from DNS, whatever modules nsswitch.conf names, and whatever openssl.cnf loads.
      writeFileSync(join(bare, 'etc/hosts'), '127.0.0.1 named.test\n');
      writeFileSync(join(bare, 'etc/nsswitch.conf'), 'hosts: mymachines resolve [!UNAVAIL=return] files myhostname dns\nservices: db files\n');
      writeFileSync(join(bare, 'etc/resolv.conf'), 'nameserver 127.0.0.93\n');
      mkdirSync(join(bare, 'usr/lib/ssl'), { recursive: true });
      writeFileSync(join(bare, 'usr/lib/ssl/openssl.cnf'), 'openssl_conf = a\n[a]\nproviders = b\n[b]\nlegacy = c\n[c]\nactivate = 1\n');
      const dns = await dnsServer('127.0.0.93', host);
      isAnswered(await inside(['usage'], https('named.test')));
      isAnswered(await inside(['usage'], https(host)));
      assert.match((await inside(['usage'], https('unknown.tonearm.test'))).errors, /its host name cannot be resolved/);
      dns.close();
      await server.stop();
    });
  });
}
