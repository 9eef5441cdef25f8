// The evaluation catalog of all real metadata beside the project, and its tracks as documents. The metadata is third-party
// data: the repository contains only ids and words of it.

import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';

export const root = resolve(dirname(fileURLToPath(import.meta.url)), '../../..');
const bin = resolve(process.env.TONEARM_BIN ?? join(root, 'build/native/bin'));
export const data = join(root, '../shared/data');
export const work = join(root, 'build/relevance');
const snapshot = join(work, 'catalog.sqlite');
export const ordinarySnapshot = join(work, 'ordinary.sqlite');
export const withheldLines = join(work, 'withheld.jsonl');
export const withheldSnapshot = join(work, 'withheld.sqlite');

export function run(program, parameters, input = '') {
  const done = spawnSync(program, parameters, { input, encoding: 'utf8', maxBuffer: 2 ** 30 });
  if (done.error) throw done.error;
  if (done.status !== 0) throw new Error(`${program} failed:\n${done.stderr.slice(-4000)}`);
  return done.stdout;
}

function build(output, flags) {
  if (!existsSync(data)) return false;
  mkdirSync(work, { recursive: true });
  const names = readdirSync(data).filter((name) => existsSync(join(root, 'catalog-builder/sources', `${name}.toml`)));
  const sources = names.sort().flatMap((name) => ['--source', `${name}:${join(data, name)}`]);
  run(join(bin, 'tonearm-catalog'), ['build', ...sources, ...flags, '--output', output, '--report', join(work, 'report.json')]);
  return true;
}

/** Builds the catalog with all licenses; returns false if the metadata is missing. */
export const buildCatalog = () => build(snapshot, ['--profile', 'evaluation']);

/** Builds the catalog that `./run` serves, without the demo; returns false if the metadata is missing. */
export const buildOrdinary = () => build(ordinarySnapshot, []);

/** Builds the catalog of the canonical lines in `withheldLines`. */
export function buildWithheld() {
  run(join(bin, 'tonearm-catalog'), ['build', '--input', withheldLines, '--output', withheldSnapshot]);
}

/** Returns the responses of the service over a snapshot, in process: one for each target. */
export function ask(targets, over = snapshot) {
  const output = run(join(bin, 'tonearm-ask'), [over, join(work, 'state.sqlite')], `${targets.join('\n')}\n`);
  const lines = output.split('\n');
  lines.pop();
  if (lines.length !== targets.length) throw new Error('tonearm-ask: an answer is missing');
  return lines.map((line) => JSON.parse(line));
}

const KINDS = ['music', 'sfx'];
const PAGE = 50;

function tracksOf(kind, over) {
  const target = (offset, limit) => `/v1/search?kind=${kind}&sort=quality&limit=${limit}&cursor=${offset}`;
  const [{ total }] = ask([target(0, 1)], over);
  return ask(Array.from({ length: Math.ceil(total / PAGE) }, (_, i) => target(i * PAGE, PAGE)), over)
    .flatMap((page) => page.tracks);
}

/** Labels of tags by facet and id, as the service lists them. */
function labels(over) {
  const [{ facets }] = ask(['/v1/meta'], over);
  const known = {};
  for (const kind of KINDS) {
    for (const [facet, values] of Object.entries(facets[kind]).filter(([, listed]) => Array.isArray(listed))) {
      for (const { id, label } of values) (known[facet] ??= {})[id] = label;
    }
  }
  return known;
}

/**
 * Returns the searchable tracks: kind, texts as answers show them, and `concepts`, the labels of their tags by
 * `facet:id`.
 */
export function readDocuments(over = snapshot) {
  const known = labels(over);
  return KINDS.flatMap((kind) => tracksOf(kind, over)).map((track) => {
    const concepts = {};
    for (const [facet, ids] of Object.entries(track.tags)) {
      for (const id of ids) concepts[`${facet}:${id}`] = known[facet]?.[id] ?? id;
    }
    const tagsOf = (of) =>
      Object.entries(of).map(([key, label]) => tagText(key.slice(key.indexOf(':') + 1), label)).join('\n');
    return {
      id: track.id, kind: track.kind, title: track.title, artist: track.artist, description: track.description ?? '',
      category: track.category?.label ?? '', concepts, duration_s: track.duration_s, license: track.license.id,
      tags: tagsOf(concepts), tagsOf,
    };
  });
}

/** Returns the texts that searches read and no answer shows (SEARCH-3), `title` and `words`, by the id of their track. */
function matchingTexts(over) {
  const ids = run(join(bin, 'tonearm-ask'), [over]).split('\n');
  const database = new DatabaseSync(over, { readOnly: true });
  const rows = database.prepare('SELECT position, title, words FROM matching_texts').all();
  database.close();
  return new Map(rows.map(({ position, title, words: list }) => [ids[position], { title, words: list }]));
}

/**
 * Returns the documents with all texts that searches read: the tidied title instead of the source's, and `hidden`: words
 * of the source's title that the tidied one lacks, and tags that fit no facet. They count like words of the description.
 */
export function readSearchedDocuments(over = snapshot) {
  const texts = matchingTexts(over);
  return readDocuments(over).map((document) => {
    const { title, words: list } = texts.get(document.id) ?? { title: '', words: '' };
    if (!title) return { ...document, hidden: list };
    const tidied = new Set(words(title));
    const lacking = words(document.title).filter((word) => !tidied.has(word));
    return { ...document, title, hidden: [...lacking, list].filter(Boolean).join('\n') };
  });
}

/** Returns the description with the hidden texts. */
export const describing = ({ description, hidden }) => [description, hidden].filter(Boolean).join('\n');

/** Returns a tag's label, and its id if it differs. */
const tagText = (id, label) => (words(id).join() === words(label).join() ? label : `${id} ${label}`);

/** Splits a text into words without case and diacritics. */
export const words = (text) =>
  text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

/** Returns the target of a search for the ids of the first tracks. */
export const searchTarget = (parameters, limit) => `/v1/search?${new URLSearchParams({ ...parameters, limit, fields: 'id' })}`;
