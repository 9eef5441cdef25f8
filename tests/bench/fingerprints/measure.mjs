// How many pieces of audio are found by their fingerprints, and how many foreign ones (CREDIT-26; docs/benchmarks.md).
//
//   node tests/bench/fingerprints/measure.mjs [--bin build/native/bin] [--pieces 60] [--foreign 60] [FOLDER...]
//
// Composes and renders music, cuts pieces of 20 s, changes them with ffmpeg, and asks a catalog of the whole tracks. Audio
// files in FOLDERs are foreign: they are not in the catalog. Needs ffmpeg and a General MIDI soundfont; without them it
// says so and measures nothing.

import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

const SOUNDFONT = '/usr/share/sounds/sf2/FluidR3_GM.sf2';
const PIECE_S = 20;
const RAW = ['-f', 's16le', '-ac', '1', '-ar', '44100'];

/** Noise in the band of speech whose loudness moves as syllables do, at `db` beside the piece. */
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

const ffmpeg = (...args) => execFileSync('ffmpeg', ['-v', 'error', '-nostdin', '-y', ...args]);
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { bin: { type: 'string', default: 'build/native/bin' }, pieces: { type: 'string', default: '60' }, foreign: { type: 'string', default: '60' } },
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
const render = (name, from, to, ...how) => {
  const path = folder(name);
  execFileSync(program, ['render', path, from, to, ...how].map(String));
  return readdirSync(path).map((file) => join(path, file)).sort();
};
const seconds = (raw) => statSync(raw).size / 2 / 44_100;
const toMatched = (input, output, ...how) => ffmpeg(...input, ...how, '-f', 's16le', '-ac', '1', '-ar', '11025', output);
/** Anywhere in the track, the same at each run. */
const cutAt = (track, number) => ((number * 7.31 + 3.7) % Math.max(1, seconds(track) - PIECE_S - 1)).toFixed(3);

function change(track, number, { filter, encode, mix }, output) {
  const piece = [...RAW, '-ss', cutAt(track, number), '-t', PIECE_S, '-i', track].map(String);
  if (mix !== undefined) {
    return toMatched([...piece, '-i', join(scratch, 'speech.wav')], output, '-filter_complex', under(mix));
  }
  if (!encode) return toMatched(piece, output, '-af', filter);
  const [extension, ...codec] = encode;
  const encoded = join(scratch, `encoded.${extension}`);
  ffmpeg(...piece, '-af', filter, ...codec, encoded);
  toMatched(['-i', encoded], output);
}

function addForeign(kind, tracks, cuts) {
  const path = folder(kind.replace(/\W+/g, '-') + '-pieces');
  tracks.forEach((track, i) => {
    for (let cut = 0; cut < cuts; ++cut) {
      const output = join(path, `${i}-${cut}.s16`);
      toMatched([...RAW, '-ss', cutAt(track, i + cut * 13), '-t', PIECE_S, '-i', track].map(String), output);
      ask('', kind, output);
    }
  });
}

try {
  ffmpeg('-f', 'lavfi', '-i', 'anoisesrc=d=21:c=pink:r=44100:a=0.5:seed=1', '-af',
    'highpass=f=150,lowpass=f=3500,tremolo=f=4:d=0.9,dynaudnorm=f=500:g=3', join(scratch, 'speech.wav'));
  const tracks = render('catalog', 0, Number(values.pieces));
  const whole = folder('whole');
  tracks.forEach((track, i) => {
    toMatched([...RAW, '-i', track], join(whole, `${i}.s16`));
    lines.push(`catalog ${join(whole, `${i}.s16`)}`);
  });
  const pieces = folder('pieces');
  for (const [kind, how] of Object.entries(CHANGES)) {
    tracks.forEach((track, i) => {
      const output = join(pieces, `${kinds.length}.s16`);
      change(track, i, how, output);
      ask(`t${i}`, kind, output);
    });
  }
  const foreign = Number(values.foreign);
  addForeign('foreign: transposed by 1', render('up1', 0, foreign, 1, 0, 100), 6);
  addForeign('foreign: transposed by 3', render('up3', 0, foreign, 3, 0, 100), 6);
  addForeign('foreign: other instruments', render('players', 0, foreign, 0, 1, 100), 6);
  addForeign('foreign: 6 % faster', render('faster', 0, foreign, 0, 0, 106), 6);
  addForeign('foreign: other pieces', render('other', 1000, 1000 + foreign, 0, 0, 100), 6);
  const files = folder('files');
  positionals.flatMap((path) => readdirSync(path, { recursive: true }).map((file) => join(path, file)))
    .filter((path) => /\.(flac|wav|ogg|opus|mp3|aiff?)$/i.test(path))
    .forEach((path, i) => {
      toMatched(['-i', path], join(files, `${i}.s16`));
      ask('', 'foreign: files', join(files, `${i}.s16`));
    });

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
