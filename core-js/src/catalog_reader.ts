// Searches a snapshot without a server: runs the core in this process over any source of its bytes (HOST-40 to HOST-45).

import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';

import type { ByteSource } from './byte_source.ts';
import type { Answer, Call, Fields } from './instance.ts';
import type { Ports } from './ports.ts';
import { ReplayedCore } from './replayed_core.ts';
import { requestMessage } from './request.ts';
import { SnapshotFile } from './snapshot_file.ts';

const MIB = 2 ** 20;
/** 16 MiB. */
const BLOCKS_MAX = 256;
const ANSWER_CACHE_BYTES = 4 * MIB;
const PINNED_BYTES_MAX = 40 * MIB;
/** A search needs at most ten runs; facets with many values need more. */
const RUNS_MAX = 64;

export interface CatalogReaderOptions {
  /** tonearm.wasm, compiled or as bytes. */
  module: WebAssembly.Module | ArrayBuffer | Uint8Array;
  source: ByteSource | Promise<ByteSource>;
  /** Whether to accept snapshots that were built only for evaluation. */
  allowEvaluation?: boolean;
  /** How many blocks of 64 KiB the module caches. */
  blocksMax?: number;
  /** How many bytes all running calls together may pin. */
  pinnedBytesMax?: number;
  /** Receives log lines of the core. */
  log?: (line: string) => void;
}

/** What has been read from the source since `open` was called. */
export interface Statistics {
  /** Rounds of parallel reads. */
  rounds: number;
  bytes: number;
}

function portsOf(log: (line: string) => void): Ports {
  return {
    nowMs: () => Date.now(),
    random: (out) => void crypto.getRandomValues(out),
    // The imports of the module are synchronous; crypto.subtle is not, and it is missing on pages without TLS.
    sha256: (data) => sha256(data),
    hmacSha256: (key, data) => hmac(sha256, key, data),
    log,
  };
}

async function compiled(module: CatalogReaderOptions['module']): Promise<WebAssembly.Module> {
  return module instanceof WebAssembly.Module ? module : WebAssembly.compile(module as BufferSource);
}

export class CatalogReader {
  /** Null after `close`. */
  #core: ReplayedCore | null;
  readonly #file: SnapshotFile;

  private constructor(core: ReplayedCore, file: SnapshotFile) {
    this.#core = core;
    this.#file = file;
  }

  /** Rejects if the source cannot be read or the core rejects the snapshot. */
  static async open({ module, source, ...further }: CatalogReaderOptions): Promise<CatalogReader> {
    const { allowEvaluation = false, blocksMax = BLOCKS_MAX, pinnedBytesMax = PINNED_BYTES_MAX, log = console.error } = further;
    const ports = portsOf(log);
    const [compiledModule, bytes] = await Promise.all([compiled(module), source]);
    const file = await SnapshotFile.open(bytes, { name: 'the snapshot', sha256: ports.sha256 });
    const options = { allowEvaluation, pinnedBytesMax, runsMax: RUNS_MAX };
    const core = new ReplayedCore(compiledModule, ports, { answerCacheBytes: ANSWER_CACHE_BYTES, blocksMax }, options);
    await core.activate(file);
    return new CatalogReader(core, file);
  }

  get statistics(): Statistics {
    const { rounds, bytes } = this.#file.counts;
    return { rounds, bytes };
  }

  /** The memory of the module and of pinned blocks; 0 for a closed reader. */
  get memoryBytes(): number {
    const { memoryBytes, pinnedBytes } = this.#core?.sizes ?? { memoryBytes: 0, pinnedBytes: 0 };
    return memoryBytes + pinnedBytes;
  }

  /**
   * Answers a GET of a target, such as `/v1/search?q=rain`, with the same bytes as the API. Rejects with BlocksUnavailable if
   * the snapshot cannot be read; a later call may succeed. Calls may run concurrently.
   */
  async answer(target: string, headers: Fields = []): Promise<Answer> {
    if (this.#core === null) throw new Error('the catalog reader is closed');
    const callAfter = (waitedMs: number): Call => ({
      name: 'tonearm_read_catalog',
      message: requestMessage({ method: 'GET', target, headers }, undefined, waitedMs),
    });
    const { answer } = await this.#core.runs({ catalog: true }).replayed(callAfter);
    return answer;
  }

  /** Releases the memory of the module. Running calls complete normally. */
  close(): void {
    this.#core = null;
  }
}
