// The engines that are compared: each returns the first ids for each query.

import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';

import { ask, describing, run, searchTarget, work } from './catalog.mjs';
import { FIRST } from './judging.mjs';

const FUNCTION_WORDS = new Set(('a an and are as at be by for from in into is it its my of on or our some that the their this to ' +
  'with your music song songs track tracks tune sound sounds effect effects sfx audio').split(' '));
const here = dirname(fileURLToPath(import.meta.url));
const idsOf = ({ tracks }) => tracks.map(({ id }) => id);

/** The service with a way of matching, over the catalog or another snapshot. */
const tonearm = (queries, match, over) =>
  ask(queries.map(({ words: q, kind }) => searchTarget({ q, kind, match }, FIRST)), over).map(idsOf);

/**
 * One FTS5 table with a column for each text and its default bm25. Three forms by name: require all words of the query;
 * require all but function words (SEARCH-5) if any are left; or match any word.
 */
function fts5(documents, queries) {
  const database = new DatabaseSync(':memory:');
  database.exec(`CREATE VIRTUAL TABLE track USING fts5 (title, artist, tags, description, category, kind UNINDEXED,
    id UNINDEXED, tokenize='porter unicode61 remove_diacritics 2')`);
  const insert = database.prepare('INSERT INTO track VALUES (?, ?, ?, ?, ?, ?, ?)');
  database.exec('BEGIN');
  for (const it of documents) insert.run(it.title, it.artist, it.tags, describing(it), it.category, it.kind, it.id);
  database.exec('COMMIT');
  const select = database.prepare('SELECT id FROM track WHERE track MATCH ? AND kind = ? ORDER BY rank, rowid LIMIT ?');
  const all = (text) => text.match(/[\p{L}\p{N}\p{M}\p{Co}]+/gu) ?? [];
  const telling = (text) => {
    const kept = all(text).filter((word) => !FUNCTION_WORDS.has(word.toLowerCase()));
    return kept.length > 0 ? kept : all(text);
  };
  const found = (wordsOf, joint) => queries.map(({ words, kind }) =>
    select.all(wordsOf(words).map((word) => `"${word}"`).join(joint), kind, FIRST).map(({ id }) => id));
  return { 'all words': found(all, ' '), 'telling words': found(telling, ' '), 'any word': found(all, ' OR ') };
}

const JARS = '/usr/share/java';
const java = '/usr/bin/java';
const python = '/usr/bin/python3';  // the one that Debian's packages extend

/** Writes documents and queries as tables for another program, and returns the paths of both. */
function writeTables(documents, queries) {
  const plain = (text) => text.replace(/\s+/g, ' ');
  const lines = (list) => `${list.map((row) => row.map(plain).join('\t')).join('\n')}\n`;
  const tables = { documents: documents.map((it) => [it.id, it.kind, it.title, it.artist, it.tags, describing(it), it.category]),
    queries: queries.map((query) => [query.kind, query.words]) };
  return Object.entries(tables).map(([name, rows]) => {
    const path = join(work, `${name}.tsv`);
    writeFileSync(path, lines(rows));
    return path;
  });
}

/** Reads what a peer's program prints: ids by form and query. */
function readForms(output, queries) {
  const forms = {};
  for (const line of output.trimEnd().split('\n')) {
    const [form, number, found] = line.split('\t');
    (forms[form] ??= queries.map(() => []))[Number(number)] = found ? found.split(' ') : [];
  }
  return forms;
}

/** Lucene in four forms by name (Lucene.java); nothing if it is not installed. */
function lucene(documents, queries) {
  const jars = existsSync(JARS) ? readdirSync(JARS).filter((name) => /^lucene-(core|analyzers-common|queryparser|queries|sandbox)-8[\d.]*\.jar$/.test(name)) : [];
  if (!existsSync(java) || jars.length < 5) return null;
  const output = run(java, ['-cp', jars.map((name) => join(JARS, name)).join(':'), join(here, 'Lucene.java'),
    ...writeTables(documents, queries), String(FIRST)]);
  return readForms(output, queries);
}

/** Xapian in four forms by name (Xapian.py); nothing if it is not installed. */
function xapian(documents, queries) {
  if (spawnSync(python, ['-c', 'import xapian']).status !== 0) return null;
  const output = run(python, [join(here, 'Xapian.py'), ...writeTables(documents, queries), String(FIRST), join(work, 'xapian')]);
  return readForms(output, queries);
}

/** All engines by name, each with its forms: the service by default and with another way of matching, and the peers. */
export function engines(documents, queries, match, over) {
  const all = { Tonearm: { auto: tonearm(queries, 'auto', over) }, [`match=${match}`]: { [match]: tonearm(queries, match, over) },
    FTS5: fts5(documents, queries), Lucene: lucene(documents, queries), Xapian: xapian(documents, queries) };
  for (const [name, forms] of Object.entries(all)) {
    if (!forms) console.log(`${name} is not measured: build-support/setup --for relevance installs it`);
    all[name] = forms ?? {};
  }
  return all;
}
