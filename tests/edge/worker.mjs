// The worker in its test build: the same host, with a clock turned by hand and seeded random bytes. The clock and a
// fresh state are asked for at an entrypoint of its own, so that no path of the API is taken.

import { WorkerEntrypoint } from 'cloudflare:workers';
import module from './tonearm.wasm';

import { EdgeHost } from '../../host-wasm/src/edge_host.mjs';
import { hashing } from '../../host-wasm/src/ports.mjs';

const MASK = 2n ** 64n - 1n;

/** SplitMix64, as in tests/support/fakes.h. */
class SeededRandom {
  #state;

  constructor(seed) {
    this.#state = seed;
  }

  fill(out) {
    for (let i = 0; i < out.length; ++i) out[i] = Number(this.#next() >> 56n);
  }

  #next() {
    this.#state = (this.#state + 0x9e3779b97f4a7c15n) & MASK;
    let z = this.#state;
    z = ((z ^ (z >> 30n)) * 0xbf58476d1ce4e5b9n) & MASK;
    z = ((z ^ (z >> 27n)) * 0x94d049bb133111ebn) & MASK;
    return z ^ (z >> 31n);
  }
}

let nowMs = 0;
let host = null;

async function reset(env, { start_ms, seed, key_secret, admin_token, catalog }) {
  nowMs = start_ms;
  const random = new SeededRandom(BigInt(seed));
  const ports = {
    ...hashing,
    nowMs: () => nowMs,
    random: (out) => random.fill(out),
    log: (line) => console.error(line),
  };
  const adminTokenHash = hashing.sha256(new TextEncoder().encode(admin_token));
  host = new EdgeHost(module, ports, { keySecret: key_secret, adminTokenHash });
  if (catalog === 'none') return;
  const object = await env.SNAPSHOTS.get(catalog);
  host.takeUp(new Uint8Array(await object.arrayBuffer()));
}

export class Control extends WorkerEntrypoint {
  async fetch(request) {
    const command = await request.json();
    if (command.reset) await reset(this.env, command.reset);
    if (command.advance_ms) nowMs += command.advance_ms;
    return new Response('done');
  }
}

export default {
  fetch: (request) => host.answer(request),
};
