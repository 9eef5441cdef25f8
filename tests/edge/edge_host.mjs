// Runs the edge's test worker on a local workerd for `replay`.

import { readFileSync } from 'node:fs';

import { publish, startWorker } from './local_worker.mjs';
import { WorkerLog } from './worker_log.mjs';

/** `paths` comes from `casesOfBuild`, with `wasm`. */
export async function startEdgeHost(paths) {
  const log = new WorkerLog();
  const miniflare = await startWorker({
    entry: 'tests/edge/worker.ts',
    wasm: paths.wasm,
    log,
    // Bypasses miniflare's own entry, which would normalize targets and add headers.
    unsafeDirectSockets: [{ entrypoint: 'default' }, { entrypoint: 'Control' }],
  });
  await publish(miniflare, 'catalog.sqlite', readFileSync(paths.snapshot));
  const control = await miniflare.unsafeGetDirectURL(undefined, 'Control');
  const api = await miniflare.unsafeGetDirectURL(undefined, 'default');
  const command = async (body) => {
    const response = await fetch(control, { method: 'POST', body: JSON.stringify(body) });
    if (!response.ok) throw new Error(`the test worker failed: ${await response.text()}`);
  };
  return {
    addresses: { api, admin: api },
    reset: (setup) => command({ reset: setup }),
    advance: (ms) => command({ advance_ms: ms }),
    /** Throws if the worker's log has warnings (worker_log.mjs). */
    async end() {
      await miniflare.dispose();
      log.assertClean();
    },
  };
}
