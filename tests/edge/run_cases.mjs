// Replays the case files on the edge worker with a local workerd. Usage: run_cases.mjs [--build DIR] [--wasm FILE]
// Ends with one line: N passed, M failed.

import { casesOfBuild } from '../cases/build_folder.mjs';
import { replay } from '../cases/replay.mjs';
import { startEdgeHost } from './edge_host.mjs';

const paths = casesOfBuild({ wasm: { type: 'string', default: 'build/wasm/bin/tonearm.wasm' } });
const host = await startEdgeHost(paths);
let good = false;
try {
  good = await replay(paths.transcript, host);
} finally {
  await host.end();
}
process.exitCode = good ? 0 : 1;
