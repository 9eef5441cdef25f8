// Replays the case files on the native host's HTTP loop. Usage: run_native.mjs [--build DIR]
// Ends with one line: N passed, M failed.

import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

import { casesOfBuild } from './build_folder.mjs';
import { replay } from './replay.mjs';

const paths = casesOfBuild();
const server = spawn(paths.server, [paths.snapshot], { stdio: ['pipe', 'pipe', 'inherit'] });
const ended = new Promise((resolve) => server.on('exit', resolve));
const lines = createInterface({ input: server.stdout })[Symbol.asyncIterator]();

async function nextLine() {
  const { done, value } = await lines.next();
  if (done) throw new Error('tonearm-cases-server ended early');
  return JSON.parse(value);
}

async function command(value) {
  server.stdin.write(`${JSON.stringify(value)}\n`);
  await nextLine();
}

const { api, admin } = await nextLine();
const good = await replay(paths.transcript, {
  addresses: { api: new URL(api), admin: new URL(admin) },
  reset: (setup) => command({ reset: setup }),
  advance: (ms) => command({ advance_ms: ms }),
});
server.stdin.end();
const status = await ended;
if (status !== 0) console.error(`tonearm-cases-server ended with ${status}`);
process.exitCode = good && status === 0 ? 0 : 1;
