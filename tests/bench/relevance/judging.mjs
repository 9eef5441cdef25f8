// Scores a list of found tracks by the judgements of its query.

export const FIRST = 10;
export const MEASURES = ['nDCG@10', 'recall@10', 'MRR'];

export const gain = (grade) => 2 ** grade - 1;
const discounted = (grades) => grades.slice(0, FIRST).reduce((sum, grade, i) => sum + gain(grade) / Math.log2(i + 2), 0);

/** Recall is relative to what ten results can contain; MRR uses the first track of the highest existing grade. */
export function judge({ grades }, found) {
  const grade = new Map(Object.entries(grades).flatMap(([value, ids]) => ids.map((id) => [id, Number(value)])));
  const best = Math.max(...grade.values());
  const got = found.map((id) => grade.get(id) ?? 0);
  const place = got.indexOf(best);
  return {
    'nDCG@10': discounted(got) / discounted([...grade.values()].sort((a, b) => b - a)),
    'recall@10': got.filter((value) => value > 0).length / Math.min(FIRST, grade.size),
    MRR: place < 0 ? 0 : 1 / (place + 1),
  };
}

export const mean = (list) => list.reduce((sum, value) => sum + value, 0) / list.length;

/** A cell of a table: for each engine the mean of a measure over the queries of those numbers, in its best form. */
export const cell = (engines, measure, part) => Object.values(engines).map((forms) => {
  const values = Object.values(forms).map((judged) => mean(part.map((i) => judged[i][measure])));
  return values.length > 0 ? Math.max(...values).toFixed(3) : '-';
}).join(' / ');

/** Maps the lists of each form of each engine. */
export const mapForms = (engines, map) => Object.fromEntries(Object.entries(engines).map(([engine, forms]) =>
  [engine, Object.fromEntries(Object.entries(forms).map(([form, lists]) => [form, map(lists)]))]));
