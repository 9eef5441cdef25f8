// Generates searches that find nothing, each with the condition under which a suggestion helps. The service decides whether
// it helps: the suggested search is run.

import { ask, describing, searchTarget, words } from './catalog.mjs';
import { chosen, hash, itemsOf } from './rules.mjs';

const PARAMETERS_LOOKED_AT = 50;

/** A word that occurs in no text. */
function unknownWord(seed, known) {
  for (let i = 0; ; ++i) {
    const word = `z${hash(`foreign ${seed} ${i}`).replace(/[^a-f]/g, '').slice(0, 6)}q`;
    if (!known.has(word)) return word;
  }
}

/** Swaps two letters in the middle of a word. */
function misspelt(word) {
  const at = Math.floor(word.length / 2) - 1;
  return word.slice(0, at) + word[at + 1] + word[at] + word.slice(at + 2);
}

/**
 * Candidates by rule: `parameters` of the search, and `helps`. `item` (ids): the suggested search has one of them on its first
 * page. `keeps` (names and words): a suggestion that keeps them finds anything at all.
 */
function candidates(documents) {
  const known = new Set(documents.flatMap((it) => words(`${it.title} ${it.artist} ${it.tags} ${describing(it)} ${it.category}`)));
  const items = itemsOf(documents).filter(({ kind, title, sameTitle }) => kind === 'music' && sameTitle === 1 && title.length < 60);
  const titled = (rule, count, least) => chosen(`zero ${rule}`, items.filter(({ title }) => words(title).length >= least), count, ({ name }) => name);
  const zero = (rule, parameters, helps) => ({ rule, parameters, helps });
  const find = (it) => ({ item: it.tracks });
  const concepts = (kind, facets, least) => {
    const counts = new Map();
    for (const document of documents) {
      if (document.kind !== kind) continue;
      for (const name of Object.keys(document.concepts)) counts.set(name, (counts.get(name) ?? 0) + 1);
    }
    return [...counts].filter(([name, count]) => count >= least && facets.includes(name.split(':')[0]))
      .map(([name]) => ({ name, facet: name.split(':')[0], id: name.slice(name.indexOf(':') + 1) }));
  };
  const together = new Set(documents.flatMap(({ concepts: of }) => {
    const names = Object.keys(of);
    return names.flatMap((a) => names.map((b) => `${a} ${b}`));
  }));
  const genres = concepts('music', ['genre'], 20);
  const others = concepts('music', ['mood', 'instrument', 'use'], 20);
  const apart = genres.flatMap((a) => others.map((b) => ({ a, b, name: `${a.name} ${b.name}` }))).filter(({ name }) => !together.has(name));
  const text = ({ id }) => words(id).join(' ');
  const effectWords = concepts('sfx', ['sfx'], 3);
  return {
    'title and an unknown word': [40, titled('title and a foreign word', 60, 2).map((it) =>
      zero('title and an unknown word', { q: `${it.title.toLowerCase()} ${unknownWord(it.name, known)}` }, find(it)))],
    'misspelt word of a title': [40, titled('misspelt', 300, 3).flatMap((it) => {
      const list = words(it.title);
      const longest = list.reduce((a, b) => (b.length > a.length ? b : a));
      const wrong = misspelt(longest);
      if (longest.length < 5 || wrong === longest || known.has(wrong)) return [];
      return [zero('misspelt word of a title', { q: list.map((word) => (word === longest ? wrong : word)).join(' ') }, find(it))];
    })],
    'title and a tag that it lacks': [25, titled('wrong tag', 200, 2).map((it, i) =>
      zero('title and a tag that it lacks', { q: it.title.toLowerCase(), genre: genres[i % genres.length].id }, find(it)))],
    'one filter too many': [25, chosen('zero filter', genres.flatMap((genre) => ['cc0', 'cc-by-nc-4.0', 'cc-by-4.0'].map((license) =>
      ({ genre, license, name: `${genre.name} ${license}` }))), 200, ({ name }) => name).map(({ genre, license }) =>
      zero('one filter too many', { q: text(genre), license, length: 'l' }, { keeps: { q: text(genre) } }))],
    'contradictory tags': [25, chosen('zero tags', apart, 60, ({ name }) => name).map(({ a, b }) =>
      zero('contradictory tags', { genre: a.id, [b.facet]: b.id }, { keeps: {} }))],
    'wrong kind': [25, chosen('zero kind', effectWords, 600, ({ name }) => name).map((effect) =>
      zero('wrong kind', { q: text(effect) }, { keeps: { q: text(effect) } }))],
    'one known word among unknown ones': [20, chosen('zero known', others, 40, ({ name }) => name).map((tag) =>
      zero('one known word among unknown ones', { q: `${unknownWord(`${tag.name} 1`, known)} ${text(tag)} ${unknownWord(`${tag.name} 2`, known)}` },
        { keeps: { q: text(tag) } }))],
    'words that never occur together': [20, chosen('zero meet', apart, 800, ({ name }) => name).map(({ a, b }) =>
      zero('words that never occur together', { q: `${text(a)} ${text(b)}` }, { keeps: { q: [text(a), text(b)] } }))],
    'one unknown word alone': [5, [1, 2, 3, 4, 5].map((i) => zero('one unknown word alone', { q: unknownWord(`alone ${i}`, known) }, { keeps: { q: 'any' } }))],
  };
}

/** Chooses the required number of searches per rule among those for which the service finds nothing. */
export function makeZeroQueries(documents) {
  return Object.values(candidates(documents)).flatMap(([count, list]) => {
    const answers = ask(list.map(({ parameters }) => searchTarget({ ...parameters, match: 'all' }, 1)));
    return list.filter((_, i) => answers[i].total === 0).slice(0, count);
  });
}

/** Whether `q` contains all wanted words. */
const holds = (q, wanted) => words(wanted).every((word) => words(q ?? '').includes(word));

function keeps(kept, suggestion) {
  if (kept.q === undefined) return suggestion.total > 0;
  return suggestion.total > 0 && [kept.q].flat().some((wanted) => holds(suggestion.parameters.q, wanted));
}

/** Returns for each search whether a suggestion helps. A search that finds something by itself counts as not helped. */
export function judgeSuggestions(queries) {
  const answers = ask(queries.map(({ parameters }) => searchTarget({ ...parameters, match: 'all' }, 1)));
  return queries.map(({ parameters, helps }, i) => {
    const { total, suggestions } = answers[i];
    if (total > 0) return { total, helped: false, suggestions: [] };
    const helped = suggestions.some((suggestion) => {
      if (!helps.item) return keeps(helps.keeps, suggestion);
      const { fields, limit, ...relaxed } = suggestion.parameters;
      const [page] = ask([searchTarget(relaxed, PARAMETERS_LOOKED_AT)]);
      return page.tracks.some(({ id }) => helps.item.includes(id));
    });
    return { total, helped, suggestions, parameters };
  });
}
