// The worker. Bindings: SNAPSHOTS, an R2 bucket that holds the snapshot under SNAPSHOT_KEY; ADMIN_TOKEN_SHA256, hex;
// KEY_SECRET, which all isolates must share.

import module from './tonearm.wasm';

import { EdgeHost } from './edge_host.mjs';
import { platformPorts } from './ports.mjs';

const SNAPSHOT_KEY = 'catalog.sqlite';
const FLUSH_INTERVAL_MS = 1000;
const SNAPSHOT_CHECK_INTERVAL_MS = 10_000;

class Worker {
  #host;
  #loading = null;
  #etag = null;
  #checkedMs = 0;
  #flushedMs = 0;

  constructor(env) {
    const adminTokenHash = Uint8Array.from(Buffer.from(env.ADMIN_TOKEN_SHA256, 'hex'));
    this.#host = new EdgeHost(module, platformPorts, { keySecret: env.KEY_SECRET, adminTokenHash });
  }

  async fetch(request, env, ctx) {
    // C1.6: without a snapshot every request looks for one; with one, another is taken up beside the requests.
    if (!this.#host.hasSnapshot) await this.#load(env);
    const nowMs = Date.now();
    if (nowMs - this.#checkedMs >= SNAPSHOT_CHECK_INTERVAL_MS) ctx.waitUntil(this.#load(env));
    const response = await this.#host.answer(request);
    if (nowMs - this.#flushedMs >= FLUSH_INTERVAL_MS) {
      this.#flushedMs = nowMs;
      this.#host.flush();
    }
    return response;
  }

  /** Of several requests that want it at once, one loads. */
  #load(env) {
    this.#checkedMs = Date.now();
    this.#loading ??= this.#loadNow(env.SNAPSHOTS)
      .catch((fault) => platformPorts.log(`the snapshot is not taken up: ${fault.message}`))
      .finally(() => (this.#loading = null));
    return this.#loading;
  }

  async #loadNow(bucket) {
    const found = await bucket.head(SNAPSHOT_KEY);
    if (found === null || found.etag === this.#etag) return;
    const object = await bucket.get(SNAPSHOT_KEY);
    if (object === null) return;
    this.#host.takeUp(new Uint8Array(await object.arrayBuffer()));
    this.#etag = object.etag;
  }
}

let worker = null;

export default {
  fetch(request, env, ctx) {
    // Made with the first request: a worker may not draw random bytes before.
    worker ??= new Worker(env);
    return worker.fetch(request, env, ctx);
  },
};
