// Compares licenses, titles, artists and lengths of all tracks of a catalog of all real sources, as a server returns them, with
// the raw files. The rules are written from the licenses' own words, and in raw_facts.mjs from what a reader expects. They
// share nothing with the builder: they read no file of catalog-builder/ and interpret no id that it makes.
// Usage: node --test tests/real/licenses_test.mjs      (TONEARM_BIN: the folder of the programs, by default build/native/bin)

import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, test } from 'node:test';

import { data, endAll, objects, raw, serveAllSources, skip, tracksOf } from './real_catalog.mjs';
import { RawFacts, isArtistOf, isLengthOf, isTitleOf, secondsOf, solid } from './raw_facts.mjs';

const OFFERED = { by: ['3.0', '4.0'], 'by-nc': ['3.0', '4.0'], 'by-sa': ['3.0', '4.0'], 'by-nc-sa': ['3.0', '4.0'] };

/** Returns {conditions, version}, 'refused' for a license that no catalog may contain, or null for no statement. */
function statement(conditions, version, extra = '') {
  // CC0 has one version, so it need not be stated.
  if (conditions === 'zero' || conditions === 'cc0') return { conditions: '', version: version || '1.0' };
  if (!OFFERED[conditions]) return 'refused';
  if (!version) return { conditions, version: null };
  return extra === '' && OFFERED[conditions].includes(version) ? { conditions, version } : 'refused';
}

/** Reads the URL of a license. */
function byAddress(text) {
  if (!text?.trim()) return null;
  const url = new URL(text.trim().toLowerCase());
  if (url.hostname.replace(/^www\./, '') !== 'creativecommons.org') return 'refused';
  const [kind, name, version, ...rest] = url.pathname.split('/').filter((part) => part && part !== 'legalcode' && part !== 'deed');
  if (kind === 'publicdomain') return name === 'zero' && (version ?? '1.0') === '1.0' && rest.length === 0 ? statement('zero') : 'refused';
  return kind === 'licenses' ? statement(name, version, rest.join('/')) : 'refused';
}

/** Reads the name of a license as the Free Music Archive writes it. */
function byName(text) {
  if (!text.trim()) return null;
  const name = text.toLowerCase().replace(/^creative commons /, '');
  if (name === 'cc0 1.0 universal') return statement('zero', '1.0');
  if (!name.startsWith('attribution')) return 'refused';
  const version = /\d\.\d/.exec(name)?.[0];
  const [words, country = ''] = version ? name.split(version) : [name];
  if (/deriv/.test(words)) return 'refused';
  const conditions = `by${/non-?commercial/.test(words) ? '-nc' : ''}${/share ?alike/.test(words) ? '-sa' : ''}`;
  return statement(conditions, version, country.trim() === 'international' ? '' : country.trim());
}

/** Reads a short name with or without version: "CC-BY-NC", "CC0-1.0". */
function byTag(text) {
  const found = /^CC-?(0|ZERO|BY(?:-NC)?(?:-SA)?)(?:-(\d\.\d))?(?: \(version not stated\))?$/i.exec(text);
  if (!found) return 'refused';
  const conditions = /^(0|zero)$/i.test(found[1]) ? 'zero' : found[1].toLowerCase();
  return statement(conditions, found[2]);
}

const stated = new Map();
/** Records a statement. `key`: source and number of the track, or a URL. */
function addStatement(key, what) {
  if (what === null) return;
  if (!stated.has(key)) stated.set(key, []);
  stated.get(key).push(what);
}

const FIELDS = ['vocals', 'key', 'loudness_lufs', 'published', 'credit_as', 'content_id'];
/** What rows state of these fields, by key. */
const fieldsOf = new Map();
const addFields = (key, fields) => fieldsOf.set(key, { ...fieldsOf.get(key), ...fields });

/** Returns the day of "11/26/2008 1:48" or "2008-11-26 01:48:12". */
function dayOf(text) {
  const [month, day, year] = text.split(' ')[0].split('/');
  return year ? `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}` : text.slice(0, 10);
}

/** Keys of the sounds that a file was cut or mixed from, whose statements count for the file. */
const originalsOf = new Map();

/** Returns the person that a row of a game names, or that the URL of its pack names. */
function artistOf(row) {
  const named = row.artist.replace(' (www.kenney.nl)', '').replace(/^"([^"]*?)( of freesound\.org)?"( http.*)?$/, '$1')
    .replace(/^User: (.*) on Freesound\.org$/, '$1');
  if (named === 'felix') return /felix\.blume/.exec(row.copyright)[0];
  return named || (/freesound\.org\/people\/([^/]+)\/packs/.exec(row.source_url)?.[1] ?? '');
}

/** The prefixes of the ids of folders whose first word is not theirs. */
const PREFIXES = { 'sonic-pi-samples': 'sonicpi', 'kenney-soundcn': 'soundcn', 'small-game-credits': 'smallgames' };

/** Reads files with their own URL, the license as written and the sound that they were cut from. */
function readGames() {
  const lists = {
    'kenney-audio/kenney_audio.csv': (row) => [row.license],
    'openhv-audio/openhv_audio.csv': (row) => [row.license, row.freesound_id],
    'cdda-cc-sounds/cdda_cc_sounds.csv': (row) => [row.license_as_written, row.freesound_id, row.link],
    'openclonk-sounds/openclonk_sounds.csv': (row) => row.artist_matched === '1' && [row.license, row.freesound_id],
    'superpowers-asset-packs/superpowers_audio.csv': (row) => [row.license],
    'ss14-audio/ss14_audio.csv': (row) => [row.license, row.freesound_id, row.copyright.replace(/'(\d+)__/g, '/sounds/$1')],
    'opensurge-audio/opensurge_audio.csv': (row) => [row.license],
    'openrct2-sounds/openrct2_sounds.csv': (row) => [row.license],
    'wick-editor-sounds/wick_sounds.csv': (row) => [row.license_url, row.source_url.split('/').at(-2)],
    'sonic-pi-samples/sonic_pi_samples.csv': (row) => [row.license, row.freesound_id],
    'debian-sounds/debian_sounds.csv': (row) => [row.license, row.artist.split('/sounds/')[1]?.replace('/', '')],
    'youtube-audio-library/yt_audio_library_cc_by_4.csv': (row) => [row.license_type === '6' && 'CC-BY-4.0'],
    'kenney-soundcn/sounds.csv': (row) => [/^(CC0 in registry\.json|License\.txt in the pack)/.test(row.license_stated) && row.license],
    'small-game-credits/sounds.csv': (row) => [row.spdx, row.freesound_id],
    'soundfx-collection/sounds.csv': (row) => [row.license_url, /\/s\/(\d+)\/$/.exec(row.source_url)?.[1]],
  };
  for (const [file, look] of Object.entries(lists)) {
    for (const row of objects(raw(file))) {
      const [license, sound, text = ''] = look(row) || [];
      if (!license) continue;
      const folder = file.split('/')[0];
      const key = fileKey(folder, row);
      const what = license.startsWith('http') ? byAddress(license) : byTag(license.replaceAll(' ', '-').replace('CC-0', 'CC0'));
      addStatement(key, what);
      facts.add(key, PREFIXES[folder] ?? folder.split('-')[0], {
        title: row.title_from_copyright || row.title || row.file_title,
        artist: artistOf(row),
        seconds: row.duration_s,
        description: row.description,
      });
      if (row.artist.endsWith('(www.kenney.nl)')) addFields(key, { credit_as: row.artist });
      const sounds = [sound, ...[...text.matchAll(/\/sounds\/(\d+)/g)].map((match) => match[1])].filter(Boolean);
      for (const number of sounds) addStatement(`freesound ${number}`, what);
      if (sounds.length > 0) originalsOf.set(key, sounds.map((number) => `freesound ${number}`));
    }
  }
}

/** Reads ESC-50's clips of five seconds. Clips of one sound have the same title, artist and license. */
function readClips() {
  const row = /^- \[(?<clip>[\w-]+)\.ogg\]: +clip derived from (?<title>.*?) ?\((?<page>https?:[^()]*?\/(?<sound>\d+)\/?)\) by (?<artist>.*) \[(?<tag>[^[\]]+)\]\s*$/gm;
  for (const { groups: { title, page, sound, artist, tag } } of raw('esc50/LICENSE-per-clip.txt').matchAll(row)) {
    const key = `esc50 ${page}`;
    addStatement(key, byTag(tag));
    addStatement(`freesound ${sound}`, byTag(tag));
    originalsOf.set(key, [`freesound ${sound}`]);
    facts.add(key, 'esc50', { title, artist, seconds: 5 });
  }
}

const facts = new RawFacts();

/** Returns the URL of the file in its repository, or its name in the package, or its title and length. */
function fileKey(folder, row) {
  if (row.raw_audio_url) return row.raw_audio_url;
  if (row.file) return `sonicpi ${row.file.split('/').pop()}`;
  if (folder === 'wick-editor-sounds') return `wick ${row.path.split('/').pop()}`;
  return `${folder.split('-')[0]} ${row.artist.replace(/^Anonymous$/, '').split(/[" ]+/).filter(Boolean)[0] ?? ''} ${solid(row.title)} ${Number(row.duration_s)}`;
}

const isrcOf = new Map();
const isrcIn = (address) => /isrc=(\w+)$/.exec(address)?.[1];
const soundOf = (address) => `freesound ${/sounds\/(\d+)\/?$/.exec(address)?.[1]}`;

function readAll() {
  const releases = new Map(objects(raw('freemusi-cc/releases.csv')).map((row) => [row.id, row.licenseurl]));
  for (const row of objects(raw('freemusi-cc/tracks.csv'))) {
    const key = row.trackurl.trim().replaceAll(' ', '%20');
    addStatement(key, byAddress(releases.get(row.id)));
    facts.add(key, 'freemusi', { title: row.title, artist: row.trackartist, seconds: row.duration });
  }

  const songs = new DatabaseSync(join(data, 'incompetech/incompetech_songs-2025.db'), { readOnly: true });
  for (const row of songs.prepare('SELECT usuan, url, description, title, length FROM songs').all()) {
    const end = /By Attribution (\d\.\d) License\s*http:\/\/creativecommons\.org\/licenses\/by\/(\d\.\d)\/$/.exec(row.description);
    addStatement(`isrc ${row.usuan}`, end && end[1] === end[2] ? statement('by', end[1]) : null);
    isrcOf.set(row.url, row.usuan);
    if (/ Kevin MacLeod \(incompetech\.com\)\s*Licensed/.test(row.description)) addFields(`isrc ${row.usuan}`, { credit_as: 'Kevin MacLeod (incompetech.com)' });
    facts.add(`isrc ${row.usuan}`, 'incompetech', { title: row.title, artist: 'Kevin MacLeod', seconds: secondsOf(row.length) });
  }

  for (const row of objects(raw('jamendo-cyanite/tracks.csv'))) {
    addStatement(`jamendo ${row.track_id}`, byAddress(row.license_ccurl));
    facts.add(`jamendo ${row.track_id}`, 'jamendo', { title: row.name, artist: row.artist_name, seconds: row.duration });
  }
  for (const line of raw('openverse-recorded-answers/audio_results.jsonl').trim().split('\n')) {
    const row = JSON.parse(line);
    const key = row.source === 'freesound' ? soundOf(row.foreign_landing_url)
      : `jamendo ${/track\/(\d+)/.exec(row.foreign_landing_url)[1]}`;
    addStatement(key, byAddress(row.license_url));
    addStatement(key, statement(row.license, row.license_version));
    const tags = (row.tags ?? []).map(({ name }) => name);
    if (row.source === 'jamendo') addFields(key, { vocals: ['vocal', 'instrumental'].find((name) => tags.includes(name)) });
    facts.add(key, row.source, { title: row.title, artist: row.creator, seconds: row.duration / 1000 });
  }
  const one = JSON.parse(raw('openverse-api-samples/jamendo_audio_data_example.json'));
  addStatement(`jamendo ${one.id}`, byAddress(one.license_ccurl));
  facts.add(`jamendo ${one.id}`, 'jamendo', { title: one.name, artist: one.artist_name, seconds: one.duration });

  for (const row of objects(raw('freesound-categorised-bomme/categorised_sounds.csv'))) {
    addStatement(`freesound ${row.fs_id}`, byAddress(row.license));
  }
  const samples = [...JSON.parse(raw('openverse-api-samples/freesound_page.json')),
    JSON.parse(raw('openverse-api-samples/freesound_audio_data_example.json'))];
  for (const name of readdirSync(join(data, 'freesound-api-samples')).filter((file) => file.startsWith('demo_session'))) {
    samples.push(...Object.values(JSON.parse(raw(`freesound-api-samples/${name}`)).data.sounds.byID).filter((sound) => sound.url));
  }
  for (const sound of samples) {
    addStatement(soundOf(sound.url), byAddress(sound.license));
    if (sound.created) addFields(soundOf(sound.url), { published: dayOf(sound.created) });
    facts.add(soundOf(sound.url), 'freesound', { title: sound.name, artist: sound.username, seconds: sound.duration });
  }
  for (const name of readdirSync(join(data, 'fsdkaggle2018')).filter((file) => file.endsWith('.txt'))) {
    for (const [, id, tag] of raw(`fsdkaggle2018/${name}`).matchAll(/^'.*' (?:with|of) ID (\d+) by .*\[([^\]]*)\]\s*$/gm)) {
      addStatement(`freesound ${id}`, byTag(tag));
    }
  }

  for (const row of objects(raw('fma-metadata/fma-rock-vs-hiphop.csv'))) {
    addStatement(`fma ${row.track_id}`, byName(row.license));
    addFields(`fma ${row.track_id}`, { published: dayOf(row.date_created) });
    facts.add(`fma ${row.track_id}`, 'fma', { title: row.title, seconds: row.duration });
  }
  for (const row of objects(raw('fma-metadata/tracks_first_682.csv'), 3)) {
    addStatement(`fma ${row.track_id}`, byName(row['track.license']));
    addFields(`fma ${row.track_id}`, { published: dayOf(row['track.date_created']) });
    facts.add(`fma ${row.track_id}`, 'fma', { title: row['track.title'], artist: row['artist.name'], seconds: row['track.duration'] });
  }

  readGames();
  readClips();
  for (const row of objects(raw('fma-attribution/fma_dataset_attribution2.csv'))) {
    addStatement(`fma ${row.id}`, row.license === 'cc0' ? statement('zero') : statement('by'));
    facts.add(`fma ${row.id}`, 'fma', { title: row.title, artist: row.author });
  }
  for (const row of objects(raw('freesound-packs/freesound_packs.csv'))) {
    addStatement(`freesound ${row.freesound_id}`, byAddress(row.license_url));
    facts.add(`freesound ${row.freesound_id}`, 'freesound', { title: row.title, artist: row.user, seconds: row.duration_s });
  }

  for (const row of objects(raw('text2sound-freesound/raw_metadata.csv'))) {
    addStatement(`freesound ${row['sound id']}`, byAddress(row.license));
    facts.add(`freesound ${row['sound id']}`, 'freesound', { title: row.filename, artist: row.username, seconds: row.duration,
      description: row.description });
  }
  for (const row of JSON.parse(raw('immerse-yourself-freesound/attribution.json'))) {
    addStatement(soundOf(row.freesound_url), byAddress(row.license));
    facts.add(soundOf(row.freesound_url), 'freesound', { title: row.name, artist: row.author, seconds: row.duration });
  }

  for (const row of objects(raw('audio/manifest.csv'))) {
    const isClip = row.file.startsWith('esc');
    const isrc = isrcIn(row.source);
    const name = row.file.replace(/^.*\/|\.[a-z0-9]+$/g, '');
    const isSound = !isClip && /freesound\.org/.test(row.source);
    const key = isrc ? `isrc ${isrc}` : isSound ? soundOf(row.source) : `audio ${solid(name)}`;
    addStatement(key, byTag(row.license));
    facts.add(key, isrc ? 'incompetech' : isSound ? 'freesound' : 'audio', { title: name,
      artist: row.author.replace(/^User:? | on Freesound\.org$/g, ''), seconds: row.duration_s });
  }
}

/** Recordings with the same unique name and lengths this close are certainly the same. */
const SURELY_ONE_S = 0.5;
/** Within this difference a builder may merge recordings; a stricter statement then explains the license of a track. */
const PERHAPS_ONE_S = 5;

/** Returns the statements of other sources for recordings of the same name, at most `apart` seconds different. */
function elsewhere(track, key, apart) {
  const rows = facts.namesakes(track, key, apart);
  const perSource = (row) => rows.filter((other) => other.source === row.source).length;
  return rows.filter((row) => apart === PERHAPS_ONE_S || (perSource(row) === 1 && facts.isAlone(key)))
    .flatMap((row) => stated.get(row.key) ?? []);
}

/** Returns the key of a track's statements; ids of the first three sources contain the source's own number. */
function keyOf(track) {
  const [, source, number] = /^(.*)-(\d+)$/.exec(track.id);
  if (['freesound', 'jamendo', 'fma'].includes(source)) return `${source} ${number}`;
  if (source === 'incompetech') return `isrc ${isrcOf.get(track.source_page) ?? isrcIn(track.source_page)}`;
  if (source === 'esc50') return `esc50 ${track.source_page}`;
  if (source === 'sonicpi' || source === 'wick') return `${source} ${track.original_url.split('/').pop()}`;
  if (source === 'debian' || source === 'youtube') return `${source} ${track.artist.split(' ')[0]} ${solid(track.title)} ${track.duration_s}`;
  return source === 'audio' ? `audio ${solid(track.title)}` : track.original_url;
}

/** Returns why the license of a track differs from its rows; undefined if it does not. */
function mismatch(track) {
  const key = keyOf(track);
  if (!stated.has(key)) return 'no row states a license for it';
  const own = [...stated.get(key), ...(originalsOf.get(key) ?? []).flatMap((sound) => stated.get(sound) ?? [])];
  const rows = [...own, ...elsewhere(track, key, SURELY_ONE_S)];
  const found = /^(?:(cc0)|cc-(by(?:-nc)?(?:-sa)?)-(\d\.\d))$/.exec(track.license.id);
  if (!found) return `${track.license.id} is none that these sources can state`;
  const has = { conditions: found[1] ? '' : found[2], version: found[1] ? '1.0' : found[3] };
  const isExactly = (one) => one.conditions === has.conditions && one.version === has.version;
  for (const one of rows) {
    if (one === 'refused') return 'a row states a license that may not be taken';
    for (const condition of one.conditions.split('-')) {
      if (condition && !has.conditions.split('-').includes(condition)) return `a row states ${one.conditions}`;
    }
    const isSame = one.conditions === has.conditions;
    if (isSame && one.version && one.version < has.version) return `a row states version ${one.version}`;
  }
  return [...rows, ...elsewhere(track, key, PERHAPS_ONE_S)].some(isExactly) ? undefined : 'no row states exactly this license';
}

after(endAll);

test('the rules for titles, artists and lengths accept right and reject wrong values', () => {
  const titles = [['loud_rain.wav', 'loud_rain.wav', true], ['A & B', 'A &amp; B', true], ['Señor', 'SeÃ±or', true], ['Rain', ' Rain ', true],
    ['loud rain', 'loud_rain.wav', false], ['loud_rain', 'loud_rain.wav', false], ['metal rings', 'metal_rings_04', false], ['ab', 'a b', false]];
  for (const [shown, stated, isRight] of titles) assert.equal(isTitleOf(shown, stated), isRight, `${shown}: ${stated}`);
  assert.ok(!isArtistOf('some artist', 'some_artist'));
  assert.ok(!isLengthOf(12.345, 12.346));
});

test('the licenses of all tracks of all real sources are those that their rows state', { skip }, async (context) => {
  if (skip) return;
  readAll();
  const server = await serveAllSources(context);
  const all = [...await tracksOf(server, 'kind=music'), ...await tracksOf(server, 'kind=sfx'),
    ...await tracksOf(server, 'kind=sfx&category=speech')];
  assert.ok(all.length > 8000, `${all.length} tracks`);
  const wrong = all.map((track) => [track.id, track.license.id, mismatch(track)]).filter(([, , why]) => why);
  const sourcesSeen = new Set(all.map((track) => track.id.replace(/-\d+$/, '')));
  context.diagnostic(`${all.length} tracks from ${[...sourcesSeen].join(', ')}; ${wrong.length} with a wrong license`);
  assert.deepEqual(wrong, []);

  const odd = all.map((track) => [track.id, track.title, facts.difference(track, keyOf(track))]).filter(([, , why]) => why);
  context.diagnostic(`${odd.length} with a title, an artist or a length that no row states`);
  assert.deepEqual(odd, []);
  const unlike = all.flatMap((track) => FIELDS.map((name) => [track.id, name, track[name], fieldsOf.get(keyOf(track))?.[name] ?? null]))
    .filter(([, , shown, stated]) => shown !== stated);
  // A track has the fields of the first row of its id; only a later one may state more.
  const lacking = unlike.filter(([, , shown]) => shown === null);
  context.diagnostic(FIELDS.map((name) => `${name} ${all.filter((track) => track[name] !== null).length}`).join(', '));
  context.diagnostic(`${lacking.length} stated only by a later row of the same id`);
  assert.deepEqual(unlike.filter((one) => !lacking.includes(one)), []);
  assert.ok(lacking.length < 10, JSON.stringify(lacking));
  const nameless = all.filter((track) => track.terms.credit === 'required' && !track.artist.trim());
  assert.deepEqual(nameless.map((track) => track.id), []);
});
