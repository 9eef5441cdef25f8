// Compares the output of tonearm-measure with known tempi and loops of ../shared/data/audio, and timbre with the families of the
// package sonic-pi-samples. Reports which of them are absent.
//   node tests/bench/audio/judge.mjs build/native/bin/tonearm-measure [FOLDER]
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';

const [program, folder = join(import.meta.dirname, '../../../../shared/data/audio')] = process.argv.slice(2);
const SAMPLES = '/usr/share/sonic-pi/samples';
// Tempi that sources state or that divide the length exactly; see the folder's README.md.
const STATED_97 = ['perc1', 'perc2', 'mehackit1', 'mehackit2', 'electric', 'weirdo', 'drone_g_97'];
const TEMPI = new Map([
  ...STATED_97.map((name) => [`sonic-pi/loop_${name}.flac`, 97]),
  ['sonic-pi/loop_amen.flac', 136.88],
  ['sonic-pi/loop_amen_full.flac', 140],
  ['sonic-pi/loop_breakbeat.flac', 126],
  ['sonic-pi/loop_compus.flac', 148],
  ['sonic-pi/loop_garzul.flac', 120],
  ['sonic-pi/loop_mika.flac', 120],
  ['sonic-pi/loop_safari.flac', 119.92],
  ['sonic-pi/loop_tabla.flac', 89.94],
  ['sonic-pi/loop_industrial.flac', 135.79],
  ['mp3/Gold_Rush_Kevin_MacLeod.mp3', 120],
]);

function measured(path) {
  const out = execFileSync(program, [path], { encoding: 'utf8', maxBuffer: 1 << 28, stdio: ['ignore', 'pipe', 'ignore'] });
  return out.trim().split('\n').map(JSON.parse);
}

const isNear = (a, b) => Math.abs(a / b - 1) <= 0.02;
const list = (names) => (names.length ? names.join(', ') : 'none');

function judgeTempi(files) {
  const hits = [];
  const octaves = [];
  const misses = [];
  const wrong = [];
  const invented = [];
  for (const file of files) {
    const name = relative(folder, file.path);
    const bpm = file.bpm_hundredths / 100;
    const truth = TEMPI.get(name);
    if (!truth) {
      if (bpm) invented.push(`${name} ${bpm} (confidence ${file.bpm_confidence})`);
    } else if (!bpm) misses.push(name);
    else if (isNear(bpm, truth)) hits.push(name);
    else if ([0.5, 2].some((factor) => isNear(bpm, truth * factor))) octaves.push(`${name} ${bpm}`);
    else wrong.push(`${name} ${bpm} for ${truth}`);
  }
  console.log(`tempo: ${TEMPI.size} known, ${hits.length} within 2 %, ${hits.length + octaves.length} with octave errors`);
  console.log(`  octave errors: ${list(octaves)}\n  no tempo detected: ${list(misses)}\n  wrong: ${list(wrong)}`);
  console.log(`  ${files.length - TEMPI.size} files without tempo, a tempo invented for ${invented.length}: ${list(invented)}`);
}

function judgeLoops(files) {
  const isLoop = (name) => /^(blanket\/|sonic-pi\/loop_)/.test(name);
  const named = files.map((file) => ({ name: relative(folder, file.path), detected: file.is_seamless_loop }));
  const loops = named.filter(({ name }) => isLoop(name));
  const others = named.filter(({ name }) => !isLoop(name));
  console.log(`loops: ${loops.filter(({ detected }) => detected).length} of ${loops.length} found`);
  console.log(`  not found: ${list(loops.filter(({ detected }) => !detected).map(({ name }) => name))}`);
  console.log(`  others detected as loops, of ${others.length}: ${list(others.filter(({ detected }) => detected).map(({ name }) => name))}`);
}

const distance = (a, b) => a.reduce((sum, value, i) => sum + (value - b[i]) ** 2, 0);
const prefix = (file) => basename(file.path).split('_')[0];
/** Returns the words of a name without its family and without serial numbers. */
const words = (file) => basename(file.path, '.flac').split('_').slice(1).map((word) => word.replace(/\d+$/, '')).filter(Boolean);

/** Counts those of the family among the five nearest `others`. Ties count in proportion. */
function sameOfFive(others, isSame, far) {
  const places = others.map((other) => ({ far: far(other), same: isSame(other) })).sort((a, b) => a.far - b.far);
  const limit = places[4].far;
  const nearer = places.filter((place) => place.far < limit);
  const tied = places.filter((place) => place.far === limit);
  const share = tied.filter((place) => place.same).length / tied.length;
  return nearer.filter((place) => place.same).length + (5 - nearer.length) * share;
}

/** Prints the share of the five nearest files in the same family, for families of at least `least` files. */
function judgeFamilies(files, least) {
  const counts = new Map();
  for (const file of files) counts.set(prefix(file), (counts.get(prefix(file)) ?? 0) + 1);
  const judged = files.filter((file) => file.timbre.length && counts.get(prefix(file)) >= least);
  const measures = {
    timbre: (file) => (other) => distance(file.timbre, other.timbre),
    'words of the name': (file) => (other) => -words(other).filter((word) => words(file).includes(word)).length,
    chance: () => () => 0,
  };
  console.log(`families: share of the first five of the same family, ${judged.length} files`);
  for (const [name, farFrom] of Object.entries(measures)) {
    let same = 0;
    for (const file of judged) {
      const others = judged.filter((other) => other !== file);
      same += sameOfFive(others, (other) => prefix(other) === prefix(file), farFrom(file));
    }
    console.log(`  by ${name}: ${((20 * same) / judged.length).toFixed(1)} %`);
  }
}

if (existsSync(folder)) {
  if (!existsSync(join(folder, 'manifest.csv')) || !readFileSync(join(folder, 'manifest.csv'), 'utf8').startsWith('file,')) {
    throw new Error(`${folder} contains no manifest.csv`);
  }
  const files = measured(folder);
  const errors = files.filter((file) => file.error);
  console.log(`${files.length} files, not measured: ${list(errors.map((file) => `${file.path}: ${file.error}`))}`);
  judgeTempi(files);
  judgeLoops(files);
} else console.log(`skipped: ${folder} is not there`);
if (existsSync(SAMPLES)) {
  const samples = measured(SAMPLES).filter((file) => !file.error);
  judgeFamilies(samples, 6);
} else console.log(`skipped: ${SAMPLES} is not there (package sonic-pi-samples)`);
