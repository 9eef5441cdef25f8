// Uploads a file of any size to a bucket.

import { open } from 'node:fs/promises';

/** All parts except the last must have the same size, at least 5 MiB. */
const PART_BYTES = 64 * 1024 * 1024;

/** The object becomes visible only when the upload is complete. */
export async function upload(bucket, key, path) {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const read = async (offset) => {
      const bytes = new Uint8Array(Math.min(PART_BYTES, size - offset));
      for (let at = 0; at < bytes.length; ) {
        const { bytesRead } = await file.read(bytes, at, bytes.length - at, offset + at);
        if (bytesRead === 0) throw new Error(`${path} was truncated while it was being read`);
        at += bytesRead;
      }
      return bytes;
    };
    if (size <= PART_BYTES) {
      await bucket.put(key, await read(0));
      return;
    }
    const target = await bucket.createMultipartUpload(key);
    const parts = [];
    for (let offset = 0; offset < size; offset += PART_BYTES) {
      parts.push(await target.uploadPart(parts.length + 1, await read(offset)));
    }
    await target.complete(parts);
  } finally {
    await file.close();
  }
}
