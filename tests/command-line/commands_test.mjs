// The commands of `tonearm`, its settings, its output and its exit status (CLI-1 to CLI-7).
// Usage: node --test tests/command-line/commands_test.mjs      (TONEARM_BIN: the programs' folder, by default build/native/bin)

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { bin } from '../http/server_process.mjs';
import { writeCertificate } from '../support/certificates.mjs';
import { LaunchedServer } from '../support/launched_server.mjs';
import { fakeServer, onTerminal, projectOfTests, tonearm } from './project.mjs';

const project = projectOfTests();

const noTerminal = !existsSync('/usr/bin/script') && 'skipped: there is no script(1)';
const HOSTILE = '\u001b]0;owned\u0007\u009b31m\u202eevil\r\nline';

test('a search finds tracks by words and filters, as JSON if stdout is not a terminal (CLI-4, CLI-6)', async () => {
  const { status, out, errors, json } = await project.run(['search', 'copper', 'bells', '--commercial', '--limit', '5']);
  assert.equal(status, 0, errors);
  assert.equal(errors, '');
  assert.ok(out.endsWith('}\n'));
  assert.deepEqual(json().tracks.map(({ title }) => title), ['Copper Bells']);
  const none = await project.run(['search', '--license', 'cc-by-nc-4.0', '--commercial']);
  assert.equal(none.json().total, 0);
  const nonCommercial = await project.run(['search', '--commercial=false', '--fields', 'title', '--table']);
  assert.deepEqual(nonCommercial.json().tracks, [{ title: 'Night Drive', untrusted_fields: ['title'] }]);
});

test('a table of tracks with different numbers of words has a line before each but the first (CLI-14)', async () => {
  const { out, errors } = await project.run(['search', 'copper', 'bells', '--table']);
  assert.match(out, /^ID +TITLE[^\n]*\n[^\n]*Copper Bells/, errors);
  const { json } = await project.run(['search', 'copper', 'night']);
  assert.deepEqual(json().matched[0].words, 1);
  const table = await project.run(['search', 'copper', 'night', '--table']);
  assert.match(table.out, /^ID +TITLE[^\n]*\nTracks with 1 of 2 words\n[^\n]*(Copper Bells|Night Drive)/);
  const all = await project.run(['search', 'copper', 'night', '--match', 'all', '--table']);
  assert.equal(all.out, 'nothing\n');
});

test('words after -- are search words, even if they look like options (CLI-6)', async () => {
  const server = await fakeServer(() => ({ text: '{"tracks":[]}' }));
  assert.equal((await project.run(['search', '--limit', '3', '--', '--json', 'a b', '-x'], {}, server.url)).status, 0);
  assert.deepEqual(server.requests.map(({ url }) => url), ['/v1/search?q=--json%20a%20b%20-x&limit=3']);
  server.close();
});

test('every parameter of the routes is an option, and every command is in the help (CLI-1, CLI-6)', async () => {
  const description = await (await fetch(`${project.server.url}/openapi.json`)).json();
  const parameters = (path) => description.paths[path].get.parameters.filter((it) => it.in === 'query').map((it) => it.name);
  for (const [path, ...words] of [['/v1/search', 'search'], ['/v1/tracks/{id}/similar', 'similar'], ['/v1/meta', 'filters'],
    ['/v1/license-changes', 'collection', 'changes'], ['/v1/collections/{id}/similar', 'collection', 'similar']]) {
    const help = (await tonearm([...words, '--help'])).out;
    for (const name of parameters(path)) {
      if (path === '/v1/search' && name === 'q') continue;
      assert.ok(help.includes(`--${name.replaceAll('_', '-')}`), `${words} ${name}`);
    }
  }
  const groups = (await tonearm(['collection', '--help'])).out;
  for (const name of ['list', 'show', 'create', 'update', 'delete', 'add', 'remove', 'edit', 'order', 'credits', 'similar', 'changes']) {
    assert.match(groups, new RegExp(`^  ${name} `, 'm'));
  }
});

test('tracks, similar tracks, filters and usage are shown', async () => {
  const { tracks: [track] } = (await project.run(['search', 'copper'])).json();
  assert.equal((await project.run(['track', track.id])).json().title, 'Copper Bells');
  const { tracks: [other] } = (await project.run(['search', 'glass'])).json();
  const both = await project.run(['track', other.id, track.id, 'mel-none']);
  assert.deepEqual([both.json().tracks.length, both.json().missing], [2, ['mel-none']]);
  const page = await project.run(['track', track.id, '--table']);
  assert.match(page.out, /^title +Copper Bells$/m);
  assert.match(page.out, /^commercial use +yes$/m);
  assert.match(page.out, /^credit line +"Copper Bells" by Ada Reed .*CC BY 4\.0/m);
  assert.ok(Array.isArray((await project.run(['similar', track.id, '--limit', '2'])).json().tracks));
  assert.match((await project.run(['filters', '--table'])).out, /^license +cc-by-nc-4\.0 +CC BY-NC 4\.0$/m);
  assert.match((await project.run(['usage', '--table'])).out, /^plan +unlimited$/m);
});

test('collections are created, changed, exported and deleted (CLI-7)', async () => {
  const { tracks } = (await project.run(['search', '--commercial'])).json();
  const ids = tracks.map(({ id }) => id);
  const made = (await project.run(['collection', 'create', 'Rainy "evenings"', '--commercial'])).json();
  assert.deepEqual([made.name, made.commercial, made.revision], ['Rainy "evenings"', true, 1]);
  const filled = (await project.run(['collection', 'add', made.id, ...ids])).json();
  assert.deepEqual(filled.items.map(({ track_id }) => track_id), ids);
  const backwards = [...ids].reverse();
  const ordered = (await project.run(['collection', 'order', made.id, ...backwards])).json();
  assert.deepEqual(ordered.items.map(({ track_id }) => track_id), backwards);
  const edited = (await project.run(['collection', 'edit', made.id, ids[0], '--note', 'opening', '--changes', 'trimmed,looped', '--position', '0'])).json();
  assert.deepEqual([edited.items[0].track_id, edited.items[0].note, edited.items[0].modifications.chips], [ids[0], 'opening', ['trimmed', 'looped']]);
  const renamed = (await project.run(['collection', 'update', made.id, '--name', 'Storms'])).json();
  assert.deepEqual([renamed.name, renamed.commercial], ['Storms', true]);
  const stale = await project.run(['collection', 'update', made.id, '--name', 'Calm', '--revision', '1']);
  assert.equal(stale.status, 3);
  assert.match(stale.errors, /^tonearm: .*\(409\)\n$/);
  assert.equal((await project.run(['collection', 'remove', made.id, ids[1]])).json().track_count, ids.length - 1);
  assert.match((await project.run(['collection', 'list', '--table'])).out, new RegExp(`^${made.id}  Storms +${ids.length - 1} +yes`, 'm'));
  assert.match((await project.run(['collection', 'show', made.id, '--table'])).out, /opening/);
  assert.match((await project.run(['collection', 'credits', made.id, '--format', 'markdown'])).out, /^## Credit required\n/);
  assert.match((await project.run(['collection', 'credits', made.id, '--table', '--heading', 'Music'])).out, /^Music\n/);
  assert.equal((await project.run(['collection', 'credits', made.id])).json().collection.id, made.id);
  assert.equal((await project.run(['collection', 'changes'])).json().total, 0);
  assert.ok(Array.isArray((await project.run(['collection', 'similar', made.id])).json().tracks));
  const unsure = await project.run(['collection', 'delete', made.id]);
  assert.deepEqual([unsure.status, unsure.out], [2, '']);
  assert.match(unsure.errors, /--yes/);
  assert.equal((await project.run(['collection', 'delete', made.id, '--yes'])).json().deleted, true);
  assert.equal((await project.run(['collection', 'show', made.id])).status, 3);
  assert.match((await project.run(['collection', 'show', '../usage'])).errors, /COLLECTION must be an id/);
});

test('on a terminal a table fits the width; elsewhere it is complete (CLI-4)', { skip: noTerminal }, async () => {
  const env = { TONEARM_API: project.server.url, TONEARM_API_KEY: project.key };
  const wide = await onTerminal(['search'], env, 120);
  assert.equal(wide.status, 0, wide.out);
  assert.match(wide.out, /Copper Bells/);
  assert.ok(wide.out.includes('\u001b[32myes\u001b[0m') && wide.out.includes('\u001b[31mno\u001b[0m'), wide.out);
  for (const plain of [await onTerminal(['search', '--no-color'], env, 60), await onTerminal(['search'], { ...env, NO_COLOR: '1' }, 60),
    await onTerminal(['search'], { ...env, TERM: 'dumb' }, 60)]) {
    const lines = plain.out.split('\r\n');
    assert.ok(lines.length > 5 && lines.every((line) => [...line].length <= 60), plain.out);
    assert.ok(!plain.out.includes('\u001b') && plain.out.includes('…'), plain.out);
  }
  assert.equal(JSON.parse((await onTerminal(['search', '--json'], env)).out).total, 5);
  const whole = await project.run(['search', '--table']);
  assert.ok(!whole.out.includes('…') && !whole.out.includes('\u001b'));
  assert.equal(whole.errors, '5 in all\n');
});

test('texts of the server cannot control the terminal or break lines (CLI-4, PROGRAM-20)', async () => {
  const track = { id: HOSTILE, title: HOSTILE, artist: 'x', license: { id: 'cc0', name: HOSTILE }, terms: { commercial: true }, tags: { [HOSTILE]: [HOSTILE] } };
  const answers = { search: { tracks: [track], total: 1, suggestions: [{ message: HOSTILE }] }, track,
    collection: { id: HOSTILE, name: HOSTILE, items: [{ track_id: HOSTILE, note: HOSTILE }] } };
  const id = `col_${'a'.repeat(26)}`;
  for (const [words, answer] of [[['search'], answers.search], [['track', 'x'], answers.track], [['collection', 'show', id], answers.collection],
    [['collection', 'credits', id], { text: HOSTILE }], [['filters'], { licenses: [{ id: HOSTILE, name: HOSTILE }] }], [['usage'], { plan: HOSTILE }]]) {
    const server = await fakeServer(() => ({ text: JSON.stringify(answer) }));
    for (const form of ['--table', '--json']) {
      const { out, errors, status } = await project.run([...words, form], {}, server.url);
      assert.equal(status, 0, errors);
      assert.ok(out.length > 0);
      assert.doesNotMatch(out + errors, /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/, `${words} ${form}`);
    }
    server.close();
  }
  const error = await fakeServer(() => ({ status: 400, text: JSON.stringify({ error: 'x', message: HOSTILE }) }));
  const refused = await project.run(['search'], {}, error.url);
  assert.equal(refused.status, 3);
  assert.match(refused.errors, /^tonearm: [^\u0000-\u001f\u007f-\u009f\u202e]+\(400\)\n$/);
  error.close();
});

test('the key comes from a private file or the environment, and no message contains it (CLI-3)', async () => {
  const file = project.at('key');
  writeFileSync(file, `${project.key}\n`, { mode: 0o600 });
  const found = await project.run(['usage', '--key-file', file], { TONEARM_API_KEY: 'tn_wrong_key' });
  assert.equal(found.status, 0, found.errors);
  mkdirSync(project.at('settings/tonearm'), { recursive: true });
  writeFileSync(project.at('settings/tonearm/key'), project.key, { mode: 0o600 });
  assert.equal((await project.run(['usage'], { TONEARM_API_KEY: '', XDG_CONFIG_HOME: project.at('settings') })).status, 0);
  for (const mode of [0o644, 0o640, 0o620, 0o604]) {
    chmodSync(file, mode);
    const refused = await project.run(['usage', '--key-file', file]);
    assert.equal(refused.status, 2);
    assert.match(refused.errors, /^tonearm: users other than the owner can open .*: chmod 600 .*\n$/);
    assert.ok(!refused.errors.includes(project.key));
  }
  const missing = await project.run(['usage'], { TONEARM_API_KEY: '' });
  assert.deepEqual([missing.status, missing.out], [2, '']);
  assert.match(missing.errors, /^tonearm: an API key is missing: .*TONEARM_API_KEY/);
  const broken = await project.run(['usage'], { TONEARM_API_KEY: 'secret\r\nX-Other: 1' });
  assert.equal(broken.status, 2);
  assert.ok(!broken.errors.includes('secret'), broken.errors);
  const wrong = await project.run(['usage'], { TONEARM_API_KEY: 'tn_wrong_key' });
  assert.equal(wrong.status, 3);
  assert.match(wrong.errors, /\(401\)\n$/);
  assert.ok(!wrong.errors.includes('tn_wrong'));
  assert.equal((await tonearm(['usage', '--api-key', 'x'])).status, 2);
});

test('missing, faulty and redirecting servers are server errors (CLI-2, CLI-5)', async () => {
  const gone = await project.run(['usage'], {}, 'http://127.0.0.1:9');
  assert.deepEqual([gone.status, gone.out], [3, '']);
  assert.match(gone.errors, /^tonearm: no answer from http:\/\/127\.0\.0\.1:9: /);
  for (const answer of [{ text: 'hello' }, { text: '[]' }, { status: 500, text: '<html>' }, { status: 302, headers: { Location: 'http://127.0.0.1:9/' }, text: '' }]) {
    const server = await fakeServer(() => answer);
    const { status, errors } = await project.run(['usage', '--table'], {}, server.url);
    assert.equal(status, 3, JSON.stringify(answer));
    assert.match(errors, /^tonearm: .+\n$/);
    assert.equal(server.requests.length, 1);
    assert.equal(server.requests[0].headers.authorization, `Bearer ${project.key}`);
    server.close();
  }
});

test('https requires a trusted certificate (CLI-2)', async () => {
  writeCertificate({ certificate: project.at('tls.pem'), key: project.at('tls.key'), names: 'DNS:localhost' });
  const words = ['--catalog', project.at('catalog.sqlite'), '--state', project.at('tls.sqlite'), '--listen', '127.0.0.1:0', '--admin-listen', '127.0.0.1:0',
    '--admin-token-file', project.at('token'), '--tls-cert', project.at('tls.pem'), '--tls-key', project.at('tls.key')];
  const server = await LaunchedServer.launch(join(bin, 'tonearm-server'), words);
  const url = `https://localhost:${new URL(server.url).port}`;
  const distrusted = await project.run(['usage'], {}, url);
  assert.equal(distrusted.status, 3);
  assert.match(distrusted.errors, /its certificate is not trusted/);
  const trusted = await project.run(['usage', '--ca-file', project.at('tls.pem')], {}, url);
  assert.match(trusted.errors, /\(401\)\n$/, 'the server answers, but does not know the key');
  const misnamed = await project.run(['usage', '--ca-file', project.at('tls.pem')], {}, url.replace('localhost', '127.0.0.1'));
  assert.match(misnamed.errors, /its certificate is not trusted/);
  await server.stop();
});

test('wrong usage has status 2 and explains the right one (CLI-1, CLI-2, CLI-5)', async () => {
  const none = await tonearm([]);
  assert.deepEqual([none.status, none.out], [2, '']);
  assert.match(none.errors, /Usage: tonearm[^]*Exit status:[^]*Examples:/);
  assert.match((await tonearm(['--help'])).out, /--api URL .*127\.0\.0\.1:8081/);
  for (const [words, said] of [[['serach'], /there is no command serach/], [['track'], /TRACK is required/], [['search', '--kind', 'x'], /music or sfx/],
    [['search', '--limitt', '3'], /did you mean --limit/], [['search', '--json', '--table'], /exclude each other/],
    [['search', '--api', 'ftp://x'], /an http or https address/], [['search', '--api', 'http://a:b@x'], /without user/], [['search', '\xff'.repeat(0), '--config', '/nowhere.toml'], /cannot open/]]) {
    const { status, out, errors } = await project.run(words);
    assert.deepEqual([status, out], [2, ''], `${words}: ${errors}`);
    assert.match(errors, said);
  }
  const exposed = await project.run(['usage', '--api', 'http://192.0.2.1:1'], { http_proxy: 'http://127.0.0.1:9' });
  assert.equal(exposed.status, 3);
  assert.match(exposed.errors, /warning: http sends your API key unencrypted/);
  const disguised = await project.run(['usage', '--api', 'http://127.0.0.1.invalid:1'], { http_proxy: 'http://127.0.0.1:9' });
  assert.match(disguised.errors, /warning: http sends your API key unencrypted/);
  const near = await project.run(['usage'], { http_proxy: 'http://127.0.0.1:9' });
  assert.deepEqual([near.status, near.errors], [0, '']);
});

test('an answer that cannot be written is a failure (CLI-5)', { skip: !existsSync('/dev/full') && 'skipped: there is no /dev/full' }, () => {
  const ended = spawnSync('bash', ['-c', `"$0" usage >/dev/full`, join(bin, 'tonearm')], {
    encoding: 'utf8', env: { PATH: process.env.PATH, TONEARM_API: project.server.url, TONEARM_API_KEY: project.key } });
  assert.equal(ended.status, 4);
  assert.match(ended.stderr, /cannot be written/);
});

test('the guide shows only commands and options that exist', async () => {
  const guide = readFileSync(new URL('../../docs/guide/command-line.md', import.meta.url), 'utf8');
  const page = (await tonearm(['--man'])).out.replaceAll('\\-', '-');
  const used = [...guide.matchAll(/^ +tonearm ((?:collection )?[a-z]+)/gm)].map(([, name]) => name);
  assert.ok(used.length > 5);
  for (const name of used) assert.match(page, new RegExp(`^\\.SS ${name}\\b`, 'm'));
  const lines = guide.split('\n').filter((line) => /^ +tonearm /.test(line));
  const flags = lines.flatMap((line) => line.match(/--[a-z][a-z-]+/g) ?? []);
  assert.ok(flags.length > 10);
  for (const flag of flags) assert.ok(page.includes(`fB${flag}\\fR`) || flag === '--config', flag);
});
