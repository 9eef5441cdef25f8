// Draws the plots of docs/benchmarks.md from docs/plots/figures.json.
//
//     node tests/bench/plots.mjs
//
// Each plot has its own background, so that it is readable on any page; colors follow the reader's color scheme.

import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = join(resolve(dirname(fileURLToPath(import.meta.url)), '../..'), 'docs/plots');
const figures = JSON.parse(readFileSync(join(folder, 'figures.json'), 'utf8'));

const WIDTH = 760;
const STYLE = `
  .card { fill: #ffffff; stroke: #d0d7de; }
  .grid { stroke: #d8dee4; stroke-width: 1; }
  text { font: 14px system-ui, -apple-system, "Segoe UI", "DejaVu Sans", sans-serif; fill: #1f2328; }
  .title { font-size: 16px; font-weight: 600; }
  .small { font-size: 12px; fill: #59636e; }
  .ours { fill: #0969da; stroke: #0969da; }
  .peer { fill: #6e7781; stroke: #6e7781; }
  text.ours, text.peer { stroke: none; font-weight: 600; }
  polyline { fill: none !important; stroke-width: 2.5; }
  .p99 { fill-opacity: 0; stroke-width: 2; }
  @media (prefers-color-scheme: dark) {
    .card { fill: #0d1117; stroke: #3d444d; }
    .grid { stroke: #2f353d; }
    text { fill: #f0f6fc; }
    .small { fill: #9198a1; }
    .ours { fill: #58a6ff; stroke: #58a6ff; }
    .peer { fill: #9198a1; stroke: #9198a1; }
  }`;

const classOf = (engine) => (engine === 'Tonearm' ? 'ours' : 'peer');
const number = (value) => (value >= 100 ? String(Math.round(value)) : String(value));
const tickName = (value) => (value >= 1000 ? `${value / 1000} s` : `${value} ms`);
const text = (x, y, content, { of = '', anchor = 'start' } = {}) =>
  `<text x="${x}" y="${y}" class="${of}" text-anchor="${anchor}">${content}</text>`;
const line = (x1, y1, x2, y2, of = 'grid') => `<line x1="${x1}" y1="${y1}" x2="${x2}" y2="${y2}" class="${of}"/>`;

/** From a value to its place between two pixels, by its logarithm. */
const logScale = (from, to, begin, end) => (value) =>
  Number((begin + ((end - begin) * Math.log10(value / from)) / Math.log10(to / from)).toFixed(1));

const powersOfTen = (from, to) =>
  Array.from({ length: Math.round(Math.log10(to / from)) + 1 }, (_, index) => Number((from * 10 ** index).toPrecision(1)));

function svg(height, title, parts) {
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img" aria-label="${title}">`,
    `<style>${STYLE}\n</style>`,
    `<rect class="card" x="0.5" y="0.5" width="${WIDTH - 1}" height="${height - 1}" rx="8"/>`,
    text(20, 30, title, { of: 'title' }),
    ...parts,
    '</svg>',
    '',
  ].join('\n');
}

/** A row per engine: a dot for the mean, a circle for the 99th percentile. */
function byEngine({ tracks, rows, recorded, note }) {
  const [top, rowHeight, left, right] = [62, 38, 130, WIDTH - 40];
  const bottom = top + rows.length * rowHeight;
  const [from, to] = [0.01, 10_000];
  const x = logScale(from, to, left, right);
  const ticks = powersOfTen(from, to).flatMap((value) => [
    line(x(value), top, x(value), bottom),
    text(x(value), bottom + 18, tickName(value), { of: 'small', anchor: 'middle' }),
  ]);
  const marks = rows.flatMap(({ engine, mean, p99 }, index) => {
    const y = top + rowHeight * (index + 0.5);
    const of = classOf(engine);
    return [
      text(left - 12, y + 5, engine, { of, anchor: 'end' }),
      `<line x1="${x(mean)}" y1="${y}" x2="${x(p99)}" y2="${y}" class="${of}" stroke-width="2"/>`,
      `<circle cx="${x(mean)}" cy="${y}" r="6" class="${of}"/>`,
      `<circle cx="${x(p99)}" cy="${y}" r="5" class="${of} p99"/>`,
      text(x(mean) - 11, y + 5, number(mean), { anchor: 'end' }),
      text(x(p99) + 11, y + 5, number(p99)),
    ];
  });
  const legend = `Milliseconds, logarithmic. Dot: mean of 200 queries; circle: 99th percentile. Recorded ${recorded}.`;
  return svg(bottom + 66, `Search time at ${tracks.toLocaleString('en-US')} tracks`, [
    ...ticks,
    ...marks,
    text(20, bottom + 38, legend, { of: 'small' }),
    text(20, bottom + 54, note, { of: 'small' }),
  ]);
}

/** Moves labels apart that would overlap; expects them from top to bottom. */
function spaced(labels, gap) {
  return labels.reduce((placed, label) => [...placed, { ...label, y: Math.max(label.y, (placed.at(-1)?.y ?? -gap) + gap) }], []);
}

/** A line per engine over the sizes of the catalog. */
function byCatalogSize({ tracks, rows, recorded }) {
  const [top, bottom, left, right] = [56, 336, 80, WIDTH - 190];
  const [from, to] = [0.001, 1000];
  const x = logScale(tracks[0], tracks.at(-1), left, right);
  const y = logScale(from, to, bottom, top);
  const grid = [
    ...powersOfTen(from, to).flatMap((value) => [
      line(left, y(value), right, y(value)),
      text(left - 10, y(value) + 4, tickName(value), { of: 'small', anchor: 'end' }),
    ]),
    ...tracks.map((value) => text(x(value), bottom + 22, `${value.toLocaleString('en-US')} tracks`, { of: 'small', anchor: 'middle' })),
  ];
  const lines = rows.flatMap(({ engine, mean }) => {
    const points = mean.map((value, index) => [x(tracks[index]), y(value)]);
    return [
      `<polyline class="${classOf(engine)}" points="${points.map((point) => point.join(',')).join(' ')}"/>`,
      ...points.map(([cx, cy]) => `<circle cx="${cx}" cy="${cy}" r="4" class="${classOf(engine)}"/>`),
    ];
  });
  const ends = rows.map(({ engine, mean }) => ({ engine, last: mean.at(-1), y: y(mean.at(-1)) + 5 })).sort((a, b) => a.y - b.y);
  const labels = spaced(ends, 18).map(({ engine, last, y: at }) =>
    text(right + 14, at, `${engine} ${number(last)} ms`, { of: classOf(engine) }),
  );
  const legend = `Mean of 200 queries in milliseconds; both axes logarithmic. Recorded ${recorded}.`;
  return svg(bottom + 66, 'Search time by catalog size', [...grid, ...lines, ...labels, text(20, bottom + 50, legend, { of: 'small' })]);
}

writeFileSync(join(folder, 'search_time_by_engine.svg'), byEngine(figures.byEngine));
writeFileSync(join(folder, 'search_time_by_size.svg'), byCatalogSize(figures.byCatalogSize));
