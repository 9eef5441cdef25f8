// `tonearm credits EDIT`: the tracks that an edit list names, and the cue sheet (CLI-25, CLI-26).
// Usage: node --test tests/command-line/edits_test.mjs      (TONEARM_BIN: the programs' folder, by default build/native/bin)

import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { before, test } from 'node:test';

import { fakeServer, projectOfTests, wav } from './project.mjs';

const project = projectOfTests();
let folder;
before(() => {
  folder = project.write('edits', {
    'film.edl': edl(['Ada Reed - Copper Bells.wav', '00:00:00:00', '00:00:10:00'], ['Bo Lund - Glass Rain.wav', '00:00:05:00', '00:00:12:12'],
      ['Ada Reed - Copper Bells.wav', '00:01:00:00', '01:00:00:00']),
    'mine.edl': edl(['Ada Reed - Copper Bells.wav', '00:00:00:00', '00:00:10:00'], ['=voice "take" 2.wav', '00:00:02:00', '00:00:03:00']),
    'free.edl': edl(['Cy Moor - Night Drive.mp3', '00:00:00:00', '00:00:10:00']),
    'silent.edl': '001 AX V C 00:00:00:00 00:00:10:00 00:00:00:00 00:00:10:00\n',
    'film.otio': JSON.stringify(timeline('file:///elsewhere/Ada%20Reed%20-%20Copper%20Bells.flac')),
    'film.xml': '<xmeml version="5"><sequence><rate><timebase>25</timebase></rate><media><audio><track><clipitem><start>0</start><end>50</end>'
      + '<file id="f"><pathurl>file://localhost/m/Bo%20Lund%20-%20Glass%20Rain.wav</pathurl></file></clipitem></track></audio></media></sequence></xmeml>',
    'film.fcpxmld/Info.fcpxml': '<fcpxml version="1.10"><resources><asset id="a" hasAudio="1" src="file:///m/Bo%20Lund%20-%20Glass%20Rain.wav"/></resources>'
      + '<project><sequence><spine><asset-clip ref="a" duration="7s"/></spine></sequence></project></fcpxml>',
    'feed.xml': '<rss/>',
    'broken.otio': '{',
  });
});

function edl(...events) {
  return events.map(([name, begin, end], i) => `00${i + 1}  AX  A  C  00:00:00:00 00:00:10:00 ${begin} ${end}\n* FROM CLIP NAME: ${name}\n`).join('');
}

function timeline(url) {
  const time = (value) => ({ OTIO_SCHEMA: 'RationalTime.1', rate: 24, value });
  const range = { OTIO_SCHEMA: 'TimeRange.1', start_time: time(0), duration: time(48) };
  const clip = { OTIO_SCHEMA: 'Clip.1', name: 'x', source_range: range, media_reference: { OTIO_SCHEMA: 'ExternalReference.1', target_url: url } };
  return { OTIO_SCHEMA: 'Timeline.1', tracks: { OTIO_SCHEMA: 'Stack.1', children: [{ OTIO_SCHEMA: 'Track.1', kind: 'Audio', children: [clip] }] } };
}

const track = (id) => ({ id, title: 'T', artist: 'A', license: { id: 'cc0', name: 'CC0 1.0', status: 'listed' }, terms: { commercial: true }, attribution: 'none', preview_url: 'https://files.example/a.mp3' });
const credits = (name, ...words) => project.run(['credits', `${folder}/${name}`, ...words]);

test('each format leads to the tracks by the names of their files, with the times (CLI-25)', async () => {
  for (const [name, title, end] of [['film.otio', 'Copper Bells', 2], ['film.xml', 'Glass Rain', 2], ['film.fcpxmld', 'Glass Rain', 7], ['film.fcpxmld/', 'Glass Rain', 7]]) {
    const { status, errors, json } = await credits(name);
    assert.equal(status, 0, errors);
    const [file, ...others] = json().files;
    assert.deepEqual([file.track.title, file.found_by, file.times, others], [title, 'title', [{ begin_s: 0, end_s: end }], []], name);
  }
  const { status, json } = await credits('film.edl');
  assert.equal(status, 0);
  assert.deepEqual(json().files.map(({ path, verdict, times }) => [path, verdict, times]), [
    ['Ada Reed - Copper Bells.wav', 'allowed', [{ begin_s: 0, end_s: 10 }, { begin_s: 60, end_s: 3600 }]],
    ['Bo Lund - Glass Rain.wav', 'allowed', [{ begin_s: 5, end_s: 12.48 }]],
  ]);
  const faster = await credits('film.edl', '--fps', '50');
  assert.equal(faster.json().files[1].times[0].end_s, 12.24);
});

test('what is unknown or not allowed fails the check, and may be ignored (CLI-25)', async () => {
  const mine = await credits('mine.edl', '--table');
  assert.equal(mine.status, 1);
  assert.match(mine.errors, /2 audio files for commercial use: 1 allowed, 0 not allowed, 1 unknown/);
  assert.equal((await credits('mine.edl', '--ignore', '*voice*')).status, 0);
  const free = await credits('free.edl');
  assert.deepEqual([free.status, free.json().files[0].verdict], [1, 'not_allowed']);
  assert.equal((await credits('free.edl', '--use', 'non-commercial')).status, 0);
  const silent = await credits('silent.edl', '--table');
  assert.equal(silent.status, 1);
  assert.match(silent.errors, /not checked: .*silent\.edl: it has no clip with sound\nskipped: 1 clips without sound/);
});

test('the cue sheet has each use in order, as cells that are no formulas (CLI-26)', async () => {
  const { status, out } = await credits('film.edl', '--format', 'cue-sheet');
  assert.equal(status, 0);
  const [header, ...rows] = out.split('\r\n');
  assert.equal(header, 'cue,time_in,time_out,duration,file,verdict,track_id,title,artist,license_id,license_name,source_page,credit_line');
  assert.equal(rows.length, 4);
  assert.match(rows[0], /^1,00:00:00\.000,00:00:10\.000,00:00:10\.000,Ada Reed - Copper Bells\.wav,allowed,mel-[^,]+,Copper Bells,Ada Reed,cc-by-4\.0,CC BY 4\.0,/);
  assert.match(rows[1], /^2,00:00:05\.000,00:00:12\.480,00:00:07\.480,Bo Lund - Glass Rain\.wav,allowed,/);
  assert.match(rows[2], /^3,00:01:00\.000,01:00:00\.000,00:59:00\.000,Ada Reed - Copper Bells\.wav,/);
  const mine = await credits('mine.edl', '--format', 'cue-sheet');
  assert.match(mine.out.split('\r\n')[2], /^2,00:00:02\.000,00:00:03\.000,00:00:01\.000,"'=voice ""take"" 2\.wav",unknown,,,,,,,$/);
  assert.match(mine.errors, /=voice "take" 2\.wav: unknown: /);
  const ofFolder = await project.run(['credits', folder, '--format', 'cue-sheet']);
  assert.deepEqual([ofFolder.status, ofFolder.out], [2, '']);
  assert.match(ofFolder.errors, /--format cue-sheet needs an edit list/);
});

test('receipts are written whole or not at all (CLI-27)', async () => {
  const path = `${folder}/receipts.jsonl`;
  writeFileSync(path, 'earlier\n');
  const { status, out, errors } = await credits('film.edl', '--receipts', path);
  assert.equal(status, 3);
  assert.match(errors, /no receipt of mel-.*not signed/);
  assert.equal(JSON.parse(out).files.length, 2, 'the report is printed');
  assert.equal(readFileSync(path, 'utf8'), 'earlier\n');
  const fake = await fakeServer((number, body) => ({
    text: body ? JSON.stringify({ files: JSON.parse(body).files.map(() => ({ track: track('a-1'), found_by: 'title', score: 85 })) }) : `{"number":${number}}`,
  }));
  const signed = await project.run(['credits', `${folder}/film.edl`, '--receipts', path], {}, fake.url);
  fake.close();
  assert.equal(signed.status, 0, signed.errors);
  assert.equal(readFileSync(path, 'utf8'), '{"number":2}\n', 'one for each track');
  assert.equal(fake.requests[1].url, '/v1/tracks/a-1/receipt');
});

test('a folder with the name of an edit list is a folder (CLI-9, CLI-25)', async () => {
  const { status, json } = await project.run(['credits', project.write('podcast.xml', { 'Ada Reed - Copper Bells.wav': wav(1) })]);
  assert.deepEqual([status, json().files[0].found_by, 'times' in json().files[0]], [0, 'fingerprint', false]);
});

test('a file that is no edit list has status 2 and the reason (CLI-25)', async () => {
  for (const [name, reason] of [['feed.xml', /feed\.xml: is neither FCPXML nor XML of Final Cut Pro 7/], ['broken.otio', /broken\.otio: is not JSON/], ['absent.edl', /absent\.edl: /],
    ['film.edl --fps 12', /--fps/]]) {
    const { status, out, errors } = await credits(...name.split(' '));
    assert.deepEqual([status, out], [2, ''], errors);
    assert.match(errors, reason);
  }
});
