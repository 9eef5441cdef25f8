// Replays the core's transcript on another host over HTTP. The host's answers must be equal byte for byte.
//
// A host is an object with async functions: `reset(setup)` empties the state, `advance(ms)` advances the clock, and `addresses`
// is `{api: URL, admin: URL}`. A host without a server has `answer(request)` instead of addresses, and `expects(line)`, which
// returns the expected answer to a line of the transcript; null: the line is skipped.

import { readFileSync } from 'node:fs';
import { Agent, request as httpRequest } from 'node:http';

// The headers that the core sets. All others belong to the host or the connection.
const CORE_HEADERS = new Set(
  JSON.parse(readFileSync(new URL('core_headers.json', import.meta.url), 'utf8')).map((name) => name.toLowerCase()),
);

const agent = new Agent({ keepAlive: true, maxSockets: 1 });
/** A host may close the connection after rejecting a longer body unread, so such a request has its own connection. */
const SHARED_CONNECTION_BYTES = 65_536;

function send(address, { method, target, headers, body }) {
  const bytes = Buffer.from(body, 'utf8');
  const fields = headers.flat();
  if (bytes.length > 0) fields.push('Content-Length', String(bytes.length));
  return new Promise((resolve, reject) => {
    const connection = bytes.length > SHARED_CONNECTION_BYTES ? false : agent;
    const options = { method, path: target, headers: ['Host', address.host, ...fields], agent: connection };
    const request = httpRequest({ hostname: address.hostname, port: address.port, ...options });
    request.on('error', reject);
    request.on('response', (response) => {
      const parts = [];
      response.on('data', (part) => parts.push(part));
      response.on('error', reject);
      response.on('end', () => {
        const { statusCode: status, rawHeaders } = response;
        const pairs = rawHeaders.flatMap((name, i) => (i % 2 === 0 ? [[name, rawHeaders[i + 1]]] : []));
        resolve({ status, headers: pairs, body: Buffer.concat(parts) });
      });
    });
    request.end(bytes);
  });
}

const comparable = (headers) =>
  headers
    .map(([name, value]) => `${name.toLowerCase()}: ${value}`)
    .filter((line) => CORE_HEADERS.has(line.slice(0, line.indexOf(':'))))
    .sort();

const shown = (text) => (text.length > 300 ? `${text.slice(0, 300)}...` : text);

function mismatchesOf(found, expected) {
  const mismatches = [];
  if (found.status !== expected.status) mismatches.push(`status: found ${found.status}, expected ${expected.status}`);
  const [has, wants] = [comparable(found.headers), comparable(expected.headers)];
  for (const line of has.filter((one) => !wants.includes(one))) mismatches.push(`unexpected header: ${line}`);
  for (const line of wants.filter((one) => !has.includes(one))) mismatches.push(`missing header: ${line}`);
  const body = Buffer.from(expected.body, 'utf8');
  if (!found.body.equals(body)) {
    mismatches.push(`body: found ${shown(found.body.toString('utf8'))}\n    expected ${shown(expected.body)}`);
  }
  return mismatches;
}

/** Returns headers of the core that are missing in core_headers.json: they would not be compared. */
function unlisted(headers) {
  return headers.filter(([name]) => !CORE_HEADERS.has(name.toLowerCase())).map(([name]) => name);
}

/** Runs every line of the transcript. Prints mismatches and `N passed, M failed`, and returns whether none failed. */
export async function replay(transcriptPath, host) {
  let passed = 0;
  let failed = 0;
  let file = '';
  for (const text of readFileSync(transcriptPath, 'utf8').split('\n').filter(Boolean)) {
    const line = JSON.parse(text);
    if (line.reset) {
      file = line.file;
      await host.reset(line.reset);
      continue;
    }
    if (line.advance_ms > 0) await host.advance(line.advance_ms);
    const { request } = line;
    const response = host.expects ? host.expects(line) : line.response;
    if (response === null) continue;
    const place = `${file}:${line.line}: ${request.method} ${request.target}`;
    const mismatches = unlisted(response.headers).map((name) => `${name} is not in core_headers.json`);
    try {
      const found = await (host.answer ? host.answer(request) : send(line.admin ? host.addresses.admin : host.addresses.api, request));
      mismatches.push(...mismatchesOf(found, response));
    } catch (failure) {
      mismatches.push(`no answer: ${failure.message}`);
    }
    for (const mismatch of mismatches) console.error(`${place}: ${mismatch}`);
    if (mismatches.length === 0) ++passed;
    else ++failed;
  }
  agent.destroy();
  console.log(`${passed} passed, ${failed} failed`);
  return failed === 0 && passed > 0;
}
