// Compares the narrower phrases of the thesaurus with the tree of AudioSet's classes, where both name classes.
// Usage: node --test tests/real/thesaurus_test.mjs

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { lines, parseRelations, stemmer } from '../bench/thesaurus/relations.mjs';
import { data, skip } from './real_catalog.mjs';

const builderData = new URL('../../catalog-builder/data/', import.meta.url);
const read = (name) => readFileSync(new URL(name, builderData), 'utf8');

/** Returns the ids of a class and of all classes above it. */
function ancestors(classes, id, found = new Set()) {
  if (!found.has(id)) {
    found.add(id);
    for (const parent of classes[id].parent_ids ?? []) ancestors(classes, parent, found);
  }
  return found;
}

test('narrower phrases do not contradict the tree of AudioSet', { skip }, (context) => {
  if (skip) return;
  const classes = JSON.parse(readFileSync(join(data, 'fsd-taxonomy-tags/taxonomy.json'), 'utf8'));
  const narrower = parseRelations(read('relations.txt')).filter(({ sign }) => sign === '>');
  const sets = lines(read('synonyms.txt')).map((line) => line.split(',').map((phrase) => phrase.trim()));
  const names = Object.values(classes).flatMap(({ id, name, fs_tags: tags }) => {
    const texts = [...name.split(','), ...tags.filter((tag) => typeof tag === 'string')];
    return texts.map((text) => ({ id, text: text.replaceAll('-', ' ').trim() }));
  });
  const stemsOf = stemmer([...names.map(({ text }) => text), ...narrower.flatMap(({ phrase, target }) => [phrase, target]), ...sets.flat()]);
  const idsOf = Map.groupBy(names, ({ text }) => stemsOf(text));
  const classesOf = (phrase) => {
    const same = sets.filter((set) => set.some((other) => stemsOf(other) === stemsOf(phrase))).flat();
    return new Set([phrase, ...same].flatMap((text) => (idsOf.get(stemsOf(text)) ?? []).map(({ id }) => id)));
  };
  const isAbove = (above, below) => [...below].some((id) => [...ancestors(classes, id)].some((other) => above.has(other)));

  const groups = { agree: [], apart: [], reversed: [] };
  for (const { phrase, target } of narrower) {
    const [broad, narrow] = [classesOf(phrase), classesOf(target)];
    if (broad.size === 0 || narrow.size === 0) continue;
    const group = isAbove(broad, narrow) ? 'agree' : isAbove(narrow, broad) ? 'reversed' : 'apart';
    groups[group].push(`${phrase} > ${target}`);
  }
  const { agree, apart, reversed } = groups;
  const compared = agree.length + apart.length + reversed.length;
  const percent = Math.round((100 * agree.length) / compared);
  context.diagnostic(`${narrower.length} narrower phrases; both are classes in ${compared}: ${agree.length} (${percent} %) agree with the tree`);
  context.diagnostic(`${apart.length} are in other branches: ${apart.join(', ')}`);
  context.diagnostic(`${reversed.length} are reversed: ${reversed.join(', ')}`);
  assert.ok(compared > 100);
  assert.ok(agree.length >= 0.7 * compared);
  assert.ok(reversed.length <= 0.02 * compared);
});
