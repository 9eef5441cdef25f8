// Runs the edge on a local workerd with its state in a folder: the API, and the admin interface below /admin, on one port.
// Usage: npm --prefix host-wasm run dev -- --catalog FILE --listen ADDR:PORT --admin-token-file FILE --persist DIR
//   --catalog FILE           the snapshot to serve; a new one that is renamed onto the path is activated
//   --listen ADDR:PORT       the address to listen on; port 0 picks a free port
//   --admin-token-file FILE  file with the token of the admin interface
//   --catalog-key FILE       Ed25519 public keys (PEM), optional: serve only snapshots that one of them has signed
//   --public-url URL         the address at which clients reach the API, with --authorization-server
//   --authorization-server URL  the web site with which clients of /mcp sign in (OAuth), optional
//   --persist DIR            folder for accounts, objects and the key secret; created if missing
//   --keep-objects           keep each object in memory, about 1 MB. Otherwise workerd ends one that has had no call for ten seconds, or
//                            sooner if it is overloaded, and the counts of calls whose records have not arrived are lost
//   --help, --version

import { createHash, createPublicKey, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { fork, spawnSync } from 'node:child_process';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

import { Miniflare } from 'miniflare';

import { root, workerOptions } from './bundle.mjs';
import { upload } from './upload.mjs';

const WASM = 'build/wasm/bin/tonearm.wasm';
const CATALOG_CHECK_MS = 2_000;
/** How long miniflare may take to stop. */
const STOP_MS = 5_000;
/** The signature and the footer of a snapshot. */
const END_BYTES = 232;
/** Previous snapshots to keep. */
const OLD_SNAPSHOTS_KEPT = 2;
const SIGNALS = ['SIGTERM', 'SIGINT'];
const REQUIRED = ['catalog', 'listen', 'admin-token-file', 'persist'];

function exitWith(status, message) {
  console.error(`dev: ${message}`);
  process.exit(status);
}

function readArguments() {
  const options = Object.fromEntries(REQUIRED.map((name) => [name, { type: 'string' }]));
  for (const name of ['catalog-key', 'public-url', 'authorization-server']) options[name] = { type: 'string' };
  const flags = Object.fromEntries(['keep-objects', 'help', 'version'].map((name) => [name, { type: 'boolean' }]));
  let values;
  try {
    ({ values } = parseArgs({ options: { ...options, ...flags } }));
  } catch (failure) {
    exitWith(2, failure.message);
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
  for (const name of REQUIRED) if (!values[name]) exitWith(2, `--${name} is missing; see --help`);
  const listen = /^(?:\[([0-9a-fA-F:]+)\]|([^:[\]]+)):(\d{1,5})$/.exec(values.listen);
  if (listen === null || Number(listen[3]) > 65_535) exitWith(2, `--listen must be ADDR:PORT; got "${values.listen}"`);
  // npm changes into this folder; paths are relative to where npm was called.
  const path = (name) => resolve(process.env.INIT_CWD ?? '.', values[name]);
  return {
    catalog: path('catalog'),
    tokenFile: path('admin-token-file'),
    persist: path('persist'),
    keepsObjects: values['keep-objects'] ?? false,
    oauth: { PUBLIC_URL: values['public-url'] ?? '', AUTHORIZATION_SERVER: values['authorization-server'] ?? '' },
    catalogKey: values['catalog-key'] === undefined ? null : path('catalog-key'),
    host: listen[1] ?? listen[2],
    port: Number(listen[3]),
  };
}

/** Reads a secret file and trims white space. */
function readSecret(path) {
  const secret = readFileSync(path, 'utf8').trim();
  if (secret === '') throw new Error(`${path} is empty`);
  return secret;
}

/** Reads the public keys in a file. Fails here instead of in the worker at the first call. */
function readKeys(path) {
  const text = readSecret(path);
  for (const block of text.split(/(?=-----BEGIN )/).filter((part) => part.startsWith('-----BEGIN '))) {
    if (!block.startsWith('-----BEGIN PUBLIC KEY-----')) throw new Error(`${path} contains something other than public keys`);
    if (createPublicKey(block).asymmetricKeyType !== 'ed25519') throw new Error(`${path} contains a key that is not an Ed25519 key`);
  }
  if (!text.includes('-----BEGIN ')) throw new Error(`${path} contains no public key in PEM`);
  return text;
}

/** Returns the key secret of this state; creates it once. */
function keySecretIn(folder) {
  const path = join(folder, 'key-secret');
  if (!existsSync(path)) {
    writeFileSync(path, `${randomBytes(32).toString('hex')}\n`, { mode: 0o600, flag: 'wx' });
  }
  return readSecret(path);
}

function buildCoreIfMissing() {
  if (existsSync(join(root, WASM))) return;
  console.error('dev: compiling the core first (takes a few minutes)');
  for (const command of [['--preset', 'wasm'], ['--build', '--preset', 'wasm', '--target', 'tonearm_wasm']]) {
    const { status, error } = spawnSync('cmake', command, { cwd: root, stdio: ['ignore', 2, 2] });
    if (error || status !== 0) throw new Error('cannot compile the core');
  }
}

/** Returns a value that changes when another file is renamed onto the path; null if there is no readable file. */
function fileIdentity(path) {
  try {
    const found = statSync(path);
    return found.isFile() ? [found.dev, found.ino, found.size, found.mtimeMs].join() : null;
  } catch {
    return null;
  }
}

/** Returns a hash of the signature and the footer, which identify the whole content (docs/snapshot-format.md). */
async function contentHash(catalog) {
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

/** Uploads the snapshot to the local bucket under a name with its hash, then points to it. */
async function publish(miniflare, catalog) {
  const key = `catalog-${await contentHash(catalog)}.sqlite`;
  const bucket = await miniflare.getR2Bucket('SNAPSHOTS');
  if ((await bucket.head(key)) === null) await upload(bucket, key, catalog);
  await bucket.put('current', JSON.stringify({ snapshot: key }));
  // Running calls may still read the previous ones.
  const { objects } = await bucket.list();
  const others = objects.filter((object) => ![key, 'current', 'takedowns'].includes(object.key));
  const older = others.sort((a, b) => b.uploaded - a.uploaded).slice(OLD_SNAPSHOTS_KEPT);
  if (older.length > 0) await bucket.delete(older.map((object) => object.key));
}

async function start({ catalog, tokenFile, persist, keepsObjects, catalogKey, oauth, host, port }) {
  const token = readSecret(tokenFile);
  const trust = catalogKey === null ? {} : { CATALOG_KEY: readKeys(catalogKey) };
  mkdirSync(persist, { recursive: true, mode: 0o700 });
  const keySecret = keySecretIn(persist);
  buildCoreIfMissing();
  const miniflare = new Miniflare({
    ...(await workerOptions('host-wasm/worker/dev_worker.ts', WASM, { keepsObjects })),
    bindings: { KEY_SECRET: keySecret, ADMIN_TOKEN_SHA256: createHash('sha256').update(token).digest('hex'), ...oauth, ...trust },
    r2Persist: join(persist, 'r2'),
    durableObjectsPersist: join(persist, 'objects'),
    // Bypasses miniflare's own entry, which would normalize targets and add headers.
    unsafeDirectSockets: [{ host, port, entrypoint: 'default' }],
  });
  let polling = null;
  let isStopping = false;
  const stop = async () => {
    isStopping = true;
    clearTimeout(polling);
    await miniflare.dispose();
    process.exit(0);
  };
  for (const signal of SIGNALS) {
    process.removeAllListeners(signal); // miniflare's handler would exit at once with a failure
    process.on(signal, () => {}); // the supervisor sends a message
  }
  process.on('message', stop);
  process.on('disconnect', stop); // the supervisor was killed
  await miniflare.ready;
  let published = null; // the identity of the last catalog that was published
  let reported = '';
  /** Publishes the catalog if it is a new file. Tries again at the next check if that fails; reports the same failure once. */
  const check = async () => {
    // Read before the file, so that a file that is renamed onto the path meanwhile is found at the next check.
    const found = fileIdentity(catalog);
    if (published !== null && (found === null || found === published)) return;
    try {
      await publish(miniflare, catalog);
      published = found;
      reported = '';
    } catch ({ message }) {
      if (!isStopping && message !== reported) console.error(`dev: cannot activate the catalog: ${message}`);
      reported = message;
    }
  };
  const poll = async () => {
    await check();
    if (!isStopping) polling = setTimeout(poll, CATALOG_CHECK_MS);
  };
  await poll(); // CHECK-6: without a catalog, serves what it can until one is activated
  const address = await miniflare.unsafeGetDirectURL(undefined, 'default');
  console.log(`listening on ${address.origin} admin ${address.origin}`);
}

/** Returns the processes that a process has started, on Linux. */
function childrenOf(pid) {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);
  } catch {
    return [];
  }
}

function kill(pid) {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (failure) {
    if (failure.code !== 'ESRCH') throw failure; // it has ended
  }
}

/** Runs the server in a process of its own, and stops it on a signal. Now and then miniflare blocks its whole process while it
 * stops; then that is killed, which loses nothing that was answered. */
function supervise() {
  let isStopping = false;
  for (const signal of SIGNALS) {
    process.on(signal, () => {
      if (isStopping) return;
      isStopping = true;
      if (server.connected) server.send('stop');
      setTimeout(() => {
        for (const pid of childrenOf(server.pid)) kill(pid);
        kill(server.pid);
      }, STOP_MS).unref();
    });
  }
  const server = fork(fileURLToPath(import.meta.url), process.argv.slice(2));
  server.on('exit', (status) => process.exit(isStopping ? 0 : (status ?? 1)));
}

if (process.send === undefined) {
  supervise();
} else {
  try {
    await start(readArguments());
  } catch (failure) {
    exitWith(1, failure.message);
  }
}
