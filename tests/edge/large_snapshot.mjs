// Builds a snapshot with more blocks than a core with a small cache can hold: thousands of tracks with many words.

import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

import { root } from '../cases/build_folder.mjs';

const TRACKS = 2_000;
const WORDS = ['rain', 'river', 'stone', 'glass', 'ember', 'harbor', 'meadow', 'signal', 'copper', 'winter', 'lantern', 'orbit'];
const TEMPOS = 120;

/** Returns a word that one percent of the tracks have. */
export const rareWord = (number) => `rare${'abcdefghij'[number % 10]}${'abcdefghij'[Math.floor(number / 10) % 10]}`;
export const trackId = (number) => `track-${number}`;

function line(number, edition) {
  const word = (step) => WORDS[(number * step) % WORDS.length];
  const text = Array.from({ length: 40 }, (_, i) => `${word(i + 1)}${(number * 31 + i * 7) % 97}`).join(' ');
  return JSON.stringify({
    id: trackId(number),
    kind: 'music',
    title: `${word(1)} ${word(5)} ${number} ${edition}`,
    artist: `Artist ${number % 300}`,
    description: `${rareWord(number)} ${text}`,
    license: 'cc-by-4.0',
    duration_s: 30 + (number % 400),
    bpm: 60 + (number % TEMPOS),
    source: 'fieldnotes.example.org',
    source_page: `https://fieldnotes.example.org/tracks/${number}`,
    original_url: `https://fieldnotes.example.org/files/${number}.flac`,
  });
}

/** Returns the bytes of a snapshot. `build` is a native build folder with tonearm-catalog; `edition` distinguishes versions. */
export function largeSnapshot(build, edition = 'first') {
  const folder = mkdtempSync(join(tmpdir(), 'tonearm-large-'));
  try {
    const input = join(folder, 'tracks.jsonl');
    const output = join(folder, 'catalog.sqlite');
    writeFileSync(input, Array.from({ length: TRACKS }, (_, number) => `${line(number, edition)}\n`).join(''));
    const program = resolve(root, build, 'bin/tonearm-catalog');
    const { status, error, stderr } = spawnSync(program, ['build', '--strict', '--input', input, '--output', output], { encoding: 'utf8' });
    if (error) throw error;
    if (status !== 0) throw new Error(`tonearm-catalog exited with ${status}: ${stderr}`);
    return readFileSync(output);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
