// Where the bytes of a snapshot come from.

/** A file that stays as it is. Any number of reads may be under way at once. */
export interface ByteSource {
  readonly size: number;
  /** What names its content, such as an ETag. */
  readonly version?: string;
  /** These bytes, all of them. Rejects where they cannot be had, and where the file is another one by now. */
  read(offset: number, length: number): Promise<Uint8Array>;
}

/** A file that was downloaded as a whole. The bytes are not copied. */
export function bytesSource(bytes: Uint8Array): ByteSource {
  const read = async (offset: number, length: number) => {
    if (offset < 0 || length < 0 || offset + length > bytes.length) {
      throw new RangeError(`there are no bytes ${offset} to ${offset + length} in ${bytes.length}`);
    }
    return bytes.subarray(offset, offset + length);
  };
  return { size: bytes.length, read };
}
