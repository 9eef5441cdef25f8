// Runs the official conformance suite with a real server, behind a gateway that adds the key (MCP-2, MCP-3, MCP-4).

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { Scratch, ServerProcess } from '../http/server_process.mjs';
import { makeCollection, rewriterFor } from './fixtures.mjs';
import { startGateway } from './key_gateway.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const SUITE = resolve(here, 'node_modules/@modelcontextprotocol/conformance/dist/index.js');
const scratch = new Scratch();

after(async () => {
  await ServerProcess.endAll();
  scratch.remove();
});

/** Returns the suite's status and messages for every scenario. */
async function runSuite(url) {
  const folder = mkdtempSync(join(tmpdir(), 'tonearm-conformance-'));
  const words = ['server', '--url', url, '--suite', 'all', '--expected-failures', join(here, 'expected_failures.yml')];
  const child = spawn(process.execPath, [SUITE, ...words], { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => { said += data; });
  const status = await new Promise((done) => child.on('close', done));
  rmSync(folder, { recursive: true });
  return { status, said };
}

test('MCP-2, MCP-3, MCP-4: the conformance suite has only the expected failures', async () => {
  const server = await ServerProcess.start(scratch);
  const key = await server.newKey();
  const call = async (name, given) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: given } });
    const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
    const answer = await fetch(`${server.url}/mcp`, { method: 'POST', headers, body });
    return (await answer.json()).result.structuredContent;
  };
  // The suite sends more messages in a minute than one account may (LIMIT-16). Only calls need the account of the collection.
  const others = await Promise.all(Array.from({ length: 10 }, () => server.newKey()));
  let sent = 0;
  const keyOf = (text) => (/"(tools\/call|resources\/read)"/.test(text) ? key : others[sent++ % others.length]);
  const gateway = await startGateway(server.url, keyOf, rewriterFor(await makeCollection(call)));
  const { status, said } = await runSuite(`${gateway.url}/mcp`);
  await gateway.end();
  assert.equal(status, 0, said);
  const passed = said.match(/^✓ [\w-]+: [1-9]\d* passed, 0 failed$/gm) ?? [];
  assert.equal(passed.length, 12, said);
});
