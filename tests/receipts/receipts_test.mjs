// License receipts from a server to two verifiers.
// Usage: node --test tests/receipts/receipts_test.mjs      (TONEARM_BIN: the programs' folder)

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { tonearm } from '../command-line/project.mjs';
import { bin, get, Scratch, ServerProcess } from '../http/server_process.mjs';
import { LaunchedServer } from '../support/launched_server.mjs';
import { makeKey, run } from '../support/signed_snapshots.mjs';

const TRACKS = 1_000;
const VERIFIER = fileURLToPath(new URL('verify_receipt.py', import.meta.url));
const LICENSES = ['cc0', 'cc-by-4.0', 'cc-by-nc-4.0'];
const noPython = spawnSync('python3', ['-c', 'import cryptography']).status !== 0 && 'skipped: there is no python3-cryptography';

let scratch;
let server;
let key;
let receipts;

const lineOf = (i) => JSON.stringify({
  id: `x-${i}`, kind: i % 3 === 0 ? 'sfx' : 'music', title: `Rain "${i}" \u2603`, artist: i % 5 === 0 ? '' : `Ada ${i % 7}`,
  duration_s: 10 + i, license: LICENSES[i % 3], license_status: i % 2 === 0 ? 'verified' : 'listed', source: 'a.example',
  source_page: `https://a.example/${i}`,
});

/** Builds a catalog of TRACKS tracks, signed with `name`.key, and publishes it. */
function publish(name) {
  writeFileSync(scratch.at('lines.jsonl'), Array.from({ length: TRACKS }, (_, i) => `${lineOf(i)}\n`).join(''));
  run(join(bin, 'tonearm-catalog'), 'build', '--input', scratch.at('lines.jsonl'), '--output', scratch.at('catalog.sqlite'),
    '--signing-key', scratch.at(`${name}.key`), '--signed-on', '2026-01-15');
}

async function send(method, path, body) {
  const answer = await get(server, path, { key, method, body: body && JSON.stringify(body), agent: server.agent });
  assert.ok(answer.status < 300, answer.body);
  return answer.body;
}

/** Adds all tracks to two collections, and returns the lines of their receipts. */
async function exportReceipts() {
  const lines = [];
  for (const from of [0, TRACKS / 2]) {
    const { id } = JSON.parse(await send('POST', '/v1/collections', { name: `From ${from}` }));
    for (let i = from; i < from + TRACKS / 2; i += 25) {
      await send('POST', `/v1/collections/${id}/items`, { tracks: Array.from({ length: 25 }, (_, j) => `x-${i + j}`) });
    }
    lines.push(...(await send('GET', `/v1/collections/${id}/receipts`)).trimEnd().split('\n'));
  }
  return lines;
}

const write = (name, lines) => writeFileSync(scratch.at(name), lines.map((line) => `${line}\n`).join(''));
const verify = (name, pem = 'ours.pem') => tonearm(['verify-receipt', scratch.at(name), '--key', scratch.at(pem)]);
function verifyInPython(name) {
  const { status, stdout, stderr } = spawnSync('python3', [VERIFIER, scratch.at(name), scratch.at('ours.pem')], { encoding: 'utf8' });
  assert.equal(stderr, '');
  return { status, verdicts: stdout.trimEnd().split('\n').map((line) => line.split(':')[0]) };
}

before(async () => {
  scratch = new Scratch();
  for (const name of ['ours', 'theirs']) makeKey(scratch.folder, name);
  publish('ours');
  server = await ServerProcess.start(scratch);
  key = await server.newKey();
  receipts = await exportReceipts();
});
after(async () => {
  await LaunchedServer.endAll();
  scratch.remove();
});

const otherDigit = (hex, at) => hex.slice(0, at) + (hex[at] === '0' ? '1' : '0') + hex.slice(at + 1);
/** Ways to alter a receipt; `other` is a valid one of another track. */
const ALTERATIONS = [
  (it, i) => { it.signature = otherDigit(it.signature, i % 128); },
  (it, i) => { it.signed_message = otherDigit(it.signed_message, i % 348); },
  (it, i) => { it.root = otherDigit(it.root, i % 64); },
  (it, i) => { it.path[i % it.path.length].sha256 = otherDigit(it.path[i % it.path.length].sha256, i % 64); },
  (it, i) => { const step = it.path[i % it.path.length]; step.side = step.side === 'left' ? 'right' : 'left'; },
  (it, i) => { it.path.splice(i % it.path.length, 1); },
  (it) => { it.path.push({ side: 'left', sha256: '0'.repeat(64) }); },
  (it) => { it.path[0].note = 'more'; },
  (it) => { it.license_record.license.id = 'cc0-1.0'; },
  (it) => { it.license_record.terms.commercial = !it.license_record.terms.commercial; },
  (it) => { it.license_record_text = it.license_record_text.replace('Rain', 'Sun'); },
  (it) => {
    it.license_record.license.status = it.license_record.license.status === 'verified' ? 'listed' : 'verified';
    it.license_record_text = JSON.stringify(it.license_record);
  },
  (it) => { it.license_record_text += ' '; },
  (it, i, other) => { it.license_record_text = other.license_record_text; it.license_record = other.license_record; it.track_id = other.track_id; },
  (it, i, other) => { it.path = other.path; },
  (it, i, other) => { it.track_id = other.track_id; },
  (it, i) => { it.catalog_version = otherDigit(it.catalog_version, i % 16); },
  (it) => { it.signed_on = '2026-01-16'; },
  (it, i) => { it.key_id = otherDigit(it.key_id, i % 16); },
  (it) => { it.version = 2; },
  (it) => { it.format = 'tonearm-receipt'; },
  (it) => { it.untrusted_fields = []; },
  (it) => { it.remark = 'more'; },
  (it, i) => { delete it[Object.keys(it)[i % 13]]; },
  (it) => { it.root = it.root.toUpperCase(); it.signature = it.signature.toUpperCase(); },
  (it) => { it.version = true; },
  (it) => { it.version = '1'; },
];
/** Ways to alter the text: readers of JSON differ in which of two members they keep. */
const TEXT_ALTERATIONS = [
  (text) => text.replace('"version":1', '"version":2,"version":1'),
  (text) => text.replace('"track_id":', '"track_id":"x-0","track_id":'),
  (text) => text.replace('"license_record":{', '"license_record":{"id":"x-0",'),
  (text) => text.replace('"side":', '"side":"left","side":'),
  (text) => text.replace(/}$/, ',"f\\u006frmat":"tonearm-license-receipt"}'),
];

/** Returns an altered receipt as text. */
function altered(i) {
  const text = receipts[i];
  if (i % 3 === 0) {
    const at = (i * 7919) % (text.length - 2) + 1; // one character anywhere but at the ends
    return text.slice(0, at) + (text[at] === 'x' ? 'y' : 'x') + text.slice(at + 1);
  }
  if (i % 11 === 0) {
    const changed = TEXT_ALTERATIONS[i % TEXT_ALTERATIONS.length](text);
    assert.notEqual(changed, text, `text ${i % TEXT_ALTERATIONS.length}`);
    return changed;
  }
  const receipt = JSON.parse(text);
  const before = JSON.stringify(receipt);
  ALTERATIONS[i % ALTERATIONS.length](receipt, i, JSON.parse(receipts[(i + 1) % receipts.length]));
  assert.notEqual(JSON.stringify(receipt), before, `alteration ${i % ALTERATIONS.length}`);
  return JSON.stringify(receipt);
}

test('RECEIPT-8: the receipts of collections are those of the tracks, each below 8 KB (RECEIPT-5)', async () => {
  assert.equal(receipts.length, TRACKS);
  for (const i of [0, 1, 499, 500, 999]) {
    assert.equal(receipts[i], await send('GET', `/v1/tracks/x-${i}/receipt`));
    const { track_id: id, license_record: record, license_record_text: text } = JSON.parse(receipts[i]);
    assert.equal(id, `x-${i}`);
    assert.equal(text, JSON.stringify(record));
  }
  const longest = Math.max(...receipts.map((line) => Buffer.byteLength(line)));
  assert.ok(longest < 8_000, `${longest} bytes`);
});

test('CLI-15: tonearm accepts 1,000 receipts, and refuses 1,000 altered ones with a reason (RECEIPT-6)', async () => {
  write('valid.jsonl', receipts);
  const valid = await verify('valid.jsonl');
  const { verdict, receipts: results } = valid.json();
  assert.deepEqual(results.filter((it) => it.verdict !== 'yes').map(({ line, reason }) => [reason, receipts[line - 1]]), []);
  assert.deepEqual([valid.status, verdict, results.length], [0, 'yes', TRACKS]);
  assert.match(results[1].proves, /^the catalog [0-9a-f]{16}, signed on 2026-01-15 with the key [0-9a-f]{16}, stated: the license of "Rain \\"1\\" ☃" by "Ada 1" \(x-1\) is CC BY 4\.0 \(https:\/\/creativecommons\.org\/licenses\/by\/4\.0\/\), listed; credit is required; source: https:\/\/a\.example\/1$/);

  write('altered.jsonl', Array.from({ length: TRACKS }, (_, i) => altered(i)));
  const refused = await verify('altered.jsonl');
  assert.equal(refused.status, 1, refused.errors);
  assert.equal(refused.json().verdict, 'no');
  const accepted = refused.json().receipts.filter((it) => it.verdict !== 'no');
  assert.deepEqual(accepted.map(({ line }) => [line, altered(line - 1)]), []);
  assert.ok(refused.json().receipts.every(({ reason }) => reason.length > 10));
});

test('the verifier in Python, written from the documentation, agrees (RECEIPT-6)', { skip: noPython }, () => {
  write('valid.jsonl', receipts);
  write('altered.jsonl', Array.from({ length: TRACKS }, (_, i) => altered(i)));
  assert.deepEqual(verifyInPython('valid.jsonl'), { status: 0, verdicts: Array(TRACKS).fill('yes') });
  assert.deepEqual(verifyInPython('altered.jsonl'), { status: 1, verdicts: Array(TRACKS).fill('no') });
});

test('CLI-15: one receipt, also with line breaks, as a table and with the wrong key, file or options', async () => {
  write('one.json', [JSON.stringify(JSON.parse(receipts[7]), null, 2)]);
  const one = await tonearm(['verify-receipt', scratch.at('one.json'), '--key', scratch.at('ours.pem'), '--table']);
  assert.equal(one.status, 0, one.errors);
  assert.match(one.out, /^yes: the catalog .* stated: the license of "Rain \\"7\\" ☃"/);
  const other = await verify('one.json', 'theirs.pem');
  assert.equal(other.status, 1);
  assert.match(other.json().receipts[0].reason, /^it names the key [0-9a-f]{16}, which is not the one of --key$/);
  write('empty.json', []);
  write('text.json', ['no receipt', 'at all']);
  assert.deepEqual((await verify('text.json')).json().receipts, [{ line: 1, verdict: 'no', reason: 'the file is not JSON' }]);
  for (const words of [[scratch.at('none.json'), '--key', scratch.at('ours.pem')], [scratch.at('empty.json'), '--key', scratch.at('ours.pem')],
    [scratch.at('one.json'), '--key', scratch.at('none.pem')], [scratch.at('one.json'), '--key', scratch.at('ours.key')], [scratch.at('one.json')]]) {
    const { status, out, errors } = await tonearm(['verify-receipt', ...words]);
    assert.equal(status, 2, words.join(' '));
    assert.equal(out, '');
    assert.match(errors, /^tonearm: |--key is required/);
  }
});

test('BUILD-22: --signed-on must be a day, and the same day gives the same bytes', () => {
  const first = readFileSync(scratch.at('catalog.sqlite'));
  publish('ours');
  assert.ok(first.equals(readFileSync(scratch.at('catalog.sqlite'))));
  const wrong = spawnSync(join(bin, 'tonearm-catalog'), ['build', '--input', scratch.at('lines.jsonl'), '--output', scratch.at('other.sqlite'),
    '--signing-key', scratch.at('ours.key'), '--signed-on', '2026-02-30'], { encoding: 'utf8' });
  assert.equal(wrong.status, 2);
  assert.match(wrong.stderr, /--signed-on must be a day, such as 2026-01-15/);
});
