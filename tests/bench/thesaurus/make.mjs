// Makes catalog-builder/data/relations_ucs.txt and docs/thesaurus.md (README.md). The same inputs give the same bytes.

import { readFileSync, writeFileSync } from 'node:fs';

import { lines, parseRelations, stemmer } from './relations.mjs';

const repository = new URL('../../../', import.meta.url);
const read = (path) => readFileSync(new URL(path, repository), 'utf8');
/** Words of the Universal Category System that name no sound. */
const EMPTY = new Set('misc miscellaneous general other various sound sounds effect effects source use a an the of on in up and or to with for by'.split(' '));
/** A target must be a word of as many effects, or it would seldom find any. */
const TARGET_EFFECTS = 5;
/** Both words of a pair in as many effects: if they are related, some effect has both. */
const KNOWN_EFFECTS = 15;
const TARGETS_MAX = 8;

/** Returns the words of all tracks and effects: `{count(stem), together(stem, stem), ofAll(stem)}`. */
function readUsage(path, stemsOf) {
  const rows = lines(readFileSync(path, 'utf8')).map((line) => line.split('\t'));
  const effects = new Map();
  const all = new Map();
  rows.forEach(([, kind, title, , tags, description, category], number) => {
    const words = `${title} ${tags} ${category ?? ''} ${kind === 'sfx' ? (description ?? '') : ''}`.toLowerCase().match(/[a-z0-9]+/g) ?? [];
    for (const stem of new Set(words.map(stemsOf))) {
      all.set(stem, (all.get(stem) ?? 0) + 1);
      if (kind !== 'sfx') continue;
      if (!effects.has(stem)) effects.set(stem, new Set());
      effects.get(stem).add(number);
    }
  });
  const none = new Set();
  const having = (stems) =>
    stems
      .split(' ')
      .map((stem) => effects.get(stem) ?? none)
      .reduce((a, b) => new Set([...a].filter((number) => b.has(number))));
  const cache = new Map();
  const effectsWith = (stems) => {
    if (!cache.has(stems)) cache.set(stems, having(stems));
    return cache.get(stems);
  };
  const total = rows.filter(([, kind]) => kind === 'sfx').length;
  return {
    count: (stems) => effectsWith(stems).size,
    /** How many times more often effects have both than if the words were independent. */
    lift(a, b) {
      const [one, other] = [effectsWith(a), effectsWith(b)];
      const both = [...one].filter((number) => other.has(number)).length;
      return one.size * other.size === 0 ? 0 : (both * total) / (one.size * other.size);
    },
    ofAll: (stems) => Math.min(...stems.split(' ').map((stem) => all.get(stem) ?? 0)),
  };
}

function wordsOfDocuments(path) {
  return new Set(readFileSync(path, 'utf8').toLowerCase().match(/[a-z0-9]+/g));
}

/** Returns the words of each sub-category: its own name, and all. */
function readCategories(path) {
  const plain = (text) => text.toLowerCase().replaceAll(/[^a-z0-9 ]+/g, ' ').replaceAll(/ +/g, ' ').trim();
  const isUseful = (word) => word.length > 1 && !EMPTY.has(word) && word.split(' ').length <= 3;
  return JSON.parse(readFileSync(path, 'utf8')).map(({ SubCategory, Synonyms }) => {
    const name = SubCategory.split('&').map(plain).filter(isUseful);
    return { name, words: [...new Set([...name, ...Synonyms.map(plain)])].filter(isUseful) };
  });
}

function main() {
  const options = Object.fromEntries(process.argv.slice(2).map((option) => option.replace(/^--/, '').split('=')));
  const categoriesPath = options.categories ?? new URL('../shared/data/ucs-categories/en.json', repository);
  const documentsPath = options.documents ?? new URL('build/relevance/documents.tsv', repository);
  const categories = readCategories(categoriesPath);
  const byHand = parseRelations(read('catalog-builder/data/relations.txt'));
  const sets = lines(read('catalog-builder/data/synonyms.txt')).map((line) => line.split(',').map((phrase) => phrase.trim()));
  const wrong = parseRelations(read('tests/bench/thesaurus/wrong.txt'));
  const queries = lines(read('tests/real/queries.jsonl')).flatMap((line) => {
    const q = new URL(JSON.parse(line).target, 'http://x').searchParams.get('q');
    return q === null ? [] : [q];
  });

  const stemsOf = stemmer([
    ...categories.flatMap(({ words }) => words), ...byHand.flatMap(({ phrase, target }) => [phrase, target]), ...sets.flat(),
    ...wrong.flatMap(({ phrase, target }) => [phrase, target]), ...wordsOfDocuments(documentsPath), ...queries,
  ]);
  const usage = readUsage(documentsPath, stemsOf);
  const pair = (a, b) => `${a}|${b}`;
  const taken = new Set([...byHand, ...wrong].map(({ phrase, target }) => pair(stemsOf(phrase), stemsOf(target))));
  for (const set of sets) {
    for (const a of set) for (const b of set) taken.add(pair(stemsOf(a), stemsOf(b)));
  }
  const dropped = new Set(wrong.filter(({ target }) => target === 'anything').map(({ phrase }) => stemsOf(phrase)));
  const unwanted = new Set(wrong.filter(({ phrase }) => phrase === 'anything').map(({ target }) => stemsOf(target)));

  const made = makeRelations({ categories, stemsOf, usage, taken, dropped, unwanted, pair });
  writeFileSync(new URL('catalog-builder/data/relations_ucs.txt', repository), textOf(made));
  writeFileSync(new URL('docs/thesaurus.md', repository), pageOf({ byHand, made, sets, stemsOf, usage, queries }));
}

const isShorter = (a, b) => (a.length === b.length ? a < b : a.length < b.length);

/** Returns the relations of words of the Universal Category System (README.md), by phrase. */
function makeRelations({ categories, stemsOf, usage, taken, dropped, unwanted, pair }) {
  const texts = new Map(); // by stems: the shortest word
  const places = new Map(); // by stems: the numbers of its sub-categories
  categories.forEach(({ words }, number) => {
    for (const word of words) {
      const stems = stemsOf(word);
      if (!texts.has(stems) || isShorter(word, texts.get(stems))) texts.set(stems, word);
      if (!places.has(stems)) places.set(stems, new Set());
      places.get(stems).add(number);
    }
  });
  const result = [];
  for (const [head, text] of [...texts].sort(([, a], [, b]) => (a < b ? -1 : 1))) {
    if (usage.ofAll(head) === 0 || dropped.has(head)) continue;
    const own = places.get(head);
    const targets = [];
    const tried = new Set([head]);
    for (const number of own) {
      const { name, words } = categories[number];
      const names = new Set(name.map(stemsOf));
      for (const word of words) {
        const target = stemsOf(word);
        if (tried.has(target)) continue;
        tried.add(target);
        if (usage.count(target) < TARGET_EFFECTS || taken.has(pair(head, target)) || unwanted.has(target)) continue;
        if (head.split(' ').every((stem) => target.split(' ').includes(stem))) continue;
        const others = places.get(target);
        const shared = [...own].filter((place) => others.has(place)).length;
        const likeness = shared / (own.size + others.size - shared);
        const isNamed = names.has(target) || names.has(head);
        const isAlike = shared >= 2 && likeness >= 0.3;
        if (!isNamed && !isAlike) continue;
        const isKnown = usage.count(head) >= KNOWN_EFFECTS && usage.count(target) >= KNOWN_EFFECTS;
        const lift = usage.lift(head, target);
        if (isKnown ? lift < 3 : lift < 3 && !(isNamed && own.size <= 2)) continue;
        const points = [isNamed, isAlike, own.size === 1, lift >= 3, lift >= 10].filter(Boolean).length;
        targets.push({ target: texts.get(target), weight: 0.05 * points, rank: lift });
      }
    }
    targets.sort((a, b) => b.weight - a.weight || b.rank - a.rank || (a.target < b.target ? -1 : 1));
    const kept = targets.slice(0, TARGETS_MAX);
    if (kept.length === 0) continue;
    result.push(...kept.map(({ target, weight }) => ({ phrase: text, target, sign: '~', weight })));
  }
  return result;
}

function textOf(relations) {
  const byPhrase = Map.groupBy(relations, ({ phrase }) => phrase);
  const targets = (of) => of.map(({ target, weight }) => `${target} ${weight.toFixed(2)}`).join(', ');
  return [...byPhrase].map(([phrase, of]) => `${phrase} ~ ${targets(of)}\n`).join('');
}

/** A word of an ordinary query counts as much as so many tracks. */
const TRACKS_PER_QUERY = 100;
const ENTRIES_SHOWN = 300;

/** Returns docs/thesaurus.md: the text before its list, and the most used entries. */
function pageOf({ byHand, made, sets, stemsOf, usage, queries }) {
  const queryStems = queries.flatMap((query) => stemsOf(query).split(' '));
  const used = (stems) =>
    usage.ofAll(stems) + TRACKS_PER_QUERY * Math.min(...stems.split(' ').map((stem) => queryStems.filter((other) => other === stem).length));
  const isSame = (a, b) => sets.some((set) => set.some((phrase) => stemsOf(phrase) === a) && set.some((phrase) => stemsOf(phrase) === b));
  const heaviest = new Map(); // forms of one word are one target
  for (const relation of [...byHand, ...made].sort((a, b) => b.weight - a.weight)) {
    const [phrase, target] = [stemsOf(relation.phrase), stemsOf(relation.target)];
    if (phrase !== target && !isSame(phrase, target) && !heaviest.has(`${phrase}|${target}`)) heaviest.set(`${phrase}|${target}`, relation);
  }
  const entries = Map.groupBy(heaviest.values(), ({ phrase }) => stemsOf(phrase));
  for (const set of sets) {
    for (const phrase of set) {
      const stems = stemsOf(phrase);
      if (stems.split(' ').length <= 3 && !entries.has(stems)) entries.set(stems, [{ phrase }]);
    }
  }
  const shown = [...entries]
    .sort(([a], [b]) => used(b) - used(a) || (a < b ? -1 : 1))
    .slice(0, ENTRIES_SHOWN)
    .map(([stems, relations]) => {
      const { phrase } = relations[0];
      const same = sets.filter((set) => set.some((other) => stemsOf(other) === stems)).flat();
      const others = [...new Set(same)].filter((other) => stemsOf(other) !== stems);
      const weighted = (sign) =>
        relations
          .filter((relation) => relation.sign === sign)
          .sort((a, b) => b.weight - a.weight)
          .map(({ target, weight }) => (sign === '>' ? target : `${target} ${Math.round(weight * 100)}`));
      const part = (sign, words) => (words.length === 0 ? '' : ` ${sign} ${words.join(', ')}`);
      return { phrase, text: `- **${phrase}**${part('=', others)}${part('>', weighted('>'))}${part('~', weighted('~'))}` };
    })
    .sort((a, b) => (a.phrase < b.phrase ? -1 : 1))
    .map(({ text }) => text);
  const page = new URL('docs/thesaurus.md', repository);
  const [before] = readFileSync(page, 'utf8').split(LIST);
  return `${before}${LIST}\n\n${shown.join('\n')}\n`;
}

const LIST = '## The most used entries';

main();
