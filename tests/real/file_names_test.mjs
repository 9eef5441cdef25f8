// Matches files with tracks: 200 names and URLs made from the raw files of the real sources, as the sources name their
// downloads and as people and players rename them, and 60 of recordings that the catalog does not have. None may match
// another track; of the 200, four in five must match their own (CREDIT-12, CREDIT-20 to CREDIT-24).
// Usage: node --test tests/real/file_names_test.mjs      (TONEARM_BIN: the folder of the programs, by default build/native/bin)

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, test } from 'node:test';

import { data, endAll, objects, raw, serveAllSources, skip, tracksOf } from './real_catalog.mjs';

const FILES = 200;
const STRANGERS = 60;

/** Replaces characters that file names cannot contain. */
const inFile = (text) => text.replaceAll(/[/\\:*?"<>|]/g, '_').trim();
const slug = (text) => text.toLowerCase().replace(/\.(wav|mp3|aiff?|flac|ogg)$/, '').replaceAll(/[^a-z0-9]+/g, '-');
const underscored = (text) => inFile(text).replaceAll(' ', '_');

/** Each makes a file of a recording: `{title, artist, duration, number, page, file}`. */
const SONGS = {
  plain: ({ artist, title }) => ({ name: `${inFile(artist)} - ${inFile(title)}.mp3` }),
  numbered: ({ artist, title }) => ({ name: `03 - ${inFile(artist)} - ${inFile(title)}.mp3` }),
  titled: ({ title, duration }) => ({ name: `07. ${inFile(title)}.flac`, duration_s: duration + 0.4 }),
  copied: ({ artist, title }) => ({ name: `${underscored(artist)}_-_${underscored(title)} (1).mp3` }),
  encoded: ({ artist, title }) => ({ name: `${encodeURIComponent(`${artist} - ${title}`)}.mp3` }),
  marked: ({ artist, title }) => ({ name: `Music/${inFile(title)} - ${inFile(artist)} [320kbps].mp3` }),
  short: ({ title, duration }) => ({ name: `${inFile(title)}.mp3`, duration_s: duration }),
  foldered: ({ artist, title, duration }) => ({ name: `C:\\Music\\${inFile(artist)} - Album - 05 - ${inFile(title)}.mp3`, duration_s: duration }),
};
const SOUNDS = {
  download: ({ number, artist, title }) => ({ name: `${number}__${slug(artist)}__${slug(title)}.wav` }),
  again: ({ number, artist, title }) => ({ name: `sfx/${number}__${slug(artist)}__${slug(title)} (2).mp3` }),
  page: ({ number, artist }) => ({ name: 'sound.wav', url: `http://www.freesound.org/people/${encodeURIComponent(artist)}/sounds/${number}/?utm_source=a` }),
  link: ({ number }) => ({ name: 'a.wav', url: `https://freesound.org/s/${number}/` }),
  id: ({ number }) => ({ name: `rain loop freesound-${number}.ogg` }),
};
const FORMS = {
  freesound: SOUNDS,
  jamendo: {
    ...SONGS,
    shop: ({ number, artist, title }) => ({ name: `01 - ${number} - ${inFile(artist)} - ${inFile(title)}.mp3` }),
    page: ({ number, title }) => ({ name: 'track.mp3', url: `https://www.jamendo.com/track/${number}/${slug(title)}` }),
    stream: ({ number }) => ({ name: 'x', url: `https://prod-1.storage.jamendo.com/?trackid=${number}&format=mp32` }),
  },
  incompetech: {
    ...SONGS,
    own: ({ file }) => ({ name: file }),
    page: ({ page }) => ({ name: 'x.mp3', url: page.replace('&Search=Search', '').replace('https://', 'http://www.') }),
    file: ({ file }) => ({ name: 'x.mp3', url: `https://incompetech.com/music/royalty-free/mp3-royaltyfree/${encodeURIComponent(file)}` }),
  },
  archive: { ...SONGS, file: ({ page }) => ({ name: 'x', url: `${page.replace('http://www.', 'https://')}?download=1` }) },
  fma: { titled: SONGS.titled, short: SONGS.short },
};

const order = (text) => createHash('sha256').update(text).digest('hex');
const inOrder = (list, key) => list.map((one) => [order(key(one)), one]).sort(([a], [b]) => (a < b ? -1 : 1)).map(([, one]) => one);

/** Reads recordings by source from the raw files. */
function recordings() {
  const all = { freesound: [], jamendo: [], incompetech: [], archive: [], fma: [] };
  for (const line of raw('openverse-recorded-answers/audio_results.jsonl').trim().split('\n')) {
    const row = JSON.parse(line);
    const number = /(\d+)\/?$/.exec(row.foreign_landing_url)[1];
    const one = { number, title: row.title, artist: row.creator, duration: row.duration / 1000, id: `${row.source}-${number}` };
    if (row.source === 'freesound') all.freesound.push(one);
  }
  for (const name of ['follow_the_bass', 'metal_paradise', 'piano_deep_dive']) {
    for (const sound of Object.values(JSON.parse(raw(`freesound-api-samples/demo_session_${name}.json`)).data.sounds.byID)) {
      const number = /sounds\/(\d+)\/?$/.exec(sound.url ?? '')?.[1];
      if (number) all.freesound.push({ number, title: sound.name, artist: sound.username, duration: sound.duration, id: `freesound-${number}` });
    }
  }
  for (const row of objects(raw('jamendo-cyanite/tracks.csv'))) {
    all.jamendo.push({ number: row.track_id, title: row.name, artist: row.artist_name, duration: Number(row.duration), id: `jamendo-${row.track_id}` });
  }
  for (const row of objects(raw('fma-metadata/fma-rock-vs-hiphop.csv'))) {
    all.fma.push({ title: row.title, artist: '', duration: Number(row.duration), id: `fma-${row.track_id}` });
  }
  const songs = new DatabaseSync(join(data, 'incompetech/incompetech_songs-2025.db'), { readOnly: true });
  for (const row of songs.prepare('SELECT title, url, length, mp3_filename FROM songs').all()) {
    const duration = (row.length ?? '').split(':').reduce((sum, part) => 60 * sum + Number(part), 0);
    all.incompetech.push({ title: row.title, artist: 'Kevin MacLeod', duration, page: row.url, file: row.mp3_filename, is: ['source_page', row.url] });
  }
  for (const row of objects(raw('freemusi-cc/tracks.csv'))) {
    const page = row.trackurl.trim().replaceAll(' ', '%20');
    all.archive.push({ title: row.title, artist: row.trackartist, duration: Number(row.duration), page, is: ['original_url', page] });
  }
  return all;
}

const ask = async (server, target, body) => {
  const response = await fetch(server.url + target, {
    method: body ? 'POST' : 'GET',
    headers: { Authorization: `Bearer ${server.key}`, 'Content-Type': 'application/json' },
    body: body && JSON.stringify(body),
  });
  const answer = await response.json();
  assert.equal(response.status, 200, JSON.stringify(answer));
  return answer;
};

/** Splits the recordings of a source into those in the catalog, with their tracks, and others. */
async function splitByCatalog(server, source, list) {
  const known = [];
  const strangers = [];
  const few = inOrder(list.filter((one) => one.title?.trim() && one.duration > 0), (one) => JSON.stringify(one)).slice(0, 1_000);
  if (list[0].is) {
    const domain = source === 'incompetech' ? 'incompetech.com' : 'archive.org';
    const tracks = [...await tracksOf(server, `kind=music&source=${domain}`)];
    const byAddress = new Map(tracks.map((track) => [track[list[0].is[0]], track.id]));
    for (const one of few) (byAddress.has(one.is[1]) ? known : strangers).push({ ...one, id: byAddress.get(one.is[1]) });
  } else {
    for (let at = 0; at < few.length; at += 50) {
      const some = few.slice(at, at + 50);
      const { missing } = await ask(server, `/v1/tracks?ids=${some.map((one) => one.id).join(',')}&fields=id`);
      for (const one of some) (missing.includes(one.id) ? strangers : known).push(one);
    }
  }
  return { known, strangers };
}

const nameOf = (one) => JSON.stringify([one.title, one.artist].map((text) => text.trim().toLowerCase()));

/** Whether the catalog has a recording under another id, because several sources have it. */
async function otherIds(server) {
  const lengths = new Map();
  for (const track of await tracksOf(server, 'kind=music')) {
    lengths.set(nameOf(track), [...(lengths.get(nameOf(track)) ?? []), track.duration_s]);
  }
  return (one) => (lengths.get(nameOf(one)) ?? []).some((length) => Math.abs(length - one.duration) <= 5);
}

after(endAll);

test(`four in five of ${FILES} files of real recordings match their track, and none another`, { skip }, async (context) => {
  if (skip) return;
  const server = await serveAllSources(context);
  const cases = [];
  const strange = [];
  const isThere = await otherIds(server);
  for (const [source, list] of Object.entries(recordings())) {
    const { known, strangers } = await splitByCatalog(server, source, list);
    const forms = Object.entries(FORMS[source]);
    known.forEach((one, i) => {
      const [form, make] = forms[i % forms.length];
      if (i < 60) cases.push({ form: `${source} ${form}`, id: one.id, file: make(one) });
    });
    strangers.filter((one) => !isThere(one)).forEach((one, i) => {
      const [form, make] = forms[i % forms.length];
      if (i < 30) strange.push({ form: `${source} ${form}`, file: make(one) });
    });
  }
  const chosen = [...inOrder(cases, (one) => JSON.stringify(one)).slice(0, FILES),
    ...inOrder(strange, (one) => JSON.stringify(one)).slice(0, STRANGERS)];
  assert.equal(chosen.length, FILES + STRANGERS);
  const answers = [];
  for (let at = 0; at < chosen.length; at += 100) {
    answers.push(...(await ask(server, '/v1/credits/match', { files: chosen.slice(at, at + 100).map((one) => one.file) })).files);
  }
  const wrong = [];
  const missed = [];
  chosen.forEach((one, i) => {
    const { track, found_by: by } = answers[i];
    const what = `${one.form}: ${JSON.stringify(one.file)} of ${one.id ?? 'no track'}`;
    if (track !== null && track.id !== one.id) wrong.push(`${what} found ${track.id} "${track.title}" by "${track.artist}", by ${by}`);
    if (track === null && one.id !== undefined) missed.push(what);
  });
  context.diagnostic(`${FILES - missed.length} of ${FILES} found; ${wrong.length} wrong; ${STRANGERS} files without a track`);
  for (const what of missed) context.diagnostic(`not found: ${what}`);
  assert.deepEqual(wrong, []);
  assert.ok(missed.length <= FILES / 5);
});
