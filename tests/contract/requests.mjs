// Generates the requests of an operation of /openapi.json: valid ones, and ones with exactly one error.

import { createRequire } from 'node:module';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const require = createRequire(`${resolve(dirname(fileURLToPath(import.meta.url)), '../..')}/build-support/`);
const fc = require('fast-check');

const BODY_BYTES_MAX = { '/v1/credits/match': 256 * 1024 };
const BODY_BYTES_MAX_ELSEWHERE = 64 * 1024;

const WORDS = ['rain', 'piano', 'calm', 'hip-hop', 'the', 'Ünïcode', 'zither', '雨', 'לחן', "'; drop table", '<b>'];

/** Texts within bounds, of words that a catalog may have or of any characters except control characters. */
function texts({ minLength = 0, maxLength = 100 }) {
  const most = Math.min(maxLength, 80);
  const anything = fc.string({ unit: 'grapheme', minLength, maxLength: most })
    .map((text) => text.replace(/[\u0000-\u001f\u007f-\u009f]/g, ' '));
  const words = fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 4 }).map((list) => list.join(' '));
  const within = (text) => [...text].length >= minLength && [...text].length <= maxLength;
  return fc.oneof({ weight: 3, arbitrary: words }, { weight: 1, arbitrary: anything }).filter(within);
}

// ---- Values of query parameters and headers, as strings

function queryStrings(schema, name) {
  if (schema.enum) return fc.constantFrom(...schema.enum.map(String));
  if (schema.type === 'boolean') return fc.constantFrom('true', 'false');
  if (schema.type === 'integer') {
    return fc.integer({ min: schema.minimum ?? 0, max: Math.min(schema.maximum ?? 1000, 2 ** 31 - 1) }).map(String);
  }
  if (schema.type === 'array') {
    const items = KNOWN_ITEMS[name] ? fc.constantFrom(...KNOWN_ITEMS[name]) : queryStrings(schema.items, name);
    return fc.array(items, { minLength: 1, maxLength: 4 }).map((list) => list.join(','));
  }
  if (schema.pattern) return fc.stringMatching(new RegExp(schema.pattern));
  return texts(schema);
}

/** Versions of the catalog, and texts that are none. */
const versions = (schema, state) => fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...state.versions) }, texts(schema));

// Lists whose items are described only in prose.
const KNOWN_ITEMS = {
  fields: ['id', 'title', 'license', 'license.id', 'terms.commercial', 'tags.mood', 'credit_line', 'category.id', 'bpm'],
  source: ['fieldnotes.example.org', 'openshelf.example.org', 'nobody.example'],
  exclude: ['rain', 'slow piano', 'drums'],
  ids: ['fn-1', 'os-101', 'os-102', 'la-9'],
  seeds: ['os-101', 'os-102'],
};

/** Values that a parameter rejects. */
function brokenStrings(schema) {
  const broken = [];
  if (schema.enum || schema.items?.enum) broken.push('no-such-value');
  if (schema.type === 'boolean') broken.push('maybe', '1.5', '');
  if (schema.type === 'integer') broken.push('x', '-1', '', '1.0', String(BigInt(schema.maximum ?? 0) + 1n));
  if (schema.type === 'array') broken.push('', ',', 'a,,b');
  if (schema.pattern) broken.push(...['', '!', '%zz', ' '].filter((text) => !new RegExp(schema.pattern).test(text)));
  if (schema.items?.pattern) broken.push(...['!', 'a b'].filter((text) => !new RegExp(schema.items.pattern).test(text)));
  if (schema.maxLength) broken.push('x'.repeat(schema.maxLength + 1));
  if (schema.minLength) broken.push('');
  return broken;
}

// ---- Bodies

/** Fingerprints in Chromaprint's compressed form: for each value the distances between the bits that it changes, then 0, of 3 bits each. */
const fingerprints = fc.array(fc.array(fc.integer({ min: 1, max: 6 }), { maxLength: 5 }), { minLength: 1, maxLength: 40 }).map((values) => {
  const numbers = values.flatMap((steps) => [...steps, 0]);
  const bytes = Buffer.alloc(4 + Math.ceil((numbers.length * 3) / 8));
  bytes.writeUInt32BE(0x01000000 + values.length);
  numbers.forEach((number, i) => {
    for (let bit = 0; bit < 3; ++bit) bytes[4 + ((i * 3 + bit) >> 3)] |= ((number >> bit) & 1) << ((i * 3 + bit) % 8);
  });
  return bytes.toString('base64url');
});

function bodyValues(schema, state) {
  if (schema.anyOf && !schema.type) return fc.oneof(...schema.anyOf.map((one) => bodyValues(one, state)));
  if (Array.isArray(schema.type)) return fc.oneof(...schema.type.map((type) => bodyValues({ ...schema, type }, state)));
  if (schema.enum) return fc.constantFrom(...schema.enum);
  switch (schema.type) {
    case 'null': return fc.constant(null);
    case 'boolean': return fc.boolean();
    case 'integer':
    case 'number': return fc.integer({ min: Math.max(schema.minimum ?? schema.exclusiveMinimum + 1, 0), max: 5 });
    case 'array': {
      const unique = schema.items.enum !== undefined;
      const bounds = { minLength: schema.minItems ?? 0, maxLength: Math.min(schema.maxItems ?? 4, 4) };
      const items = bodyValues(schema.items, state);
      return unique ? fc.uniqueArray(items, bounds) : fc.array(items, bounds);
    }
    case 'object': return bodyObjects(schema, state);
    default:
      if (schema.pattern?.startsWith('^[Hh]')) return texts({ maxLength: 40 }).map((text) => `https://a.example/${encodeURIComponent(text)}`);
      if (schema.description?.includes('fingerprint')) return fingerprints;
      if (schema.pattern) return fc.stringMatching(new RegExp(schema.pattern.replace('*=', '{4,40}=')));
      if (schema.maxLength === 200 && schema.minLength === 1) return fc.oneof(fc.constantFrom(...state.tracks), texts(schema));
      return texts(schema);
  }
}

function bodyObjects(schema, state) {
  const names = Object.keys(schema.properties);
  const chosen = schema.oneOf
    ? fc.constantFrom(...schema.oneOf.map(({ required }) => required))
    : fc.constant([]);
  const alternatives = new Set((schema.oneOf ?? []).flatMap(({ required }) => required));
  const one = schema.anyOf ? fc.constantFrom(...schema.anyOf.map(({ required }) => required)) : fc.constant([]);
  return fc.tuple(chosen, one, fc.subarray(names.filter((name) => !alternatives.has(name)))).chain(([some, other, rest]) => {
    const kept = new Set([...(schema.required ?? []), ...some, ...other, ...rest]);
    return fc.record(Object.fromEntries([...kept].map((name) => [name, bodyValues(schema.properties[name], state)])));
  });
}

/** Values that a field of a body rejects. */
function brokenValues(schema) {
  const types = [].concat(schema.type ?? (schema.anyOf ?? []).map(({ type }) => type));
  const wrong = { string: 7, integer: '7', number: '7', boolean: 'true', array: 'a', object: [] };
  const broken = types.includes('null') ? [] : [null];
  const first = types.find((type) => type !== 'null');
  broken.push(wrong[first]);
  if (schema.maxLength) broken.push('x'.repeat(schema.maxLength + 1));
  if (schema.minLength) broken.push('');
  if (schema.type === 'integer') broken.push(schema.minimum - 1, 1.5);
  if (schema.minItems) broken.push([]);
  if (schema.maxItems) broken.push(Array.from({ length: schema.maxItems + 1 }, (_, i) => `id-${i}`));
  if (schema.enum) broken.push('no-such-value');
  return broken;
}

/** The fields that are never ignored. */
function readFields(schema) {
  return Object.entries(schema.properties).filter(([, field]) => !/Ignored where/.test(field.description ?? ''));
}

/** A body with one error: {text, status, type?}. */
function brokenBodies(path, schema, valid) {
  const size = BODY_BYTES_MAX[path] ?? BODY_BYTES_MAX_ELSEWHERE;
  const text = JSON.stringify(valid);
  const rejected = [
    { text: '' }, { text: '[]' }, { text: '"x"' }, { text: `${text}x` }, { text: text.slice(0, -1) }, { text: `\ufeff${text}` },
    { text: JSON.stringify({ ...valid, no_such_field: 1 }) },
    { text, type: 'text/plain' },
    { text: `${text.slice(0, -1)}${text === '{}' ? '' : ','}"pad":"${'x'.repeat(size)}"}`, status: 413 },
  ].filter((body) => body.text !== '' || schema.required.length + (schema.oneOf ?? schema.anyOf ?? []).length > 0);
  for (const name of schema.required ?? []) {
    const { [name]: gone, ...rest } = valid;
    rejected.push({ text: JSON.stringify(rest) });
  }
  for (const [name, value] of Object.entries(valid)) {
    rejected.push({ text: `{${JSON.stringify(name)}:${JSON.stringify(value)},${text.slice(1)}` }); // a repeated member
  }
  for (const [name, field] of readFields(schema)) {
    if (!(name in valid)) continue;
    for (const value of brokenValues(field)) rejected.push({ text: JSON.stringify({ ...valid, [name]: value }) });
  }
  return fc.constantFrom(...rejected);
}

// ---- Requests

const query = (pairs) => pairs.map(([name, value]) => `${name}=${value}`).join('&');
const withQuery = (path, text) => (text === '' ? path : `${path}?${text}`);

/**
 * A path with its parameters filled in: from existing resources when the request is sent, or from unknown ids.
 * `state`: {tracks, versions, collections, members: [collection, track][]}.
 */
function paths(template, state) {
  const draw = fc.tuple(fc.nat(), fc.stringMatching(/^[a-z]{1,6}-[0-9]{1,9}$/), fc.integer({ min: 0, max: 9 }));
  return draw.map(([index, unknown, chance]) => () => {
    const pick = (known) => (known.length === 0 ? unknown : known[index % known.length]);
    if (template.includes('{trackId}')) {
      const [collection, track] = state.members.length === 0 ? [unknown, unknown] : pick(state.members);
      return template.replace('{id}', collection).replace('{trackId}', chance === 0 ? unknown : track);
    }
    const known = template.startsWith('/v1/collections') ? state.collections : state.tracks;
    return template.replace('{id}', chance === 0 ? unknown : pick(known));
  });
}

/** Arbitrary requests of an operation: `{method, path(), query, body, type, headers, status}`; `status` is that of an error. */
export function requestsOf(description, { template, method, operation }, state) {
  const parameters = (operation.parameters ?? []).filter((one) => one.in === 'query');
  const required = parameters.filter((one) => one.required);
  const { value: schema } = description.resolved(operation.requestBody?.content['application/json'].schema);
  const optional = parameters.filter((one) => !one.required);
  const given = fc.subarray(optional, { maxLength: Math.min(4, optional.length) }).chain((some) =>
    fc.tuple(...[...required, ...some].map((one) =>
      (one.name === 'since' ? versions(one.schema, state) : queryStrings(one.schema, one.name)).map((value) => [one.name, encodeURIComponent(value)]))));
  const base = fc.record({
    path: paths(template, state),
    pairs: given,
    value: schema ? bodyObjects(schema, state) : fc.constant(undefined),
  });
  const whole = ({ path, pairs, value }) => ({
    method: method.toUpperCase(),
    path,
    query: query(pairs),
    body: value === undefined ? undefined : JSON.stringify(value),
    type: 'application/json',
  });

  const valid = base.map(whole);
  const broken = base.chain((parts) => {
    const request = whole(parts);
    const errors = [
      { ...request, query: query([...parts.pairs, ['no_such_parameter', '1']]), status: 400 },
      { ...request, query: query([...parts.pairs, ['q', '%ZZ']]), status: 400 },
      { ...request, query: query([...parts.pairs, ['q', '%FF']]), status: 400 },
      ...parts.pairs.map((pair) => ({ ...request, query: query([...parts.pairs, pair]), status: 400 })),
      ...parameters.flatMap((one) => brokenStrings(one.schema).map((value) => ({
        ...request,
        query: query([...parts.pairs.filter(([name]) => name !== one.name), [one.name, encodeURIComponent(value)]]),
        // An empty q is ignored (QUERY-2).
        status: one.name === 'q' && value === '' ? undefined : 400,
      }))),
      { ...request, method: 'OPTIONS', status: 405 },
      { ...request, method: 'TRACE', status: undefined },
    ];
    const ofQuery = fc.constantFrom(...errors);
    if (!schema) return ofQuery;
    const ofBody = brokenBodies(template, schema, parts.value).map((body) => ({
      ...request, body: body.text, type: body.type ?? request.type, status: body.status ?? 400,
    }));
    return fc.oneof(ofQuery, ofBody);
  });
  return { valid, broken };
}

export { fc, withQuery };
