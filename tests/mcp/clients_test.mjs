// Runs the official clients of the Model Context Protocol with a real server (docs/spec/mcp.md): both SDKs, both protocol
// versions, over HTTP and over the program for clients that start their server (MCP-14).

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';

import { Client as LaterClient, StreamableHTTPClientTransport as LaterTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport as LaterStdioTransport } from '@modelcontextprotocol/client/stdio';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

import { bin, Scratch, ServerProcess } from '../http/server_process.mjs';

const scratch = new Scratch();
let server;

before(async () => {
  server = await ServerProcess.start(scratch);
});
after(async () => {
  await ServerProcess.endAll();
  scratch.remove();
});

const WHO = { name: 'tonearm-tests', version: '1.0.0' };

const overHttp = (Transport) => (key) => {
  const requestInit = key ? { headers: { Authorization: `Bearer ${key}` } } : {};
  return new Transport(new URL(`${server.url}/mcp`), { requestInit });
};
const overStdio = (Transport) => (key) => {
  const file = scratch.at(`key-${Math.random()}`);
  writeFileSync(file, key ?? 'tonearm_no_key', { mode: 0o600 });
  return new Transport({ command: join(bin, 'tonearm-admin'), args: ['mcp', '--server', server.url, '--key-file', file] });
};
const TOOLS_WITH_PLAYER = ['search_tracks', 'get_tracks', 'get_track', 'similar_tracks', 'get_collection', 'similar_to_collection'];
const APPS = { capabilities: { extensions: { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] } } } };
const pinned = { versionNegotiation: { mode: { pin: '2026-07-28' } } };

const CLIENTS = [
  { name: 'SDK 1, 2025-11-25', client: () => new Client(WHO), transport: overHttp(StreamableHTTPClientTransport) },
  { name: 'SDK 1, 2025-11-25, stdio', client: () => new Client(WHO), transport: overStdio(StdioClientTransport) },
  { name: 'SDK 2, 2025-11-25', client: () => new LaterClient(WHO), transport: overHttp(LaterTransport) },
  { name: 'SDK 2, 2026-07-28', client: () => new LaterClient(WHO, pinned), transport: overHttp(LaterTransport), knows: true },
  { name: 'SDK 2, 2026-07-28, with MCP Apps', client: () => new LaterClient(WHO, { ...pinned, ...APPS }), transport: overHttp(LaterTransport) },
  { name: 'SDK 2, 2026-07-28, stdio', client: () => new LaterClient(WHO, pinned), transport: overStdio(LaterStdioTransport), knows: true },
  {
    name: 'SDK 2, which finds out',
    client: () => new LaterClient(WHO, { versionNegotiation: { mode: 'auto' } }),
    transport: overHttp(LaterTransport),
    knows: true,
  },
];

async function connected({ client, transport }, plan) {
  const made = client();
  await made.connect(transport(await server.newKey(plan)));
  return made;
}

for (const kind of CLIENTS) {
  test(`MCP-4, MCP-6: ${kind.name}: searches, collects, credits and deletes with every tool`, async () => {
    const client = await connected(kind, 'pro');
    const { tools } = await client.listTools();
    const called = new Set();
    // The client validates each result with the tool's schema.
    const call = async (name, given = {}) => {
      const result = await client.callTool({ name, arguments: given });
      assert.equal(result.isError, false, `${name}: ${result.content[0].text}`);
      called.add(name);
      return result.structuredContent;
    };
    const page = await call('search_tracks', { q: 'piano', limit: 3, facets: ['mood'] });
    assert.equal(page.tracks[0].track_id, 'os-101');
    await call('search_tracks', { q: 'piano zither', detail: 'full' });
    const some = await client.callTool({ name: 'search_tracks', arguments: { q: 'slow rain', limit: 5 } });
    assert.deepEqual(some.content.slice(1), [{ type: 'text',
      text: 'The tracks in order: 1 with all words of q, 2 with 1 of 2 words, 2 only related, with none of the words.' }]);
    const { results } = await call('search', { query: 'piano' });
    assert.deepEqual(Object.keys(results[0]), ['id', 'title', 'url']);
    const { text, metadata } = await call('fetch', { id: results[0].id });
    assert.match(text, /^License: CC0 1.0\nCommercial use: allowed\nCredit: optional\nCredit line: .*\nTags: /);
    assert.equal(metadata.license.name, 'CC0 1.0');
    await call('filter_values');
    await call('get_track', { track_id: 'os-101', detail: 'full' });
    await call('get_tracks', { track_ids: ['os-101', 'nope-1'] });
    await call('similar_tracks', { track_id: page.tracks[0].track_id });
    const { collection_id } = await call('create_collection', { name: 'Rainy evenings' });
    await call('add_tracks', { collection_id, track_ids: ['os-101', 'tb-201'] });
    await call('update_item', { collection_id, track_id: 'tb-201', modifications: { chips: ['trimmed'] }, detail: 'full' });
    await call('reorder_items', { collection_id, track_ids: ['tb-201', 'os-101'] });
    const { revision } = await call('get_collection', { collection_id });
    await call('update_collection', { collection_id, revision, name: 'Wet evenings' });
    await call('list_collections');
    for (const format of ['json', 'text', 'markdown', 'html', 'csv', 'youtube', 'reuse', 'attributions']) {
      await call('export_credits', { collection_id, format });
    }
    await call('export_credits', { collection_id, detail: 'full' });
    await call('similar_to_collection', { collection_id });
    await call('match_credits', { files: [{ name: 'Midnight Tram.mp3', duration_s: 119.999 }] });
    await call('license_changes');
    await call('usage');
    await call('export_collections');
    const credits = await client.readResource({ uri: `tonearm://collections/${collection_id}/credits` });
    assert.match(credits.contents[0].text, /Concrete Garden.*Changes: trimmed/);
    await call('remove_item', { collection_id, track_id: 'os-101' });
    const kept = await client.callTool({ name: 'delete_collection', arguments: { collection_id } });
    assert.equal(kept.isError, true);
    assert.match(kept.content[0].text, /Next: Ask the user/);
    await call('delete_collection', { collection_id, confirm: true });
    assert.deepEqual(tools.map(({ name }) => name).filter((name) => !called.has(name)), []);
    await client.close();
  });

  test(`MCP-12, MCP-13: ${kind.name}: resources and prompts`, async () => {
    const client = await connected(kind, 'pro');
    const { resources } = await client.listResources();
    assert.deepEqual(resources.map(({ uri }) => uri), ['tonearm://licenses', 'ui://tonearm/player']);
    const { resourceTemplates } = await client.listResourceTemplates();
    assert.equal(resourceTemplates.length, 1);
    const table = JSON.parse((await client.readResource({ uri: 'tonearm://licenses' })).contents[0].text);
    assert.equal(table.licenses.length, 11);
    await assert.rejects(client.readResource({ uri: 'tonearm://nothing' }), /no such resource/);
    const { prompts } = await client.listPrompts();
    assert.deepEqual(prompts.map(({ name }) => name), ['credit_project', 'find_music']);
    const prompt = await client.getPrompt({ name: 'find_music', arguments: { scene: 'a wet garden' } });
    assert.match(prompt.messages[0].content.text, /The scene: a wet garden$/);
    await assert.rejects(client.callTool({ name: 'fly', arguments: {} }), /Unknown tool|not found/);
    await client.close();
  });

  test(`MCP-21, MCP-22: ${kind.name}: the player, and the tools that name it`, async () => {
    const client = await connected(kind, 'pro');
    const { resources } = await client.listResources();
    assert.equal(resources[1].mimeType, 'text/html;profile=mcp-app');
    const { contents: [page] } = await client.readResource({ uri: 'ui://tonearm/player' });
    assert.equal(page.mimeType, 'text/html;profile=mcp-app');
    assert.match(page.text, /^<!doctype html>/);
    assert.ok(Buffer.byteLength(page.text) < 40_000, `${Buffer.byteLength(page.text)} bytes`);
    assert.doesNotMatch(page.text, /https?:\/\//); // everything is inline
    const { csp } = page._meta.ui;
    assert.deepEqual(Object.keys(csp), ['connectDomains', 'resourceDomains']);
    for (const domain of Object.values(csp).flat()) assert.match(domain, /^https?:\/\/(\*\.)?[a-z0-9.-]+(:\d+)?$/);
    const linked = (await client.listTools()).tools.filter((tool) => tool._meta?.ui?.resourceUri === 'ui://tonearm/player').map(({ name }) => name);
    // In the stateless revision the server knows that this client shows no pages.
    assert.deepEqual(linked, kind.knows ? [] : TOOLS_WITH_PLAYER);
    await client.close();
  });

  test(`MCP-5: ${kind.name}: is rejected with 429 at the limit, and can still list tools`, async () => {
    const client = await connected(kind, 'free');
    const callOften = async (count) => {
      for (let call = 0; call < count; ++call) await client.callTool({ name: 'get_track', arguments: { track_id: 'os-101' } });
    };
    await callOften(20);
    // At most 20 more pass, if a new minute begins in between.
    await assert.rejects(callOften(21), /429|rate_limited|Over the limit/);
    assert.equal((await client.listTools()).tools.length, 22);
    await client.close();
  });

  test(`MCP-1: ${kind.name}: is rejected without a key`, async () => {
    const client = kind.client();
    await assert.rejects(client.connect(kind.transport()), /401|_api_key|API key|[Uu]nauthorized|did not offer/);
    await client.close();
  });
}
