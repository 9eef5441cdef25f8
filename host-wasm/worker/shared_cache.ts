// The cache that the isolates of a data center share: the platform's, which may evict entries at any time. Entries that nothing
// else authenticates have a MAC of the deployment's secret, so that other code with access to the cache cannot forge them.

import { waitUntil } from 'cloudflare:workers';

import { encodeText, MessageWriter } from '../../core-js/src/message';
import { equalBytes } from '../../core-js/src/snapshot_file';
import { withDeadline } from './deadline';
import type { Ports } from './ports';

const MAC_BYTES = 32;
/** The purpose of the key that is derived from the deployment's secret. */
const KEY_PURPOSE = 'Tonearm: entries of the shared cache';

/** The platform's cache. An address contains the version of its content. */
export interface UrlCache {
  match(address: string): Promise<Response | undefined>;
  put(address: string, response: Response, keptSeconds: number): void;
}

/** Returns null if the platform has no cache. */
export function platformCache(): UrlCache | null {
  if (typeof caches === 'undefined') return null;
  const { default: cache } = caches;
  return {
    match: (address) => cache.match(address),
    put(address, response, keptSeconds) {
      response.headers.set('Cache-Control', `public, max-age=${keptSeconds}, immutable`);
      waitUntil(cache.put(address, response).catch(() => {}));
    },
  };
}

export class SharedCache {
  readonly #cache: UrlCache;
  readonly #ports: Ports;
  readonly #key: Uint8Array;
  readonly #answerMs: number;

  /** `secret`: the deployment's. `answerMs`: the time after which a lookup counts as unsuccessful. */
  constructor(cache: UrlCache, ports: Ports, { secret, answerMs }: { secret: string; answerMs: number }) {
    this.#cache = cache;
    this.#ports = ports;
    this.#answerMs = answerMs;
    this.#key = ports.hmacSha256(encodeText(secret), encodeText(KEY_PURPOSE));
  }

  /** Returns the bytes that this deployment has put at the address; null if there are none, or if the cache does not answer soon. */
  find(address: string): Promise<Uint8Array | null> {
    return withDeadline(this.#answerMs, this.#find(address), 'a lookup in the cache').catch(() => null);
  }

  /** Does not throw. */
  put(address: string, bytes: Uint8Array, keptSeconds: number): void {
    try {
      const entry = new MessageWriter().bytes(this.#macOf(address, bytes)).bytes(bytes).finish();
      this.#cache.put(address, new Response(entry), keptSeconds);
    } catch (error) {
      this.#ports.log(`cannot share an entry: ${String(error)}`);
    }
  }

  async #find(address: string): Promise<Uint8Array | null> {
    const response = await this.#cache.match(address);
    if (response === undefined) return null;
    const entry = new Uint8Array(await response.arrayBuffer());
    const bytes = entry.subarray(MAC_BYTES);
    return equalBytes(entry.subarray(0, MAC_BYTES), this.#macOf(address, bytes)) ? bytes : null;
  }

  #macOf(address: string, bytes: Uint8Array): Uint8Array {
    return this.#ports.hmacSha256(this.#key, new MessageWriter().text(address).bytes(bytes).finish());
  }
}
