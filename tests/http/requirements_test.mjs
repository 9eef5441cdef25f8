// Every raw request that docs/http-requirements.md names is in the table, and every file exists.
// Usage: node --test tests/http/requirements_test.mjs

import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';

const page = new URL('../../docs/http-requirements.md', import.meta.url);
const rows = new Set(readFileSync(new URL('raw_requests.jsonl', import.meta.url), 'utf8').trimEnd().split('\n').map((line) => JSON.parse(line).name));

test('each requirement names raw requests that exist, or another test', () => {
  const requirements = readFileSync(page, 'utf8').split('\n').filter((line) => /^\| \d/.test(line));
  assert.ok(requirements.length >= 60, `${requirements.length} requirements`);
  for (const line of requirements) {
    const names = [...line.matchAll(/"([^"]+)"/g)].map(([, name]) => name);
    const files = [...line.matchAll(/\]\(([^)]+)\)/g)].map(([, file]) => file);
    assert.deepEqual(names.filter((name) => !rows.has(name)), [], line);
    assert.deepEqual(files.filter((file) => !existsSync(new URL(file, page))), [], line);
    assert.ok(names.length || files.length || /`tests\/|each row|answers are/.test(line), line);
  }
  console.log(`${requirements.length} requirements`);
});
