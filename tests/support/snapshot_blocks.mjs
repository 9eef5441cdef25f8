// The blocks of snapshots, compared by their bytes (docs/snapshot-format.md).

export const BLOCK = 65_536;
const FIRST_READ = 131_072; // of the end of a file

const blocksOf = (bytes) =>
  Array.from({ length: Math.floor(bytes.length / BLOCK) }, (_, i) => bytes.subarray(i * BLOCK, (i + 1) * BLOCK).toString('latin1'));

export const versionOf = (bytes) => bytes.subarray(bytes.length - 64, bytes.length - 56).toString('hex');

/** What must be read to get from one snapshot to another: the end of the file, and the blocks with a hash that the first lacks. */
export function newBytes(from, to) {
  const old = new Set(blocksOf(from));
  const hashed = Number(to.readBigUInt64LE(to.length - 112)) / (BLOCK + 32); // from the offset of the directory
  return FIRST_READ + blocksOf(to).slice(0, hashed).filter((block) => !old.has(block)).length * BLOCK;
}

/** A snapshot with one wrong bit in a block that an older one lacks. */
export function withWrongBlock(from, to) {
  const old = new Set(blocksOf(from));
  const wrong = Buffer.from(to);
  wrong[blocksOf(to).findIndex((block) => !old.has(block)) * BLOCK + 5] ^= 1;
  return wrong;
}
