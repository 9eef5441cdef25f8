// Checks a server's /openapi.json with linters: no error, no warning, and every parameter, body and answer has an example that
// matches its schema.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { Scratch, ServerProcess } from '../http/server_process.mjs';
import { Description } from '../support/description.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const scratch = new Scratch();
let server;
let document;
let description;

before(async () => {
  server = await ServerProcess.start(scratch);
  document = await (await fetch(`${server.url}/openapi.json`)).json();
  description = new Description(document);
  writeFileSync(scratch.at('openapi.json'), JSON.stringify(document));
  const broken = structuredClone(document);
  delete broken.info.license; // a warning of Redocly
  delete broken.info.contact; // a warning of Spectral
  writeFileSync(scratch.at('broken.json'), JSON.stringify(broken));
});
after(async () => {
  await ServerProcess.endAll();
  scratch.remove();
});

function run(program, ...words) {
  const ended = spawnSync(process.execPath, [join(here, 'node_modules', program), ...words], {
    encoding: 'utf8',
    cwd: here,
    maxBuffer: 2 ** 26,
    env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
  });
  assert.equal(ended.error, undefined);
  return ended;
}

/** Returns the findings of Redocly's recommended rules: `rule: message` each. */
function redocly(file) {
  const { stdout, stderr } = run('@redocly/cli/bin/cli.js', 'lint', '--extends=recommended', '--format=json', file);
  assert.match(stdout, /^\{/, stderr);
  const { problems } = JSON.parse(stdout);
  return problems.map(({ ruleId, message }) => `${ruleId}: ${message}`);
}

/** Returns the findings of Spectral's rules for OpenAPI. */
function spectral(file) {
  const output = scratch.at('spectral.json');
  const { stderr } = run('@stoplight/spectral-cli/dist/index.js', 'lint', '--ruleset', 'spectral.yml', '--format', 'json',
    '--output', output, file);
  assert.equal(stderr, '');
  return JSON.parse(readFileSync(output, 'utf8')).map(({ code, message }) => `${code}: ${message}`);
}

for (const [name, lint] of Object.entries({ redocly, spectral })) {
  test(`${name} finds no error and no warning, except in a broken description`, () => {
    assert.deepEqual(lint(scratch.at('openapi.json')), []);
    assert.notDeepEqual(lint(scratch.at('broken.json')), []);
  });
}

const escaped = (part) => part.replaceAll('~', '~0').replaceAll('/', '~1');
const pointerOf = (...parts) => `#/${parts.map((part) => escaped(String(part))).join('/')}`;

function* operations() {
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(methods)) yield { path, method, operation, at: ['paths', path, method] };
  }
}

/** Validates a value with its schema. */
function fits(pointer, value) {
  const validate = description.validatorOf(`${pointer}/schema`);
  assert.ok(validate(value), `${pointer}: ${JSON.stringify(validate.errors?.[0])} in ${JSON.stringify(value)}`);
}

/** Checks that a media type has at least one example and that each is valid. */
function checkContent(pointer, content) {
  const examples = content.examples
    ? Object.values(content.examples).map((one) => description.resolved(one).value.value)
    : [content.example];
  assert.ok(examples.length > 0 && examples.every((one) => one !== undefined), `${pointer}: no example`);
  for (const example of examples) fits(pointer, example);
}

test('every operation has a text, a tag and a unique name', () => {
  const names = [];
  for (const { operation } of operations()) {
    names.push(operation.operationId);
    assert.ok(operation.summary && operation.description && operation.tags.length === 1, operation.operationId);
  }
  assert.equal(new Set(names).size, names.length);
});

test('every parameter is bounded and has a valid example', () => {
  let count = 0;
  for (const { operation, at } of operations()) {
    operation.parameters.forEach((listed, i) => {
      const { value: parameter, pointer } = description.resolved(listed, pointerOf(...at, 'parameters', i));
      assert.ok(parameter.description && parameter.example !== undefined, pointer);
      fits(pointer, parameter.example);
      if (parameter.in === 'header') return;
      const { schema } = parameter;
      const bounds = ['enum', 'pattern', 'maximum', 'maxLength', 'minLength', 'minItems'];
      assert.ok(schema.type === 'boolean' || bounds.some((bound) => bound in schema), `${pointer}: no bounds`);
      ++count;
    });
  }
  assert.ok(count > 60, `${count} parameters`);
});

test('the server accepts the example of every query parameter', async () => {
  const key = await server.newKey();
  const headers = { Authorization: `Bearer ${key}` };
  const { id } = await (await fetch(`${server.url}/v1/collections`, {
    method: 'POST', headers: { ...headers, 'Content-Type': 'application/json' }, body: '{"name":"First"}',
  })).json();
  const version = (await fetch(`${server.url}/v1/meta`, { headers })).headers.get('tonearm-catalog');
  for (const { path, method, operation } of operations()) {
    if (method !== 'get') continue;
    const target = path.replace('{id}', path.startsWith('/v1/collections') ? id : 'os-101');
    for (const parameter of operation.parameters.filter((one) => one.in === 'query')) {
      const words = new URLSearchParams({ [parameter.name]: String(parameter.example) });
      if (parameter.description.includes('Sound effects only.')) words.set('kind', 'sfx');
      for (const other of operation.parameters) {
        if (other.in === 'query' && other.required) words.set(other.name, String(other.example));
      }
      if (words.has('since')) words.set('since', version); // the catalog does not know the version of the example
      if (parameter.name === 'seeds') continue; // must be members of the collection, which is empty
      const answer = await fetch(`${server.url}${target}?${words}`, { headers });
      assert.equal(answer.status, 200, `${target}?${words}: ${await answer.text()}`);
    }
  }
});

test('every body and every answer has a named schema, header fields and a valid example', () => {
  for (const { operation, at } of operations()) {
    const body = operation.requestBody?.content['application/json'];
    if (body) {
      assert.match(body.schema.$ref, /^#\/components\/schemas\/[A-Z]/);
      checkContent(pointerOf(...at, 'requestBody', 'content', 'application/json'), body);
    }
    for (const [status, listed] of Object.entries(operation.responses)) {
      const { value: response, pointer } = description.resolved(listed, pointerOf(...at, 'responses', status));
      assert.ok(response.description && Object.keys(response.headers).length > 0, pointer);
      assert.equal(response.content === undefined, status === '304', pointer);
      for (const [type, content] of Object.entries(response.content ?? {})) {
        checkContent(`${pointer}/content/${escaped(type)}`, content);
      }
      for (const header of Object.values(response.headers)) {
        const { value, pointer: place } = description.resolved(header);
        fits(place, value.example);
      }
    }
  }
});
