// Sends the same random requests to the core, the native host and the edge worker, which must answer with the same bytes.
// Usage: run.mjs [--build DIR] [--wasm FILE]. The last line of the output is: N passed, M failed.
//   TONEARM_RANDOM_REQUESTS  approximate number of requests to each host; default 5,000
//   TONEARM_RANDOM_SEED      an integer; default: a random one, which is printed

import { spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { casesOfBuild, root } from '../cases/build_folder.mjs';
import { startNativeHost } from '../cases/native_host.mjs';
import { replay } from '../cases/replay.mjs';
import { startEdgeHost } from '../edge/edge_host.mjs';
import { randomCaseFile } from './requests.mjs';

const REQUESTS_OF_FILE = 250;
/** Limits the size of a transcript in memory. */
const FILES_OF_BATCH = 20;
const STATUSES = [200, 201, 304, 400, 401, 402, 403, 404, 405, 409, 413, 422, 429];

function numberFrom(name, fallback) {
  const text = process.env[name] ?? String(fallback);
  if (!/^[0-9]{1,9}$/.test(text)) throw new Error(`${name} must be a whole number; got "${text}"`);
  return Number(text);
}

const seed = numberFrom('TONEARM_RANDOM_SEED', randomInt(1_000_000_000));
const requests = numberFrom('TONEARM_RANDOM_REQUESTS', 5_000);
const paths = casesOfBuild({ wasm: { type: 'string', default: 'build/wasm/bin/tonearm.wasm' } });
const folder = resolve(root, paths.build, 'random');
const transcript = join(folder, 'transcript.jsonl');
console.log(`about ${requests} requests to each host; TONEARM_RANDOM_SEED=${seed}`);

/** Writes the case files and runs them on the core. */
function runOnCore(numbers) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const files = numbers.map((number) => {
    const path = join(folder, `random_${seed}_${number}.jsonl`);
    writeFileSync(path, randomCaseFile(seed + number, REQUESTS_OF_FILE));
    return path;
  });
  const program = resolve(root, paths.build, 'bin/tonearm-cases');
  const { status, error } = spawnSync(program, ['--output', folder, ...files], { stdio: ['ignore', 'ignore', 'inherit'] });
  if (error) throw error;
  if (status !== 0) throw new Error(`tonearm-cases ended with ${status}`);
}

/** Counts the answers with each status. */
function countStatuses(counts) {
  for (const text of readFileSync(transcript, 'utf8').split('\n').filter(Boolean)) {
    const { response } = JSON.parse(text);
    if (response) counts.set(response.status, (counts.get(response.status) ?? 0) + 1);
  }
}

let failed = 0;
const counts = new Map();
const hosts = [await startNativeHost(paths), await startEdgeHost(paths)];
try {
  const files = Math.ceil(requests / REQUESTS_OF_FILE);
  for (let first = 0; first < files; first += FILES_OF_BATCH) {
    runOnCore(Array.from({ length: Math.min(FILES_OF_BATCH, files - first) }, (_, i) => first + i));
    countStatuses(counts);
    for (const host of hosts) if (!(await replay(transcript, host))) failed = 1;
  }
} finally {
  await Promise.all(hosts.map((host) => host.end()));
}

const statusTexts = [...counts].sort().map(([status, count]) => `${status}: ${count}`);
console.log(`answers of the core by status: ${statusTexts.join(', ')}`);
// Equal answers of one status prove little. The core must never fail.
const without = STATUSES.filter((status) => !counts.has(status));
const unexpected = [...counts.keys()].filter((status) => !STATUSES.includes(status));
if (requests >= 5_000 && without.length > 0) console.error(`no request had the status ${without.join(', ')}`);
if (unexpected.length > 0) console.error(`requests had the status ${unexpected.join(', ')}`);
const variety = (requests < 5_000 || without.length === 0) && unexpected.length === 0;
console.log(variety ? '1 passed, 0 failed' : '0 passed, 1 failed');
process.exitCode = failed === 0 && variety ? 0 : 1;
