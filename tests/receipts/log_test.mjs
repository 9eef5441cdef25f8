// The log of catalog releases: `tonearm-catalog log` appends to it, `tonearm verify-log` checks it.
// Usage: node --test tests/receipts/log_test.mjs      (TONEARM_BIN: the programs' folder)

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';

import { tonearm } from '../command-line/project.mjs';
import { bin, get, Scratch, ServerProcess } from '../http/server_process.mjs';
import { LaunchedServer } from '../support/launched_server.mjs';
import { makeKey, run } from '../support/signed_snapshots.mjs';

const DAYS = ['2026-01-15', '2026-02-15', '2026-03-15'];
const LOG = 'log.jsonl';

let scratch;
const catalog = (...words) => spawnSync(join(bin, 'tonearm-catalog'), words, { encoding: 'utf8' });
const append = (name, log = LOG) => catalog('log', scratch.at(name), scratch.at(log));
const sha256 = (text) => createHash('sha256').update(text).digest('hex');
const logLines = () => readFileSync(scratch.at(LOG), 'utf8').trimEnd().split('\n');

/** Checks lines as a log; `words` are further options. */
async function verify(lines, words = [], pem = 'ours.pem') {
  writeFileSync(scratch.at('checked.jsonl'), lines.map((line) => `${line}\n`).join(''));
  const { status, out, errors } = await tonearm(['verify-log', scratch.at('checked.jsonl'), '--key', scratch.at(pem), ...words]);
  assert.ok(status < 2, errors);
  return { status, ...JSON.parse(out) };
}

function build(name, { key = 'ours', day = DAYS[0], tracks = 3 } = {}) {
  const line = (i) => JSON.stringify({ id: `x-${i}`, kind: 'music', title: `Rain ${i}`, artist: 'Ada', duration_s: 10, license: 'cc0', source: 'a.example', source_page: 'https://a.example' });
  writeFileSync(scratch.at('lines.jsonl'), Array.from({ length: tracks }, (_, i) => `${line(i)}\n`).join(''));
  const signing = key ? ['--signing-key', scratch.at(`${key}.key`), '--signed-on', day] : [];
  run(join(bin, 'tonearm-catalog'), 'build', '--input', scratch.at('lines.jsonl'), '--output', scratch.at(name), ...signing);
}

before(() => {
  scratch = new Scratch();
  for (const name of ['ours', 'theirs']) makeKey(scratch.folder, name);
  DAYS.forEach((day, i) => build(`release-${i + 1}.sqlite`, { day, tracks: 3 + i }));
  build('unsigned.sqlite', { key: '' });
  build('theirs.sqlite', { key: 'theirs' });
});
after(async () => {
  await LaunchedServer.endAll();
  scratch?.remove();
});

test('PROGRAM-29: each release is a line with the hash of the line before it; the last one again adds nothing', async () => {
  DAYS.forEach((_, i) => {
    const { status, stdout, stderr } = append(`release-${i + 1}.sqlite`);
    assert.equal(status, 0, stderr);
    assert.match(stdout, new RegExp(`: release ${i + 1}, catalog [0-9a-f]{16}; head ${sha256(logLines()[i])}\n$`));
  });
  const lines = logLines();
  assert.deepEqual(lines.map((line) => JSON.parse(line).previous), ['0'.repeat(64), sha256(lines[0]), sha256(lines[1])]);
  assert.match(append('release-3.sqlite').stdout, /: the snapshot is already release 3, the last one; head /);
  assert.deepEqual(logLines(), lines);
  const checked = await verify(lines);
  assert.deepEqual(checked, { status: 0, verdict: 'yes', releases: 3, first_signed_on: DAYS[0], last_signed_on: DAYS[2], head: sha256(lines[2]), receipts: [] });
});

test('PROGRAM-29: an unsigned snapshot, a damaged log or a missing file changes nothing', () => {
  const before = readFileSync(scratch.at(LOG));
  for (const [name, message] of [['unsigned.sqlite', /unsigned\.sqlite: is not signed, so it cannot be logged/], ['none.sqlite', /none\.sqlite/], ['lines.jsonl', /lines\.jsonl/]]) {
    const { status, stderr } = append(name);
    assert.equal(status, 1, name);
    assert.match(stderr, message);
  }
  assert.ok(before.equals(readFileSync(scratch.at(LOG))));
  writeFileSync(scratch.at('torn.jsonl'), before.subarray(0, before.length - 5));
  const { status, stderr } = append('release-1.sqlite', 'torn.jsonl');
  assert.equal(status, 1);
  assert.match(stderr, /torn\.jsonl: line 3 is incomplete: it has no line feed/);
  assert.equal(append('unsigned.sqlite', 'new.jsonl').status, 1);
  assert.equal(existsSync(scratch.at('new.jsonl')), false);
  assert.deepEqual(readdirSync(scratch.folder).filter((name) => name.endsWith('.partial')), []);
});

test('RECEIPT-9: a changed, removed, inserted or moved release is found, and so is another key', async () => {
  const lines = logLines();
  const changed = (line, member, value) => JSON.stringify({ ...JSON.parse(line), [member]: value });
  const relinked = (others) => others.reduce((done, line, i) => [...done, changed(changed(line, 'release', i + 1), 'previous', i ? sha256(done[i - 1]) : '0'.repeat(64))], []);
  append('theirs.sqlite', 'theirs.jsonl');
  const theirs = readFileSync(scratch.at('theirs.jsonl'), 'utf8').trimEnd();
  const attacks = [
    [[lines[0], lines[2]], /^line 2 does not follow the line before it$/],
    [[lines[1], lines[2]], /^line 1 does not follow the line before it$/],
    [[lines[0], lines[2], lines[1]], /^line 2 does not follow/],
    [[lines[0], changed(lines[1], 'root', '0'.repeat(64)), lines[2]], /^line 2 differs from its signed message, or has another form$/],
    [[lines[0], changed(lines[1], 'signed_on', '2026-02-16'), lines[2]], /^line 2 differs from its signed message/],
    [[lines[0], changed(lines[1], 'note', ''), lines[2]], /^line 2 differs from its signed message/],
    [[lines[0], lines[1].replace(':', ': '), lines[2]], /^line 2 differs from its signed message/],
    [[lines[0], changed(lines[1], 'signature', '0'.repeat(128))], /^line 2 has a signature that does not match its signed message$/],
    [[lines[0], changed(lines[1], 'signed_message', 'AB')], /^line 2 has a signed message or a signature that is not hex$/],
    [[lines[0], '[]'], /^line 2 is not a JSON object$/], [['{}'], /^line 1 has no text signed_message$/], [[''], /^line 1 is not a JSON object$/],
    [[theirs], /^line 1 names the key [0-9a-f]{16}, which is not the one of --key$/],
  ];
  for (const [others, reason] of attacks) {
    const { status, verdict, reason: given } = await verify(others);
    assert.deepEqual([status, verdict], [1, 'no'], others.join('\n'));
    assert.match(given, reason);
  }
  // Who has the key can write another log, but not one with the hash that somebody kept.
  const rewritten = relinked([lines[0], lines[2]]);
  assert.equal((await verify(rewritten)).verdict, 'yes');
  const kept = await verify(rewritten, ['--head', sha256(lines[1])]);
  assert.deepEqual([kept.status, kept.reason], [1, 'no line has the hash of --head, so lines were changed or removed since']);
  for (const head of [sha256(lines[0]), sha256(lines[2]), '0'.repeat(64)]) assert.equal((await verify(lines, ['--head', head])).verdict, 'yes');
});

test('CLI-16: the catalog of a receipt is in the log, or it is not', async () => {
  copyFileSync(scratch.at('release-2.sqlite'), scratch.at('catalog.sqlite'));
  const server = await ServerProcess.start(scratch);
  const { body } = await get(server, '/v1/tracks/x-1/receipt', { key: await server.newKey() });
  writeFileSync(scratch.at('receipt.json'), body);
  const lines = logLines();
  const found = await verify(lines, ['--receipt', scratch.at('receipt.json')]);
  assert.deepEqual([found.status, found.receipts], [0, [{ line: 1, verdict: 'yes', release: 2 }]]);
  const missing = await verify([lines[0]], ['--receipt', scratch.at('receipt.json')]);
  assert.deepEqual([missing.status, missing.verdict], [1, 'no']);
  assert.match(missing.receipts[0].reason, /^the log has no release of the catalog [0-9a-f]{16}, signed on 2026-02-15, with its root$/);
  writeFileSync(scratch.at('receipt.json'), body.replace('Rain 1', 'Rain 9'));
  assert.equal((await verify(lines, ['--receipt', scratch.at('receipt.json')])).receipts[0].verdict, 'no');

  const table = await tonearm(['verify-log', scratch.at(LOG), '--key', scratch.at('ours.pem'), '--table']);
  assert.match(table.out, /^yes: 3 releases, signed from 2026-01-15 to 2026-03-15; keep the hash of the last line: [0-9a-f]{64}\n$/);
  for (const words of [[scratch.at('none.jsonl'), '--key', scratch.at('ours.pem')], [scratch.at(LOG)], [scratch.at(LOG), '--key', scratch.at('ours.pem'), '--head', 'AB'],
    [scratch.at(LOG), '--key', scratch.at('ours.pem'), '--receipt', scratch.at('none.json')]]) {
    assert.equal((await tonearm(['verify-log', ...words])).status, 2, words.join(' '));
  }
});
