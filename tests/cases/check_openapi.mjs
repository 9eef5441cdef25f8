// Holds every answer of the API in the core's transcript against the description that the service gives of itself: the
// route and its status must be described, and the body must fit the schema. Usage: check_openapi.mjs [--build DIR] [--cases DIR]
// Ends with one line: N passed, M failed.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

import { casesOfBuild, root } from './build_folder.mjs';

const require = createRequire(`${root}/build-support/`);
const Ajv = require('ajv/dist/2020').default;
const addFormats = require('ajv-formats').default;

const paths = casesOfBuild();
const description = JSON.parse(readFileSync(paths.openapi, 'utf8'));

const ajv = new Ajv({ allErrors: false, strict: false });
addFormats(ajv);
ajv.addSchema(description, 'openapi');

const escaped = (part) => part.replaceAll('~', '~0').replaceAll('/', '~1');
const pathPattern = (template) =>
  new RegExp(`^${template.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/\{[^}]+\}/g, '[^/]+')}$`);

const templates = Object.keys(description.paths)
  .map((template) => ({ template, pattern: pathPattern(template) }))
  .sort((a, b) => a.template.split('{').length - b.template.split('{').length);

/** Follows `$ref`s inside the description; `pointer` begins with '#'. */
function resolved(value, pointer) {
  while (value?.$ref) {
    pointer = value.$ref;
    value = pointer
      .slice(2)
      .split('/')
      .reduce((inner, part) => inner?.[decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~')], description);
  }
  return { value, pointer };
}

/** What is described for an exchange: `{mismatch}` or `{template, content}`. Routes that do not exist are not. */
function describedAnswer({ request, response }) {
  const path = request.target.split('?')[0];
  const found = templates.find(({ pattern }) => pattern.test(path));
  if (!found) return [401, 404, 429, 503].includes(response.status) ? {} : { mismatch: 'the path is not described' };
  const method = request.method === 'HEAD' ? 'get' : request.method.toLowerCase();
  const operation = description.paths[found.template][method];
  if (!operation) {
    return [401, 405, 429, 503].includes(response.status) ? {} : { mismatch: `${method} is not described` };
  }
  const base = `#/paths/${escaped(found.template)}/${method}/responses/${response.status}`;
  const answer = resolved(operation.responses[response.status], base);
  if (!answer.value) return { mismatch: `status ${response.status} is not described` };
  return { content: answer.value.content ?? {}, pointer: `${answer.pointer}/content` };
}

const validators = new Map();
function validatorOf(pointer) {
  const uri = `openapi${pointer.split('/').map((part, i) => (i === 0 ? part : encodeURIComponent(part))).join('/')}`;
  if (!validators.has(uri)) validators.set(uri, ajv.compile({ $ref: uri }));
  return validators.get(uri);
}

function mismatchOf(exchange) {
  const { request, response } = exchange;
  const described = describedAnswer(exchange);
  if (described.mismatch) return described.mismatch;
  if (described.content === undefined) return null;
  if (request.method === 'HEAD' || response.body === '') return null;
  const type = response.headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1].split(';')[0];
  if (!described.content[type]) return `content type ${type} is not described`;
  if (type !== 'application/json') return null;
  const validate = validatorOf(`${described.pointer}/${escaped(type)}/schema`);
  if (validate(JSON.parse(response.body))) return null;
  const [error] = validate.errors;
  return `${error.instancePath || 'body'} ${error.message} ${JSON.stringify(error.params)}`;
}

let passed = 0;
let failed = 0;
let file = '';
for (const text of readFileSync(paths.transcript, 'utf8').split('\n').filter(Boolean)) {
  const line = JSON.parse(text);
  if (line.reset) {
    file = line.file;
    continue;
  }
  if (line.admin) continue; // /openapi.json describes the API
  if (line.request.target === '/mcp') continue; // check_mcp.mjs
  const mismatch = mismatchOf(line);
  if (mismatch === null) {
    ++passed;
  } else {
    ++failed;
    console.error(`${file}:${line.line}: ${line.request.method} ${line.request.target}: ${line.response.status}: ${mismatch}`);
  }
}
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 && passed > 0 ? 0 : 1;
