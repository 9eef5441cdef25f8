// Measures how many pieces of audio their fingerprints find, and how many foreign pieces (CREDIT-26; docs/benchmarks.md).
//
//   node tests/bench/fingerprints/measure.mjs [--bin build/native/bin] [--pieces 60] [--foreign 60] [--cuts 6] [FOLDER...]
//
// Composes and renders music, cuts pieces of 20 s, alters them with ffmpeg, and looks them up in a catalog of the whole
// tracks. Foreign pieces are other renderings, `--cuts` pieces of each, and the audio files in FOLDERs. Needs ffmpeg and a
// General MIDI soundfont; without them it reports that and measures nothing.

import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs, promisify } from 'node:util';

import { all, renderPieces } from './renderer.mjs';

const SOUNDFONT = '/usr/share/sounds/sf2/FluidR3_GM.sf2';
const PIECE_S = 20;
const RAW = ['-f', 's16le', '-ac', '1', '-ar', '44100'];
const MATCHED_RATE = 11_025;

/** Noise in the band of speech with the rhythm of syllables, at `db` relative to the piece. */
const under = (db) => `[0]dynaudnorm=f=500:g=3,volume=-12dB[a];[1]volume=${-12 + db}dB[b];[a][b]amix=inputs=2:normalize=0:duration=shortest`;
const ENCODED = (codec, extension, filter = 'anull') => ({ encode: [extension, ...codec], filter });
const CHANGES = {
  'as it was': { filter: 'anull' },
  'levelled, -14 dB': { filter: 'acompressor=threshold=0.1:ratio=4,volume=-14dB' },
  'faded, 5 s each': { filter: 'afade=in:d=5,afade=out:st=15:d=5' },
  'MP3 128k': ENCODED(['-b:a', '128k'], 'mp3'),
  'Opus 48k': ENCODED(['-c:a', 'libopus', '-b:a', '48k'], 'opus'),
  'AAC 64k, low-pass 12 kHz': ENCODED(['-b:a', '64k'], 'm4a', 'lowpass=f=12000'),
  'noise 10 dB below the music': { mix: -10 },
  'noise as loud as the music': { mix: 0 },
  'noise 10 dB above the music': { mix: 10 },
};

const run = promisify(execFile);
const ffmpeg = (...args) => run('ffmpeg', ['-v', 'error', '-nostdin', '-y', ...args]);

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { bin: { type: 'string', default: 'build/native/bin' }, pieces: { type: 'string', default: '60' }, foreign: { type: 'string', default: '60' }, cuts: { type: 'string', default: '6' } },
});
const program = join(values.bin, 'tonearm-fingerprints');
if (!existsSync(SOUNDFONT) || spawnSync('ffmpeg', ['-version']).error || !existsSync(program)) {
  console.log(`skipped: it needs ffmpeg, ${SOUNDFONT} and ${program}`);
  process.exit(0);
}

const scratch = mkdtempSync(join(tmpdir(), 'fingerprints-'));
const lines = [];
const kinds = [];
const ask = (expected, kind, path) => {
  lines.push(`${kinds.length} ${path}`);
  kinds.push({ expected, kind });
};
const folder = (name) => {
  mkdirSync(join(scratch, name));
  return join(scratch, name);
};
const render = (name, from, to, ...how) => renderPieces(program, folder(name), from, to, ...how);
const seconds = (raw, rate = 44_100) => statSync(raw).size / 2 / rate;
const toMatched = (input, output, ...how) => ffmpeg(...input, ...how, '-f', 's16le', '-ac', '1', '-ar', String(MATCHED_RATE), output);
/** Returns a pseudo-random start in a track of this length, the same in every run. */
const cutAt = (length, number) => (number * 7.31 + 3.7) % Math.max(1, length - PIECE_S - 1);

async function change(track, number, { filter, encode, mix }, output) {
  const piece = [...RAW, '-ss', cutAt(seconds(track), number).toFixed(3), '-t', PIECE_S, '-i', track].map(String);
  if (mix !== undefined) {
    return toMatched([...piece, '-i', join(scratch, 'speech.wav')], output, '-filter_complex', under(mix));
  }
  if (!encode) return toMatched(piece, output, '-af', filter);
  const [extension, ...codec] = encode;
  const encoded = `${output}.${extension}`;
  await ffmpeg(...piece, '-af', filter, ...codec, encoded);
  await toMatched(['-i', encoded], output);
}

async function addForeign(kind, from, to, ...how) {
  const name = kind.replace(/\W+/g, '-');
  const path = folder(`${name}-pieces`);
  const tracks = await render(name, from, to, ...how);
  await all(tracks.map((track, i) => async () => {
    const whole = join(path, `${i}.whole`);
    await toMatched([...RAW, '-i', track], whole);
    rmSync(track);
    const samples = readFileSync(whole);
    for (let cut = 0; cut < Number(values.cuts); ++cut) {
      const begin = 2 * Math.round(cutAt(seconds(whole, MATCHED_RATE), i + cut * 13) * MATCHED_RATE);
      const output = join(path, `${i}-${cut}.s16`);
      writeFileSync(output, samples.subarray(begin, begin + 2 * PIECE_S * MATCHED_RATE));
      ask('', kind, output);
    }
    rmSync(whole);
  }));
}

try {
  await ffmpeg('-f', 'lavfi', '-i', 'anoisesrc=d=21:c=pink:r=44100:a=0.5:seed=1', '-af',
    'highpass=f=150,lowpass=f=3500,tremolo=f=4:d=0.9,dynaudnorm=f=500:g=3', join(scratch, 'speech.wav'));
  const tracks = await render('catalog', 0, Number(values.pieces));
  const whole = folder('whole');
  tracks.forEach((_, i) => lines.push(`catalog ${join(whole, `${i}.s16`)}`));
  await all(tracks.map((track, i) => () => toMatched([...RAW, '-i', track], join(whole, `${i}.s16`))));
  const pieces = folder('pieces');
  for (const [kind, how] of Object.entries(CHANGES)) {
    await all(tracks.map((track, i) => async () => {
      const output = join(pieces, `${kinds.length}.s16`);
      ask(`t${i}`, kind, output);
      await change(track, i, how, output);
    }));
  }
  const foreign = Number(values.foreign);
  await addForeign('foreign: transposed by 1', 0, foreign, 1, 0, 100);
  await addForeign('foreign: transposed by 3', 0, foreign, 3, 0, 100);
  await addForeign('foreign: other instruments', 0, foreign, 0, 1, 100);
  await addForeign('foreign: 6 % faster', 0, foreign, 0, 0, 106);
  await addForeign('foreign: other pieces', 1000, 1000 + foreign, 0, 0, 100);
  const files = folder('files');
  const found = positionals.flatMap((path) => readdirSync(path, { recursive: true }).map((file) => join(path, file)))
    .filter((path) => /\.(flac|wav|ogg|opus|mp3|aiff?)$/i.test(path));
  found.forEach((_, i) => ask('', 'foreign: files', join(files, `${i}.s16`)));
  await all(found.map((path, i) => () => toMatched(['-i', path], join(files, `${i}.s16`))));

  const answers = execFileSync(program, ['match'], { input: lines.join('\n') + '\n', maxBuffer: 1 << 26, encoding: 'utf8' });
  const table = new Map();
  for (const line of answers.trim().split('\n')) {
    const [number, ...found] = line.split(' ');
    const { expected, kind } = kinds[number];
    const row = table.get(kind) ?? { files: 0, found: 0, wrong: 0 };
    ++row.files;
    if (found.length === 1 && found[0] === expected) ++row.found;
    if (found.some((id) => id !== expected)) ++row.wrong;
    table.set(kind, row);
  }
  console.log('| piece | files | found | wrong |\n|---|---|---|---|');
  for (const [kind, { files: count, found, wrong }] of table) console.log(`| ${kind} | ${count} | ${found} | ${wrong} |`);
} finally {
  rmSync(scratch, { recursive: true });
}
