// Reads relations of phrases, and stems phrases as the catalog does.

import { DatabaseSync } from 'node:sqlite';

export const lines = (text) => text.split('\n').filter((line) => line !== '');

/** Stems texts with the tokenizer of the catalog: returns a function from a text to its stems, joined by spaces. */
export function stemmer(texts) {
  const database = new DatabaseSync(':memory:');
  database.exec(`CREATE VIRTUAL TABLE texts USING fts5 (text, tokenize = 'porter unicode61 remove_diacritics 2');
                 CREATE VIRTUAL TABLE terms USING fts5vocab (texts, instance)`);
  const all = [...new Set(texts)];
  const insert = database.prepare('INSERT INTO texts (rowid, text) VALUES (?, ?)');
  database.exec('BEGIN');
  all.forEach((text, number) => insert.run(number + 1, text));
  const found = all.map(() => []);
  for (const { term, doc, offset } of database.prepare('SELECT term, doc, offset FROM terms').iterate()) found[doc - 1][offset] = term;
  database.close();
  const stems = new Map(all.map((text, number) => [text, found[number].join(' ')]));
  return (text) => stems.get(text);
}

/** Returns `{phrase, target, sign, weight}` of each relation of a file of catalog-builder/data. */
export function parseRelations(text) {
  const relations = [];
  for (const line of lines(text)) {
    const [, phrase, sign, targets] = /^(.*?) ([>~]) (.*)$/.exec(line);
    for (const part of targets.split(',')) {
      const [, target, weight] = /^\s*(.*?)(?: (0\.\d+))?$/.exec(part);
      relations.push({ phrase, target, sign, weight: Number(weight ?? (sign === '>' ? 0.4 : 0.2)) });
    }
  }
  return relations;
}
