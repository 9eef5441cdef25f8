// Measures searches in words that the index does not contain for the wanted tracks (withheld.mjs), by default and with
// match=most, compared with FTS5, Lucene and Xapian. Reads the catalog that measure.mjs built, and builds another one without
// the withheld texts.
// Usage: node tests/bench/relevance/measure_withheld.mjs

import { buildWithheld, readSearchedDocuments, withheldLines, withheldSnapshot } from './catalog.mjs';
import { MEASURES, cell, judge, mapForms } from './judging.mjs';
import { engines } from './peers.mjs';
import { withheldSet, writeLines } from './withheld.mjs';

const { documents, queries } = withheldSet(readSearchedDocuments());
writeLines(documents, withheldLines);
buildWithheld();
const found = engines(documents, queries, 'most', withheldSnapshot);
const judged = mapForms(found, (lists) => lists.map((list, i) => judge(queries[i], list)));
console.log(`${documents.length} tracks, ${queries.length} queries. Each cell: ${Object.keys(found).join(' / ')}.`);
for (const half of ['tuning', 'reported']) {
  console.log(`\n| ${half} half | number | ${MEASURES.join(' | ')} |\n|---|---|---|---|---|`);
  for (const rule of new Set(queries.map((query) => query.rule))) {
    const part = queries.map((_, i) => i).filter((i) => queries[i].half === half && queries[i].rule === rule);
    console.log(`| ${[rule, part.length, ...MEASURES.map((measure) => cell(judged, measure, part))].join(' | ')} |`);
  }
}
