// Compares the output of tonearm-measure for the demo's pieces with their known properties: level, true peak, silence, loops,
// tempo and key; and the similarity of timbre with the genre. docs/demo.md lists the results.
//   node tests/bench/audio/judge-demo.mjs build/native/bin/tonearm-measure DIR     (DIR from `tonearm-catalog demo`)
// The exit status is 1 if a piece violates BUILD-16.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

const [program, folder] = process.argv.slice(2);
const audio = join(folder, 'audio');
const PIECES = join(import.meta.dirname, '../../../demo-composer/data/pieces.toml');

/** Parses the tables of the pieces: one `key = value` per line, with JSON values. */
function piecesOf(text) {
  const tables = text.split('[[piece]]').slice(1);
  return tables.map((table) =>
    Object.fromEntries([...table.matchAll(/^(\w+) = (.*)$/gm)].map(([, key, value]) => [key, JSON.parse(value)])),
  );
}

const out = execFileSync(program, [audio], { encoding: 'utf8', maxBuffer: 1 << 28, stdio: ['ignore', 'pipe', 'ignore'] });
const measured = new Map(out.trim().split('\n').map(JSON.parse).map((file) => [basename(file.path), file]));
const pieces = piecesOf(readFileSync(PIECES, 'utf8')).map((piece) => {
  const file = measured.get(`${piece.name}.ogg`);
  return { ...file, detectedKey: file.key, ...piece };
});

const list = (names) => (names.length ? names.join(', ') : 'none');
const isNear = (a, b) => Math.abs(a / b - 1) <= 0.02;
const range = (values) => `${Math.min(...values)} to ${Math.max(...values)}`;

function judgeLevels() {
  const wrong = pieces.filter(
    (piece) => piece.error || Math.abs(piece.loudness_tenths + 160) > 10 || piece.true_peak_tenths >= -10 || piece.clipped_thousandths,
  );
  const loops = pieces.filter((piece) => piece.loop);
  console.log(`${pieces.length} pieces, ${Math.round(pieces.reduce((sum, piece) => sum + piece.duration_ms, 0) / 1000)} s`);
  console.log(`  loudness ${range(pieces.map((piece) => piece.loudness_tenths / 10))} LUFS`);
  console.log(`  true peak ${range(pieces.map((piece) => piece.true_peak_tenths / 10))} dBTP`);
  console.log(`  silence at the ends, thousandths of the length: ${range(pieces.map((piece) => piece.silence_thousandths))}`);
  const levels = wrong.map((piece) => `${piece.name} ${piece.loudness_tenths / 10} ${piece.true_peak_tenths / 10}`);
  console.log(`  violate BUILD-16: ${list(levels)}`);
  const undetected = loops.filter((piece) => !piece.is_seamless_loop).map((piece) => piece.name);
  console.log(`  loops detected: ${loops.length - undetected.length} of ${loops.length}; not detected: ${list(undetected)}`);
  return wrong.length === 0;
}

function judgeTempi() {
  const hits = [];
  const octaves = [];
  const none = [];
  const wrong = [];
  for (const piece of pieces) {
    const detected = piece.bpm_hundredths / 100;
    if (!detected) none.push(piece.name);
    else if (isNear(detected, piece.bpm)) hits.push(piece.name);
    else if ([0.5, 2].some((factor) => isNear(detected, piece.bpm * factor))) octaves.push(`${piece.name} ${detected} for ${piece.bpm}`);
    else wrong.push(`${piece.name} ${detected} for ${piece.bpm}`);
  }
  console.log(`tempo: ${hits.length} within 2 %, ${octaves.length} an octave off, ${wrong.length} another, none detected in ${none.length}`);
  console.log(`  octaves: ${list(octaves)}\n  another: ${list(wrong)}\n  none detected: ${list(none)}`);
}

/** Returns the pitch class of a name with sharps or flats. */
const pitch = (name) => ({ C: 0, D: 2, E: 4, F: 5, G: 7, A: 9, B: 11 })[name[0]] + (name[1] === '#' ? 1 : name[1] === 'b' ? -1 : 0);
/** The semitones from the tonic of the major scale with the same notes. */
const MODES = { major: 0, dorian: 2, mixolydian: 7, minor: 9 };
const scale = (key) => (pitch(key.split(' ')[0]) - MODES[key.split(' ')[1]] + 24) % 12;

function judgeKeys() {
  const detected = pieces.filter((piece) => piece.detectedKey);
  const notes = detected.filter((piece) => scale(piece.detectedKey) === scale(piece.key));
  const same = notes.filter((piece) => (pitch(piece.detectedKey) - pitch(piece.key)) % 12 === 0);
  console.log(`key: detected in ${detected.length}, tonic and mode right in ${same.length}, the notes of the scale right in ${notes.length}`);
}

const distance = (a, b) => a.reduce((sum, value, i) => sum + (value - b[i]) ** 2, 0);
const tags = (piece) => [...piece.moods, ...piece.uses];

/** Counts the same ones among the five nearest others. Ties count in proportion. */
function sameOfFive(piece, isSame, far) {
  const places = pieces
    .filter((other) => other !== piece)
    .map((other) => ({ far: far(piece, other), same: isSame(piece, other) }))
    .sort((a, b) => a.far - b.far);
  const limit = places[4].far;
  const nearer = places.filter((place) => place.far < limit);
  const tied = places.filter((place) => place.far === limit);
  return nearer.filter((place) => place.same).length + ((5 - nearer.length) * tied.filter((place) => place.same).length) / tied.length;
}

function judgeLikeness() {
  const measures = {
    timbre: (one, other) => distance(one.timbre, other.timbre),
    'moods and uses': (one, other) => -tags(one).filter((tag) => tags(other).includes(tag)).length,
    chance: () => 0,
  };
  for (const [name, far] of Object.entries(measures)) {
    const share = (isSame) => ((20 * pieces.reduce((sum, piece) => sum + sameOfFive(piece, isSame, far), 0)) / pieces.length).toFixed(1);
    const genre = share((one, other) => one.genre === other.genre);
    console.log(`first five by ${name}: ${genre} % of the same genre`);
  }
}

const isRight = judgeLevels();
judgeTempi();
judgeKeys();
judgeLikeness();
process.exitCode = isRight ? 0 : 1;
