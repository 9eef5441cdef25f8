// Holds every call of a tool in the core's transcript against the list of tools that the service gives of itself: arguments
// that were accepted fit the tool's input schema, and each result its output schema; its text says the same (MCP-7, MCP-9).
// Usage: check_mcp.mjs [--build DIR] [--cases DIR]. Ends with one line: N passed, M failed.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

import { casesOfBuild, root } from './build_folder.mjs';

const require = createRequire(`${root}/build-support/`);
const Ajv = require('ajv/dist/2020').default;

/** About 2,000 tokens, and the tracks of the page that has to fit into them. */
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
  // Some case files alone call no tool.
  console.log('0 passed, 0 failed');
  process.exit(0);
}
const ajv = new Ajv({ allErrors: false, strict: false });
const inputs = new Map(tools.map((tool) => [tool.name, ajv.compile(tool.inputSchema)]));
const outputs = new Map(tools.map((tool) => [tool.name, ajv.compile(tool.outputSchema)]));

/** What is wrong with a result of a tool, or null. */
function mismatchOf(name, given, result) {
  const text = result.content?.[0]?.text;
  if (typeof text !== 'string') return 'there is no text';
  if (result.isError) {
    if (result.structuredContent !== undefined) return 'an error has structured content';
    return /^[a-z_]+: [^]+\nNext: [^]+\.$/.test(text) ? null : `an error says ${text}`;
  }
  const input = inputs.get(name);
  const wellGiven = Object.fromEntries(Object.entries(given ?? {}).filter(([, value]) => value !== null));
  // What is no object of the schema may still be understood: the API judges values, the schema is for callers.
  if (!input(wellGiven) && typeof wellGiven.q !== 'object') return `arguments: ${ajv.errorsText(input.errors)}`;
  const output = outputs.get(name);
  if (!output(result.structuredContent)) return `result: ${ajv.errorsText(output.errors)}`;
  const isSame = text === JSON.stringify(result.structuredContent) || text === result.structuredContent.text;
  if (!isSame) return 'the text says something else';
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
  console.error(`no case calls ${name} well`);
}
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 && passed > 0 ? 0 : 1;
