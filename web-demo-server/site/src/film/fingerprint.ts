// Fingerprints sound with the C++ code of audio/src/fingerprint as WebAssembly (audio/wasm).

import type { Piece } from './messages';

interface Exports {
  memory: WebAssembly.Memory;
  _initialize(): void;
  tonearm_make_film(): number;
  tonearm_begin_sound(film: number, sampleRate: number, channels: number): number;
  tonearm_reserve_sound(film: number, frames: number): number;
  tonearm_add_sound(film: number): void;
  tonearm_add_silence(film: number, frames: number): void;
  tonearm_end_sound(film: number): void;
  tonearm_count_pieces(film: number): number;
  tonearm_piece_begin(film: number, index: number): number;
  tonearm_piece_text(film: number, index: number): number;
  tonearm_drop_pieces(film: number): void;
}

/** The module failed, such as without memory. */
export class ModuleError extends Error {}

/** Calls the module. Its exceptions and traps become a ModuleError: an exception of C++ has no text. */
function run<Value>(step: () => Value): Value {
  try {
    return step();
  } catch (error) {
    throw new ModuleError(error instanceof Error ? error.message : 'the fingerprint module failed');
  }
}

const IMPORTS = {
  env: { emscripten_notify_memory_growth: () => undefined },
  wasi_snapshot_preview1: {
    proc_exit: () => {
      throw new Error('the fingerprint module ended');
    },
  },
};

/** The sound of one film, from its beginning to its end. */
export class Fingerprinter {
  static async start(module: BufferSource): Promise<Fingerprinter> {
    const { instance } = await WebAssembly.instantiate(module, IMPORTS);
    return new Fingerprinter(instance.exports as unknown as Exports);
  }

  private readonly wasm: Exports;
  private readonly film: number;
  private channels = 0;

  private constructor(wasm: Exports) {
    this.wasm = wasm;
    wasm._initialize();
    this.film = wasm.tonearm_make_film();
  }

  /** Begins sound of another format. Returns false if it cannot be read. */
  begin(sampleRate: number, channels: number): boolean {
    this.channels = channels;
    return run(() => this.wasm.tonearm_begin_sound(this.film, sampleRate, channels) !== 0);
  }

  /** Adds interleaved samples, which `write` copies into the memory of the module. */
  add(frames: number, write: (samples: Int16Array<ArrayBuffer>) => void) {
    const at = run(() => this.wasm.tonearm_reserve_sound(this.film, frames));
    write(new Int16Array(this.wasm.memory.buffer as ArrayBuffer, at, frames * this.channels));
    run(() => this.wasm.tonearm_add_sound(this.film));
  }

  addSilence(frames: number) {
    run(() => this.wasm.tonearm_add_silence(this.film, frames));
  }

  end() {
    run(() => this.wasm.tonearm_end_sound(this.film));
  }

  /** Returns the pieces of the windows that are complete, each once. */
  takePieces(): Piece[] {
    const { wasm, film } = this;
    const pieces = Array.from({ length: wasm.tonearm_count_pieces(film) }, (_, index) => ({
      begin_s: wasm.tonearm_piece_begin(film, index),
      fingerprint: this.textAt(wasm.tonearm_piece_text(film, index)),
    }));
    if (pieces.length > 0) wasm.tonearm_drop_pieces(film);
    return pieces;
  }

  private textAt(address: number): string {
    const bytes = new Uint8Array(this.wasm.memory.buffer, address);
    return new TextDecoder().decode(bytes.subarray(0, bytes.indexOf(0)));
  }
}
