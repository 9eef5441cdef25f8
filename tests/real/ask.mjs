// Sends the queries of a file to the service, in process, over a catalog of all real metadata, and prints how
// many of their first results fit by the rule in README.md, for each way of matching.
// Usage: node tests/real/ask.mjs [--match all,most,auto] [--queries FILE] [--catalog FILE] [--show]
//   --match         values of the parameter `match`, as the service knows them
//   --queries FILE  queries of the same form, instead of ordinary_queries.jsonl
//   --catalog FILE  a catalog of the same format, instead of building one
//   --show          also prints each query with the first five tracks of each way, and + for those that fit

import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';

import { ask, buildOrdinary, ordinarySnapshot, readDocuments, words } from '../bench/relevance/catalog.mjs';
import { FIRST, gain, mean } from '../bench/relevance/judging.mjs';
import { stemsOf } from '../bench/relevance/rules.mjs';

const { values: options } = parseArgs({ options: {
  match: { type: 'string', default: 'all,most,auto' }, queries: { type: 'string' }, catalog: { type: 'string' }, show: { type: 'boolean' } } });
const SHOWN = 5;
const FITS = 3;  // the grade
const read = (name) => readFileSync(new URL(name, import.meta.url), 'utf8');
const queries = (options.queries ? readFileSync(options.queries, 'utf8') : read('ordinary_queries.jsonl')).trim().split('\n').map((line) => JSON.parse(line));

/** Splits also words that capitals join. */
const split = (text) => words(text.replace(/([\p{Ll}])([\p{Lu}])/gu, '$1 $2'));

/** Returns the documents with `text`, their judged words as stems between spaces, and the concepts as phrases of stems. */
function prepare(documents) {
  const concepts = Object.entries(JSON.parse(read('concepts.json')));
  const texts = documents.map(({ title, tags, category, description }) => split([title, tags, category, description].join(' / ')));
  const stems = stemsOf([...texts.flat(), ...concepts.flatMap(([, phrases]) => phrases.flatMap(words))]);
  const stemmed = (list) => ` ${list.map((word) => stems.get(word) ?? word).join(' ')} `;
  return {
    documents: documents.map((document, i) => ({ ...document, text: stemmed(texts[i]) })),
    concepts: new Map(concepts.map(([name, phrases]) => [name, phrases.map((phrase) => stemmed(words(phrase)))])),
  };
}

/** Returns the grade of a track for a query by the rule. */
function gradeOf({ text }, query, concepts) {
  const meets = (concept) => concepts.get(concept).some((phrase) => text.includes(phrase));
  const [core, ...others] = query.concepts;
  if (!meets(core) || (query.without ?? []).some(meets)) return 0;
  const met = others.filter(meets).length;
  if (met === others.length) return FITS;
  return 2 * met >= others.length ? 2 : 1;
}

const sumGains = (gains) => gains.reduce((sum, value, i) => sum + value / Math.log2(i + 2), 0);

/** Judges the found ids. Empty places count as chance; nDCG is null if no track fits. */
function judge(ids, grades) {
  const gains = [...grades.values()].map(gain);
  const chance = mean(gains);
  const first = Array.from({ length: FIRST }, (_, i) => (i < ids.length ? gain(grades.get(ids[i])) : chance));
  const ideal = gains.sort((a, b) => b - a).slice(0, FIRST);
  return { found: ids.length > 0, shown: Math.min(ids.length, SHOWN),
    fit: ids.slice(0, SHOWN).filter((id) => grades.get(id) === FITS).length,
    couldFit: Math.min(SHOWN, [...grades.values()].filter((grade) => grade === FITS).length),
    nDCG: ideal[0] === gain(FITS) ? sumGains(first) / sumGains(ideal) : null };
}

if (!options.catalog && !buildOrdinary()) {
  console.log('skipped: there is no ../shared/data beside the project');
  process.exit(0);
}
const catalog = options.catalog ?? ordinarySnapshot;
const { documents, concepts } = prepare(readDocuments(catalog));
const grades = queries.map((query) =>
  new Map(documents.filter(({ kind }) => kind === query.kind).map((document) => [document.id, gradeOf(document, query, concepts)])));

const judged = {};
const tracksOf = {};
for (const match of options.match.split(',')) {
  const answers = ask(queries.map(({ q, kind }) => `/v1/search?${new URLSearchParams({ q, kind, match, limit: FIRST, fields: 'id,title' })}`), catalog);
  tracksOf[match] = answers.map(({ tracks }) => tracks);
  judged[match] = answers.map(({ tracks }, i) => judge(tracks.map(({ id }) => id), grades[i]));
}

const modes = Object.keys(judged);
const percent = (part, of) => (of > 0 ? `${((100 * part) / of).toFixed(1)} %` : '-');
const total = (list, of) => list.reduce((sum, each) => sum + Number(of(each)), 0);
const FIGURES = {
  'nothing found': (list) => percent(total(list, ({ found }) => !found), list.length),
  'of the first five, fit': (list) => percent(total(list, ({ fit }) => fit), total(list, ({ shown }) => shown)),
  'of five places, fit': (list) => percent(total(list, ({ fit }) => fit), SHOWN * list.length),
  'of what could fit': (list) => percent(total(list, ({ fit }) => fit), total(list, ({ couldFit }) => couldFit)),
  'nDCG@10': (list) => mean(list.map(({ nDCG }) => nDCG).filter((value) => value !== null)).toFixed(3),
};
console.log(`${documents.length} tracks. A cell: ${modes.map((mode) => `match=${mode}`).join(' / ')}.\n`);
console.log(`| queries | number | ${Object.keys(FIGURES).join(' | ')} |\n|---|---|${'---|'.repeat(Object.keys(FIGURES).length)}`);
for (const form of ['query', 'sentence']) {
  for (const kind of ['music', 'sfx']) {
    const part = queries.map((_, i) => i).filter((i) => queries[i].form === form && queries[i].kind === kind);
    const cells = Object.values(FIGURES).map((figure) => modes.map((mode) => figure(part.map((i) => judged[mode][i]))).join(' / '));
    console.log(`| ${form === 'query' ? 'short queries' : 'sentences'}, ${kind === 'sfx' ? 'effects' : kind} | ${part.length} | ${cells.join(' | ')} |`);
  }
}
if (options.show) {
  for (const [i, { q, kind }] of queries.entries()) {
    console.log(`\n${kind}: ${q} (${[...grades[i].values()].filter((grade) => grade === FITS).length} tracks fit)`);
    for (const mode of modes) {
      const shown = tracksOf[mode][i].slice(0, SHOWN).map(({ id, title }) => `${grades[i].get(id) === FITS ? '+' : '-'} ${title}`);
      console.log(`    ${mode}: ${shown.join('; ')}`);
    }
  }
}
