// Messages to and from the core (host-wasm/README.md, "Messages"): little-endian numbers of fixed width and byte strings with their
// length. They mirror core/include/tonearm/message.h.

const encoder = new TextEncoder();
/** Keeps a byte order mark as a character. */
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

const NONE = new Uint8Array();

export const encodeText = (text: string): Uint8Array => encoder.encode(text);
export const decodeText = (bytes: Uint8Array): string => decoder.decode(bytes);

/** Returns the parts one after the other, in bytes of their own. */
export function joinBytes(parts: Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(parts.reduce((size, part) => size + part.length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

export class MessageWriter {
  #bytes = new Uint8Array(2_048);
  #view = new DataView(this.#bytes.buffer);
  #size = 0;

  number(value: number): this {
    const at = this.#grow(4); // first, because it may replace the buffer
    this.#view.setUint32(at, value, true);
    return this;
  }

  /** Writes an integer as 8 bytes. */
  integer(value: number): this {
    const at = this.#grow(8);
    this.#view.setBigInt64(at, BigInt(value), true);
    return this;
  }

  bytes(bytes: Uint8Array): this {
    const at = this.#grow(bytes.length);
    this.#bytes.set(bytes, at);
    return this;
  }

  /** Writes a length and that many bytes. */
  text(value: string | Uint8Array): this {
    if (typeof value !== 'string') return this.number(value.length).bytes(value);
    const at = this.#grow(4 + 3 * value.length);
    const { written } = encoder.encodeInto(value, this.#bytes.subarray(at + 4));
    this.#view.setUint32(at, written, true);
    this.#size = at + 4 + written;
    return this;
  }

  /** Returns the whole message. */
  finish(): Uint8Array {
    return this.#bytes.subarray(0, this.#size);
  }

  /** Makes space for `more` bytes and returns their offset. */
  #grow(more: number): number {
    const at = this.#size;
    this.#size += more;
    if (this.#size > this.#bytes.length) {
      const grown = new Uint8Array(Math.max(this.#size, 2 * this.#bytes.length));
      grown.set(this.#bytes.subarray(0, at));
      this.#bytes = grown;
      this.#view = new DataView(grown.buffer);
    }
    return at;
  }
}

/** Reads bytes that may be in the core's memory. Returns copies. */
export class MessageReader {
  readonly #view: DataView;
  #at: number;

  constructor(buffer: ArrayBufferLike, at: number) {
    this.#view = new DataView(buffer);
    this.#at = at;
  }

  number(): number {
    this.#at += 4;
    return this.#view.getUint32(this.#at - 4, true);
  }

  integer(): number {
    this.#at += 8;
    return Number(this.#view.getBigInt64(this.#at - 8, true));
  }

  bytes(): Uint8Array<ArrayBuffer> {
    const size = this.number();
    if (size === 0) return NONE;
    this.#at += size;
    return new Uint8Array(this.#view.buffer, this.#at - size, size).slice();
  }

  text(): string {
    const bytes = this.bytes();
    return bytes.length === 0 ? '' : decoder.decode(bytes);
  }
}
