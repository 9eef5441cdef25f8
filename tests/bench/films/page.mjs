// Measures how long the page listens to a film in Chromium: 20 minutes of noise over melodies, in several codecs.
// Usage: node tests/bench/films/page.mjs      (TONEARM_BIN: the programs' folder)

import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';

import { Stage } from '../../browser/stage.mjs';
import { wav } from '../../command-line/project.mjs';

const MINUTES = 20;
const stage = await Stage.open({ lines: [] });
try {
  writeFileSync(stage.at('melody.wav'), wav(88, { seconds: 60 }));
  for (const [name, ...codec] of [['film.webm', 'libopus'], ['film.flac', 'flac'], ['film.mp3', 'libmp3lame'], ['film.m4a', 'aac']]) {
    const made = spawnSync('ffmpeg', ['-v', 'error', '-stream_loop', String(MINUTES - 1), '-i', 'melody.wav', '-ar', '48000', '-ac', '2', '-c:a', ...codec, name], { cwd: stage.path, encoding: 'utf8' });
    if (made.status !== 0) throw new Error(made.stderr);
    const page = await stage.visit('/film');
    await page.waitForSelector('.drop');
    const begin = performance.now();
    await page.setInputFiles('.drop input', stage.at(name));
    await page.waitForSelector('.state[data-state=done]', { state: 'attached', timeout: 600_000 });
    const seconds = (performance.now() - begin) / 1000;
    const problem = await page.$eval('[data-problem]', (notice) => notice.textContent).catch(() => '');
    console.log(`${name}: ${(seconds / MINUTES).toFixed(2)} s per minute of film ${problem}`);
    await page.close();
  }
} finally {
  await stage.end();
}
