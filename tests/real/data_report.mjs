// Prints the figures of docs/data-report.md: builds a catalog of all real sources twice, with the default policy and with
// ShareAlike, and prints the tables as Markdown and further figures as a list.
// Usage: node tests/real/data_report.mjs      (TONEARM_BIN: the folder of the programs, by default build/native/bin)

import { readFileSync } from 'node:fs';

import { buildAllSources, endAll, serveCatalog, skip, tracksOf } from './real_catalog.mjs';

const LICENSES = ['cc0', 'cc-by-3.0', 'cc-by-4.0', 'cc-by-nc-3.0', 'cc-by-nc-4.0'];

const number = (value) => String(value).replace(/\B(?=(\d{3})+$)/g, ',');
const sum = (values) => values.reduce((total, value) => total + value, 0);
const sorted = (counts) => Object.entries(counts).sort(([a, one], [b, other]) => other - one || (a < b ? -1 : 1));

function countBy(list, key) {
  const counts = {};
  for (const one of list) counts[key(one)] = (counts[key(one)] ?? 0) + 1;
  return counts;
}

function table(head, rows) {
  console.log(`| ${head.join(' | ')} |\n|${head.map(() => '---|').join('')}`);
  for (const row of rows) console.log(`| ${row.map((cell) => (typeof cell === 'number' ? number(cell) : cell)).join(' | ')} |`);
  console.log();
}

function printTracks(tracks) {
  const prefix = (track) => track.id.replace(/-\d+$/, '');
  const count = (list, license) => list.filter((track) => track.license.id === license).length || '';
  const row = (name, list) => [name, ...LICENSES.map((license) => count(list, license)), list.length];
  const prefixes = sorted(countBy(tracks, prefix)).map(([name]) => name);
  table(['id prefix', ...LICENSES.map((id) => id.replace(/^cc-/, '').replaceAll(/-(?=\d)/g, ' ')), 'all'],
    [...prefixes.map((name) => row(name, tracks.filter((track) => prefix(track) === name))), row('all', tracks)]);
  const silent = tracks.filter((track) => !track.preview_url && !track.original_url);
  const share = (list) => `${number(list.length)} of ${number(tracks.length)} (${((100 * list.length) / tracks.length).toFixed(1)} %)`;
  console.log('CC0:', share(tracks.filter((track) => track.license.id === 'cc0')));
  console.log('with an address of their audio:', share(tracks.filter((track) => !silent.includes(track))));
  console.log('without:', number(silent.length), sorted(countBy(silent, prefix)).join(' '));
  const effects = tracks.filter((track) => track.kind === 'sfx');
  const found = sorted(countBy(effects.filter((track) => track.category), (track) => track.category.id ?? track.category));
  console.log('effects with a category:', number(sum(found.map(([, value]) => value))), found.join(' '));
}

function printReport(report) {
  table(['reason', 'rows'], sorted(report.left_out_by_reason).map(([name, count]) => [`\`${name}\``, count]));
  table(['repair', 'rows'], sorted(report.repairs));
  table(['what a rule did', 'tracks or tags'], sorted(report.cleaned));
  const tags = (facet) => [facet, ...['tags_before', 'tags_after'].flatMap((when) => [report[when][facet].tags, report[when][facet].once])];
  table(['tags', 'before', 'of them on one track', 'after', 'of them on one track'], ['sfx', 'mood'].map(tags));
  const ties = (kind) => [kind, ...['quality_before', 'quality_after'].flatMap((when) => [report[when][kind].values, report[when][kind].largest]),
    report.tracks_by_kind[kind]];
  table(['quality', 'values before', 'tracks with the most frequent', 'values after', 'tracks with the most frequent', 'tracks'],
    ['music', 'sfx'].map(ties));
  const folders = {};
  for (const input of report.inputs) folders[input.file.split('/').at(-2)] = (folders[input.file.split('/').at(-2)] ?? 0) + input.kept;
  console.log('by folder:', sorted(folders).map(([name, kept]) => `${name} ${number(kept)}`).join(', '));
  const rows = (name) => sum(report.inputs.map((input) => input[name] ?? 0));
  console.log(`rows ${number(rows('rows'))}, joined to another ${number(rows('joined'))}, tracks ${number(report.track_count)}`);
  console.log(`families of variants ${report.variant_families} with ${number(report.variant_tracks)} tracks`);
  const pairs = countBy(report.duplicate_recordings, ({ id, stays }) => `${id.replace(/-\d+$/, '')} is ${stays.replace(/-\d+$/, '')}`);
  console.log('one recording:', sorted(pairs).map(([name, count]) => `${name} ${count}`).join(', '));
}

function printContradictions(report, tracks) {
  const kept = new Set(tracks.map((track) => track.id));
  const all = report.license_contradictions;
  console.log(`contradictions ${report.license_contradictions_total}, of ${all.filter(({ id }) => kept.has(id)).length} tracks`);
  const side = ({ license, file }) => `${file.split('/').at(-2)} ${license ?? 'none that is taken'}`;
  const pairs = sorted(countBy(all, ({ taken, milder }) => `${side(taken)} | ${side(milder)}`));
  table(['recordings', 'stricter', 'milder'], pairs.filter(([, count]) => count > 2).map(([pair, count]) => [count, pair]));
}

if (skip) {
  console.log(skip);
} else {
  const built = await buildAllSources();
  const report = JSON.parse(readFileSync(built.report, 'utf8'));
  const server = await serveCatalog(built.catalog);
  const tracks = [...await tracksOf(server, 'kind=music'), ...await tracksOf(server, 'kind=sfx'),
    ...await tracksOf(server, 'kind=sfx&category=speech')];
  printTracks(tracks);
  printReport(report);
  printContradictions(report, tracks);
  await endAll();
  const shared = JSON.parse(readFileSync((await buildAllSources(['--allow-share-alike'])).report, 'utf8'));
  console.log(`with ShareAlike: ${number(shared.track_count)} tracks`);
  await endAll();
}
