// The source of the bytes of a snapshot.

/** A file that does not change. Reads may run concurrently. */
export interface ByteSource {
  readonly size: number;
  /** Identifies the content, such as an ETag. */
  readonly version?: string;
  /** Returns exactly these bytes. Rejects if they cannot be read or the file has changed. */
  read(offset: number, length: number): Promise<Uint8Array>;
}

/** A source for a downloaded file. Does not copy the bytes. */
export function bytesSource(bytes: Uint8Array): ByteSource {
  const read = async (offset: number, length: number) => {
    if (offset < 0 || length < 0 || offset + length > bytes.length) {
      throw new RangeError(`the range ${offset} to ${offset + length} is outside a file of ${bytes.length} bytes`);
    }
    return bytes.subarray(offset, offset + length);
  };
  return { size: bytes.length, read };
}
