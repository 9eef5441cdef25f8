// `tonearm credits`: identifies the tracks in a project, checks whether it may be published, and lists the credits (CLI-8 to CLI-13).
// Usage: node --test tests/command-line/credits_test.mjs      (TONEARM_BIN: the programs' folder, by default build/native/bin)

import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { test } from 'node:test';

import { fakeServer, onTerminal, projectOfTests, TRACKS, wav } from './project.mjs';

const project = projectOfTests();

const bytesOf = (title) => TRACKS.find((track) => track[2] === title)[4];
const noFfmpeg = spawnSync('ffmpeg', ['-version']).error !== undefined && 'skipped: there is no ffmpeg';
const noTerminal = !existsSync('/usr/bin/script') && 'skipped: there is no script(1)';

/** path -> "verdict found_by" of a report. */
const verdicts = ({ files }) => Object.fromEntries(files.map((file) => [file.path, `${file.verdict} ${file.found_by}`]));

test('files are identified by sound, bytes and name, and only known and allowed files pass (CLI-8, CLI-10, CLI-11)', async () => {
  const folder = project.write('mixed', {
    'music/one.wav': wav(1, { seconds: 12, level: 0.2, skip_s: 3 }),
    'music/two.wav': wav(3, { level: 0.3 }),
    'sounds/ui.wav': bytesOf('Click'),
    'sounds/Bo Lund - Glass Rain.mp3': 'no audio at all',
    'sounds/Glass Rain.m4a': 'something',
    'sounds/mine.wav': wav(77),
    'sounds/broken.flac': Buffer.concat([Buffer.from('fLaC'), Buffer.alloc(400, 7)]),
    'sounds/empty.ogg': '',
    'readme.txt': 'no audio',
  });
  const { status, errors, json } = await project.run(['credits', folder]);
  assert.equal(status, 1, errors);
  const report = json();
  assert.deepEqual(verdicts(report), {
    'music/one.wav': 'allowed fingerprint',
    'music/two.wav': 'not_allowed fingerprint',
    'sounds/Bo Lund - Glass Rain.mp3': 'allowed title',
    'sounds/Glass Rain.m4a': 'unknown title',
    'sounds/broken.flac': 'unknown null',
    'sounds/empty.ogg': 'unknown null',
    'sounds/mine.wav': 'unknown null',
    'sounds/ui.wav': 'allowed sha256',
  });
  assert.deepEqual([report.summary, report.other_files, report.skipped], [{ allowed: 3, not_allowed: 1, unknown: 4, not_looked_at: 0 }, 1, []]);
  const of = (path) => report.files.find((file) => file.path === path);
  assert.equal(of('music/two.wav').reason, 'CC BY-NC 4.0 does not allow commercial use');
  assert.match(of('sounds/Glass Rain.m4a').reason, /^perhaps "Glass Rain" \(.*\), but its score of 60 is below 70$/);
  assert.match(of('sounds/Bo Lund - Glass Rain.mp3').notes[0], /^cannot be decoded: /);
  assert.equal(of('music/one.wav').track.title, 'Copper Bells');
  assert.match(report.credits, /^Credit required\n.*"Copper Bells" by Ada Reed .*\n.*"Night Drive" by Cy Moor/);
  assert.match(report.credits, /Glass Rain[^]*1 of these tracks is for non-commercial use only\./);

  const lenient = await project.run(['credits', folder, '--use', 'non-commercial', '--min-score', '60', '--ignore', 'sounds/{broken,mine}*',
    '--ignore', 'sounds/*e*.ogg', '--ignore', 'sounds/broken.flac', '--ignore', '**/mine.wav']);
  assert.equal(lenient.status, 0, lenient.out);
  assert.deepEqual(lenient.json().summary, { allowed: 5, not_allowed: 0, unknown: 0, not_looked_at: 0 });
  assert.deepEqual(lenient.json().skipped.map(({ reason }) => reason), ['ignored', 'ignored', 'ignored']);
});

test('other encodings of a recording are recognized (CLI-9)', { skip: noFfmpeg }, async () => {
  const folder = project.write('encoded', { 'a.wav': bytesOf('Copper Bells') });
  for (const name of ['b.flac', 'c.mp3', 'd.ogg', 'e.opus']) {
    const made = spawnSync('ffmpeg', ['-v', 'error', '-nostdin', '-i', `${folder}/a.wav`, `${folder}/${name}`], { encoding: 'utf8' });
    assert.equal(made.status, 0, made.stderr);
  }
  const { status, out, json } = await project.run(['credits', folder]);
  assert.equal(status, 0, out);
  assert.deepEqual(new Set(json().files.map(({ track, found_by }) => `${track.title} ${found_by}`)), new Set(['Copper Bells fingerprint']));
  assert.equal(json().files.length, 5);
  assert.equal(json().credits.split('Copper Bells').length, 2, 'each track once');
});

test('credits are printed in every format of the API, and problems on stderr (CLI-12)', async () => {
  const folder = project.write('formats', { 'a.wav': bytesOf('Copper Bells'), 'b.wav': bytesOf('Common Ground'), 'c.wav': wav(99) });
  const starts = { text: 'Music in this film\n', markdown: '## Music in this film\n', csv: 'position,track_id,', html: '<h2>Music in this film</h2>',
    youtube: 'Music in this film\n', reuse: 'version = 1', attributions: '- track_id: "' };
  for (const [format, start] of Object.entries(starts)) {
    const { status, out, errors } = await project.run(['credits', folder, '--format', format, '--heading', 'Music in this film']);
    assert.equal(status, 1);
    assert.ok(out.startsWith(start), `${format}: ${out}`);
    assert.ok(out.includes('Copper Bells') && out.includes('Common Ground') && !out.includes('c.wav'), out);
    assert.match(errors, /^c\.wav: unknown: no track of the catalog/m);
    assert.match(errors, /^b\.wav: derived works must be shared under the same license$/m);
    assert.match(errors, /^3 audio files for commercial use: 2 allowed, 0 not allowed, 1 unknown$/m);
  }
  assert.equal((await project.run(['credits', folder, '--format', 'json'])).json().files.length, 3);
});

test('a project has its own settings file, and the command line overrides it (CLI-1, PROGRAM-2)', async () => {
  const folder = project.write('configured', { 'a.wav': bytesOf('Night Drive'), 'own/b.wav': wav(44), 'tonearm.toml': 'use = "non-commercial"\nignore = ["own"]\n' });
  const configured = await project.run(['credits', folder, '--config', `${folder}/tonearm.toml`]);
  assert.equal(configured.status, 0, configured.out + configured.errors);
  assert.equal((await project.run(['credits', folder, '--config', `${folder}/tonearm.toml`, '--use', 'commercial'])).status, 1);
  for (const heading of ['', ' ', 'two\nlines', '\u202eevil', 'x'.repeat(81)]) {
    const refused = await project.run(['credits', folder, '--heading', heading]);
    assert.deepEqual([refused.status, refused.out], [2, ''], JSON.stringify(heading));
  }
});

test('skipped entries are reported, and links cannot hide audio (CLI-9)', async () => {
  const folder = project.write('links', { 'a.wav': bytesOf('Copper Bells'), '.git/x.wav': 'x', '.hidden.wav': 'x', 'own/voice.wav': wav(55), 'evil\u001b[2J.wav': wav(56) });
  const outside = project.write('elsewhere', { 'b.wav': bytesOf('Glass Rain') });
  symlinkSync('a.wav', `${folder}/inside.wav`);
  symlinkSync(`${outside}/b.wav`, `${folder}/outside.wav`);
  symlinkSync('.git/x.wav', `${folder}/to-hidden.wav`);
  symlinkSync('nowhere.wav', `${folder}/lost.wav`);
  symlinkSync(outside, `${folder}/folder`);
  execFileSync('mkfifo', [`${folder}/pipe.wav`]);
  const { status, json } = await project.run(['credits', folder, '--ignore', 'own']);
  assert.equal(status, 1);
  const { files, skipped, summary } = json();
  assert.equal(summary.not_looked_at, 2, 'the folder elsewhere and the pipe');
  assert.deepEqual(files.map(({ path, verdict, reason }) => [path, verdict, reason]).filter(([, verdict]) => verdict === 'unknown'), [
    ['evil\u001b[2J.wav', 'unknown', 'no track of the catalog matches this file'],
    ['lost.wav', 'unknown', 'a broken link'],
    ['outside.wav', 'unknown', 'a link to audio outside of the folder'],
    ['to-hidden.wav', 'unknown', 'a link to audio outside of the folder'],
  ]);
  assert.deepEqual(skipped.map(({ path, reason }) => `${path}: ${reason}`), ['.git/: hidden', '.hidden.wav: hidden', 'folder: a link to a folder outside',
    'inside.wav: a link within the folder', 'own: ignored', 'pipe.wav: not a regular file']);
  const shown = await project.run(['credits', folder, '--table']);
  assert.doesNotMatch(shown.out + shown.errors, /\u001b/);
  assert.ok(shown.out.includes('evil\\u001b[2J.wav'));
  if (process.getuid() !== 0) {
    mkdirSync(`${folder}/closed`, { mode: 0o000 });
    chmodSync(`${folder}/own/voice.wav`, 0o000);
    const closed = (await project.run(['credits', folder])).json();
    chmodSync(`${folder}/closed`, 0o700);
    assert.ok(closed.skipped.some(({ path }) => path === 'closed/'));
    assert.equal(closed.files.find(({ path }) => path === 'own/voice.wav').reason, 'cannot be read');
  }
});

test('a project with unchecked entries does not pass (CLI-5, CLI-9)', async () => {
  const folder = project.write('partly', { 'a.wav': bytesOf('Copper Bells'), 'own/voice.wav': wav(55), 'notes.txt': 'x' });
  symlinkSync('a.wav', `${folder}/inside.wav`);
  const whole = await project.run(['credits', folder, '--ignore', 'own', '--table']);
  assert.deepEqual([whole.status, whole.errors.match(/skipped: /g).length], [0, 3], whole.errors);
  symlinkSync(project.write('beside', { 'b.wav': wav(57) }), `${folder}/elsewhere`);
  const partly = await project.run(['credits', folder, '--ignore', 'own', '--format', 'text']);
  assert.equal(partly.status, 1);
  const disguised = project.write('disguised', { 'store/3fa9': wav(58) });
  symlinkSync('store/3fa9', `${disguised}/song.wav`);
  const found = await project.run(['credits', disguised]);
  assert.deepEqual([found.status, found.json().files.map(({ path, verdict }) => [path, verdict])], [1, [['song.wav', 'unknown']]]);
  assert.match(partly.errors, /^not checked: elsewhere: a link to a folder outside$[^]*; not checked: 1$/m);
});

test('a single file, an empty folder and other paths are handled (CLI-8, CLI-13)', async () => {
  const folder = project.write('alone', { 'a.wav': bytesOf('Copper Bells'), 'b.txt': '' });
  assert.equal((await project.run(['credits', `${folder}/a.wav`])).json().files[0].verdict, 'allowed');
  mkdirSync(project.at('nothing'));
  const empty = await project.run(['credits', project.at('nothing'), '--table']);
  assert.deepEqual([empty.status, empty.out], [0, '']);
  assert.match(empty.errors, /^no audio files in /);
  for (const path of [project.at('absent'), `${folder}/b.txt`, '/dev/null']) {
    const { status, out, errors } = await project.run(['credits', path]);
    assert.deepEqual([status, out], [2, '']);
    assert.ok(errors.startsWith(`tonearm: ${path}: `), errors);
  }
  const deep = project.at(`deep/${'d/'.repeat(70)}`);
  mkdirSync(deep, { recursive: true });
  assert.match((await project.run(['credits', project.at('deep')])).errors, /nested more than 64 deep/);
});

test('only names, checksums, durations and fingerprints are sent, in bounded requests (CLI-8)', async () => {
  const names = Array.from({ length: 230 }, (_, i) => `secret-folder/f${i}.m4a`);
  const folder = project.write('many', Object.fromEntries([...names.map((name) => [name, name]), ['long.wav', wav(8, { seconds: 130 })]]));
  const server = await fakeServer((_, body) => ({ text: JSON.stringify({ files: JSON.parse(body).files.map(({ name }) => ({ name, track: null, found_by: null, score: 0 })), credits: '' }) }));
  const { status, json } = await project.run(['credits', folder], {}, server.url);
  assert.equal(status, 1);
  assert.equal(json().files.length, 231);
  assert.deepEqual(server.requests.map(({ method, url }) => `${method} ${url}`), Array(3).fill('POST /v1/credits/match'));
  const sent = server.requests.flatMap(({ body }) => {
    assert.ok(body.length <= 256 * 1024 && JSON.parse(body).files.length <= 100);
    assert.ok(!body.includes('secret-folder'));
    return JSON.parse(body).files;
  });
  assert.deepEqual(Object.keys(sent[0]).sort(), ['duration_s', 'fingerprint', 'name', 'sha256']);
  assert.equal(sent[0].duration_s, 130);
  assert.ok(sent[0].fingerprint.length > 1000 && sent[0].fingerprint.length <= 8192);
  assert.equal(sent[0].sha256, createHash('sha256').update(readFileSync(`${folder}/long.wav`)).digest('hex'));
  server.close();
});

test('over a limit it retries when the server says so, and gives up if that is too late (CLI-8)', async () => {
  const folder = project.write('limited', { 'a.m4a': 'x' });
  const limited = (seconds) => ({ status: 429, headers: { 'Retry-After': String(seconds) }, text: '{"error":"rate_limited","message":"Too many calls."}' });
  const good = { text: '{"files":[{"name":"a.m4a","track":null,"found_by":null,"score":0}],"credits":""}' };
  const patient = await fakeServer((call) => (call === 1 ? limited(1) : good));
  const waited = await project.run(['credits', folder], {}, patient.url);
  assert.deepEqual([waited.status, patient.requests.length], [1, 2]);
  assert.match(waited.errors, /^tonearm: the server limits requests; retrying in 1 s$/m);
  patient.close();
  const strict = await fakeServer(() => limited(3600));
  const refused = await project.run(['credits', folder], {}, strict.url);
  assert.deepEqual([refused.status, refused.out, strict.requests.length], [3, '', 1]);
  assert.match(refused.errors, /Too many calls\. \(429\)/);
  strict.close();
});

test('no license is assumed from the answers of a server (CLI-10)', async () => {
  const folder = project.write('claims', { 'a.m4a': 'x' });
  const track = { id: 't-1', title: 'T', artist: 'A', license: { id: 'cc0', name: 'CC0 1.0', status: 'listed' }, terms: { commercial: true },
    attribution: 'optional', source_page: null, preview_url: 'https://x.example/p', original_url: null };
  const reasonOf = async (changes, found_by = 'title') => {
    const text = JSON.stringify({ files: [{ name: 'a.m4a', track: { ...track, ...changes }, found_by, score: 90 }], credits: '' });
    const server = await fakeServer(() => ({ text }));
    const { json } = await project.run(['credits', folder], {}, server.url);
    server.close();
    return `${json().files[0].verdict}: ${json().files[0].reason}`;
  };
  assert.equal(await reasonOf({}), 'allowed: null');
  for (const license of [{ id: 'cc-by-nd-4.0' }, { id: 'unknown' }, {}, null]) {
    assert.match(await reasonOf({ license }), /^unknown: the license of "T" \(t-1\) is unknown to this version$/);
  }
  assert.match(await reasonOf({ license: { id: 'cc-by-nc-4.0' } }), /^unknown: /, 'terms and license disagree');
  assert.match(await reasonOf({ terms: {} }), /^unknown: /);
  assert.match(await reasonOf({ preview_url: null }, 'id'), /^unknown: .*may have been taken down/);
  for (const found_by of ['sha256', 'title']) assert.equal(await reasonOf({ preview_url: null }, found_by), 'allowed: null');
  const short = await fakeServer(() => ({ text: '{"files":[],"credits":""}' }));
  assert.equal((await project.run(['credits', folder], {}, short.url)).status, 3);
  short.close();
});

test('on a terminal the report is a table followed by the credits (CLI-4, CLI-11)', { skip: noTerminal }, async () => {
  const folder = project.write('shown', { 'a.wav': bytesOf('Copper Bells'), 'b.wav': bytesOf('Night Drive') });
  const { status, out } = await onTerminal(['credits', folder, '--no-color'], { TONEARM_API: project.server.url, TONEARM_API_KEY: project.key }, 140);
  assert.equal(status, 1, out);
  assert.match(out, /^a\.wav +Copper Bells \(.*\) +its sound \(99\) +CC BY 4\.0 +yes/m);
  assert.match(out, /^b\.wav .* NO +CC BY-NC 4\.0 does not allow commercial use/m);
  assert.match(out, /Credits to paste:\r\n\r\nCredit required\r\n"Copper Bells"/);
  assert.match(out, /2 audio files for commercial use: 1 allowed, 1 not allowed, 0 unknown/);
});
