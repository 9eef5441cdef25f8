// Measures the relevance of searches on real metadata, by default and with match=all, compared with plain FTS5, Lucene and
// Xapian (README.md), and whether suggestions help if nothing is found.
// Usage: node tests/bench/relevance/measure.mjs [--make] [--worst N]
//   --make     regenerates the queries by the rules, from the metadata beside the project
//   --worst N  also prints the N worst queries of the tuning half

import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';

import { buildCatalog, readSearchedDocuments } from './catalog.mjs';
import { MEASURES, cell, judge, mapForms } from './judging.mjs';
import { engines } from './peers.mjs';
import { CLASSES, makeQueries } from './rules.mjs';
import { judgeSuggestions, makeZeroQueries } from './zero.mjs';

const { values: options } = parseArgs({ options: { make: { type: 'boolean' }, worst: { type: 'string', default: '0' } } });
const FILES = { queries: new URL('queries.jsonl', import.meta.url), zero: new URL('zero.jsonl', import.meta.url) };

function table(queries, judged, half) {
  const inHalf = queries.map((_, i) => i).filter((i) => queries[i].half === half);
  const row = (name, part) => {
    if (part.length === 0) return;
    console.log(`| ${[name, part.length, ...MEASURES.map((measure) => cell(judged, measure, part))].join(' | ')} |`);
  };
  console.log(`\n### The ${half} half\n\n| ${['queries', 'number', ...MEASURES].join(' | ')} |\n|---|---|---|---|---|`);
  row('**all**', inHalf);
  for (const [name, rules] of Object.entries(CLASSES)) {
    row(`**${name}**`, inHalf.filter((i) => rules.includes(queries[i].rule)));
    if (rules.length > 1) for (const rule of rules) row(rule, inHalf.filter((i) => queries[i].rule === rule));
  }
}

function suggestionTable(zero) {
  const judged = judgeSuggestions(zero);
  const found = judged.filter(({ total }) => total > 0).length;
  if (found > 0) console.log(`\n${found} of the searches that should find nothing find something`);
  console.log('\n### Suggestions when nothing is found\n\n| searches | number | helped |\n|---|---|---|');
  const row = (name, part) => {
    const helped = part.filter((i) => judged[i].helped).length;
    console.log(`| ${name} | ${part.length} | ${helped} (${(100 * helped / part.length).toFixed(1)} %) |`);
  };
  const all = zero.map((_, i) => i);
  row('**all**', all);
  for (const rule of new Set(zero.map((query) => query.rule))) row(rule, all.filter((i) => zero[i].rule === rule));
  for (const i of all.filter((at) => !judged[at].helped).slice(0, Number(options.worst))) {
    console.log(`${JSON.stringify(zero[i].parameters)}: ${judged[i].suggestions.map(({ message }) => message).join(' ')}`);
  }
}

function worst(queries, found, judged, number) {
  const order = queries.map((_, i) => i).filter((i) => queries[i].half === 'tuning')
    .sort((a, b) => judged.Tonearm.auto[a]['nDCG@10'] - judged.Tonearm.auto[b]['nDCG@10']).slice(0, number);
  for (const i of order) {
    const { rule, words, grades } = queries[i];
    const grade = (id) => Object.entries(grades).find(([, ids]) => ids.includes(id))?.[0] ?? 0;
    const shown = Object.entries(found).flatMap(([engine, forms]) => Object.entries(forms).slice(0, 1).map(([form, lists]) =>
      `${engine} ${judged[engine][form][i]['nDCG@10'].toFixed(2)} [${lists[i].map((id) => `${id}:${grade(id)}`).slice(0, 4).join(' ')}]`));
    console.log(`${rule}: ${words}\n    ${shown.join('\n    ')}`);
  }
}

if (!buildCatalog()) {
  console.log('skipped: there is no ../shared/data beside the project');
  process.exit(0);
}
const documents = readSearchedDocuments();
const write = (file, lines) => writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
const read = (file) => readFileSync(file, 'utf8').trim().split('\n').map((line) => JSON.parse(line));
if (options.make) {
  write(FILES.queries, makeQueries(documents));
  write(FILES.zero, makeZeroQueries(documents));
}
const queries = read(FILES.queries);
const known = new Set(documents.map(({ id }) => id));
const gone = new Set(queries.flatMap(({ grades }) => Object.values(grades).flat()).filter((id) => !known.has(id)));
if (gone.size > 0) console.log(`${gone.size} judged tracks are not in this catalog`);

const found = engines(documents, queries, 'all');
const judged = mapForms(found, (lists) => lists.map((list, i) => judge(queries[i], list)));

console.log(`${documents.length} tracks, ${queries.length} queries. Each cell: ${Object.keys(found).join(' / ')}.`);
for (const half of ['tuning', 'reported']) table(queries, judged, half);
suggestionTable(read(FILES.zero));
worst(queries, found, judged, Number(options.worst));
