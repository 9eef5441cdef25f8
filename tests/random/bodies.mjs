// Random bodies for the routes of collections and of the admin interface, some of them wrong.

const NAMES = ['Rain', '  trimmed  ', 'Ü'.repeat(80), 'x', '"quotes" & <tags>', 'Spot, 30 s', '=1+1', '*bold*', 'Второй'];
const BAD_NAMES = ['', '   ', 'x'.repeat(81), 'two\nlines', 'bidi \u202e override', 7, null, ['a'], {}];
const NOTES = ['intro', 'two\nlines\tand a tab', '', null, 'x'.repeat(500), '😀 note', 'a, "b"; c'];
const BAD_NOTES = ['x'.repeat(501), 'bell \u0007', 5, {}];
const CHIPS = ['trimmed', 'loudness adjusted', 'looped', 'edited'];
const BAD_MODIFICATIONS = [{ chips: ['bent'] }, { text: 'x'.repeat(201) }, { other: 1 }, 'trimmed', { chips: 'looped' }, []];

/** A placeholder string for a revision, which is a number in the body. */
const revisionMark = (name) => `\u0001${name}\u0001`;
const withRevision = (text) => text.replaceAll(/"\\u0001(.*?)\\u0001"/g, '{$1}');

const name = (draw) => (draw.chance(0.1) ? draw.of(BAD_NAMES) : draw.of(NAMES));
const note = (draw) => (draw.chance(0.07) ? draw.of(BAD_NOTES) : draw.of(NOTES));
function modifications(draw) {
  if (draw.chance(0.07)) return draw.of(BAD_MODIFICATIONS);
  if (draw.chance(0.1)) return null;
  const out = {};
  if (draw.chance(0.7)) out.chips = draw.some(CHIPS, draw.between(0, 3));
  if (draw.chance(0.5)) out.text = draw.of(['cut to 20 s', '', 'fade\nout']);
  return out;
}

/** Returns mostly the collection's revision. `captured`: the name of its capture. */
const revision = (draw, captured) =>
  draw.weighted([[9, revisionMark(captured)], [2, draw.between(1, 4)], [0.3, 0], [0.3, '1'], [0.2, 1.5], [0.2, 1e300]]);

export const newCollection = (draw) => ({
  name: name(draw),
  ...(draw.chance(0.4) && { commercial: draw.of([true, true, true, false, false, 'yes', null]) }),
});

export const changedCollection = (draw, captured) => ({
  ...(draw.chance(0.95) && { revision: revision(draw, captured) }),
  ...(draw.chance(0.6) && { name: name(draw) }),
  ...(draw.chance(0.5) && { commercial: draw.chance(0.5) }),
});

const remarks = (draw) => ({
  ...(draw.chance(0.3) && { note: note(draw) }),
  ...(draw.chance(0.3) && { modifications: modifications(draw) }),
});
const guard = (draw, captured) => (draw.chance(0.4) ? { revision: revision(draw, captured) } : {});

/** `ids`: the tracks to add. */
export const newItems = (draw, captured, ids) => ({
  ...(ids.length === 1 && draw.chance(0.8) ? { track: ids[0] } : { tracks: ids }),
  ...(draw.chance(0.02) && { track: 'os-101' }),
  ...remarks(draw),
  ...guard(draw, captured),
});

export const changedItem = (draw, captured) => ({
  ...remarks(draw),
  ...(draw.chance(0.5) && { position: draw.of([0, 0, 1, 2, 5, 999, -1, 1.5, '0']) }),
  ...guard(draw, captured),
});

export const order = (draw, captured, ids) => ({ tracks: ids, ...guard(draw, captured) });

const FILES = [
  'Rain on a Tin Roof.mp3', '01 - Paper Lanterns - Midnight Tram (1).mp3', 'Overpass.wav', 'os-101.flac', 'x os-102 os-103.wav', 'harbour_lights',
  '7 Overpass.wav', 'neon%20alphabet.mp3', '104183__ada__rain.wav', '104183_5-hq.mp3', '\u5fae - x', 'a/b\\c', ' ', 'STRA\u00dfENLATERNEN.MP3', '', 7, 'x'.repeat(1_025),
];
const ADDRESSES = [
  'https://openshelf.example.org/tracks/101', 'http://www.openshelf.example.org/files/os-102.flac?token=1', 'http://127.0.0.1:8080/tracks/os-104',
  'https://freesound.org/s/104183/', 'https://openshelf.example.org/', 'ftp://a', '', null,
];
const file = (draw) => ({
  name: draw.of(FILES),
  ...(draw.chance(0.3) && { url: draw.of(ADDRESSES) }),
  ...(draw.chance(0.3) && { duration_s: draw.of([120, 184.25, 240, 0.4, 240, null, 0, '1', 1e300]) }),
  ...(draw.chance(0.1) && { sha256: draw.of(['0'.repeat(64), 'x']) }),
  ...(draw.chance(0.1) && { fingerprint: draw.of(['AQAAAQE', 'AQAAC0kk', 'AQ==', 'A']) }),
});
export const files = (draw) => ({ files: Array.from({ length: draw.weighted([[9, draw.between(1, 5)], [0.3, 0], [0.3, 101]]) }, () => file(draw)) });

export const plan = (draw) => ({ plan: draw.weighted([[4, 'free'], [5, 'pro'], [4, 'unlimited'], [1, 'gold'], [1, 3]]) });
export const session = (draw) => draw.of([{}, ...[60, 3_600, 43_200, 43_201, 0].map((ttl) => ({ ttl_s: ttl }))]);

const ODD_TEXTS = [
  '', '{', '[]', 'null', '{"name":"a","name":"b"}', '{"name":"a"} x', '\ufeff{"name":"a"}', '{"name":"\\ud800"}',
  '{"name":1e999}', '{"name":"a","unknown":1}', `{"name":${'['.repeat(17)}${']'.repeat(17)}}`, "{'name':'a'}", '{"name":"a",}',
  `{"name":"${'x'.repeat(65_525)}"}`, `{"tracks":["${'x'.repeat(201)}"]}`, '{"name":"\\u0000"}',
];

/** One byte longer than the maximum (BODY-2). */
const TOO_LARGE = `{"name":"${'x'.repeat(65_526)}"}`;

/** Returns the text of a body, sometimes a wrong one. */
export function textOf(draw, value) {
  if (draw.chance(0.015)) return TOO_LARGE;
  return draw.chance(0.06) ? draw.of(ODD_TEXTS) : withRevision(JSON.stringify(value));
}

/** Returns the header fields for a body. */
export function fieldsOf(draw) {
  return draw.weighted([
    [80, { 'Content-Type': 'application/json' }],
    [5, {}],
    [3, { 'Content-Type': 'application/json; charset=utf-8' }],
    [2, { 'Content-Type': 'text/plain' }],
    [1, { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' }],
  ]);
}

/** Returns the preference for a short answer to a write, or none (COLLECTION-13). */
export const preferenceOf = (draw) =>
  draw.weighted([
    [12, {}],
    [2, { Prefer: 'return=minimal' }],
    [0.5, { Prefer: 'respond-async, Return="minimal"; x' }],
    [0.5, { Prefer: 'return=representation' }],
  ]);
