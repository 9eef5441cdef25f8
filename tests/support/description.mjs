// Checks responses against the service's OpenAPI 3.1 document.

import { createRequire } from 'node:module';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
const require = createRequire(`${root}/build-support/`);
const Ajv = require('ajv/dist/2020').default;
const addFormats = require('ajv-formats').default;

// Transfer headers, and headers that OpenAPI describes elsewhere.
const NOT_DESCRIBED = new Set(['content-type', 'content-length', 'transfer-encoding', 'connection', 'keep-alive', 'date', 'server']);

const escaped = (part) => part.replaceAll('~', '~0').replaceAll('/', '~1');
const pathPattern = (template) =>
  new RegExp(`^${template.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/\{[^}]+\}/g, '[^/]+')}$`);

export class Description {
  #ajv = new Ajv({ allErrors: false, strict: false });
  #validators = new Map();
  #templates;
  /** The described header fields that responses contained. */
  sent = new Set();

  constructor(document) {
    this.document = document;
    addFormats(this.#ajv);
    this.#ajv.addSchema(document, 'openapi');
    this.#templates = Object.keys(document.paths)
      .map((template) => ({ template, pattern: pathPattern(template) }))
      .sort((a, b) => a.template.split('{').length - b.template.split('{').length);
  }

  /** Follows `$ref`s; `pointer` starts with '#'. */
  resolved(value, pointer = '#') {
    while (value?.$ref) {
      pointer = value.$ref;
      value = pointer
        .slice(2)
        .split('/')
        .reduce((inner, part) => inner?.[decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~')], this.document);
    }
    return { value, pointer };
  }

  /** Returns the description of a response: `{mismatch}` or `{content, pointer}`. Routes that do not exist have none. */
  #answerOf({ request, response }) {
    const path = request.target.split('?')[0];
    const found = this.#templates.find(({ pattern }) => pattern.test(path));
    if (!found) return [401, 404, 429, 503].includes(response.status) ? {} : { mismatch: 'the path is not described' };
    const method = request.method === 'HEAD' ? 'get' : request.method.toLowerCase();
    const methods = this.document.paths[found.template];
    // Other methods are rejected like any method of the path.
    const refused = [401, 405, 429, 503].includes(response.status) ? Object.keys(methods)[0] : undefined;
    const known = method in methods ? method : refused;
    if (!known) return { mismatch: `${method} is not described` };
    const operation = methods[known];
    const base = `#/paths/${escaped(found.template)}/${known}/responses/${response.status}`;
    const answer = this.resolved(operation.responses[response.status], base);
    if (!answer.value) return { mismatch: `status ${response.status} is not described` };
    return { content: answer.value.content ?? {}, headers: answer.value.headers ?? {}, pointer: `${answer.pointer}/content` };
  }

  /** Returns an error if a header field of a response is not described or does not fit. */
  #mismatchOfHeaders(described, sent) {
    const names = new Map(Object.keys(described).map((name) => [name.toLowerCase(), name]));
    for (const [name, value] of sent) {
      if (NOT_DESCRIBED.has(name.toLowerCase())) continue;
      const known = names.get(name.toLowerCase());
      if (known === undefined) return `the header ${name} is not described`;
      const { value: { schema }, pointer } = this.resolved(described[known]);
      this.sent.add(known);
      const validate = this.validatorOf(`${pointer}/schema`);
      if (!validate(schema.type === 'integer' ? Number(value) : value)) return `the header ${name}: ${value} ${validate.errors[0].message}`;
    }
    return null;
  }

  /** Returns the validator of the schema at a pointer into the document. */
  validatorOf(pointer) {
    const uri = `openapi${pointer.split('/').map((part, i) => (i === 0 ? part : encodeURIComponent(part))).join('/')}`;
    if (!this.#validators.has(uri)) this.#validators.set(uri, this.#ajv.compile({ $ref: uri }));
    return this.#validators.get(uri);
  }

  /**
   * Returns an error message for a response, or null: its route, status and header fields must be described,
   * and its body must fit.
   * `exchange`: {request: {method, target}, response: {status, headers: [name, value][], body}}.
   */
  mismatchOf(exchange) {
    const { request, response } = exchange;
    const described = this.#answerOf(exchange);
    if (described.mismatch) return described.mismatch;
    if (described.content === undefined) return null;
    const wrong = this.#mismatchOfHeaders(described.headers, response.headers);
    if (wrong !== null) return wrong;
    if (request.method === 'HEAD' || response.body === '') return null;
    const type = response.headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1].split(';')[0];
    if (!described.content[type]) return `content type ${type} is not described`;
    if (type !== 'application/json') return null;
    const validate = this.validatorOf(`${described.pointer}/${escaped(type)}/schema`);
    if (validate(JSON.parse(response.body))) return null;
    const [error] = validate.errors;
    return `${error.instancePath || 'body'} ${error.message} ${JSON.stringify(error.params)}`;
  }
}
