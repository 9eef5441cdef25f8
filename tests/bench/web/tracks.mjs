// Generates a catalog of any size with the words that measure.mjs types. Deterministic.

import { closeSync, openSync, writeSync } from 'node:fs';

export const WORDS = ('rain piano night calm dark river happy drums storm guitar light slow lake city door wind glass paper blue red fast road train bird '
  + 'voice deep high soft loud cold warm summer winter dance dream echo stone fire sea moon').split(' ');
const LINES_AT_ONCE = 2000;

/** Returns a number below `limit` from a linear congruential generator. Uses its high bits, because the period of its low bits is short. */
function numbers(seed) {
  let state = BigInt(seed);
  return (limit) => {
    state = (state * 6364136223846793005n + 1442695040888963407n) & 0xffffffffffffffffn;
    return Number(state >> 33n) % limit;
  };
}

function line(index, below) {
  const one = (list) => list[below(list.length)];
  const word = () => WORDS[Math.min(below(WORDS.length), below(WORDS.length))]; // the first words are the most common
  const isMusic = index % 4 > 0;
  return {
    id: `gen-${index}`, kind: isMusic ? 'music' : 'sfx', title: `${word()} ${word()} ${word()}`, artist: `Artist ${below(3000)}`,
    description: `A ${word()} ${word()} with ${word()} and ${word()}, ${word()} ${word()}.`, duration_s: 5 + below(400), bpm: isMusic ? 60 + below(120) : null,
    tags: isMusic ? { genre: [one(['ambient', 'rock', 'jazz', 'folk'])], mood: [one(['calm', 'dark', 'happy'])], instrument: [one(['piano', 'guitar', 'drums'])] }
      : { sfx: [one(['impact', 'nature'])] },
    license: one(['cc0', 'cc-by-4.0', 'cc-by-nc-4.0']), source: `s${below(9)}.example`, quality: below(1000) / 1000, neighbors: [],
  };
}

export function writeTracks(file, count) {
  const below = numbers(7);
  const out = openSync(file, 'w');
  for (let from = 0; from < count; from += LINES_AT_ONCE) {
    const size = Math.min(LINES_AT_ONCE, count - from);
    writeSync(out, Array.from({ length: size }, (_, at) => `${JSON.stringify(line(from + at, below))}\n`).join(''));
  }
  closeSync(out);
}
