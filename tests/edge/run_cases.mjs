// Replays the case files on the edge worker under a local workerd. Usage: run_cases.mjs [--build DIR] [--wasm FILE]
// Ends with one line: N passed, M failed.

import { readFileSync } from 'node:fs';

import { casesOfBuild } from '../cases/build_folder.mjs';
import { replay } from '../cases/replay.mjs';
import { publish, startWorker } from './local_worker.mjs';

const paths = casesOfBuild({ wasm: { type: 'string', default: 'build/wasm/bin/tonearm.wasm' } });

const miniflare = await startWorker({
  entry: 'tests/edge/worker.ts',
  wasm: paths.wasm,
  // Straight to the worker: miniflare's own entry would normalise targets and add headers.
  unsafeDirectSockets: [{ entrypoint: 'default' }, { entrypoint: 'Control' }],
});

let good = false;
try {
  await publish(miniflare, 'catalog.sqlite', readFileSync(paths.snapshot));
  const control = await miniflare.unsafeGetDirectURL(undefined, 'Control');
  const command = async (body) => {
    const response = await fetch(control, { method: 'POST', body: JSON.stringify(body) });
    if (!response.ok) throw new Error(`the test worker refuses: ${await response.text()}`);
  };
  const api = await miniflare.unsafeGetDirectURL(undefined, 'default');
  good = await replay(paths.transcript, {
    addresses: { api, admin: api },
    reset: (setup) => command({ reset: setup }),
    advance: (ms) => command({ advance_ms: ms }),
  });
} finally {
  await miniflare.dispose();
}
process.exitCode = good ? 0 : 1;
