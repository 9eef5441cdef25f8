// SIGHUP and TLS of the native server, as an operator renews certificates, rotates logs and publishes a catalog.
// Usage: node --test tests/http/reload_test.mjs      (TONEARM_BIN: the programs' folder)

import assert from 'node:assert/strict';
import { copyFileSync, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import https from 'node:https';
import { after, afterEach, before, test } from 'node:test';
import tls from 'node:tls';

import { writeCertificate } from '../support/certificates.mjs';
import { eventually } from '../support/waiting.mjs';
import { get, Scratch, ServerProcess } from './server_process.mjs';

let scratch;
let server;
let words;

/** Creates a self-signed certificate with a distinct name. */
function makeCertificate(name) {
  writeCertificate({ certificate: scratch.at(`${name}.pem`), key: scratch.at(`${name}.key`), subject: name });
}

function install(name) {
  for (const kind of ['pem', 'key']) {
    copyFileSync(scratch.at(`${name}.${kind}`), scratch.at('incoming'));
    renameSync(scratch.at('incoming'), scratch.at(`served.${kind}`));
  }
}

/** Returns the result of a handshake: the name in the certificate and the cipher, or the error code. */
function handshake(options = {}) {
  return new Promise((done) => {
    const socket = tls.connect({ port: server.port, host: '127.0.0.1', rejectUnauthorized: false, ...options }, () => {
      done({ name: socket.getPeerCertificate().subject.CN, cipher: socket.getCipher().name, resumed: socket.isSessionReused() });
      socket.end();
    });
    socket.on('error', ({ code }) => done({ error: code }));
  });
}

/** Sends a request on the agent's connection and returns the name in the connection's certificate. */
function call(agent) {
  return new Promise((done, failed) => {
    https.get(`${server.url}/healthz`, { agent, rejectUnauthorized: false }, (response) => {
      const { CN } = response.socket.getPeerCertificate().subject;
      response.resume();
      response.on('end', () => done({ status: response.statusCode, name: CN, reused: response.req.reusedSocket }));
    }).on('error', failed);
  });
}

async function hangUp() {
  const before_ = server.log.split('SIGHUP: ').length - 1;
  server.child.kill('SIGHUP');
  await server.logged('SIGHUP: ', before_ + 1);
}

before(() => {
  scratch = new Scratch();
  for (const name of ['first', 'second']) makeCertificate(name);
  words = ['--tls-cert', scratch.at('served.pem'), '--tls-key', scratch.at('served.key')];
});

afterEach(async () => { assert.equal(await server.stop(), 0, server.log); });

after(() => { scratch.remove(); });

// HOST-23
test('After SIGHUP new connections have the new certificate, and open ones continue', async () => {
  install('first');
  server = await ServerProcess.start(scratch, { words });
  const agent = new https.Agent({ keepAlive: true, maxSockets: 1 });
  assert.deepEqual(await call(agent), { status: 200, name: 'first', reused: false });
  install('second');
  await hangUp();
  assert.equal((await handshake()).name, 'second');
  assert.deepEqual(await call(agent), { status: 200, name: 'first', reused: true });
  agent.destroy();
});

// docs/operate/native.md: --tls-cert
test('With a certificate both addresses speak HTTPS only', async () => {
  install('first');
  server = await ServerProcess.start(scratch, { words });
  for (const url of [server.url, server.adminUrl]) {
    assert.match(url, /^https:/);
    await assert.rejects(fetch(`${url.replace('https:', 'http:')}/healthz`));
  }
  assert.equal((await handshake({ port: Number(new URL(server.adminUrl).port) })).name, 'first');
});

// HOST-23
test('An invalid or missing certificate, or one without its key, is refused at SIGHUP, and the old one stays', async () => {
  install('first');
  server = await ServerProcess.start(scratch, { words });
  const spoilings = [
    () => writeFileSync(scratch.at('served.pem'), 'no certificate'),
    () => rmSync(scratch.at('served.pem')),
    () => copyFileSync(scratch.at('second.pem'), scratch.at('served.pem')),
  ];
  for (const spoil of spoilings) {
    install('first');
    spoil();
    const complaints = server.log.split('the old certificate stays').length;
    await hangUp();
    assert.ok(server.log.split('the old certificate stays').length > complaints, server.log);
    assert.match(server.log, /error cannot use the (certificate|private key) \S+served\.(pem|key): .*; the old certificate stays\n/);
    assert.equal((await handshake()).name, 'first');
  }
  install('second');
  await hangUp();
  assert.equal((await handshake()).name, 'second');
});

// HOST-23, HOST-8
test('SIGHUP without TLS polls the catalog at once, reopens the log file, and closes no connection', async () => {
  rmSync(scratch.at('log'), { force: true });
  const published = scratch.at('catalog.sqlite');
  renameSync(published, scratch.at('catalog.kept'));
  server = await ServerProcess.start(scratch, { words: ['--log-file', scratch.at('log')] });
  assert.equal(server.log, '');
  renameSync(scratch.at('log'), scratch.at('log.1'));
  copyFileSync(scratch.at('catalog.kept'), scratch.at('incoming'));
  renameSync(scratch.at('incoming'), published);
  server.child.kill('SIGHUP');
  await eventually(async () => (await get(server, '/readyz')).status === 200, 'the catalog');
  const log = () => (existsSync(scratch.at('log')) ? readFileSync(scratch.at('log'), 'utf8') : '');
  await eventually(() => log().includes(' info SIGHUP: reloaded\n'), 'the reload');
  assert.match(readFileSync(scratch.at('log.1'), 'utf8'), / info listening on /);
});

// HOST-24
test('TLS has forward secrecy: version 1.3, and the suites of 1.2 that have it', async () => {
  install('first');
  server = await ServerProcess.start(scratch, { words });
  assert.match((await handshake()).cipher, /^TLS_/);
  const of12 = (ciphers) => handshake({ maxVersion: 'TLSv1.2', ciphers: `${ciphers}:@SECLEVEL=0` });
  assert.equal((await of12('ECDHE-ECDSA-AES128-GCM-SHA256')).cipher, 'ECDHE-ECDSA-AES128-GCM-SHA256');
  assert.equal((await of12('ECDHE-ECDSA-CHACHA20-POLY1305')).cipher, 'ECDHE-ECDSA-CHACHA20-POLY1305');
  for (const weak of ['AES128-GCM-SHA256', 'AES256-SHA', 'ECDHE-ECDSA-AES128-SHA', 'ECDHE-ECDSA-AES256-SHA384', 'PSK-AES128-GCM-SHA256']) {
    assert.notEqual((await of12(weak)).error, undefined, weak);
  }
  assert.notEqual((await handshake({ minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'ALL:@SECLEVEL=0' })).error, undefined);
});
