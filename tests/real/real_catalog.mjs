// Shared by the tests of real metadata: the raw files, a catalog of all sources, and a server of it.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';

import { LaunchedServer } from '../support/launched_server.mjs';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
const bin = resolve(process.env.TONEARM_BIN ?? join(root, 'build/native/bin'));
export const data = join(root, '../shared/data');
export const skip = !existsSync(data) && 'skipped: there is no ../shared/data';

export const raw = (name) => {
  const path = join(data, name);
  return existsSync(path) ? readFileSync(path, 'utf8') : gunzipSync(readFileSync(`${path}.gz`)).toString('utf8');
};

/** Parses CSV into arrays; an incomplete last row is dropped. */
function csv(text) {
  const rows = [];
  const cell = /(?:"((?:[^"]|"")*)"|([^,\r\n]*))(,|\r?\n|$)/gy;
  let row = [];
  for (let match; cell.lastIndex < text.length && (match = cell.exec(text)); ) {
    row.push(match[1] === undefined ? match[2] : match[1].replaceAll('""', '"'));
    if (match[3] === ',') continue;
    rows.push(row);
    row = [];
  }
  return rows;
}

export function objects(text, headerRows = 1) {
  const rows = csv(text);
  const names = rows[0].map((_, i) => rows.slice(0, headerRows).map((row) => row[i]).filter(Boolean).join('.'));
  return rows.slice(headerRows).filter((row) => row.length === names.length)
    .map((row) => Object.fromEntries(row.map((value, i) => [names[i], value])));
}

let folder;

/** Stops the server and removes the catalog. */
export async function endAll() {
  await LaunchedServer.endAll();
  if (folder) rmSync(folder, { recursive: true, force: true });
}

/** Lists the folders of real sources with and without a mapping. */
function listFolders() {
  const all = readdirSync(data, { withFileTypes: true }).filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  const mapped = all.filter((name) => existsSync(join(root, 'catalog-builder/sources', `${name}.toml`)));
  return { mapped, others: all.filter((name) => !mapped.includes(name)) };
}

/**
 * Serves a catalog of all sources with a mapping, except those in `without`. Returns its `url` and the `key` of an account.
 * `build` and `serve`: further flags of the two programs.
 */
export async function serveAllSources(context, { without = [], build = ['--allow-share-alike'], serve = [] } = {}) {
  const { mapped, others } = listFolders();
  context.diagnostic(`folders without a mapping: ${others.join(', ') || 'none'}`);
  const read = mapped.filter((name) => !without.includes(name)).map((name) => `${name}:${join(data, name)}`);
  return serveSources(read, build, serve);
}

/** Builds a catalog of all sources with a mapping. Returns the paths of the catalog and of its report. */
export const buildAllSources = (flags = []) => buildSources(listFolders().mapped.map((name) => `${name}:${join(data, name)}`), flags);

function buildSources(sources, flags) {
  folder = mkdtempSync(join(tmpdir(), 'tonearm-real-'));
  const paths = { catalog: join(folder, 'catalog.sqlite'), report: join(folder, 'report.json') };
  const built = spawnSync(join(bin, 'tonearm-catalog'), ['build', ...flags, ...sources.flatMap((source) => ['--source', source]),
    '--output', paths.catalog, '--report', paths.report], { encoding: 'utf8', maxBuffer: 1 << 26 });
  assert.equal(built.status, 0, built.stderr);
  return paths;
}

/** Serves a catalog of these values of `--source`. */
export const serveSources = (sources, build = [], serve = []) => serveCatalog(buildSources(sources, build).catalog, serve);

/** Serves a catalog that was built here. */
export async function serveCatalog(catalog, flags = []) {
  const token = join(folder, 'token');
  writeFileSync(token, 'a-token-for-this-test-alone-0123456789\n', { mode: 0o600 });
  const { url, adminUrl } = await LaunchedServer.launch(join(bin, 'tonearm-server'), ['--catalog', catalog,
    '--state', join(folder, 'state.sqlite'), '--listen', '127.0.0.1:0', '--admin-listen', '127.0.0.1:0', '--admin-token-file', token, ...flags]);
  const admin = (...words) => {
    const result = spawnSync(join(bin, 'tonearm-admin'), ['--server', adminUrl, '--token-file', token, ...words, '--json'],
      { encoding: 'utf8' });
    assert.equal(result.status, 0, result.stderr);
    return JSON.parse(result.stdout);
  };
  const { account } = admin('account', 'create', '--plan', 'unlimited');
  return { url, key: admin('key', 'create', account).key };
}

/** Returns all tracks of a search without words. */
export async function tracksOf(server, query) {
  const tracks = [];
  for (let cursor = ''; cursor !== null; ) {
    const response = await fetch(`${server.url}/v1/search?${query}&sort=short&limit=50${cursor && `&cursor=${cursor}`}`,
      { headers: { Authorization: `Bearer ${server.key}` } });
    const answer = await response.json();
    assert.equal(response.status, 200, JSON.stringify(answer));
    tracks.push(...answer.tracks);
    ({ cursor } = answer);
  }
  return tracks;
}
