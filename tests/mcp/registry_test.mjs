// release/server.json keeps the rules of the MCP registry's schema of 2025-12-11 for a server with remotes.
// Usage: node --test tests/mcp/registry_test.mjs

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

const server = JSON.parse(readFileSync(new URL('../../release/server.json', import.meta.url), 'utf8'));
const build = readFileSync(new URL('../../CMakeLists.txt', import.meta.url), 'utf8');

const hasLength = (text, min, max) => typeof text === 'string' && text.length >= min && text.length <= max;

test('the description for registries keeps the rules of their schema', () => {
  assert.equal(server.$schema, 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json');
  assert.deepEqual(Object.keys(server).sort(), ['$schema', 'description', 'name', 'remotes', 'title', 'version']);
  assert.match(server.name, /^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/);
  assert.ok(hasLength(server.name, 3, 200));
  assert.ok(hasLength(server.description, 1, 100), `${server.description.length} characters`);
  assert.ok(hasLength(server.title, 1, 100));
  assert.match(server.version, /^\d+\.\d+\.\d+$/);
  for (const remote of server.remotes) {
    assert.equal(remote.type, 'streamable-http');
    assert.match(remote.url, /^https:\/\/[^\s]+\/mcp$/);
    for (const { name, isRequired, isSecret, ...rest } of remote.headers) {
      assert.equal(name, 'Authorization');
      assert.deepEqual([isRequired, isSecret], [false, true]); // OAuth needs no key (MCP-20), and a key is secret
      assert.deepEqual(Object.keys(rest), ['description']);
    }
  }
});

test('its version is that of the programs', () => {
  assert.equal(/project\(\s*\w+\s+VERSION\s+([\d.]+)/.exec(build)?.[1], server.version);
});
