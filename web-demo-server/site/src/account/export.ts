// Downloads all collections of the person as one file. The API returns them in pieces of about 4 MiB (MOVE-9).

import { callText } from '../calls/server';
import { saveFile } from '../shell/files';

interface End {
  type: 'end';
  lines: number;
  cursor: string | null;
}

/** Splits a piece of an export into its first line, its collections and items, and its last line. */
function parts(text: string): { first: string; middle: string; end: End } {
  const afterFirst = text.indexOf('\n') + 1;
  const lastLine = text.lastIndexOf('\n', text.length - 2) + 1;
  return { first: text.slice(0, afterFirst), middle: text.slice(afterFirst, lastLine), end: JSON.parse(text.slice(lastLine)) as End };
}

/** Requests every piece, and saves one file with one first and one last line. Throws CallError, and saves nothing then. */
export async function downloadCollections(): Promise<void> {
  const pieces: Blob[] = [];
  let lines = 1;
  let cursor: string | null = null;
  do {
    const { text } = await callText(`export${cursor === null ? '' : `?cursor=${encodeURIComponent(cursor)}`}`);
    const { first, middle, end } = parts(text);
    pieces.push(new Blob([pieces.length === 0 ? first + middle : middle]));
    lines += end.lines - 1;
    ({ cursor } = end);
  } while (cursor !== null);
  const last: End = { type: 'end', lines, cursor: null };
  saveFile('collections.jsonl', [...pieces, `${JSON.stringify(last)}\n`]);
}
