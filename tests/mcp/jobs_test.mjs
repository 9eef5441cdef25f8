// Does 30 jobs of people who make things with nothing but the tools, as an assistant would. A step uses what a result before it says, or an
// id that the person names. Prints the calls and the bytes of each job; a job that needs more calls than its row says fails.
// Usage: node --test tests/mcp/jobs_test.mjs      (TONEARM_BIN: the programs' folder; TONEARM_DETAIL=full: tracks as the API has them)

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

import { Scratch, ServerProcess } from '../http/server_process.mjs';

const scratch = new Scratch();
const client = new Client({ name: 'tonearm-jobs', version: '1.0.0' });
const table = [];
let calls = 0;
let bytes = 0;

before(async () => {
  const server = await ServerProcess.start(scratch);
  const requestInit = { headers: { Authorization: `Bearer ${await server.newKey('unlimited')}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`), { requestInit }));
});
after(async () => {
  await client.close();
  await ServerProcess.endAll();
  scratch.remove();
  const sum = (column) => table.reduce((all, row) => all + row[column], 0);
  console.log(`${table.map(([job, count, size]) => `${String(count).padStart(2)} ${String(size).padStart(6)}  ${job}`).join('\n')}\n${sum(1)} calls, ${sum(2)} bytes of results`);
});

const DETAILED = process.env.TONEARM_DETAIL === 'full' ? ['search_tracks', 'get_track', 'get_tracks', 'similar_tracks', 'similar_to_collection', 'get_collection', 'match_credits'] : [];

/** Calls a tool; the bytes of its text are what a model reads. */
async function attempt(name, given = {}) {
  const detail = DETAILED.includes(name) ? { detail: 'full' } : {};
  const result = await client.callTool({ name, arguments: { ...detail, ...given } });
  calls += 1;
  bytes += result.content.reduce((all, { text = '' }) => all + Buffer.byteLength(text), 0);
  return result;
}
async function call(name, given) {
  const result = await attempt(name, given);
  assert.ok(!result.isError, `${name}: ${result.content[0].text}`);
  return result.structuredContent;
}
const search = (q, more = {}) => call('search_tracks', { q, ...more });
const ids = ({ tracks }) => tracks.map(({ id }) => id);
const collection = async (name, track_ids) => {
  const { collection_id } = await call('create_collection', { name });
  await call('add_tracks', { collection_id, track_ids });
  return collection_id;
};

function job(asked, most, run) {
  test(`"${asked}" in at most ${most} calls`, async () => {
    [calls, bytes] = [0, 0];
    await run();
    table.push([asked, calls, bytes]);
    assert.ok(calls <= most, `${calls} calls`);
  });
}

// Finding
job('Calm piano for a study video', 1, async () => assert.equal((await search('calm piano', { use: ['study'] })).tracks[0].id, 'os-101'));
job('Something epic and short to open my game', 1, async () => assert.ok(ids(await search('fanfare for a game', { length: ['xs'] })).includes('os-106')));
job('A door that creaks', 1, async () => assert.equal((await search('door creak', { kind: 'sfx' })).tracks[0].id, 'fn-406'));
job('Rain I can loop under a scene, free of any credit', 1, async () => assert.ok(ids(await search('rain', { kind: 'sfx', credit: 'optional' })).includes('fn-401')));
job('I typed "thundr"', 2, async () => {
  const first = await search('thundr', { kind: 'sfx' });
  const found = first.tracks.length > 0 ? first : await call('search_tracks', first.suggestions[0].parameters);
  assert.ok(ids(found).includes('fn-403'));
});
job('Hip-hop between 85 and 90 BPM', 1, async () => assert.deepEqual(ids(await search('', { genre: ['hip-hop'], tempo: '85-90', sort: 'slow' })), ['tb-202', 'tb-201']));
job('Which moods are there?', 1, async () => assert.ok((await call('filter_values')).facets.music.mood.some(({ id }) => id === 'dreamy')));
job('Everything by Vesper Loom', 1, async () => assert.equal((await search('', { creator: 'Vesper Loom' })).total, 4));
job('More like the jazz one with the harbor', 2, async () => {
  const [{ id }] = (await search('harbour lights jazz')).tracks;
  assert.ok((await call('similar_tracks', { track_id: id })).tracks.length > 0);
});
job('Music for a bus ride at night, any words', 1, async () => assert.ok((await search('midnight tram lofi for studying')).tracks.some(({ id }) => id === 'os-102')));

// May I use it?
job('May I use "Overpass" in an advertisement?', 1, async () => assert.equal((await search('overpass')).tracks[0].terms.commercial, false));
job('Then find one that I may use instead', 3, async () => {
  const [{ id }] = (await search('overpass')).tracks;
  const other = (await call('similar_tracks', { track_id: id, commercial: true })).tracks[0];
  assert.equal((await call('get_track', { track_id: other.id })).terms.commercial, true);
});
job('Must a remix of "Neon Alphabet" be share-alike?', 1, async () => assert.equal((await search('neon alphabet')).tracks[0].terms.share_alike, true));
job('What is the credit of os-103?', 1, async () => assert.match((await call('get_track', { track_id: 'os-103', detail: 'full' })).credit_line, /Paper Boats/));
job('Check these three ids for me', 1, async () => assert.deepEqual((await call('get_tracks', { track_ids: ['os-101', 'tb-203', 'gone-1'] })).missing, ['gone-1']));
job('Is the link license-checked?', 1, async () => assert.ok(['listed', 'verified'].includes((await call('get_track', { track_id: 'os-101', detail: 'full' })).license.status)));
job('Only tracks without share-alike, commercial', 1, async () => assert.ok((await search('synth', { share_alike: false, commercial: true })).tracks.every(({ terms }) => terms.commercial && !terms.share_alike)));

// Projects
job('Make a soundtrack of three calm tracks and give me the credits', 4, async () => {
  const found = ids(await search('calm', { commercial: true, limit: 3 }));
  const id = await collection('Documentary', found);
  assert.match((await call('export_credits', { collection_id: id, format: 'text' })).text, /Credit/);
});
job('The credits for a YouTube description', 3, async () => {
  const id = await collection('Vlog', ['os-103', 'tb-201']);
  assert.match((await call('export_credits', { collection_id: id, format: 'youtube' })).text, /Paper Boats/);
});
job('Add a non-commercial track to my advertisement', 3, async () => {
  const { collection_id } = await call('create_collection', { name: 'Advertisement', commercial: true });
  const refused = await attempt('add_tracks', { collection_id, track_ids: ['tb-203'] });
  assert.match(refused.content[0].text, /^nc_commercial/);
  await call('add_tracks', { collection_id, track_ids: ['tb-201'] });
});
job('I trimmed that one: note it in the credit', 4, async () => {
  const id = await collection('Trailer', ['os-103']);
  await call('update_item', { collection_id: id, track_id: 'os-103', modifications: { chips: ['trimmed'] } });
  assert.match((await call('export_credits', { collection_id: id, format: 'text' })).text, /trimmed/i);
});
job('Put the second track first', 4, async () => {
  const id = await collection('Order', ['os-101', 'os-102']);
  const { revision } = await call('get_collection', { collection_id: id });
  const reordered = await call('reorder_items', { collection_id: id, revision, track_ids: ['os-102', 'os-101'] });
  assert.ok(reordered.revision > revision);
});
job('Remove the drum loop from my list', 3, async () => {
  const id = await collection('Beats', ['fn-431', 'fn-426']);
  assert.ok(await call('remove_item', { collection_id: id, track_id: 'fn-431' }));
});
job('What else fits this collection?', 3, async () => {
  const id = await collection('More', ['os-101', 'la-309']);
  assert.ok((await call('similar_to_collection', { collection_id: id })).tracks.length > 0);
});
job('Which collections do I have?', 1, async () => assert.ok((await call('list_collections')).collections.some(({ name }) => name === 'Documentary')));
job('Rename it, then delete it', 3, async () => {
  const { collection_id } = await call('create_collection', { name: 'Draft' });
  await call('update_collection', { collection_id, name: 'Final', revision: 1 });
  assert.ok(await call('delete_collection', { collection_id, confirm: true }));
});
job('These files are in my project: what are they?', 1, async () => {
  const { files } = await call('match_credits', { files: [{ name: 'os-103.mp3' }, { name: 'Kettle Boiling.wav', duration_s: 25.5 }, { name: 'voice-over.wav' }] });
  assert.deepEqual(files.map(({ track }) => track?.id ?? null), ['os-103', 'fn-407', null]);
});
job('Did any license in my collections change?', 1, async () => assert.equal((await call('license_changes')).total, 0));
job('How many calls do I have left?', 1, async () => assert.equal((await call('usage')).plan, 'unlimited'));
job('Back up all my collections', 1, async () => assert.match((await call('export_collections')).text, /^\{"format":"tonearm-collections"/));
