// Replays the case files on the edge worker under a local workerd. Usage: run_cases.mjs [--build DIR] [--wasm FILE]
// [--run-again]: calls run again for want of blocks, as where the platform cannot suspend the core.
// Ends with one line: N passed, M failed.

import { casesOfBuild } from '../cases/build_folder.mjs';
import { replay } from '../cases/replay.mjs';
import { startEdgeHost } from './edge_host.mjs';

const paths = casesOfBuild({
  wasm: { type: 'string', default: 'build/wasm/bin/tonearm.wasm' },
  'run-again': { type: 'boolean', default: false },
});
const host = await startEdgeHost({ ...paths, suspends: !paths['run-again'] });
let good = false;
try {
  good = await replay(paths.transcript, host);
} finally {
  await host.end();
}
process.exitCode = good ? 0 : 1;
