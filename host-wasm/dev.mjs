// The edge on a local workerd, with its state in a folder: the API, and the admin interface below /admin, on one port.
// Usage: npm --prefix host-wasm run dev -- --catalog FILE --listen ADDR:PORT --admin-token-file FILE --persist DIR
//   --catalog FILE           the snapshot to serve; another one that is renamed onto the path is activated
//   --listen ADDR:PORT       where to listen; port 0: any that is free
//   --admin-token-file FILE  holds the token of the admin interface
//   --catalog-key FILE       Ed25519 public keys (PEM): serve only snapshots that one of them signed; may be left out
//   --persist DIR            holds accounts, objects and the key secret; made where it is missing
//   --help, --version

import { createHash, createPublicKey, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { spawnSync } from 'node:child_process';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

import { Miniflare } from 'miniflare';

import { root, workerOptions } from './bundle.mjs';
import { upload } from './upload.mjs';

const WASM = 'build/wasm/bin/tonearm.wasm';
const CATALOG_CHECK_MS = 2_000;
/** The signature and the footer of a snapshot. */
const END_BYTES = 160;
/** Snapshots before the one in force. */
const OLDER_KEPT = 2;
const REQUIRED = ['catalog', 'listen', 'admin-token-file', 'persist'];

function end(status, message) {
  console.error(`dev: ${message}`);
  process.exit(status);
}

function readArguments() {
  const options = Object.fromEntries(REQUIRED.map((name) => [name, { type: 'string' }]));
  options['catalog-key'] = { type: 'string' };
  const flags = { help: { type: 'boolean' }, version: { type: 'boolean' } };
  let values;
  try {
    ({ values } = parseArgs({ options: { ...options, ...flags } }));
  } catch (failure) {
    end(2, failure.message);
  }
  if (values.help) {
    const text = readFileSync(new URL(import.meta.url), 'utf8');
    console.log(text.split('\n\n')[0].replaceAll(/^\/\/ ?/gm, ''));
    process.exit(0);
  }
  if (values.version) {
    console.log(JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8')).version);
    process.exit(0);
  }
  for (const name of REQUIRED) if (!values[name]) end(2, `--${name} is missing; see --help`);
  const listen = /^(?:\[([0-9a-fA-F:]+)\]|([^:[\]]+)):(\d{1,5})$/.exec(values.listen);
  if (listen === null || Number(listen[3]) > 65_535) end(2, `--listen takes ADDR:PORT; got "${values.listen}"`);
  // npm changes into this folder; paths are meant from where it was called.
  const path = (name) => resolve(process.env.INIT_CWD ?? '.', values[name]);
  return {
    catalog: path('catalog'),
    tokenFile: path('admin-token-file'),
    persist: path('persist'),
    catalogKey: values['catalog-key'] === undefined ? null : path('catalog-key'),
    host: listen[1] ?? listen[2],
    port: Number(listen[3]),
  };
}

/** What a file holds, without the white space at its ends. */
function readSecret(path) {
  const secret = readFileSync(path, 'utf8').trim();
  if (secret === '') throw new Error(`${path} is empty`);
  return secret;
}

/** The public keys in a file. What is none ends this here, and not in the worker at the first call. */
function readKeys(path) {
  const text = readSecret(path);
  for (const block of text.split(/(?=-----BEGIN )/).filter((part) => part.startsWith('-----BEGIN '))) {
    if (!block.startsWith('-----BEGIN PUBLIC KEY-----')) throw new Error(`${path} holds what is no public key`);
    if (createPublicKey(block).asymmetricKeyType !== 'ed25519') throw new Error(`${path} holds a key that is no Ed25519 key`);
  }
  if (!text.includes('-----BEGIN ')) throw new Error(`${path} holds no public key in PEM`);
  return text;
}

/** The key secret of this state, made once. */
function keySecretIn(folder) {
  const path = join(folder, 'key-secret');
  if (!existsSync(path)) {
    writeFileSync(path, `${randomBytes(32).toString('hex')}\n`, { mode: 0o600, flag: 'wx' });
  }
  return readSecret(path);
}

function buildCoreWhereMissing() {
  if (existsSync(join(root, WASM))) return;
  console.error('dev: the core is compiled first, which takes some minutes');
  for (const command of [['--preset', 'wasm'], ['--build', '--preset', 'wasm', '--target', 'tonearm_wasm']]) {
    const { status, error } = spawnSync('cmake', command, { cwd: root, stdio: ['ignore', 2, 2] });
    if (error || status !== 0) throw new Error('the core does not compile');
  }
}

/** What is another where another file was renamed onto the path; null where there is none that can be looked at. */
function fileAt(path) {
  try {
    const found = statSync(path);
    return found.isFile() ? [found.dev, found.ino, found.size, found.mtimeMs].join() : null;
  } catch {
    return null;
  }
}

/** What names the content: the footer proves all of the file, and the signature stands before it (docs/snapshot-format.md). */
async function contentOf(catalog) {
  const file = await open(catalog);
  try {
    const { size } = await file.stat();
    const end = new Uint8Array(Math.min(END_BYTES, size));
    await file.read(end, 0, end.length, size - end.length);
    return createHash('sha256').update(end).digest('hex').slice(0, 16);
  } finally {
    await file.close();
  }
}

/** Puts the snapshot into the local bucket under a name of its content, then points to it. */
async function publish(miniflare, catalog) {
  const key = `catalog-${await contentOf(catalog)}.sqlite`;
  const bucket = await miniflare.getR2Bucket('SNAPSHOTS');
  if ((await bucket.head(key)) === null) await upload(bucket, key, catalog);
  await bucket.put('current', JSON.stringify({ snapshot: key }));
  // Calls under way still read those before.
  const { objects } = await bucket.list();
  const others = objects.filter((object) => ![key, 'current'].includes(object.key));
  const older = others.sort((a, b) => b.uploaded - a.uploaded).slice(OLDER_KEPT);
  if (older.length > 0) await bucket.delete(older.map((object) => object.key));
}

async function start({ catalog, tokenFile, persist, catalogKey, host, port }) {
  const token = readSecret(tokenFile);
  const trust = catalogKey === null ? {} : { CATALOG_KEY: readKeys(catalogKey) };
  mkdirSync(persist, { recursive: true, mode: 0o700 });
  const keySecret = keySecretIn(persist);
  buildCoreWhereMissing();
  const miniflare = new Miniflare({
    ...(await workerOptions('host-wasm/worker/dev_worker.ts', WASM)),
    bindings: { KEY_SECRET: keySecret, ADMIN_TOKEN_SHA256: createHash('sha256').update(token).digest('hex'), ...trust },
    r2Persist: join(persist, 'r2'),
    durableObjectsPersist: join(persist, 'objects'),
    // Straight to the worker: miniflare's own entry would normalise targets and add headers.
    unsafeDirectSockets: [{ host, port, entrypoint: 'default' }],
  });
  let looking = null;
  const stop = async () => {
    clearInterval(looking);
    await miniflare.dispose();
    process.exit(0);
  };
  for (const signal of ['SIGTERM', 'SIGINT']) {
    process.removeAllListeners(signal); // miniflare's would end this at once, as by a failure
    process.on(signal, stop);
  }
  await miniflare.ready;
  // One after the other: the latest is the last to be in force.
  let publishing = Promise.resolve();
  const activate = () => {
    publishing = publishing
      .then(() => publish(miniflare, catalog))
      .catch((failure) => console.error(`dev: the catalog is not activated: ${failure.message}`));
    return publishing;
  };
  // Looked at before it is read: what is renamed onto the path meanwhile is another at the next look.
  let last = fileAt(catalog);
  await activate(); // CHECK-6: without one it serves as well as it can, and activates it when it comes
  looking = setInterval(() => {
    const now = fileAt(catalog);
    if (now === null || now === last) return;
    last = now;
    activate();
  }, CATALOG_CHECK_MS);
  const address = await miniflare.unsafeGetDirectURL(undefined, 'default');
  console.log(`listening on ${address.origin} admin ${address.origin}`);
}

try {
  await start(readArguments());
} catch (failure) {
  end(1, failure.message);
}
