// Searches a snapshot without a server: the core in this process over any source of its bytes (HOST-40 to HOST-45).

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
/** A search takes at most ten, one with facets of many values more. */
const RUNS_MAX = 64;

export interface CatalogReaderOptions {
  /** tonearm.wasm, compiled or as its bytes. */
  module: WebAssembly.Module | ArrayBuffer | Uint8Array;
  source: ByteSource | Promise<ByteSource>;
  /** Whether a snapshot that was built for evaluation alone is opened too. */
  allowEvaluation?: boolean;
  /** How many blocks of 64 KiB the module keeps of those that searches need again and again. */
  blocksMax?: number;
  /** How much calls under way may have fetched, together. */
  pinnedBytesMax?: number;
  /** What the core has to say to who runs it. */
  log?: (line: string) => void;
}

/** What was read of the source since `open` began. */
export interface Statistics {
  /** Times that something waited for reads; those of one round are under way at once. */
  rounds: number;
  bytes: number;
}

function portsOf(log: (line: string) => void): Ports {
  return {
    nowMs: () => Date.now(),
    random: (out) => void crypto.getRandomValues(out),
    // Synchronous, as the module's imports are; crypto.subtle is not, and is missing where a page came without TLS.
    sha256: (data) => sha256(data),
    hmacSha256: (key, data) => hmac(sha256, key, data),
    log,
  };
}

async function compiled(module: CatalogReaderOptions['module']): Promise<WebAssembly.Module> {
  return module instanceof WebAssembly.Module ? module : WebAssembly.compile(module as BufferSource);
}

export class CatalogReader {
  /** Null: it was closed. */
  #core: ReplayedCore | null;
  readonly #file: SnapshotFile;

  private constructor(core: ReplayedCore, file: SnapshotFile) {
    this.#core = core;
    this.#file = file;
  }

  /** Rejects where the source cannot be read, and where the core refuses what it holds. */
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

  /** Of the module, and of the blocks that calls under way have fetched; a closed reader has none. */
  get memoryBytes(): number {
    const { memoryBytes, pinnedBytes } = this.#core?.sizes ?? { memoryBytes: 0, pinnedBytes: 0 };
    return memoryBytes + pinnedBytes;
  }

  /**
   * The answer to GET of a target, such as `/v1/search?q=rain`, in the bytes of the API. Rejects with BlocksUnavailable where
   * the snapshot cannot be read: a later call may find it readable again. Any number of calls may be under way.
   */
  async answer(target: string, headers: Fields = []): Promise<Answer> {
    if (this.#core === null) throw new Error('the reader of the catalog is closed');
    const callOf = (waitedMs: number): Call => ({
      name: 'tonearm_read_catalog',
      message: requestMessage({ method: 'GET', target, headers }, undefined, waitedMs),
    });
    const { answer } = await this.#core.runs({ catalog: true }).replayed(callOf);
    return answer;
  }

  /** Lets go of the module's memory. Calls under way end as they would. */
  close(): void {
    this.#core = null;
  }
}
