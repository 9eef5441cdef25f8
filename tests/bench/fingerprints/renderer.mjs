// Renders pieces of music for measurements with tonearm-fingerprints.

import { execFile } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Runs all tasks, as many at a time as there are processors. */
export async function all(tasks) {
  const left = [...tasks];
  const work = async () => {
    while (left.length > 0) await left.shift()();
  };
  await Promise.all(Array.from({ length: availableParallelism() }, work));
}

/** Renders the pieces with these numbers into a folder as raw samples, one file each; returns their paths. `how`: semitones, other players, tempo. */
export async function renderPieces(program, folder, from, to, ...how) {
  const numbers = Array.from({ length: to - from }, (_, i) => from + i);
  await all(numbers.map((n) => () => run(program, ['render', folder, n, n + 1, ...how].map(String))));
  return numbers.map((n) => join(folder, `${n}.s16`));
}
