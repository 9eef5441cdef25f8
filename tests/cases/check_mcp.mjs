// Checks every tool call in the core's transcript with the service's list of tools: accepted arguments match the tool's input
// schema, each result matches its output schema, and its text is equal to the result (MCP-7, MCP-9).
// Usage: check_mcp.mjs [--build DIR] [--cases DIR]. The last line of the output is: N passed, M failed.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

import { casesOfBuild, root } from './build_folder.mjs';

const require = createRequire(`${root}/build-support/`);
const Ajv = require('ajv/dist/2020').default;

/** A page of PAGE_TRACKS tracks must have at most this length, about 2,000 tokens. */
const PAGE_CHARACTERS = 8_000;
const PAGE_TRACKS = 10;

const exchanges = readFileSync(casesOfBuild().transcript, 'utf8')
  .split('\n')
  .filter(Boolean)
  .map((text) => JSON.parse(text))
  .filter((line) => line.request?.target === '/mcp' && line.response.body.startsWith('{"jsonrpc"'))
  .map((line) => ({ line, answer: JSON.parse(line.response.body) }));

const messageOf = ({ request }) => {
  try {
    return JSON.parse(request.body);
  } catch {
    return null;
  }
};

const tools = exchanges.find(({ answer }) => answer.result?.tools)?.answer.result.tools;
if (!tools) {
  // A run of some case files may call no tool.
  console.log('0 passed, 0 failed');
  process.exit(0);
}
const ajv = new Ajv({ allErrors: false, strict: false });
const inputs = new Map(tools.map((tool) => [tool.name, ajv.compile(tool.inputSchema)]));
const outputs = new Map(tools.map((tool) => [tool.name, ajv.compile(tool.outputSchema)]));

/** Returns the mismatch of a tool's result, or null. */
function mismatchOf(name, given, result) {
  const text = result.content?.[0]?.text;
  if (typeof text !== 'string') return 'there is no text';
  if (result.isError) {
    if (result.structuredContent !== undefined) return 'an error has structured content';
    return /^[a-z_]+: [^]+\nNext: [^]+\.$/.test(text) ? null : `an error says ${text}`;
  }
  const input = inputs.get(name);
  const nonNull = Object.fromEntries(Object.entries(given ?? {}).filter(([, value]) => value !== null));
  // The API may accept arguments that do not match the schema, which is only for callers.
  if (!input(nonNull) && typeof nonNull.q !== 'object') return `arguments: ${ajv.errorsText(input.errors)}`;
  const output = outputs.get(name);
  if (!output(result.structuredContent)) return `result: ${ajv.errorsText(output.errors)}`;
  const isSame = text === JSON.stringify(result.structuredContent) || text === result.structuredContent.text;
  if (!isSame) return 'the text differs from the result';
  const tracks = result.structuredContent.tracks?.length ?? 0;
  const isCompact = given?.detail !== 'full' && !given?.fields;
  if (isCompact && tracks > 0 && text.length > (PAGE_CHARACTERS / PAGE_TRACKS) * Math.max(tracks, 2)) {
    return `${tracks} tracks take ${text.length} characters`;
  }
  return null;
}

let passed = 0;
let failed = 0;
const called = new Set();
for (const { line, answer } of exchanges) {
  const message = messageOf(line);
  if (message?.method !== 'tools/call' || !answer.result) continue;
  const { name, arguments: given } = message.params;
  if (!answer.result.isError) called.add(name);
  const mismatch = mismatchOf(name, given, answer.result);
  if (mismatch === null) {
    ++passed;
  } else {
    ++failed;
    console.error(`line ${line.line}: ${name}: ${mismatch}`);
  }
}
for (const { name } of tools) {
  if (called.has(name)) continue;
  ++failed;
  console.error(`no case calls ${name} successfully`);
}
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 && passed > 0 ? 0 : 1;
