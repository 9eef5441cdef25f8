// Derives queries and judgements from the documents of a catalog by rules alone: which tracks are the wanted item, or have
// the query in title and tags. No engine and no ranking rule is involved. Hashes decide which queries are chosen and which
// half they are in, so the same documents give the same queries.

import { createHash } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';

import { describing, words } from './catalog.mjs';

export const hash = (text) => createHash('sha256').update(text).digest('hex');
const key = (text) => words(text).join(' ');

/** Returns the first `count` items by hash. */
export const chosen = (rule, list, count, name) =>
  list.map((value) => [hash(`${rule} ${name(value)}`), value]).sort((a, b) => (a[0] < b[0] ? -1 : 1)).slice(0, count)
    .map(([, value]) => value);

function groupsBy(list, name) {
  const groups = new Map();
  for (const value of list) {
    const found = groups.get(name(value));
    if (found) found.push(value);
    else groups.set(name(value), [value]);
  }
  return groups;
}

const ids = (documents) => documents.map(({ id }) => id).sort();
const query = (rule, kind, text, grades) => ({ rule, kind, words: text, grades });

/** Whether the words of `part` are adjacent in `list`. */
const standsIn = (list, part) =>
  list.some((_, at) => at + part.length <= list.length && part.every((word, i) => list[at + i] === word));

/**
 * Returns tracks with a title, one per item: an item is all tracks with the same words in title and artist (a recording is
 * often listed twice). `sameTitle` counts items, `others` the documents that contain all words of the title in any text.
 */
export function itemsOf(documents) {
  const titled = documents.filter(({ title }) => key(title));
  const titles = groupsBy(titled, ({ kind, title }) => `${kind}\n${key(title)}`);
  return [...groupsBy(titled, ({ kind, title, artist }) => `${kind}\n${key(title)}\n${key(artist)}`).values()].map((tracks) => {
    const [{ kind, title, artist }] = tracks;
    const artists = new Set(titles.get(`${kind}\n${key(title)}`).map((track) => key(track.artist)));
    return { kind, title, artist, tracks: ids(tracks), sameTitle: artists.size, name: `${kind} ${key(title)} ${key(artist)}`,
      source: tracks[0].id.split('-')[0] };
  });
}

const named = ({ name }) => name;
/** Chooses equally many of each source, so that none dominates. */
const spread = (rule, items, count) =>
  [...groupsBy(items, ({ source }) => source).values()].flatMap((of) => chosen(rule, of, count, named));
const item = (rule, of, text) => query(rule, of.kind, text, { 3: of.tracks });

function knownItems(items, documents) {
  const clear = items.filter(({ title, sameTitle }) => sameTitle === 1 && title.length < 80);
  const music = clear.filter(({ kind }) => kind === 'music');
  const frequency = new Map();
  for (const document of documents) {
    for (const word of new Set(words(`${document.title} ${document.artist} ${document.tags} ${describing(document)}`))) {
      frequency.set(word, (frequency.get(word) ?? 0) + 1);
    }
  }
  // Words that many other texts contain: the item must be found among them.
  const common = music.filter(({ title }) => words(title).length <= 2 && words(title).every((word) => frequency.get(word) >= 30));
  const marked = music.filter(({ title }) => /[^\p{ASCII}]/u.test(title) && /\p{L}/u.test(title.replace(/\p{ASCII}/gu, '')));
  const shared = items.filter(({ kind, artist, sameTitle }) => kind === 'music' && sameTitle > 1 && key(artist));
  const effects = clear.filter(({ kind, title }) => kind === 'sfx' && words(title).length > 1 && !/\.(wav|aiff?|mp3|ogg|flac)$/i.test(title));
  const lower = (text) => text.toLowerCase();
  return [
    ...spread('title', music, 20).map((it) => item('title', it, lower(it.title))),
    ...chosen('common title', common, 50, named).map((it) => item('common title', it, lower(it.title))),
    ...chosen('marked title', marked, 40, named).map((it) => item('marked title', it, lower(it.title))),
    ...spread('title and artist', shared, 12).map((it) => item('title and artist', it, lower(`${it.title} ${it.artist}`))),
    ...chosen('artist and title', shared, 25, named).map((it) => item('artist and title', it, lower(`${it.artist} ${it.title}`))),
    ...chosen('title by artist', shared, 25, named).map((it) => item('title by artist', it, lower(`${it.title} by ${it.artist}`))),
    ...chosen('effect title', effects, 50, named).map((it) => item('effect title', it, lower(it.title))),
  ];
}

/** The first words of a longer title, if no other item has them in this order. */
function partialTitles(items) {
  const music = items.filter(({ kind, title }) => kind === 'music' && words(title).length >= 4);
  const all = items.filter(({ kind }) => kind === 'music').map(({ title }) => words(title));
  const begins = ({ title }) => words(title).slice(0, 3);
  const tells = (it) => all.filter((title) => standsIn(title, begins(it))).length === 1;
  return chosen('partial title', music, 160, named).filter(tells).slice(0, 50)
    .map((it) => item('partial title', it, begins(it).join(' ')));
}

/** Stems words like SEARCH-2, with SQLite itself: judgements ignore inflection, too. */
export function stemsOf(all) {
  const list = [...new Set(all)];
  const database = new DatabaseSync(':memory:');
  database.exec(`CREATE VIRTUAL TABLE word USING fts5 (text, tokenize='porter unicode61 remove_diacritics 2');
    CREATE VIRTUAL TABLE stem USING fts5vocab ('word', 'instance'); BEGIN`);
  const insert = database.prepare('INSERT INTO word (rowid, text) VALUES (?, ?)');
  list.forEach((word, i) => insert.run(i, word));
  database.exec('COMMIT');
  return new Map(database.prepare('SELECT term, doc FROM stem').all().map(({ term, doc }) => [list[doc], term]));
}

/** Grades a track for a label: 3 in title and as a tag, 2 as a tag, 1 only in the title or a longer tag. */
function gradeOf({ titleStems, tagStems }, { stems }) {
  const inTitle = standsIn(titleStems, stems);
  if (tagStems.some((tag) => tag.join() === stems.join())) return inTitle ? 3 : 2;
  return Number(inTitle || tagStems.some((tag) => standsIn(tag, stems)));
}

function graded(documents, concepts) {
  const grades = { 3: [], 2: [], 1: [] };
  for (const document of documents) {
    const grade = Math.min(...concepts.map((concept) => gradeOf(document, concept)));
    if (grade > 0) grades[grade].push(document);
  }
  return Object.fromEntries(Object.entries(grades).map(([grade, of]) => [grade, ids(of)]));
}

const count = (grades) => Object.values(grades).reduce((sum, of) => sum + of.length, 0);
const isTelling = (grades, most) => count(grades) >= 5 && count(grades) <= most;

function tags(documents) {
  const labelsOf = ({ concepts }) => Object.entries(concepts).flatMap(([name, label]) => [label, name.slice(name.indexOf(':') + 1)]);
  const stems = stemsOf(documents.flatMap((document) => [document.title, ...labelsOf(document)].flatMap(words)));
  const stemmed = (text) => words(text).map((word) => stems.get(word) ?? word);
  for (const document of documents) {
    document.titleStems = stemmed(document.title);
    document.tagStems = labelsOf(document).map(stemmed);
  }
  const kinds = groupsBy(documents, ({ kind }) => kind);
  const concepts = groupsBy(
    documents.flatMap(({ kind, concepts: of }) => Object.entries(of).map(([name, label]) => ({ kind, key: name, label }))),
    (it) => `${it.kind} ${it.key}`);
  const all = [...concepts].filter(([, of]) => of.length >= 5).map(([name, of]) => ({
    ...of[0], name, tracks: of.length, words: words(of[0].label), stems: stemmed(of[0].label), facet: of[0].key.split(':')[0] }));
  const of = (...facets) => all.filter(({ facet }) => facets.includes(facet));
  const one = (rule, concept) => query(rule, concept.kind, concept.words.join(' '), graded(kinds.get(concept.kind), [concept]));
  const single = (rule, list, number) =>
    chosen(rule, list.filter(({ tracks }) => tracks <= 200), 2 * number, named)
      .map((concept) => one(rule, concept)).filter(({ grades }) => isTelling(grades, 250)).slice(0, number);
  const isMusic = ({ kind }) => kind === 'music';
  const pairs = of('mood').flatMap((mood) => of('genre', 'instrument', 'use').map((other) => ({ mood, other, name: `${mood.name} ${other.name}` })))
    .filter(({ mood, other }) => isMusic(mood) && isMusic(other) && mood.tracks >= 100 && other.tracks >= 100 && mood.words.join() !== other.words.join());
  return [
    ...single('tag', of('genre', 'mood', 'instrument', 'use').filter((it) => isMusic(it) && it.words.length === 1), 60),
    ...single('tag of several words', of('genre', 'mood', 'instrument', 'use').filter((it) => isMusic(it) && it.words.length > 1), 50),
    ...chosen('mood and tag', pairs, 400, named)
      .map(({ mood, other }) => query('mood and tag', 'music', [...mood.words, ...other.words].join(' '), graded(kinds.get('music'), [mood, other])))
      .filter(({ grades }) => isTelling(grades, 100)).slice(0, 80),
    ...single('effect by class', of('sfx').filter(({ kind, tracks }) => kind === 'sfx' && tracks >= 20), 70),
  ];
}

/** Returns the half that ranking is tuned on, or the one that is reported. */
export const halfOf = (text) => (parseInt(hash(`half ${text}`).slice(0, 8), 16) % 2 === 0 ? 'tuning' : 'reported');

export const CLASSES = {
  'known item': ['title', 'common title', 'marked title', 'title and artist', 'artist and title', 'title by artist',
    'partial title', 'effect title'],
  'tags and moods': ['tag', 'tag of several words', 'mood and tag'],
  effects: ['effect by class'],
};

export function makeQueries(documents) {
  const items = itemsOf(documents);
  const made = [...knownItems(items, documents), ...partialTitles(items), ...tags(documents)];
  const once = groupsBy(made, ({ kind, words: text }) => `${kind} ${key(text)}`);
  return [...once.values()].map(([first]) => ({ ...first, half: halfOf(`${first.kind} ${key(first.words)}`) }));
}
