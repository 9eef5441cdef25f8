// `tonearm credits FILM`: the tracks that are heard in a film, when, and films that cannot be decoded (CLI-28, CLI-29).
// Usage: node --test tests/command-line/films_test.mjs      (TONEARM_BIN: the programs' folder, by default build/native/bin)

import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';

import { bin } from '../http/server_process.mjs';
import { LaunchedServer } from '../support/launched_server.mjs';
import { fakeServer, onTerminal, Project, tonearm, wav } from './project.mjs';

const skip = spawnSync('ffmpeg', ['-version']).error !== undefined && 'skipped: there is no ffmpeg';
const noTerminal = !existsSync('/usr/bin/script') && 'skipped: there is no script(1)';

let folder;
let server;
let uses = () => []; // of a window: its number in the film, from 0; it has two pieces
const at = (name) => join(folder, name);

function ffmpeg(...words) {
  const made = spawnSync('ffmpeg', ['-v', 'error', '-nostdin', '-y', ...words], { encoding: 'utf8', cwd: folder });
  assert.equal(made.status, 0, made.stderr);
}

before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tonearm-films-'));
  server = await fakeServer((number, body) => {
    if (!body) return { text: `{"number":${number}}` };
    const before = server.requests.slice(0, -1).reduce((sum, request) => sum + JSON.parse(request.body).pieces.length, 0);
    return { text: JSON.stringify({ pieces: JSON.parse(body).pieces.map((_, i) => ({ uses: uses(Math.floor((before + i) / 2)) })) }) };
  });
  if (skip) return;
  writeFileSync(at('long.wav'), wav(1, { seconds: 125 }));
  writeFileSync(at('short.wav'), wav(2, { seconds: 10 }));
  writeFileSync(at('other.wav'), wav(3, { seconds: 10 }));
  const picture = ['-f', 'lavfi', '-i', 'testsrc=size=64x48:rate=5:duration=10', '-c:v', 'mpeg4'];
  ffmpeg('-i', 'long.wav', '-c:a', 'aac', 'long.mp4');
  ffmpeg(...picture, '-i', 'short.wav', '-map', '0', '-map', '1', '-c:v', 'mpeg4', '-c:a', 'aac', '-movflags', '+faststart', 'film.mp4');
  ffmpeg('-i', 'short.wav', '-c:a', 'libopus', 'film.webm');
  ffmpeg('-i', 'short.wav', '-c:a', 'flac', 'film.mkv');
  ffmpeg('-i', 'short.wav', '-c:a', 'pcm_s16le', 'film.mov');
  ffmpeg('-i', 'short.wav', '-c:a', 'aac', '-f', 'ipod', 'mix.m4a');
  ffmpeg('-i', 'short.wav', '-c:a', 'libvorbis', 'mix.mka');
  ffmpeg('-i', 'other.wav', '-i', 'short.wav', '-map', '0', '-map', '1', '-c:a', 'libopus', '-disposition:a:0', '0', '-disposition:a:1', 'default', 'two.mkv');
  ffmpeg(...picture, '-itsoffset', '6', '-i', 'short.wav', '-map', '0', '-map', '1', '-c:a', 'aac', 'late.mp4');
  ffmpeg(...picture, 'silent.mp4');
  for (const name of ['film.mp4', 'film.webm']) {
    const bytes = readFileSync(at(name));
    writeFileSync(at(`truncated.${name.slice(5)}`), bytes.subarray(0, bytes.length / 2));
  }
  const damaged = readFileSync(at('film.webm'));
  const middle = damaged.length >> 1;
  damaged.fill(0xff, middle, middle + 400);
  writeFileSync(at('damaged.webm'), damaged);
  writeFileSync(at('text.mp4'), 'This is no film.\n');
  writeFileSync(at('list.mp4'), '#EXTM3U\n#EXT-X-TARGETDURATION:10\n#EXTINF:10,\nfilm.mp4\n#EXT-X-ENDLIST\n');
  writeFileSync(at('concat.mp4'), "ffconcat version 1.0\nfile 'film.mp4'\n");
  writeFileSync(at('-version.mp4'), readFileSync(at('film.mp4')));
});
after(() => {
  server.close();
  rmSync(folder, { recursive: true });
});

const track = (id, license = 'cc-by-4.0', more = {}) => ({
  id, title: `Title ${id}`, artist: 'Ada Reed', license: { id: license, name: license === 'cc-by-4.0' ? 'CC BY 4.0' : 'CC BY-NC 4.0', status: 'listed' },
  terms: { commercial: license === 'cc-by-4.0' }, attribution: 'required', preview_url: 'https://files.example/a.mp3', source_page: 'https://pages.example/a', ...more,
});
const use = (id, begin_s, end_s, score = 90, license = 'cc-by-4.0') => ({ track: track(id, license), begin_s, end_s, score });

/** Runs `tonearm credits` on a film, with the uses that the server finds in each piece. */
function credits(name, words = [], found = () => [], env = {}) {
  uses = found;
  server.requests.length = 0;
  return tonearm(['credits', at(name), ...words], { TONEARM_API: server.url, TONEARM_API_KEY: 'k', ...env });
}

test('pieces of two minutes are sent, and times are joined over their borders (CLI-28, CLI-29)', { skip }, async () => {
  const found = (piece) => [[use('a', 100, 105), use('b', 12.25, 20, 85)], [use('a', 16.5, 20.5, 95), use('a', 25, 30)]][piece];
  const { status, errors, json } = await credits('long.mp4', [], found);
  assert.equal(status, 0, errors);
  assert.equal(server.requests.length, 1);
  const [request] = server.requests;
  assert.deepEqual([request.method, request.url], ['POST', '/v1/credits/recognize']);
  const { pieces, ...others } = JSON.parse(request.body);
  assert.deepEqual([pieces.length, others], [4, {}]);
  for (const piece of pieces) assert.match(piece.fingerprint, /^[\w-]{100,8192}$/);
  const report = json();
  assert.deepEqual(report.files.map(({ path, verdict, found_by, score, track: { id }, times }) => [path, verdict, found_by, score, id, times]), [
    ['long.mp4', 'allowed', 'fingerprint', 85, 'b', [{ begin_s: 12.25, end_s: 20 }]],
    ['long.mp4', 'allowed', 'fingerprint', 95, 'a', [{ begin_s: 100, end_s: 110.5 }, { begin_s: 115, end_s: 120 }]],
  ]);
  assert.deepEqual([report.skipped, report.summary], [[], { allowed: 2, not_allowed: 0, unknown: 0, not_looked_at: 0 }]);
  assert.match(report.credits, /"Title b" by Ada Reed[^]*"Title a" by Ada Reed/);
});

test('all formats are decoded, and a name is no option (CLI-28)', { skip }, async () => {
  for (const name of ['film.mp4', 'film.webm', 'film.mkv', 'film.mov', 'mix.m4a', 'mix.mka', '-version.mp4']) {
    const { status, errors, json } = await credits(name, [], () => [use('a', 1, 9)]);
    assert.equal(status, 0, errors);
    assert.deepEqual(json().files.map(({ path, times }) => [path, times]), [[name, [{ begin_s: 1, end_s: 9 }]]]);
    assert.equal(JSON.parse(server.requests[0].body).pieces.length, 2);
  }
});

test('the cue sheet, credits and receipts of a film are those of its tracks (CLI-26, CLI-27, CLI-29)', { skip }, async () => {
  const found = () => [use('a', 1, 2.5), use('b', 4, 5, 90, 'cc-by-nc-4.0'), use('a', 8, 9)];
  const cues = await credits('film.mp4', ['--format', 'cue-sheet'], found);
  assert.equal(cues.status, 1);
  const [, ...rows] = cues.out.trimEnd().split('\r\n');
  assert.deepEqual(rows.map((row) => row.split(',').slice(0, 8).join()), [
    '1,00:00:01.000,00:00:02.500,00:00:01.500,film.mp4,allowed,a,Title a',
    '2,00:00:04.000,00:00:05.000,00:00:01.000,film.mp4,not_allowed,b,Title b',
    '3,00:00:08.000,00:00:09.000,00:00:01.000,film.mp4,allowed,a,Title a',
  ]);
  assert.match(cues.errors, /film\.mp4: "Title b": not allowed: CC BY-NC 4\.0 does not allow commercial use/);
  const text = await credits('film.mp4', ['--format', 'text', '--use', 'non-commercial', '--receipts', at('receipts.jsonl')], found);
  assert.equal(text.status, 0, text.errors);
  assert.match(text.out, /"Title a" by Ada Reed/);
  assert.equal(readFileSync(at('receipts.jsonl'), 'utf8'), '{"number":2}\n{"number":3}\n');
  const table = await credits('film.mp4', ['--table'], found);
  assert.match(table.out, /^TIMES +TRACK.*\n0:00:01-0:00:03, 0:00:08-0:00:09 +Title a \(a\) +its sound \(90\) +CC BY 4\.0 +yes/);
  assert.match(table.errors, /2 tracks for commercial use: 1 allowed, 1 not allowed, 0 unknown/);
  const doubtful = await credits('film.mp4', ['--min-score', '95'], found);
  assert.deepEqual([doubtful.status, doubtful.json().summary.unknown], [1, 2]);
});

test('a film without a recognized track is not clean (CLI-29)', { skip }, async () => {
  const { status, errors, json } = await credits('film.mp4');
  assert.deepEqual([status, json().files], [1, []]);
  assert.equal(errors, '');
  const table = await credits('film.mp4', ['--table']);
  assert.deepEqual([table.status, table.out], [1, '']);
  assert.match(table.errors, /no track of the catalog was recognized in .*film\.mp4; music from elsewhere is not found/);
});

test('of several audio tracks the default one is decoded, and the others are not checked (CLI-28)', { skip }, async () => {
  const { status, json } = await credits('two.mkv', [], () => [use('a', 1, 2)]);
  assert.equal(status, 1);
  assert.deepEqual(json().skipped, [{ path: 'two.mkv', reason: 'audio track 1 of 2: only track 2 is decoded' }]);
  assert.equal(json().summary.not_looked_at, 1);
  const { body } = server.requests[0];
  await credits('film.webm');
  assert.equal(server.requests[0].body, body, 'the same sound');
});

test('sound that begins after the picture has the times of the film (CLI-28)', { skip }, async () => {
  const { status, errors } = await credits('late.mp4', [], () => [use('a', 1, 2)]);
  assert.equal(status, 0, errors);
  const body = await credits('film.mp4', [], () => []).then(() => server.requests[0].body);
  await credits('late.mp4');
  assert.ok(server.requests[0].body.length > body.length + 20, 'the silence before it is a part of the piece');
});

test('what is no film, truncated or without sound has status 2, and nothing is sent (CLI-28)', { skip }, async () => {
  for (const [name, reason] of [
    ['truncated.mp4', /truncated\.mp4: (cannot be decoded: .*corrupt input packet|is truncated: )/],
    ['truncated.webm', /truncated\.webm: is truncated: its sound ends after 0:00:\d\d of 0:00:10/],
    ['text.mp4', /text\.mp4: cannot be decoded: /],
    ['list.mp4', /list\.mp4: cannot be decoded: .*not on whitelist/],
    ['concat.mp4', /concat\.mp4: cannot be decoded: .*not on whitelist/],
    ['silent.mp4', /silent\.mp4: has no sound/],
    ['absent.mp4', /absent\.mp4: No such file or directory/],
  ]) {
    const { status, out, errors } = await credits(name);
    assert.deepEqual([status, out, server.requests.length], [2, '', 0], `${name}: ${errors}`);
    assert.match(errors, reason);
    assert.equal(errors.trimEnd().split('\n').length, 1, errors);
  }
});

test('a film with damage is recognized, and its report is not clean (CLI-28)', { skip }, async () => {
  const { status, errors, json } = await credits('damaged.webm', ['--format', 'json'], () => [use('a', 1, 9)]);
  assert.equal(status, 1, errors);
  const report = json();
  assert.deepEqual([report.files.length, report.files[0].verdict], [1, 'allowed']);
  assert.match(report.skipped[0].reason, /^damaged: /);
});

test('without FFmpeg the status is 2, with the name of the package (CLI-28)', { skip }, async () => {
  const { status, out, errors } = await credits('film.mp4', [], () => [], { PATH: '/nonexistent' });
  assert.deepEqual([status, out, server.requests.length], [2, '', 0]);
  assert.match(errors, /ffprobe is not installed.*Debian's package ffmpeg has it/);
});

test('a folder with the name of a film is a folder, and a film in a folder is no audio (CLI-9)', { skip }, async () => {
  mkdirSync(at('folder.mp4'));
  writeFileSync(at('folder.mp4/film.mp4'), readFileSync(at('film.mp4')));
  const { status, json } = await credits('folder.mp4');
  assert.deepEqual([status, json().files, json().other_files, server.requests.length], [0, [], 1, 0]);
  const cues = await credits('folder.mp4', ['--format', 'cue-sheet']);
  assert.deepEqual([cues.status, cues.out], [2, '']);
  assert.match(cues.errors, /--format cue-sheet needs an edit list .* or a film or mix/);
});

test('limits of the server are waited for, and errors have status 3 (CLI-5, CLI-8)', { skip }, async () => {
  const limited = await fakeServer((number) => (number === 1 ? { status: 429, headers: { 'Retry-After': '1' }, text: '{"message":"slow down"}' }
    : { text: JSON.stringify({ pieces: [{ uses: [use('a', 1, 2)] }, { uses: [] }] }) }));
  const waited = await credits('film.mp4', [], () => [], { TONEARM_API: limited.url });
  limited.close();
  assert.equal(waited.status, 0, waited.errors);
  assert.match(waited.errors, /the server limits requests; retrying in 1 s/);
  const failing = await fakeServer(() => ({ status: 500, text: '{"message":"it fails"}' }));
  const failed = await credits('film.mp4', [], () => [], { TONEARM_API: failing.url });
  failing.close();
  assert.equal(failed.status, 3);
  assert.match(failed.errors, /it fails/);
});

test('a terminal shows the progress (CLI-28)', { skip: skip || noTerminal }, async () => {
  uses = () => [];
  server.requests.length = 0;
  const { out } = await onTerminal(['credits', at('film.mp4')], { PATH: process.env.PATH, TONEARM_API: server.url, TONEARM_API_KEY: 'k' });
  assert.match(out, /listening: 0 of 0 minutes/);
});

/** Programs that replace those of FFmpeg. */
function fakePrograms(name, ffprobe, program) {
  mkdirSync(at(name));
  for (const [file, script] of [['ffprobe', ffprobe], ['ffmpeg', program]]) {
    writeFileSync(at(`${name}/${file}`), `#!/bin/sh\n${script}\n`);
    chmodSync(at(`${name}/${file}`), 0o755);
  }
  return `${at(name)}:/usr/bin:/bin`;
}
const oneTrack = `echo '{"streams":[{"index":0,"codec_type":"audio"}],"format":{}}'`;

test('the decoder has no key, no input and cannot write files (CLI-28)', { skip }, async () => {
  const path = fakePrograms('spy', oneTrack, `echo "keys $(env | grep -ic key) files $(ulimit -f) input $(wc -c)" >&2; echo x > ${at('written')}; exit 1`);
  const { status, errors } = await credits('film.mp4', [], () => [], { PATH: path });
  assert.equal(status, 2);
  assert.match(errors, /film\.mp4: cannot be decoded: keys 0 files 0 input 0/);
  assert.equal(readFileSync(at('written'), 'utf8'), '');
});

test('the decoder ends with the program (CLI-28)', { skip }, async () => {
  const path = fakePrograms('slow', oneTrack, 'exec sleep 600');
  for (const signal of ['SIGINT', 'SIGKILL']) {
    const program = spawn(join(bin, 'tonearm'), ['credits', at('film.mp4')], { stdio: 'ignore', env: { PATH: path, TONEARM_API: server.url, TONEARM_API_KEY: 'k' } });
    const ended = new Promise((done) => { program.on('close', (_, by) => done(by)); });
    const child = await until(() => {
      assert.equal(program.exitCode, null);
      return sleepingChild(program.pid);
    });
    program.kill(signal);
    assert.equal(await ended, signal);
    await until(() => !isRunning(child));
  }
});

/** Returns the first result of `check` that is true. */
async function until(check) {
  for (;;) {
    const result = check();
    if (result) return result;
    await new Promise((done) => { setImmediate(done); });
  }
}

/** Returns the text of a file of /proc, or an empty text if its process has ended. */
function processText(path) {
  try {
    return readFileSync(`/proc/${path}`, 'utf8');
  } catch {
    return '';
  }
}

function sleepingChild(pid) {
  return processText(`${pid}/task/${pid}/children`).split(' ').find((child) => child && processText(`${child}/comm`) === 'sleep\n');
}

const isRunning = (pid) => /^State:\s+[^ZX\s]/m.test(processText(`${pid}/status`));

test('a server finds the tracks of its catalog in a film, with their times (CREDIT-29 to CREDIT-31)', { skip }, async () => {
  const project = new Project();
  try {
    await project.start();
    writeFileSync(at('one.wav'), wav(1, { seconds: 15, skip_s: 3 }));
    writeFileSync(at('three.wav'), wav(3, { seconds: 12 }));
    writeFileSync(at('none.wav'), wav(88, { seconds: 30 }));
    ffmpeg('-i', 'none.wav', '-i', 'one.wav', '-i', 'none.wav', '-i', 'three.wav', '-filter_complex', '[0][1][2][3]concat=n=4:v=0:a=1', '-c:a', 'aac', 'catalog.mp4');
    const { status, errors, json } = await project.run(['credits', at('catalog.mp4'), '--format', 'json']);
    assert.equal(status, 1, errors); // Night Drive is under CC BY-NC
    const { files } = json();
    assert.deepEqual(files.map(({ track: { title }, verdict, found_by, score }) => [title, verdict, found_by, score]),
      [['Copper Bells', 'allowed', 'fingerprint', 90], ['Night Drive', 'not_allowed', 'fingerprint', 90]]);
    const times = files.flatMap((file) => file.times.flatMap(({ begin_s, end_s }) => [begin_s, end_s]));
    [30, 45, 75, 87].forEach((expected, i) => assert.ok(Math.abs(times[i] - expected) <= 2, `${times}`));
  } finally {
    await LaunchedServer.endAll();
    project.remove();
  }
});
