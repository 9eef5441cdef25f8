// Messages to and from the core (README.md, "Messages"): little-endian numbers of fixed width and byte strings with their
// length. They mirror core/include/tonearm/message.h.

const encoder = new TextEncoder();
/** A byte-order mark is a character like any other. */
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

export const encodeText = (text: string): Uint8Array => encoder.encode(text);
export const decodeText = (bytes: Uint8Array): string => decoder.decode(bytes);

export class MessageWriter {
  #parts: Uint8Array[] = [];
  #size = 0;

  number(value: number): this {
    const bytes = new Uint8Array(4);
    new DataView(bytes.buffer).setUint32(0, value, true);
    return this.bytes(bytes);
  }

  /** A whole number as 8 bytes. */
  integer(value: number): this {
    const bytes = new Uint8Array(8);
    new DataView(bytes.buffer).setBigInt64(0, BigInt(value), true);
    return this.bytes(bytes);
  }

  bytes(bytes: Uint8Array): this {
    this.#parts.push(bytes);
    this.#size += bytes.length;
    return this;
  }

  /** A length and as many bytes. */
  text(value: string | Uint8Array): this {
    const bytes = typeof value === 'string' ? encoder.encode(value) : value;
    return this.number(bytes.length).bytes(bytes);
  }

  finish(): Uint8Array {
    const message = new Uint8Array(this.#size);
    let at = 0;
    for (const part of this.#parts) {
      message.set(part, at);
      at += part.length;
    }
    return message;
  }
}

/** Reads bytes that may lie in the core's memory; what it gives is copied. */
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

  bytes(): Uint8Array {
    const size = this.number();
    this.#at += size;
    return new Uint8Array(this.#view.buffer, this.#at - size, size).slice();
  }

  text(): string {
    return decoder.decode(this.bytes());
  }
}
