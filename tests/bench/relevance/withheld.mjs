// Searches in words that the index does not contain for the wanted track: a text of the track, or a label that people gave
// it, is withheld from the catalog and becomes query or judgement. No text is stored here; the same metadata gives the same
// queries.

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { data, describing, words } from './catalog.mjs';
import { chosen, halfOf, hash } from './rules.mjs';

const LINE_LENGTH_MAX = 200;  // of `q`
const SOUNDS_OF_LABEL = 20;  // a label of fewer sounds is hardly one that people chose from a list
const SOUNDS_ASKED = 12;  // of each label, as queries

const isEven = (text) => parseInt(hash(text).slice(0, 8), 16) % 2 === 0;
const cut = (text) => (text.length <= LINE_LENGTH_MAX ? text : text.slice(0, text.lastIndexOf(' ', LINE_LENGTH_MAX)));
const plain = (title) => words(title.replace(/\.(wav|aiff?|mp3|ogg|flac)$/i, '').replace(/([a-z])([A-Z])/g, '$1 $2'))
  .filter((word) => /^\p{L}{3,}$/u.test(word)).join(' ');
const query = (rule, kind, text, grades) => ({ rule, kind, words: text, grades, half: halfOf(`${kind} ${text}`) });

/** Music, searched by its composer's description. The descriptions of every second track are withheld. */
function described(documents, withheld) {
  const asked = documents.filter(({ id, kind, description }) =>
    kind === 'music' && words(description).length >= 8 && isEven(`described ${id}`));
  for (const { id } of asked) withheld.descriptions.add(id);
  return asked.flatMap(({ id, description }) => {
    const text = cut(description.replace(/\s+/g, ' ').split('This piece of music is')[0]);
    const short = words(text).filter((word) => word.length > 3).slice(0, 6).join(' ');
    return [query('description of the music', 'music', text, { 1: [id] }), query('its first long words', 'music', short, { 1: [id] })];
  });
}

/** Effects, searched by the label that people gave them and by the title of another sound with the label. Labels are withheld. */
function labelled(documents, withheld) {
  const sounds = new Map();
  for (const document of documents) {
    for (const concept of Object.keys(document.concepts).filter((name) => name.startsWith('sfx:'))) {
      if (document.kind === 'sfx') sounds.set(concept, [...(sounds.get(concept) ?? []), document]);
    }
  }
  const labels = [...sounds].filter(([, of]) => of.length >= SOUNDS_OF_LABEL);
  for (const [concept] of labels) withheld.concepts.add(concept);
  const queries = [];
  for (const [concept, of] of labels) {
    const asked = chosen(`title as query ${concept}`, of.filter(({ title }) => words(plain(title)).length > 1), SOUNDS_ASKED, ({ id }) => id);
    for (const { id } of asked) withheld.tracks.add(id);
  }
  for (const [concept, of] of labels) {
    const ids = of.map(({ id }) => id);
    queries.push(query('label', 'sfx', concept.slice(concept.indexOf(':') + 1).replaceAll('-', ' '), { 1: ids }));
    for (const { id, title } of of) {
      if (withheld.tracks.has(id)) queries.push(query('title of another sound with the label', 'sfx', plain(title), { 1: ids }));
    }
  }
  return queries;
}

function rowsOf(text) {
  const [names, ...rows] = text.trim().split(/\r?\n/).map((line) =>
    [...line.matchAll(/("(?:[^"]|"")*"|[^,]*)(?:,|$)/g)].map(([, cell]) => cell.replace(/^"|"$/g, '').replaceAll('""', '"')));
  return rows.map((row) => Object.fromEntries(names.map((name, i) => [name, row[i] ?? ''])));
}

/** Music by genre, mood and instruments from another site, which the catalog does not read. */
function listedElsewhere(documents) {
  const file = join(data, 'youtube-audio-library/yt_audio_library_cc_by_4.csv');
  if (!existsSync(file)) return [];
  const key = (title, artist) => words(`${title} ${artist}`).join(' ');
  const known = new Map();
  for (const { id, kind, title, artist } of documents) {
    if (kind === 'music') known.set(key(title, artist), [...(known.get(key(title, artist)) ?? []), id]);
  }
  return rowsOf(readFileSync(file, 'utf8')).flatMap(({ title, artist, genre, mood, instruments }) => {
    const tracks = known.get(key(title, artist));
    const text = cut(words(`${mood} ${genre} ${instruments}`).join(' '));
    return tracks && text ? [query('tags of another site', 'music', text, { 1: tracks })] : [];
  });
}

/**
 * Effects with labels that the catalog does not read (FSDKaggle2019), searched by the label, by what AudioSet says of it, and
 * by the title of another sound with it. Labels that the catalog has as tags are omitted.
 */
function labelledElsewhere(documents, withheld) {
  const file = (name) => join(data, name);
  const lists = ['train_curated', 'test'].map((part) => file(`fsdkaggle-post-competition/fsdkaggle2019_${part}_post_competition.csv`));
  const ontology = file('audioset-ontology/ontology.json');
  if (![...lists, ontology].every((name) => existsSync(name))) return [];
  const key = (text) => words(text).filter((word) => word !== 'and').join(' ');
  const descriptions = new Map(JSON.parse(readFileSync(ontology, 'utf8')).map(({ name, description }) => [key(name), description]));
  const known = new Map(documents.filter(({ kind }) => kind === 'sfx').map((document) => [document.id, document]));
  const tags = new Set(documents.flatMap(({ concepts }) => Object.keys(concepts).map((name) => key(name.split(':')[1]))));
  const sounds = new Map();
  for (const { labels, freesound_id: id } of lists.flatMap((name) => rowsOf(readFileSync(name, 'utf8')))) {
    const document = known.get(`freesound-${id}`);
    if (!document) continue;
    for (const label of labels.split(',').map((name) => key(name.replaceAll('_', ' ')))) {
      if (!tags.has(label)) sounds.set(label, (sounds.get(label) ?? new Set()).add(document));
    }
  }
  return [...sounds].map(([label, of]) => [label, [...of]]).filter(([, of]) => of.length >= SOUNDS_OF_LABEL).flatMap(([label, of]) => {
    const titled = of.filter(({ id, title }) => words(plain(title)).length > 1 && !withheld.tracks.has(id));
    const asked = chosen(`title as query ${label}`, titled, SOUNDS_ASKED, ({ id }) => id);
    for (const { id } of asked) withheld.tracks.add(id);
    return [['label of another list', label], ['what AudioSet says of it', cut(descriptions.get(label) ?? '')],
      ...asked.map(({ title }) => ['title of another sound with it', plain(title)])].map(([rule, text]) => ({ rule, text, of }));
  }).map(({ rule, text, of }) => query(rule, 'sfx', text, { 1: of.map(({ id }) => id) }));
}

/** Returns the searchable `documents`, the queries over them, and a description of each class of rules. */
export function withheldSet(all) {
  const documents = all.filter(({ title }) => title !== '');
  const withheld = { descriptions: new Set(), concepts: new Set(), tracks: new Set() };
  const queries = [...described(documents, withheld), ...labelled(documents, withheld), ...listedElsewhere(documents),
    ...labelledElsewhere(documents, withheld)];
  const isKept = (id) => !withheld.tracks.has(id);
  const kept = documents.filter(({ id }) => isKept(id)).map((document) => {
    const concepts = Object.fromEntries(Object.entries(document.concepts).filter(([name]) => !withheld.concepts.has(name)));
    return { ...document, description: withheld.descriptions.has(document.id) ? '' : document.description,
      category: document.kind === 'sfx' ? '' : document.category, concepts, tags: document.tagsOf(concepts) };
  });
  const judged = queries.map((each) => ({ ...each, grades: { 1: each.grades[1].filter(isKept) } }))
    .filter((each) => words(each.words).length > 0 && each.grades[1].length > 0);
  const once = new Map(judged.map((each) => [`${each.rule} ${each.kind} ${each.words}`, each]));
  return { documents: kept, queries: [...once.values()] };
}

/** Returns the documents as canonical lines. Fields that no search uses are made up. */
export function writeLines(documents, file) {
  writeFileSync(file, documents.map((document) => {
    const { id, kind, title, artist, duration_s, concepts } = document;
    const tags = {};
    for (const name of Object.keys(concepts)) (tags[name.split(':')[0]] ??= []).push(name.slice(name.indexOf(':') + 1));
    return `${JSON.stringify({ id, kind, title, artist, description: describing(document) || null, duration_s: duration_s || 1,
      license: 'cc0', source: 'example.org', tags, neighbors: [] })}\n`;
  }).join(''));
}
