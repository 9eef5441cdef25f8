// Measures searches in words that the index does not contain for the wanted tracks (withheld.mjs), by default, compared
// with FTS5 and Lucene. Reads the catalog that measure.mjs built, and builds another one without the withheld texts.
// Usage: node tests/bench/relevance/measure_withheld.mjs

import { buildWithheld, readDocuments, withheldLines, withheldSnapshot } from './catalog.mjs';
import { MEASURES, judge, mean } from './judging.mjs';
import { fts5, lucene, tonearmOver } from './peers.mjs';
import { withheldSet, writeLines } from './withheld.mjs';

const { documents, queries } = withheldSet(readDocuments());
writeLines(documents, withheldLines);
buildWithheld();
const engines = {
  Tonearm: { most: tonearmOver(queries, withheldSnapshot) },
  FTS5: fts5(documents, queries),
  Lucene: lucene(documents, queries) ?? {},
};
console.log(`${documents.length} tracks, ${queries.length} queries. Each cell: ${Object.keys(engines).join(' / ')}.`);
for (const half of ['tuning', 'reported']) {
  console.log(`\n| ${half} half | number | ${MEASURES.join(' | ')} |\n|---|---|---|---|---|`);
  for (const rule of new Set(queries.map((query) => query.rule))) {
    const part = queries.map((_, i) => i).filter((i) => queries[i].half === half && queries[i].rule === rule);
    const cell = (forms, measure) => {
      const values = Object.values(forms).map((lists) => mean(part.map((i) => judge(queries[i], lists[i])[measure])));
      return values.length > 0 ? Math.max(...values).toFixed(3) : '-';
    };
    const cells = MEASURES.map((measure) => Object.values(engines).map((forms) => cell(forms, measure)).join(' / '));
    console.log(`| ${[rule, part.length, ...cells].join(' | ')} |`);
  }
}
