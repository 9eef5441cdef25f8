// Measures in how many films `tonearm credits FILM` finds the track, and how many tracks it finds that are not in a film
// (CREDIT-30, CLI-28; docs/benchmarks.md).
//
//   node tests/bench/films/measure.mjs [--bin build/native/bin] [--films 50] [--tracks 60] [--only TEXT]
//
// Composes and renders tracks, builds and serves a catalog of them, and makes films: 100 s of speech by espeak-ng, with a cut of a
// track from 40 s on, faded in and out, encoded as AAC in MP4. The level of the music is relative to the speech (RMS of both). Other films have
// music that is not in the catalog: other pieces, and pieces of the catalog rendered 6 % faster. Needs espeak-ng, ffmpeg and a General
// MIDI soundfont; without them it reports that and measures nothing.

import { execFile, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';

import { all, renderPieces } from '../fingerprints/renderer.mjs';

const SOUNDFONT = '/usr/share/sounds/sf2/FluidR3_GM.sf2';
const RATE = 44_100;
const FILM_S = 100;
const CUE_AT_S = 40;
const FADE_S = 0.5;
const VOICES = ['en-us', 'en-gb', 'en-us+f3', 'en-gb+m4', 'de', 'fr'];
const SLACK_S = 3;
const root = resolve(dirname(fileURLToPath(import.meta.url)), '../../..');
const run = promisify(execFile);

const { values } = parseArgs({
  options: { bin: { type: 'string', default: 'build/native/bin' }, films: { type: 'string', default: '50' }, tracks: { type: 'string', default: '60' }, only: { type: 'string', default: '' } },
});
const bin = resolve(values.bin);
const renderer = join(bin, 'tonearm-fingerprints');
const missing = ['ffmpeg', 'espeak-ng'].filter((name) => spawnSync(name, ['--version']).error).concat([SOUNDFONT, renderer].filter((path) => !existsSync(path)));
if (missing.length > 0) {
  console.log(`skipped: it needs ${missing.join(', ')}`);
  process.exit(0);
}
process.env.TONEARM_BIN = bin;
const { ServerProcess } = await import('../../http/server_process.mjs');

const scratch = mkdtempSync(join(tmpdir(), 'films-'));
const folder = (name) => {
  mkdirSync(join(scratch, name));
  return join(scratch, name);
};

const samplesOf = (path) => {
  const bytes = readFileSync(path);
  return new Int16Array(bytes.buffer, bytes.byteOffset, bytes.length >> 1);
};

const render = (name, from, to, ...how) => renderPieces(renderer, folder(name), from, to, ...how);

/** Speaks the text of the repository's documents, one voice each. */
async function speak() {
  const path = folder('speech');
  const documents = ['README.md', 'SECURITY.md'].map((name) => readFileSync(join(root, name), 'utf8').replaceAll(/[`|#*[\]]/g, '').slice(0, 6_000));
  const speeches = VOICES.flatMap((voice, i) => documents.map((text, k) => ({ voice, text, file: join(path, `${2 * i + k}`) })));
  await all(speeches.map(({ voice, text, file }) => async () => {
    writeFileSync(`${file}.txt`, text);
    await run('espeak-ng', ['-v', voice, '-s', '160', '-f', `${file}.txt`, '-w', `${file}.wav`]);
    await run('ffmpeg', ['-v', 'error', '-nostdin', '-y', '-i', `${file}.wav`, '-f', 's16le', '-ac', '1', '-ar', String(RATE), `${file}.s16`]);
  }));
  return speeches.map(({ file }) => samplesOf(`${file}.s16`));
}

/** Builds and serves a catalog of raw tracks; returns the server and a key. */
async function serve(tracks) {
  const source = folder('source');
  await all(tracks.map((path, i) => () => run('ffmpeg', ['-v', 'error', '-nostdin', '-y', '-f', 's16le', '-ac', '1', '-ar', String(RATE), '-i', path, join(source, `${i}.flac`)])));
  writeFileSync(join(source, 'tracks.csv'), `file,license,title,author,kind\n${tracks.map((_, i) => `${i}.flac,CC-BY-4.0,Piece ${i},The Composer,music`).join('\n')}\n`);
  writeFileSync(join(source, 'tonearm.toml'), 'domain = "films.example"\nid_prefix = "film"\n');
  writeFileSync(join(scratch, 'token'), 'a-token-of-the-tests\n');
  await run(join(bin, 'tonearm-catalog'), ['build', '--source', `folder:${source}`, '--output', join(scratch, 'catalog.sqlite'), '--media-url', 'https://films.example/media']);
  const server = await ServerProcess.start({ at: (name) => join(scratch, name) });
  return { server, key: await server.newKey() };
}

const power = (samples) => samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length;

/** Numbers that are the same in every run. */
function numbers(seed) {
  let state = (seed * 2_654_435_761) >>> 0;
  return (count) => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) >>> 0;
    return state % count;
  };
}

/** Writes a film with a cut of the music under speech. */
async function makeFilm(path, music, speech, seconds, level, draw) {
  const count = FILM_S * RATE;
  const cue = seconds * RATE;
  const from = draw(music.length - cue);
  const spoken = speech.subarray(draw(speech.length - count)).subarray(0, count);
  const cut = music.subarray(from, from + cue);
  const gain = Math.sqrt(power(cut) / power(spoken)) * 10 ** (-level / 20);
  const mixed = new Float32Array(count);
  let loudest = 1;
  for (let i = 0; i < count; ++i) {
    const at = i - CUE_AT_S * RATE;
    const fade = Math.min(1, at / RATE / FADE_S, (cue - at) / RATE / FADE_S);
    mixed[i] = gain * spoken[i] + (fade > 0 ? fade * cut[at] : 0);
    loudest = Math.max(loudest, Math.abs(mixed[i]));
  }
  writeFileSync(`${path}.s16`, Int16Array.from(mixed, (sample) => Math.round((sample * 30_000) / loudest)));
  await run('ffmpeg', ['-v', 'error', '-nostdin', '-y', '-f', 's16le', '-ac', '1', '-ar', String(RATE), '-i', `${path}.s16`, '-b:a', '128k', path]);
  rmSync(`${path}.s16`);
}

/** Returns the tracks in a film: `[{title, score, times}]`. */
async function recognize(path, { server, key }) {
  const env = { PATH: process.env.PATH, HOME: scratch, TONEARM_API: server.url, TONEARM_API_KEY: key };
  const { stdout } = await run(join(bin, 'tonearm'), ['credits', path, '--format', 'json'], { env }).catch((error) => {
    if (error.code !== 1) throw error; // 1: the report is not clean
    return error;
  });
  return JSON.parse(stdout).files.map(({ track, score, times }) => ({ title: track.title, score, times }));
}

async function measure(name, served, musics, speeches, { seconds, level, isForeign = false, films }) {
  if (!name.includes(values.only)) return;
  let found = 0;
  let wrong = 0;
  const errors = [];
  const path = folder(name.replaceAll(/[^a-z0-9]+/g, '-'));
  await all(Array.from({ length: films }, (_, i) => async () => {
    const draw = numbers(i + 1);
    const number = i % musics.length;
    const music = samplesOf(musics[number]);
    const film = join(path, `${i}.mp4`);
    await makeFilm(film, music, speeches[draw(speeches.length)], seconds, level, draw);
    const tracks = await recognize(film, served);
    rmSync(film);
    const right = isForeign ? undefined : tracks.find(({ title }) => title === `Piece ${number}`);
    const use = right?.times.find(({ begin_s: begin, end_s: end }) => begin < CUE_AT_S + seconds && end > CUE_AT_S);
    if (use) {
      ++found;
      errors.push(Math.abs(use.begin_s - CUE_AT_S), Math.abs(use.end_s - CUE_AT_S - seconds));
    }
    const isLate = right?.times.some(({ begin_s: begin, end_s: end }) => begin > CUE_AT_S + seconds + SLACK_S || end < CUE_AT_S - SLACK_S);
    const others = tracks.filter((track) => track !== right || isLate);
    if (others.length > 0) ++wrong;
    for (const { title, score, times } of others) console.log(`  film ${i}: ${title}, score ${score}, at ${times.map(({ begin_s: begin, end_s: end }) => `${begin}-${end}`).join(', ')} s`);
  }));
  errors.sort((a, b) => a - b);
  const times = errors.length > 0 ? `; times off by ${errors[errors.length >> 1].toFixed(1)} s (median), ${errors[Math.floor(errors.length * 0.9)].toFixed(1)} s (90 %)` : '';
  console.log(`${name}: ${found} of ${films} found, ${wrong} wrong${times}`);
}

const films = Number(values.films);
let served;
try {
  const tracks = await render('tracks', 0, Number(values.tracks));
  const speeches = await speak();
  served = await serve(tracks);
  for (const [seconds, level] of [[10, 0], [10, -6], [10, -12], [5, -6], [30, -6], [30, -12]]) {
    await measure(`${seconds} s of music at ${level} dB under speech`, served, tracks, speeches, { seconds, level, films });
  }
  const foreign = await render('foreign', 1_000, 1_000 + films);
  await measure('30 s of other music at 0 dB', served, foreign, speeches, { seconds: 30, level: 0, isForeign: true, films });
  const faster = await render('faster', 0, Math.min(30, films), 0, 0, 106);
  await measure('10 s of the catalog 6 % faster at -6 dB', served, faster, speeches, { seconds: 10, level: -6, isForeign: true, films: faster.length });
} finally {
  await served?.server.stop();
  rmSync(scratch, { recursive: true });
}
