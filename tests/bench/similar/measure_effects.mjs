// Measures the similar tracks of effects (docs/similar-tracks.md): prepares judgements and labels that people gave sounds
// as tables, and runs `tonearm-similar --effects` on them. The data is third-party: only figures and titles are printed.
// With --titles FILE, prints the neighbors of the effects that the file names by id.

import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../../..');
const bin = resolve(process.env.TONEARM_BIN ?? join(root, 'build/native/bin'));
const data = join(root, '../shared/data');
const work = join(root, 'build/similar');
const judgements = join(data, 'similar-sound-judgements');
const labels = join(data, 'fsdkaggle-post-competition');

/** Returns the rows of a CSV text as objects. Cells may be quoted and contain line breaks. */
function rowsOf(text) {
  const rows = [[]];
  for (const [, quoted, plain, end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/g)) {
    rows.at(-1).push((quoted ?? plain).replaceAll('""', '"').trim());
    if (end !== ',') rows.push([]);
  }
  const [names, ...cells] = rows.filter((row) => row.length > 1);
  return cells.map((row) => Object.fromEntries(names.map((name, at) => [name, row[at]])));
}

const csv = (folder, name) => rowsOf(readFileSync(join(folder, name), 'utf8'));
const write = (name, rows) => writeFileSync(join(work, name), rows.map((row) => `${row.join('\t')}\n`).join(''));
const oneLine = (text) => text.replace(/\s+/g, ' ');

/** Writes the judged sounds (id, title, milliseconds) and pairs (two ids, thousandths of the answers "similar"). */
function writeJudgements() {
  const sounds = Object.values(JSON.parse(readFileSync(join(judgements, 'audiofiles.json'), 'utf8')));
  write('sounds.tsv', sounds.map(({ id, name, duration }) => [`freesound-${id}`, oneLine(name), Math.round(duration * 1000)]));
  const share = (answers) => answers.filter((answer) => answer === 'first_option').length / answers.length;
  write('pairs.tsv', csv(judgements, 'complete_aggr_all.csv').map((row) => [
    `freesound-${row.query_id}`, `freesound-${row.result_id.replace(/^\d+-/, '')}`,
    Math.round(1000 * share(row.are_these_two_sounds_similar.split(/\s+/))),
  ]));
}

/** Writes the labels of FSDKaggle2018 and 2019: id, labels separated by commas. */
function writeLabels() {
  const known = (rows, column) => rows
    .filter((row) => row[column] && row[column] !== 'None')
    .map((row) => [`freesound-${row.freesound_id}`, row[column]]);
  write('labels_2018.tsv', ['train', 'test'].flatMap((part) => known(csv(labels, `fsdkaggle2018_${part}_post_competition.csv`), 'label')));
  write('labels_2019.tsv', ['train_curated', 'test'].flatMap((part) => known(csv(labels, `fsdkaggle2019_${part}_post_competition.csv`), 'labels')));
}

/** Writes the classes of ESC-50: the number of a sound, and the heading of its clips. */
function writeClips() {
  const headings = new Map();
  let heading = '';
  for (const line of readFileSync(join(data, 'esc50/LICENSE-per-clip.txt'), 'utf8').split('\n')) {
    heading = /^\d{3} - (.*):\s*$/.exec(line)?.[1] ?? heading;
    const clip = /^- \[\d-(\d+)-[^\]]*\]: /.exec(line);
    if (clip) headings.set(clip[1], heading);
  }
  write('clips.tsv', [...headings]);
}

const missing = [judgements, labels, join(data, 'esc50')].find((folder) => !existsSync(folder));
if (missing) {
  console.log(`skipped: there is no ${missing}`);
} else {
  mkdirSync(work, { recursive: true });
  writeJudgements();
  writeLabels();
  writeClips();
  const done = spawnSync(join(bin, 'tonearm-similar'), ['--effects', work, ...process.argv.slice(2)], { stdio: 'inherit' });
  process.exitCode = done.status ?? 1;
}
